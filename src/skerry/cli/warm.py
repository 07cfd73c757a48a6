"""Compile all games and their bots now: ``python -m skerry.cli.warm``."""

from __future__ import annotations

from skerry.games import every
from skerry.table.warming import warm

if __name__ == "__main__":
    warm(every())
