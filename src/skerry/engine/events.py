"""Events: what happened in a step, read from the rows of an event log as far as a reader may know it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from skerry.engine.errors import BadGame
from skerry.engine.messages import Message, Msgid, format_list
from skerry.engine.notation import Names, One, Slot

EVERYBODY = -1  # in the second number of a row: all seats see the secret arguments
LOG_WIDTH = 6  # of a row of the event log: the kind of event, the seats that see its secret arguments, four arguments
WRITTEN, MISSED = range(2)  # in row 0: how many events the log has, and how many more there was no row for


class EventLogOverflow(Exception):
    """A step wrote more events than its game declares: a mistake in the game, not of a player."""

    def __init__(self, game: str, max_events: int, written: int) -> None:
        super().__init__(
            f"a step of {game} wrote {written} events, and the game declares that no step writes more than "
            f"{max_events} (max_events)"
        )


@dataclass(frozen=True)
class Argument:
    """One number of an event: one or more entities or, without a slot, the number itself.

    Programs read the slug of one entity (``One``) as a string. Of a slot that can hold several they read a list of
    slugs, also where it holds only one, so that the type of a value never depends on the game.
    """

    name: str  # the placeholder in the sentence of the event
    slot: Slot | None = None  # the entities that the number stands for
    secret: bool = False  # whether only the seats that ``emit_secret`` names may know it


@dataclass(frozen=True)
class EventKind:
    """A kind of event: its name for programs and its sentence for people.

    ``veiled`` is the sentence for readers that may not know the secret arguments.
    """

    name: str  # for programs and records
    text: Msgid  # for people, with a placeholder for each argument: "{player} draws a {card}"
    arguments: tuple[Argument, ...] = ()  # in the order of the numbers that ``emit`` takes, at most four
    veiled: Msgid | None = None  # for readers that may not know the secret arguments


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


def logged_rows(log: NDArray[Any], game: str) -> list[list[int]]:
    """The rows that a step of a game has written; raises ``EventLogOverflow`` if there were more than fit."""
    written, missed = int(log[0, WRITTEN]), int(log[0, MISSED])
    if missed:
        raise EventLogOverflow(game, len(log) - 1, written + missed)
    rows: list[list[int]] = log[1 : written + 1].tolist()
    return rows


def read_events(kinds: tuple[EventKind, ...], rows: Iterable[Any], names: Names, seat: int | None) -> list[Event]:
    """The events of a log as a seat may know them, or a spectator (None)."""
    return [_read_event(_kind(kinds, row[0]), row, names, seat) for row in rows]


def _kind(kinds: tuple[EventKind, ...], number: int) -> EventKind:
    """The kind of event that ``emit`` named by its number."""
    if not 0 <= number < len(kinds):
        known = ", ".join(f"{place} is {kind.name}" for place, kind in enumerate(kinds)) or "none"
        raise BadGame(f"a step told the event number {number}, but the events of the fact sheet are: {known}")
    return kinds[number]


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
    slugs, title = [name.slug for name in found], format_list([name.title for name in found])
    return (slugs[0] if isinstance(argument.slot, One) else slugs), title
