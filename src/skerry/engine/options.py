"""The typed options of a game: what may be chosen, what is chosen by default, and what is wrong with a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from skerry.engine.refusal import BadOption, say

Values = dict[str, Any]


class Option(Protocol):
    """One choice. ``read`` takes what a program or a person gives (text too) and returns the plain value that
    records and pages show; ``encode`` turns that into the numbers of the options record's field."""

    @property
    def name(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def default(self) -> Any: ...
    def read(self, value: Any) -> Any: ...
    def encode(self, value: Any) -> int | Sequence[int]: ...
    def domain(self) -> str: ...
    def describe(self) -> dict[str, Any]: ...


def refuse(name: str, value: Any, domain: str) -> BadOption:
    return BadOption(say("option {name} takes {domain}, not {value!r}", name=name, domain=domain, value=value))


@dataclass(frozen=True)
class Number:
    """A whole number within a range."""

    name: str
    help: str
    low: int
    high: int
    default: int

    def read(self, value: Any) -> int:
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise refuse(self.name, value, self.domain())
        return value

    def encode(self, value: int) -> int:
        return value

    def domain(self) -> str:
        return f"a number from {self.low} to {self.high}"

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Choice:
    """One of a few names."""

    name: str
    help: str
    choices: tuple[str, ...]
    default: str

    def read(self, value: Any) -> str:
        text = value.strip().lower().replace(" ", "-") if isinstance(value, str) else None
        if text not in self.choices:
            raise refuse(self.name, value, self.domain())
        return str(text)

    def encode(self, value: str) -> int:
        return self.choices.index(value)

    def domain(self) -> str:
        return "one of " + ", ".join(self.choices)

    def describe(self) -> dict[str, Any]:
        return {"type": "choice", "choices": list(self.choices)}


@dataclass(frozen=True)
class FirstSeat:
    """A seat that begins, or ``random``."""

    seats: int
    name: str = "first"
    help: str = "the seat that takes the first turn, counted from 0"
    default: str = "random"

    def read(self, value: Any) -> int | str:
        if isinstance(value, str) and value.strip().lower() == "random":
            return "random"
        try:
            return Number(self.name, "", 0, self.seats - 1, 0).read(value)
        except BadOption:
            raise refuse(self.name, value, self.domain()) from None

    def encode(self, value: int | str) -> int:
        return -1 if value == "random" else int(value)

    def domain(self) -> str:
        return f"random or a seat from 0 to {self.seats - 1}"

    def describe(self) -> dict[str, Any]:
        return {"type": "seat", "seats": self.seats}


@dataclass(frozen=True)
class Dealt:
    """What each seat gets, all different: ``random``, or a list in seat order in which ``random`` may stand too."""

    name: str
    help: str
    choices: tuple[str, ...]
    seats: int
    default: str = "random"

    def read(self, value: Any) -> str:
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
            raise refuse(self.name, value, self.domain())
        names = [name.strip().lower().replace(" ", "-") for name in names]
        chosen = [name for name in names if name != "random"]
        if not 0 < len(names) <= self.seats or set(chosen) - set(self.choices):
            raise refuse(self.name, value, self.domain())
        if len(chosen) != len(set(chosen)):
            raise BadOption(say("option {name} gives one choice twice: {value!r}", name=self.name, value=value))
        return ",".join(names) if chosen else "random"

    def encode(self, value: str) -> list[int]:
        names = [] if value == "random" else value.split(",")
        codes = [-1 if name == "random" else self.choices.index(name) for name in names]
        return codes + [-1] * (self.seats - len(codes))

    def domain(self) -> str:
        return "random, or for each seat one of " + ", ".join(self.choices)

    def describe(self) -> dict[str, Any]:
        return {"type": "dealt", "choices": list(self.choices), "seats": self.seats}


def check_seats(values: Values) -> None:
    """What is chosen for a seat (``first``, ``roles``) needs that seat."""
    players = values["players"]
    if values["first"] != "random" and values["first"] >= players:
        raise BadOption(say("with {players} players there is no seat {seat}", players=players, seat=values["first"]))
    chosen = values["roles"].split(",")
    if len(chosen) > players:
        raise BadOption(say("{roles} roles for {players} players", roles=len(chosen), players=players))


def read_options(options: Sequence[Option], given: Mapping[str, Any]) -> Values:
    """All options with their values, or a refusal that names the wrong one."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadOption(say("there is no option {name}; there are {known}", name=name, known=", ".join(known)))
    return {name: option.read(given.get(name, option.default)) for name, option in known.items()}
