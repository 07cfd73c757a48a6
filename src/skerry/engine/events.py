"""What happened, step by step: rows of small numbers that kernels write, told to each seat as far as it may know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from skerry.engine.messages import Message, format_list
from skerry.engine.notation import Names, Slot

EVERYBODY = -1  # in the second number of a row


@dataclass(frozen=True)
class Argument:
    """One number of an event: an entity, several, or (without a slot) the number itself."""

    name: str
    slot: Slot | None = None
    secret: bool = False


@dataclass(frozen=True)
class EventKind:
    """A kind of event: its name for programs and its sentence for people (``veiled``: to those who may not know)."""

    name: str
    text: str
    arguments: tuple[Argument, ...] = ()
    veiled: str | None = None


@dataclass(frozen=True)
class Event:
    """One event as one reader may know it."""

    name: str
    values: dict[str, Any]
    message: Message

    def __str__(self) -> str:
        return str(self.message)

    def as_dict(self) -> dict[str, Any]:
        return {"event": self.name, **self.values}


def read_events(kinds: tuple[EventKind, ...], rows: Iterable[Any], names: Names, seat: int | None) -> list[Event]:
    """The events of a log as a seat (or, with None, a spectator) may know them."""
    return [_read_event(kinds[row[0]], row, names, seat) for row in rows]


def _read_event(kind: EventKind, row: Any, names: Names, seat: int | None) -> Event:
    knows = row[1] == EVERYBODY or (seat is not None and row[1] >> seat & 1)
    values: dict[str, Any] = {}
    words: dict[str, Any] = {}
    for argument_, number in zip(kind.arguments, row[2:], strict=False):
        if argument_.secret and not knows:
            values[argument_.name] = None
        else:
            values[argument_.name], words[argument_.name] = _value(argument_, int(number), names)
    text = kind.text if knows or kind.veiled is None else kind.veiled
    return Event(kind.name, values, Message(text, words))


def _value(argument_: Argument, number: int, names: Names) -> tuple[Any, Any]:
    if argument_.slot is None:
        return number, number
    found = [names[argument_.slot.kind][member] for member in argument_.slot.members(number)]
    if len(found) == 1:
        return found[0].slug, found[0].title
    return [name.slug for name in found], format_list([name.title for name in found])
