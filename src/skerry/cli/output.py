"""What several commands print: JSON, CSV, reports, and the names of seats."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from skerry.engine.bot_titles import BOT_TITLES, bot_title
from skerry.engine.match import Match
from skerry.engine.messages import Translate


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Rows, which may have different columns, as one table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def status_console() -> Console:
    """A console on standard error, for messages about progress: standard output has the results only."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def write_report(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8")
    status_console().print(f"The report is in {path}")


def seat_name(match: Match, seat: int, translate: Translate = str) -> str:
    """The pawn, colour or pen of a seat, and in brackets the player or bot."""
    name = match.names[match.game.seat_kind][seat].title.render(translate)
    player = match.seats[seat]
    if player.partition(":")[0] in BOT_TITLES:
        player = bot_title(player).render(translate)
    return f"{name} ({player})" if player else name
