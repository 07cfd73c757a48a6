"""Compile the kernels of all games and bots: ``python -m skerry.cli.warm_up``."""

from __future__ import annotations

from skerry.games import all_games
from skerry.server.warm_up import compile_games

if __name__ == "__main__":
    compile_games(all_games())
