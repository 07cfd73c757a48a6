"""Events: what happened in a step, read from the rows of an event log as far as a reader may know it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from skerry.engine.messages import Message, Msgid, format_list
from skerry.engine.notation import Names, Slot

EVERYBODY = -1  # in the second number of a row: all seats see the secret arguments


@dataclass(frozen=True)
class Argument:
    """One number of an event: one or more entities or, without a slot, the number itself."""

    name: str
    slot: Slot | None = None
    secret: bool = False


@dataclass(frozen=True)
class EventKind:
    """A kind of event: its name for programs and its sentence for people.

    ``veiled`` is the sentence for readers that may not know the secret arguments.
    """

    name: str
    text: Msgid
    arguments: tuple[Argument, ...] = ()
    veiled: Msgid | None = None


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
    """The events of a log as a seat may know them, or a spectator (None)."""
    return [_read_event(kinds[row[0]], row, names, seat) for row in rows]


def _read_event(kind: EventKind, row: Any, names: Names, seat: int | None) -> Event:
    may_know = row[1] == EVERYBODY or (seat is not None and row[1] >> seat & 1)
    values: dict[str, Any] = {}
    titles: dict[str, Any] = {}
    for argument, number in zip(kind.arguments, row[2:], strict=False):
        if argument.secret and not may_know:
            values[argument.name] = None
        else:
            values[argument.name], titles[argument.name] = _value_and_title(argument, int(number), names)
    text = kind.text if may_know or kind.veiled is None else kind.veiled
    return Event(kind.name, values, Message(text, titles))


def _value_and_title(argument: Argument, number: int, names: Names) -> tuple[Any, Any]:
    """What programs and what people read of an argument."""
    if argument.slot is None:
        return number, number
    found = [names[argument.slot.kind][member] for member in argument.slot.members(number)]
    if len(found) == 1:
        return found[0].slug, found[0].title
    return [name.slug for name in found], format_list([name.title for name in found])
