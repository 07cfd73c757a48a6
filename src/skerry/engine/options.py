"""The typed options of a game: which values they accept, their defaults, and what is wrong with a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from skerry.engine.errors import BadOption
from skerry.engine.messages import Message, format_list, say

Values = dict[str, Any]


class Option(Protocol):
    """One option of a game."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def default(self) -> Any: ...

    def read(self, value: Any) -> Any:
        """The plain value that game records and pages show, from what a program or a person gave (text too)."""

    def opens_file(self, value: Any) -> bool:
        """Whether reading this value would open a file. A server must not do that for its guests."""

    def encode(self, value: Any) -> int | Sequence[int]:
        """The numbers of a plain value in the option's field of the options struct."""

    def domain(self) -> Message:
        """The accepted values, in one line."""

    def input_hint(self) -> Message:
        """How to write a value by hand on a page."""

    def title(self, value: Any) -> Message:
        """What people call a value."""

    def describe(self) -> dict[str, Any]:
        """The type of the option and its accepted values, for programs."""


class PlainOption(ABC):
    """An option that never opens a file and whose values are written as its domain says."""

    def opens_file(self, value: Any) -> bool:
        return False

    @abstractmethod
    def domain(self) -> Message: ...

    def input_hint(self) -> Message:
        return self.domain()


def bad_value(name: str, value: Any, domain: Message) -> BadOption:
    """The refusal of a value that an option does not accept."""
    return BadOption(say("option {name} takes {domain}, not {value!r}", name=name, domain=domain, value=value))


@dataclass(frozen=True)
class Number(PlainOption):
    """A whole number within a range."""

    name: str  # of the field that ``setup`` reads
    help: str  # in a few words
    low: int  # the lowest that is accepted
    high: int  # the highest
    default: int  # where nothing is chosen

    def read(self, value: Any) -> int:
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise bad_value(self.name, value, self.domain())
        return value

    def encode(self, value: int) -> int:
        return value

    def domain(self) -> Message:
        if self.low == self.high:
            return untranslated(self.low)
        return say("a number from {low} to {high}", low=self.low, high=self.high)

    def title(self, value: int) -> Message:
        return untranslated(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Choice(PlainOption):
    """One of a few names."""

    name: str  # of the field that ``setup`` reads
    help: str  # in a few words
    choices: tuple[str, ...]  # words of a-z joined by hyphens
    default: str  # where nothing is chosen
    titles: tuple[str, ...] = ()  # what people call the choices, if that is not just the name with a capital letter
    rules: Mapping[str, str] = field(default_factory=dict, hash=False)  # modules of kernels that a choice plays by

    def read(self, value: Any) -> str:
        text = value.strip().lower().replace(" ", "-") if isinstance(value, str) else None
        if text not in self.choices:
            raise bad_value(self.name, value, self.domain())
        return str(text)

    def encode(self, value: str) -> int:
        return self.choices.index(value)

    def domain(self) -> Message:
        return say("one of {choices}", choices=", ".join(self.choices))

    def title(self, value: str) -> Message:
        return say(self.titles[self.choices.index(value)] if self.titles else display_name(value))

    def describe(self) -> dict[str, Any]:
        return {"type": "choice", "choices": list(self.choices)}


@dataclass(frozen=True)
class FirstSeat(PlainOption):
    """The seat that takes the first turn, or ``random``."""

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
            raise bad_value(self.name, value, self.domain()) from None

    def encode(self, value: int | str) -> int:
        return -1 if value == "random" else int(value)

    def domain(self) -> Message:
        return say("random or a seat from 0 to {last}", last=self.seats - 1)

    def title(self, value: int | str) -> Message:
        return say("Random") if value == "random" else say("Seat {seat}", seat=value)

    def describe(self) -> dict[str, Any]:
        return {"type": "seat", "seats": self.seats}


@dataclass(frozen=True)
class DistinctChoices(PlainOption):
    """A different thing for each seat: ``random``, or a list in seat order whose items may be ``random`` too."""

    name: str
    help: str
    choices: tuple[str, ...]
    seats: int
    titles: tuple[str, ...] = ()
    default: str = "random"

    def read(self, value: Any) -> str:
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
            raise bad_value(self.name, value, self.domain())
        names = [name.strip().lower().replace(" ", "-") for name in names]
        chosen = [name for name in names if name != "random"]
        if not 0 < len(names) <= self.seats or set(chosen) - set(self.choices):
            raise bad_value(self.name, value, self.domain())
        if len(chosen) != len(set(chosen)):
            raise BadOption(say("option {name} gives one choice twice: {value!r}", name=self.name, value=value))
        return ",".join(names) if chosen else "random"

    def encode(self, value: str) -> list[int]:
        names = [] if value == "random" else value.split(",")
        codes = [-1 if name == "random" else self.choices.index(name) for name in names]
        return codes + [-1] * (self.seats - len(codes))

    def domain(self) -> Message:
        return say("random, or for each seat one of {choices}", choices=", ".join(self.choices))

    def title(self, value: str) -> Message:
        """The title of one seat's choice, or of the choices of all seats."""
        return format_list([self._title_of_one(name) for name in value.split(",")])

    def _title_of_one(self, name: str) -> Message:
        if name == "random":
            return say("Random")
        return say(self.titles[self.choices.index(name)] if self.titles else display_name(name))

    def describe(self) -> dict[str, Any]:
        return {"type": "dealt", "choices": list(self.choices), "seats": self.seats}


def display_name(name: str) -> str:
    """A name as people write it: ``bone-island`` becomes ``Bone island``."""
    return name.replace("-", " ").capitalize()


def option_title(option: Option) -> Message:
    """The title of an option."""
    return say(display_name(option.name))


def untranslated(value: Any) -> Message:
    """A value that looks the same in every language."""
    return say("{value}", value=value)


TEXTS = ("Players", "First", FirstSeat.help)  # to be translated, beside the literals that the extraction finds


def check_seat_options(values: Values) -> None:
    """Refuse choices for seats (``first``, ``roles``) that a game with this number of players does not have."""
    players = values["players"]
    if values["first"] != "random" and values["first"] >= players:
        raise BadOption(say("with {players} players there is no seat {seat}", players=players, seat=values["first"]))
    chosen = values["roles"].split(",")
    if len(chosen) > players:
        raise BadOption(say("{roles} roles for {players} players", roles=len(chosen), players=players))


def read_options(options: Sequence[Option], given: Mapping[str, Any]) -> Values:
    """The values of all options, with defaults for those not given. A refusal names the option that is wrong."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadOption(say("there is no option {name}; there are {known}", name=name, known=", ".join(known)))
    return {name: option.read(given.get(name, option.default)) for name, option in known.items()}
