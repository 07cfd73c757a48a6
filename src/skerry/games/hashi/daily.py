"""The puzzle of the day: a solo game with the same board, start and cards for everybody."""

from __future__ import annotations

import datetime
import functools
import hashlib
from importlib.resources import files

from skerry.engine.errors import BadOption
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.games.hashi import GAME
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.board_text import read_board
from skerry.games.hashi.rules.components import START_NUMBERS
from skerry.games.hashi.rules.options import SIDES, board_of
from skerry.games.hashi.rules.state import NO_FLAG


def daily(date: datetime.date | str | None = None) -> Match:
    """The match of a day, as ``2026-11-15`` or by default today in UTC, at its first card."""
    day = _day(date)
    digest = hashlib.sha256(f"hashi of {day.isoformat()}".encode()).digest()
    boards = daily_boards()
    board = boards[int.from_bytes(digest[:4]) % len(boards)]
    plain = [island for island in board.islands if island.flag == NO_FLAG]
    island = plain[int.from_bytes(digest[4:8]) % len(plain)]
    number = START_NUMBERS[digest[8] % len(START_NUMBERS)]
    variant = GAME.configure({"players": 1, "board": board, "start": f"{island.name}:{number}"})
    return variant.new(seed=int.from_bytes(digest[16:24]))


def _day(date: datetime.date | str | None) -> datetime.date:
    if date is None:
        return datetime.datetime.now(datetime.UTC).date()
    if isinstance(date, datetime.datetime):  # also a date, but its ISO format includes the time
        return date.date()
    if isinstance(date, datetime.date):
        return date
    try:
        return datetime.date.fromisoformat(date)
    except (ValueError, TypeError):
        raise BadOption(say("a day is written like 2026-11-15, not {date!r}", date=date)) from None


@functools.cache
def daily_boards() -> tuple[Board, ...]:
    """Sides A and B and the boards that were generated for the puzzles.

    The list must not change: the board of a day depends on its length, so one more board would change the puzzles of
    all days, even of those that were played.
    """
    text = (files(__package__) / "boards" / "daily.txt").read_text(encoding="utf-8")
    made = [read_board(line) for line in text.splitlines() if line and not line.startswith("#")]
    return (*(board_of(side) for side in SIDES), *made)
