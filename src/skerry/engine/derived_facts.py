"""What a fact sheet leaves out because it follows from the rest of it.

A fact sheet that is made from another one (``dataclasses.replace``) has these facts anew, so each is of a type of its
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from skerry.engine.errors import BadGame
from skerry.engine.events import LOG_WIDTH, Argument, EventKind
from skerry.engine.layout_blocks import LayoutBlocks, layout_blocks
from skerry.engine.notation import One, Verb, numbered_kinds
from skerry.engine.options import Number, Option
from skerry.engine.struct import i32, i32s, struct

if TYPE_CHECKING:
    from skerry.engine.game import Game

MOST_SLOTS = LOG_WIDTH - 3  # of an action that its verb tells: a row has the kind, the readers, and the seat, too


class PlayerCount(Number):
    """The option ``players`` of a game that does not list it."""


class ToldVerb(EventKind):
    """The event that the sentence of a verb (``Verb.told``) makes."""


class DerivedOptions:
    """The options as a struct with a field for each, in a game that declares none."""


def derive_facts(game: Game) -> dict[str, Any]:
    """The facts of a game that it does not give, by their names."""
    facts: dict[str, Any] = {"options": _options(game), "events": (*_own_events(game), *_told_verbs(game))}
    if issubclass(game.options_struct, DerivedOptions):
        facts["options_struct"] = _options_struct(facts["options"])
    if not game.observation.size or isinstance(game.observation, LayoutBlocks):
        facts["observation"] = layout_blocks(game)
    return facts


def _options(game: Game) -> tuple[Option, ...]:
    own = tuple(option for option in game.options if not isinstance(option, PlayerCount))
    if any(option.name == "players" for option in own):
        return own
    return (PlayerCount("players", "how many play", game.seats[0], game.seats[-1], game.seats[0]), *own)


def _options_struct(options: Sequence[Option]) -> type[DerivedOptions]:
    fields: dict[str, Any] = {}
    for option in options:
        code = option.encode(option.default)
        fields[option.name] = i32 if isinstance(code, int) else Annotated[i32s, len(code)]
    return struct(type("Options", (DerivedOptions,), {"__annotations__": fields}))


def _own_events(game: Game) -> tuple[EventKind, ...]:
    return tuple(kind for kind in game.events if not isinstance(kind, ToldVerb))


def _told_verbs(game: Game) -> list[ToldVerb]:
    return [_told_verb(game, verb) for verb in game.actions.verbs if verb.told]


def _told_verb(game: Game, verb: Verb) -> ToldVerb:
    if len(verb.slots) > MOST_SLOTS:
        raise BadGame(f"the verb {verb.name} names more than {MOST_SLOTS} things; tell it by emit")
    slots = (One(game.seat_kind, game.seats[-1]), *verb.slots)
    names = numbered_kinds([slot.kind for slot in slots])
    return ToldVerb(verb.name, verb.told, tuple(map(Argument, names, slots)))
