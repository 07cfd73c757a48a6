"""The buttons of moves and powers: where a pirate goes, and what that brings."""

from __future__ import annotations

import functools

from skerry.engine.messages import Message, say
from skerry.games.cartagena.rules.actions import VERBS
from skerry.games.cartagena.rules.components import (
    CARD_TITLES,
    COLOUR_TITLES,
    HIDEOUT,
    LANTERN_DRAWS,
    N_SYMBOLS,
    PLACES,
    RUM,
    SLOOP,
    START,
    TORTUGA,
)
from skerry.games.cartagena.rules.state import HOOK_LAID, HOOK_PARROTS_LAID, State
from skerry.games.cartagena.ui.previews import BACK_ROW, FIRST_MORGAN_ROW, brought, targets

POWERS = (  # by symbol
    "{card}: look into a hand and take a card",
    "{card}: draw {count}, keep 2, give one to each of the others",
    "{card}: see the next {count} cards, keep one",
    "",  # parrots have none of their own
    "{card}: with a second card, two pirates move together",
    "{card}: open the chest that a pirate of yours stands on",
)
TEXTS = POWERS  # to be translated


_decode = functools.cache(VERBS.decode)


def label(state: State, seat: int, action: int) -> Message | None:
    """What a move or a power says on its button."""
    verb, parts = _decode(action)
    slots = [part[0] for part in parts]
    if verb.name == "play":
        card, place = slots
        is_pair = state.phase in (HOOK_LAID, HOOK_PARROTS_LAID)
        return _play(state.story, card, place, _target(state, card % N_SYMBOLS, place), is_pair)
    if verb.name == "back":
        (place,) = slots
        target = _target(state, BACK_ROW, place)
        return _move_back(state.story, place, target, brought(state, target))
    if verb.name == "morgan":
        colour, place = slots
        target = _target(state, FIRST_MORGAN_ROW + colour, place)
        return _move_other(state.story, colour, place, target, brought(state, target))
    if verb.name == "magic":
        return _power(slots[0], state.players)
    return None


def _target(state: State, row: int, place: int) -> int:
    return targets(state)[row * PLACES + place]


@functools.cache
def _play(story: int, card: int, place: int, target: int, is_pair: bool) -> Message:
    words = {"card": say(CARD_TITLES[card]), **_way(story, place, target)}
    if is_pair:
        return say("Move two on with {card}: {place} → {goal}", **words)
    return say("Move on with {card}: {place} → {goal}", **words)


@functools.cache
def _move_back(story: int, place: int, target: int, count: int) -> Message:
    return say("Move back {place} → {goal}, draw {count}", count=count, **_way(story, place, target))


@functools.cache
def _move_other(story: int, colour: int, place: int, target: int, count: int) -> Message:
    words = {"pirate": say(COLOUR_TITLES[colour]), "count": count, **_way(story, place, target)}
    return say("Move {pirate} on {place} → {goal}, draw {count}", **words)


@functools.cache
def _power(card: int, players: int) -> Message | None:
    symbol = card % N_SYMBOLS
    if not POWERS[symbol]:
        return None
    count = players + 1 if symbol == RUM else LANTERN_DRAWS
    return Message(POWERS[symbol], {"card": say(CARD_TITLES[card]), "count": count})


def _way(story: int, place: int, target: int) -> dict[str, Message | int]:
    return {"place": _short_place(story, place), "goal": _short_place(story, target)}


def _short_place(story: int, place: int) -> Message | int:
    """The number of a space, or the name of another place."""
    if place == START:
        return say("half-sunk sloop") if story == TORTUGA else say("prison")
    if place == SLOOP:
        return say("sloop")
    return say("hideout") if place == HIDEOUT else place
