"""Treasure cards: drawing, the hand limit, giving, and Waters Rise!"""

from __future__ import annotations

from skerry.engine.cards import reshuffle_discard
from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.engine.rng import shuffle
from skerry.games.forbidden_island.rules import events
from skerry.games.forbidden_island.rules.components import (
    CARD_KINDS,
    FLOOD_CARDS_AT_TICK,
    HAND_CARD_KINDS,
    HAND_LIMIT,
    SKULL_TICK,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.result import finish
from skerry.games.forbidden_island.rules.state import FLOODING, SKULL_REACHED, State


@kernel
def hand_size(state: State, seat: int) -> int:
    """The number of cards in a hand."""
    size = 0
    for card in range(HAND_CARD_KINDS):
        size += state.hands[seat, card]
    return size


@kernel
def add_to_hand(state: State, seat: int, card: int) -> None:
    """FI-35: take a card into a hand, and check the hand limit after it."""
    state.hands[seat, card] += 1
    if hand_size(state, seat) > HAND_LIMIT:
        state.over |= 1 << seat


@kernel
def discard_from_hand(state: State, seat: int, card: int) -> None:
    """Move a card from a hand to the discard, whether it was played or discarded."""
    state.hands[seat, card] -= 1
    state.treasure_discard[card] += 1
    if hand_size(state, seat) <= HAND_LIMIT:
        state.over &= ~(1 << seat)


@kernel
def give(state: State, seat: int, treasure: int, other: int, log: EventLog) -> None:
    """FI-20: give a treasure card to another seat."""
    state.hands[seat, treasure] -= 1
    emit(log, events.GAVE, seat, treasure, other)
    add_to_hand(state, other, treasure)


@kernel
def draw_treasure(state: State, log: EventLog) -> None:
    """FI-30, FI-34: draw one treasure card, renew an empty deck, and go on to the flood cards after the last draw."""
    state.treasure_left -= 1
    card = state.treasure_deck[state.treasure_left]
    if card == WATERS_RISE:
        _waters_rise(state, log)
        if state.ending:
            return
    else:
        emit(log, events.DREW, state.turn, card, 0)
        add_to_hand(state, state.turn, card)
    if not state.treasure_left:
        state.treasure_left = reshuffle_discard(state, state.treasure_deck, state.treasure_discard, CARD_KINDS)
        emit(log, events.RENEWED, 0, 0, 0)
    state.left -= 1
    if not state.left:
        state.phase = FLOODING
        state.left = FLOOD_CARDS_AT_TICK[state.water]


@kernel
def _waters_rise(state: State, log: EventLog) -> None:
    """FI-31: the meter goes up a tick and the flood discard is shuffled onto the flood deck as a new pile."""
    state.treasure_discard[WATERS_RISE] += 1
    state.water += 1
    if state.water == SKULL_TICK:
        finish(state, SKULL_REACHED, log, events.SKULL_REACHED, 0)
        return
    emit(log, events.ROSE, state.water + 1, FLOOD_CARDS_AT_TICK[state.water], 0)
    if state.flood_shown:
        emit(log, events.RESTACKED, state.flood_shown, 0, 0)
        shuffle(state, state.flood_discard, 0, state.flood_shown)
        state.layers |= 1 << state.flood_left
        for i in range(state.flood_shown):
            state.flood_deck[state.flood_left + i] = state.flood_discard[i]
        state.flood_left += state.flood_shown
        state.flood_shown = 0
