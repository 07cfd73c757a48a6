"""Default names: those of the fact sheet (``Game.names``), else a kind of entity and a number."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skerry.engine.layout import Counter, Pile
from skerry.engine.messages import say
from skerry.engine.notation import Name, Names, One, Pair, Slot, Subset
from skerry.engine.options import display_name

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.protocols import View


@functools.cache
def default_names(game: Game) -> Names:
    """The names of all entities that the actions and events of a game can name."""
    counts: dict[str, int] = {game.seat_kind: game.seats[-1]}
    for slot in _slots(game):
        counts[slot.kind] = max(counts.get(slot.kind, 0), _count(slot))
    return {kind: _names_of(game, kind, count) for kind, count in counts.items()} | {
        kind: tuple(_named(name) for name in names) for kind, names in game.names.items() if kind not in counts
    }


def shown_names(game: Game, names: Names) -> dict[str, list[tuple[str, str]]]:
    """The names of what a layout shows, as plain data: for each kind the slugs, with the text of each title."""
    kinds = sorted(_kinds_of_layout(game) | {game.seat_kind})
    return {kind: [(name.slug, title_text(name)) for name in names[kind]] for kind in kinds}


def named_kinds(game: Game) -> set[str]:
    """The kinds of entities that need names: those of seats, actions, events and the layout."""
    return {game.seat_kind} | {slot.kind for slot in _slots(game)} | _kinds_of_layout(game)


def _kinds_of_layout(game: Game) -> set[str]:
    return {component.kind for component in game.layout if not isinstance(component, (Counter, Pile)) if component.kind}


def title_text(name: Name) -> str:
    """The English text of a title, to be translated. One that is made of kind and number stays English."""
    return str(name.title) if name.title.arguments else name.title.text


def names_in(game: Game, view: View) -> Names:
    """The names by which a view shows its entities: those that the game makes for the match, or the default ones."""
    if "names" not in view:
        return default_names(game)
    return {kind: [Name(slug, say(title)) for slug, title in named] for kind, named in view["names"].items()}


def _slots(game: Game) -> Iterator[Slot]:
    for verb in game.actions.verbs:
        yield from verb.slots
    for kind in game.events:
        yield from (argument.slot for argument in kind.arguments if argument.slot is not None)


def _count(slot: Slot) -> int:
    if isinstance(slot, One):
        return slot.size
    return slot.of if isinstance(slot, (Pair, Subset)) else slot.size


def _names_of(game: Game, kind: str, count: int) -> tuple[Name, ...]:
    given = game.names.get(kind, ())
    if given and len(given) < count:
        raise ValueError(f"{game.name} names {len(given)} of {count} {kind}")
    common = display_name(kind) if kind == game.seat_kind else kind  # inside a sentence only players have a capital
    return tuple(_named(name) for name in given) or tuple(_numbered(common, number) for number in range(1, count + 1))


def _named(name: str) -> Name:
    """A name of the fact sheet: ``red queen`` is written red-queen in the notation."""
    return Name(name.lower().replace(" ", "-"), say(name))


def _numbered(kind: str, number: int) -> Name:
    return Name(str(number), say("{kind} {number}", kind=say(kind), number=number))
