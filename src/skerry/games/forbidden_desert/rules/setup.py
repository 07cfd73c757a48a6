"""FD-01 to FD-07: the desert is laid out and the helicopter has crashed."""

from __future__ import annotations

from typing import Any

from skerry.engine.cards import deal_distinct, renew
from skerry.engine.kernel import kernel
from skerry.engine.rng import below, scramble, shuffle
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    CANTEEN,
    CENTRE,
    CLIMBER,
    CRASH,
    FIRST_SAND,
    GEAR_CARDS,
    GEAR_DECK,
    MARKERS,
    N_PARTS,
    N_ROLES,
    PLACES,
    STORM_COPIES,
    STORM_KINDS,
    TILES,
)
from skerry.games.forbidden_desert.rules.sand import add_sand
from skerry.games.forbidden_desert.rules.state import ACTIONS, Choices, State


@kernel
def setup(state: State, options: Choices, seed: Any) -> None:
    state.rng = scramble(seed)
    state.players = options.players
    state.meter = options.difficulty
    _lay_tiles(state)
    _stack_decks(state)
    _deal_roles(state, options)
    for part in range(N_PARTS):
        state.part_at[part] = -1
        state.holder[part] = -1
    state.first = options.first
    if options.first < 0:
        state.first = below(state, state.players)
    state.turn = state.first
    state.turns = 1
    state.guided = -1
    state.phase = ACTIONS
    state.left = ACTIONS_A_TURN


@kernel
def _lay_tiles(state: State) -> None:
    """The tiles are shuffled on the first 24 places; the one that lies in the middle then fills the last."""
    for tile in range(TILES):
        state.tile_at[tile] = tile
    shuffle(state, state.tile_at, 0, TILES)
    state.tile_at[PLACES - 1] = state.tile_at[CENTRE]
    state.tile_at[CENTRE] = -1
    state.storm = CENTRE
    state.supply = MARKERS
    for i in range(len(FIRST_SAND)):
        add_sand(state, FIRST_SAND[i])


@kernel
def _stack_decks(state: State) -> None:
    for card in range(STORM_KINDS):
        state.storm_discard[card] = STORM_COPIES[card]
    state.storm_left = renew(state, state.storm_deck, state.storm_discard, STORM_KINDS)
    for i in range(GEAR_CARDS):
        state.gear_deck[i] = GEAR_DECK[i]
    shuffle(state, state.gear_deck, 0, GEAR_CARDS)
    state.gear_left = GEAR_CARDS


@kernel
def _deal_roles(state: State, options: Choices) -> None:
    deal_distinct(state, options.roles, state.role, state.players, N_ROLES)
    crash = 0
    while state.tile_at[crash] != CRASH:
        crash += 1
    state.climber = -1
    for seat in range(state.players):
        state.pawn[seat] = crash
        state.water[seat] = CANTEEN[state.role[seat]]
        if state.role[seat] == CLIMBER:
            state.climber = seat
