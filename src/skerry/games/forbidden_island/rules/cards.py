"""Treasure cards: drawing, the hand limit, giving, Waters Rise!"""

from __future__ import annotations

from skerry.engine.cards import renew
from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.engine.rng import shuffle
from skerry.games.forbidden_island.rules import events as what
from skerry.games.forbidden_island.rules.components import CARD_KINDS, FLOODS, HAND_LIMIT, HELD, SKULL, WATERS_RISE
from skerry.games.forbidden_island.rules.flood import finish
from skerry.games.forbidden_island.rules.state import FLOODING, SKULL_REACHED, State


@kernel
def hand_size(state: State, seat: int) -> int:
    size = 0
    for card in range(HELD):
        size += state.hands[seat, card]
    return size


@kernel
def receive(state: State, seat: int, card: int) -> None:
    """FI-35: the limit is checked after every card."""
    state.hands[seat, card] += 1
    if hand_size(state, seat) > HAND_LIMIT:
        state.over |= 1 << seat


@kernel
def release(state: State, seat: int, card: int) -> None:
    """A card goes from a hand to the discard, be it played or thrown away."""
    state.hands[seat, card] -= 1
    state.treasure_discard[card] += 1
    if hand_size(state, seat) <= HAND_LIMIT:
        state.over &= ~(1 << seat)


@kernel
def give(state: State, seat: int, treasure: int, other: int, log: Log) -> None:
    state.hands[seat, treasure] -= 1
    emit(log, what.GAVE, seat, treasure, other)
    receive(state, other, treasure)


@kernel
def draw_treasure(state: State, log: Log) -> None:
    state.treasure_left -= 1
    card = state.treasure_deck[state.treasure_left]
    if card == WATERS_RISE:
        _waters_rise(state, log)
        if state.ending:
            return
    else:
        emit(log, what.DREW, state.turn, card, 0)
        receive(state, state.turn, card)
    if not state.treasure_left:
        state.treasure_left = renew(state, state.treasure_deck, state.treasure_discard, CARD_KINDS)
        emit(log, what.RENEWED, 0, 0, 0)
    state.left -= 1
    if not state.left:
        state.phase = FLOODING
        state.left = FLOODS[state.water]


@kernel
def _waters_rise(state: State, log: Log) -> None:
    state.treasure_discard[WATERS_RISE] += 1
    state.water += 1
    if state.water == SKULL:
        finish(state, SKULL_REACHED, log, what.SKULL_REACHED, 0)
        return
    emit(log, what.ROSE, state.water + 1, FLOODS[state.water], 0)
    if state.flood_shown:
        emit(log, what.RESTACKED, state.flood_shown, 0, 0)
        shuffle(state, state.flood_discard, 0, state.flood_shown)
        state.layers |= 1 << state.flood_left
        for i in range(state.flood_shown):
            state.flood_deck[state.flood_left + i] = state.flood_discard[i]
        state.flood_left += state.flood_shown
        state.flood_shown = 0
