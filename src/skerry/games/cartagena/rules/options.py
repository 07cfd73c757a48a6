"""Cartagena's own options: the parts of the path, the set they come from, and how cards are won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skerry.engine.errors import BadOption
from skerry.engine.messages import Message, say
from skerry.engine.options import Choice, PlainOption, Values, bad_value, untranslated
from skerry.games.cartagena.rules.components import (
    DRAWING_MOVE_TITLES,
    DRAWING_MOVES,
    PART_LETTERS,
    PARTS,
    SYMBOL_LETTERS,
)
from skerry.games.cartagena.rules.part_set import (
    HOUSE_SET,
    RULE,
    Sides,
    house_parts,
    read_parts,
    read_parts_file,
    write_parts,
)


@dataclass(frozen=True)
class SwitchOption(Choice):
    """A switch with the values ``off`` and ``on``; also accepts a bool."""

    choices: tuple[str, ...] = ("off", "on")
    default: str = "off"

    def read(self, value: Any) -> str:
        return super().read(self.choices[value] if isinstance(value, bool) else value)


@dataclass(frozen=True)
class DrawingMoveOption(PlainOption):
    """How cards are won. Not a ``Choice``, since not every value is possible with every story."""

    name: str
    help: str
    default: str = DRAWING_MOVES[0]

    def read(self, value: Any) -> str:
        return self._choice.read(value)

    def encode(self, value: str) -> int:
        return self._choice.encode(value)

    def domain(self) -> Message:
        return self._choice.domain()

    def title(self, value: str) -> Message:
        return self._choice.title(value)

    def describe(self) -> dict[str, Any]:
        return self._choice.describe()

    @property
    def _choice(self) -> Choice:
        return Choice(self.name, self.help, DRAWING_MOVES, self.default, DRAWING_MOVE_TITLES)


@dataclass(frozen=True)
class PartsOption(PlainOption):
    """The parts of the path: how many random ones, or which ones, by their letters in order."""

    name: str
    help: str
    low: int
    high: int
    default: int

    def read(self, value: Any) -> int | str:
        if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
            value = "".join(value)
        if isinstance(value, str):
            value = "".join(value.lower().replace(",", " ").split())
            if value.isdecimal() and len(value) < 3:
                value = int(value)
        if isinstance(value, str) and value and not set(value) - set(PART_LETTERS):
            return self._letters(value)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise bad_value(self.name, value, self.domain())
        return value

    def _letters(self, letters: str) -> str:
        for letter in letters:
            if letters.count(letter) > 1:
                raise BadOption(say("option {name} lays part {letter} twice", name=self.name, letter=letter), RULE)
        if not self.low <= len(letters) <= self.high:
            raise bad_value(self.name, letters, self.domain())
        return letters

    def encode(self, value: int | str) -> list[int]:
        """The number of parts, then the parts; -1 stands for a random one."""
        chosen = [-1] * value if isinstance(value, int) else [PART_LETTERS.index(letter) for letter in value]
        return [len(chosen), *chosen] + [-1] * (PARTS - len(chosen))

    def domain(self) -> Message:
        return say("a number from {low} to {high}, or as many letters from a to h", low=self.low, high=self.high)

    def title(self, value: int | str) -> Message:
        return untranslated(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "parts", "low": self.low, "high": self.high, "letters": PART_LETTERS}


@dataclass(frozen=True)
class PartSetOption:
    """The set of parts: the house set, or the one in a file. The value is the content of the file, not its path."""

    name: str
    help: str
    default: str = HOUSE_SET

    def read(self, value: Any) -> str:
        if self.opens_file(value):
            return self._canonical_text(read_parts_file(Path(value)))
        if not isinstance(value, str) or not value.strip():
            raise bad_value(self.name, value, self.domain())
        if value.strip().lower() == HOUSE_SET:
            return HOUSE_SET
        return self._canonical_text(read_parts(value.replace(";", "\n")))

    def opens_file(self, value: Any) -> bool:
        """A text that is neither the name of the house set nor the parts themselves names a file."""
        if isinstance(value, str):
            return value.strip().lower() not in ("", HOUSE_SET) and not {";", "\n"} & set(value)
        return isinstance(value, Path)

    @staticmethod
    def _canonical_text(parts: dict[str, Sides]) -> str:
        return HOUSE_SET if parts == house_parts() else write_parts(parts)

    def encode(self, value: str) -> Sequence[int]:
        parts = house_parts() if value == HOUSE_SET else read_parts(value.replace(";", "\n"))
        return [SYMBOL_LETTERS.index(symbol) for sides in parts.values() for side in sides for symbol in side]

    def domain(self) -> Message:
        return say("house, a file of eight parts, or their lines with ; between")

    def input_hint(self) -> Message:
        return self.domain()

    def title(self, value: str) -> Message:
        return say("The house's") if value == HOUSE_SET else untranslated(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "part-set", "house": write_parts(house_parts())}


def check(values: Values) -> None:
    """CA-01: refuse options that do not go together."""
    players, full = values["players"], values["story"] == "full"
    if values["first"] != "random" and values["first"] >= players:
        raise _refused(say("with {players} players there is no seat {seat}", players=players, seat=values["first"]))
    if values["draw"] == "back-then-morgan" and not full:
        raise _refused(say("back-then-morgan needs the tunnel and the island of the full story"))
    if full and values["parts"] != 6:
        raise _refused(say("the full story takes tunnel and island parts; leave parts as it is"))
    if full:
        _check_halves(values["tunnel"], values["island"])
    elif (values["tunnel"], values["island"]) != (3, 3):
        raise _refused(say("tunnel and island parts are for the full story; here it is parts"))


def _check_halves(tunnel: int | str, island: int | str) -> None:
    laid = sum(half if isinstance(half, int) else len(half) for half in (tunnel, island))
    if laid > PARTS:
        raise _refused(say("there are eight parts; tunnel and island together want {laid}", laid=laid))
    if isinstance(tunnel, str) and isinstance(island, str):
        for letter in tunnel:
            if letter in island:
                raise _refused(say("part {letter} cannot lie in the tunnel and on the island", letter=letter))


def _refused(reason: Message) -> BadOption:
    return BadOption(reason, RULE)
