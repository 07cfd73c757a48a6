"""Setup, FD-01 to FD-07: the tiles, the first sand, the decks and the roles."""

from __future__ import annotations

from typing import Any

from skerry.engine.cards import deal_distinct, reshuffle_discard
from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, shuffle
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    CANTEEN_SIZE,
    CENTRE,
    CLIMBER,
    CRASH,
    GEAR_DECK,
    GEAR_DECK_SIZE,
    N_PARTS,
    N_ROLES,
    PLACES,
    SAND_MARKERS,
    STARTING_SAND,
    STORM_COPIES,
    STORM_KINDS,
    TILES,
)
from skerry.games.forbidden_desert.rules.sand import add_sand
from skerry.games.forbidden_desert.rules.state import ACTIONS, Options, State


@kernel
def setup(state: State, options: Options, seed: Any) -> None:
    """Set up a new game in a zeroed state."""
    state.rng = mix64(seed)
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
        state.first = draw_below(state, state.players)
    state.turn = state.first
    state.turns = 1
    state.guided = -1
    state.phase = ACTIONS
    state.left = ACTIONS_A_TURN


@kernel
def _lay_tiles(state: State) -> None:
    """FD-02, FD-03: shuffle the tiles onto the first 24 places, then move the one at the centre to the last place."""
    for tile in range(TILES):
        state.tile_at[tile] = tile
    shuffle(state, state.tile_at, 0, TILES)
    state.tile_at[PLACES - 1] = state.tile_at[CENTRE]
    state.tile_at[CENTRE] = -1
    state.storm = CENTRE
    state.supply = SAND_MARKERS
    for i in range(len(STARTING_SAND)):
        add_sand(state, STARTING_SAND[i])


@kernel
def _stack_decks(state: State) -> None:
    """FD-05: shuffle the storm deck and the gear deck."""
    for card in range(STORM_KINDS):
        state.storm_discard[card] = STORM_COPIES[card]
    state.storm_left = reshuffle_discard(state, state.storm_deck, state.storm_discard, STORM_KINDS)
    for i in range(GEAR_DECK_SIZE):
        state.gear_deck[i] = GEAR_DECK[i]
    shuffle(state, state.gear_deck, 0, GEAR_DECK_SIZE)
    state.gear_left = GEAR_DECK_SIZE


@kernel
def _deal_roles(state: State, options: Options) -> None:
    """FD-06, FD-07: deal roles and full canteens; all pawns begin on the crash tile."""
    deal_distinct(state, options.roles, state.role, state.players, N_ROLES)
    crash = 0
    while state.tile_at[crash] != CRASH:
        crash += 1
    state.climber = -1
    for seat in range(state.players):
        state.pawn[seat] = crash
        state.water[seat] = CANTEEN_SIZE[state.role[seat]]
        if state.role[seat] == CLIMBER:
            state.climber = seat
