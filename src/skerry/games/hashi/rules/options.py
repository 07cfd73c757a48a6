"""Hashi's own options: the board, and a start number that is the same for everybody."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from skerry.engine.errors import BadOption
from skerry.engine.messages import Message, say
from skerry.engine.options import Choice, PlainOption, Values, bad_value, untranslated
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.board_text import read_board
from skerry.games.hashi.rules.components import ISLANDS, N_BLUE_FLAGS, N_RED_FLAGS, START_NUMBERS
from skerry.games.hashi.rules.state import NO_FLAG

SIDES = ("A", "B")
SUFFIX = ".board"  # a value with this ending names a file; no other file is ever opened
FREE_START = "free"
SIZE_LIMIT = 100_000


def read_printed_board(name: str) -> Board:
    """Read one of the boards that come with the game."""
    return read_board((files("skerry.games.hashi") / "boards" / f"{name}{SUFFIX}").read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=64)
def board_of(value: str) -> Board:
    """The board for a value of the option ``board``."""
    return read_printed_board(value) if value in SIDES else read_board(value)


def read_board_file(path: Path) -> Board:
    """Read a board from a text file."""
    try:
        with path.open(encoding="utf-8") as file:
            return read_board(file.read(SIZE_LIMIT))
    except (OSError, ValueError) as problem:
        strerror = problem.strerror if isinstance(problem, OSError) else None
        reason = untranslated(strerror) if strerror else say("it is not a text file")
        raise BadOption(
            say("the board {path} cannot be read: {reason}", path=str(path), reason=reason), "HA-01"
        ) from None


@dataclass(frozen=True)
class BoardOption(Choice):
    """HA-01: the board, as the name of a side, a drawing, or a file with a drawing.

    The value is the name of the side or the whole drawing, so that a game record replays without the file.
    """

    name: str = "board"
    help: str = "on which board all play; side B is a little harder"
    choices: tuple[str, ...] = SIDES
    default: str = SIDES[0]

    def read(self, value: Any) -> str:
        if self.opens_file(value):
            value = read_board_file(Path(value))
        elif isinstance(value, str):
            value = value.strip("\n")
            if value.strip().upper() in SIDES:
                return value.strip().upper()
            if "/" in value or "\n" in value:
                value = read_board(value)
        if not isinstance(value, Board):
            raise bad_value(self.name, value, self.domain())
        board = read_board(value.text)  # checks boards built by a program, too
        return next((side for side in SIDES if board_of(side) == board), board.text)

    def opens_file(self, value: Any) -> bool:
        return isinstance(value, Path) or (isinstance(value, str) and value.endswith(SUFFIX))

    def encode(self, value: str) -> Any:
        return board_of(value).numbers()

    def domain(self) -> Message:
        return say("A, B, a drawing of a board, or a file ending in {suffix}", suffix=SUFFIX)

    def input_hint(self) -> Message:
        return say(
            "draw your own with these signs: o is an island, r one with a red flag, b one with a blue flag; - and | "
            "are lines, + is where two of them cross, and a space is water. It takes {islands} islands, {reds} of them "
            "with a red flag and {blues} with a blue one.",
            islands=ISLANDS,
            reds=N_RED_FLAGS,
            blues=N_BLUE_FLAGS,
        )

    def title(self, value: str) -> Message:
        return say("Side {side}", side=value) if value in SIDES else say("A board of your own")

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "open": True}


@dataclass(frozen=True)
class StartOption(PlainOption):
    """HA-02: ``free`` if the players write the start numbers, or the same start on every paper, as ``C4:3``."""

    name: str = "start"
    help: str = (
        "everybody writes a first number, a 3 or a 4, and hands the paper to the left; "
        "or the same one is on every paper"
    )
    default: str = FREE_START

    def read(self, value: Any) -> str:
        text = value.strip().upper() if isinstance(value, str) else ""
        numbers = "".join(map(str, START_NUMBERS))
        if text.lower() == FREE_START:
            return FREE_START
        if not re.fullmatch(rf"[A-R]([1-9]|1[0-8]):[{numbers}]", text):
            raise bad_value(self.name, value, self.domain())
        return text

    def encode(self, value: str) -> Sequence[int]:
        if value == FREE_START:
            return (0, 0, 0)
        place, _, number = value.partition(":")
        return (int(place[1:]) - 1, ord(place[0]) - ord("A"), int(number))

    def domain(self) -> Message:
        return say("free, or an island and a 3 or 4 as C4:3")

    def input_hint(self) -> Message:
        return say("an island and its number, a 3 or a 4: C4:3 is a 3 in the third column and the fourth row")

    def title(self, value: str) -> Message:
        return say("Free") if value == FREE_START else untranslated(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "text"}


def check(values: Values) -> None:
    """HA-02: check that a given start number is on an island of the board that has no flag."""
    if values["start"] == FREE_START:
        return
    place = values["start"].partition(":")[0]
    found = [island for island in board_of(values["board"]).islands if island.name == place]
    if not found:
        raise BadOption(say("the board has no island {place}", place=place), "HA-02")
    if found[0].flag != NO_FLAG:
        raise BadOption(say("{place} has a flag; start on an island without one", place=place), "HA-02")
