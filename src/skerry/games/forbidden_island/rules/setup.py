"""Setup, FI-01 to FI-07: the tiles, the first six floods, roles and hands."""

from __future__ import annotations

from typing import Any

from skerry.engine.cards import deal_distinct
from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, shuffle
from skerry.games.forbidden_island.rules.components import (
    ACTIONS_A_TURN,
    FLOODED_AT_START,
    N_ROLES,
    N_TREASURES,
    START_TILE,
    STARTING_HAND,
    TILES,
    TREASURE_DECK,
    TREASURE_DECK_SIZE,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.state import ACTIONS, Options, State


@kernel
def setup(state: State, options: Options, seed: Any) -> None:
    """Set up a new game in a zeroed state."""
    state.rng = mix64(seed)
    state.players = options.players
    state.layout = options.layout
    state.water = options.difficulty
    _lay_tiles(state)
    _flood_first(state)
    _deal_roles(state, options)
    _deal_cards(state)
    for treasure in range(N_TREASURES):
        state.captor[treasure] = -1
    state.first = options.first
    if options.first < 0:
        state.first = draw_below(state, state.players)
    state.turn = state.first
    state.turns = 1
    state.phase = ACTIONS
    state.left = ACTIONS_A_TURN


@kernel
def _lay_tiles(state: State) -> None:
    """FI-02: shuffle the tiles onto the places."""
    for tile in range(TILES):
        state.tile_at[tile] = tile
    shuffle(state, state.tile_at, 0, TILES)
    for place in range(TILES):
        state.place_of[state.tile_at[place]] = place


@kernel
def _flood_first(state: State) -> None:
    """FI-03: shuffle the flood deck and flood the tiles of its first six cards."""
    for tile in range(TILES):
        state.flood_deck[tile] = tile
    shuffle(state, state.flood_deck, 0, TILES)
    state.flood_left = TILES - FLOODED_AT_START
    state.flood_shown = FLOODED_AT_START
    for i in range(FLOODED_AT_START):
        tile = state.flood_deck[TILES - 1 - i]
        state.flood_discard[i] = tile
        state.flooded |= 1 << state.place_of[tile]


@kernel
def _deal_roles(state: State, options: Options) -> None:
    """FI-04: deal the roles; each pawn begins on the start tile of its role."""
    deal_distinct(state, options.roles, state.role, state.players, N_ROLES)
    for seat in range(state.players):
        state.pawn[seat] = state.place_of[START_TILE[state.role[seat]]]


@kernel
def _deal_cards(state: State) -> None:
    """FI-05: deal two cards each. A Waters Rise! on top is shuffled back into the deck instead of being dealt."""
    for i in range(TREASURE_DECK_SIZE):
        state.treasure_deck[i] = TREASURE_DECK[i]
    left = TREASURE_DECK_SIZE
    shuffle(state, state.treasure_deck, 0, left)
    for turn in range(state.players * STARTING_HAND):
        while state.treasure_deck[left - 1] == WATERS_RISE:
            shuffle(state, state.treasure_deck, 0, left)
        left -= 1
        state.hands[turn % state.players, state.treasure_deck[left]] += 1
    state.treasure_left = left
