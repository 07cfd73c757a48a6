"""The observation of a seat as a vector of numbers. ``OBSERVATION`` in ``state`` names its blocks."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel, lookup_table
from skerry.games.forbidden_desert.rules.components import (
    CLUE,
    CRASH,
    GEAR_TILE,
    LAUNCH_PAD,
    MIRAGE,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    PLACES,
    STORM_KINDS,
    TILES,
    TUNNEL,
    WELL,
)
from skerry.games.forbidden_desert.rules.knowledge import known_storm_positions, knows_tile, shows_water_mark
from skerry.games.forbidden_desert.rules.state import OBSERVATION, TILE_LOOKS, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn

TILE_LOOK = OBSERVATION.offset("tile_look")
EXCAVATED = OBSERVATION.offset("excavated")
SAND = OBSERVATION.offset("sand")
PART_PLACE = OBSERVATION.offset("part_place")
PAWN_PLACE = OBSERVATION.offset("pawn_place")
ROLE = OBSERVATION.offset("role")
WATER = OBSERVATION.offset("water")
GEAR = OBSERVATION.offset("gear")
SHIELDED = OBSERVATION.offset("shielded")
TURN = OBSERVATION.offset("turn")
PART_TAKEN = OBSERVATION.offset("part_taken")
STORM_DISCARD = OBSERVATION.offset("storm_discard")
STORM_APART = OBSERVATION.offset("storm_apart")
STORM_SEEN = OBSERVATION.offset("storm_seen")
STORM_METER = OBSERVATION.offset("storm_meter")
STORM_CARDS_PER_TURN = OBSERVATION.offset("storm_cards_per_turn")
PHASE = OBSERVATION.offset("phase")
ACTIONS_OR_DRAWS_LEFT = OBSERVATION.offset("actions_or_draws_left")
HELD_OFF = OBSERVATION.offset("held_off")
GUIDED = OBSERVATION.offset("guided")
GUIDED_STEPS_LEFT = OBSERVATION.offset("guided_steps_left")
SAND_SUPPLY = OBSERVATION.offset("sand_supply")
STORM_DECK_SIZE = OBSERVATION.offset("storm_deck_size")
GEAR_DECK_SIZE = OBSERVATION.offset("gear_deck_size")

FIRST_TILES = (CRASH, GEAR_TILE, TUNNEL, WELL, MIRAGE, *range(CLUE, LAUNCH_PAD + 1))  # the first tile of each kind
KIND_OF_TILE = lookup_table(
    [max(kind for kind, first in enumerate(FIRST_TILES) if first <= tile) for tile in range(TILES)]
)
UNKNOWN_DUNE, UNKNOWN_WATER = TILE_LOOKS - 2, TILE_LOOKS - 1  # after the kinds of tiles


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """Write what a seat sees. Blocks by seat begin with the observer and go on in seat order."""
    for i in range(out.shape[0]):
        out[i] = 0
    _observe_desert(state, seat, out)
    _observe_parts(state, out)
    _observe_seats(state, seat, out)
    _observe_storm(state, seat, out)
    _observe_turn(state, seat, out)


@kernel
def _observe_desert(state: State, seat: int, out: NDArray[Any]) -> None:
    for place in range(PLACES):
        if place == state.storm:
            continue
        if knows_tile(state, seat, place):
            look = KIND_OF_TILE[state.tile_at[place]]
        else:
            look = UNKNOWN_WATER if shows_water_mark(state, place) else UNKNOWN_DUNE
        out[TILE_LOOK + place * TILE_LOOKS + look] = 1
        out[EXCAVATED + place] = state.excavated >> place & 1
        out[SAND + place] = state.sand[place]
    out[SAND_SUPPLY] = state.supply


@kernel
def _observe_parts(state: State, out: NDArray[Any]) -> None:
    for part in range(N_PARTS):
        if state.part_at[part] >= 0:
            out[PART_PLACE + part * PLACES + state.part_at[part]] = 1
        out[PART_TAKEN + part] = state.taken >> part & 1


@kernel
def _observe_seats(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(state.players):
        other = (seat + i) % state.players
        out[PAWN_PLACE + i * PLACES + state.pawn[other]] = 1
        out[ROLE + i * N_ROLES + state.role[other]] = 1
        out[WATER + i] = state.water[other]
        for card in range(N_GEARS):
            out[GEAR + i * N_GEARS + card] = state.gear[other, card]
        out[SHIELDED + i] = state.shielded >> other & 1
        out[TURN + i] = 1 if other == state.turn else 0
    out[GEAR_DECK_SIZE] = state.gear_left


@kernel
def _observe_storm(state: State, seat: int, out: NDArray[Any]) -> None:
    for card in range(STORM_KINDS):
        out[STORM_DISCARD + card] = state.storm_discard[card]
    for i in range(state.shown):
        out[STORM_APART + state.apart[i]] += 1
    seen = known_storm_positions(state, seat)
    for position in range(state.storm_left):
        if seen >> position & 1:
            from_top = state.storm_left - 1 - position
            out[STORM_SEEN + from_top] = state.storm_deck[position] + 1
    out[STORM_METER + state.meter] = 1
    out[STORM_CARDS_PER_TURN] = storm_cards_per_turn(state)
    out[STORM_DECK_SIZE] = state.storm_left


@kernel
def _observe_turn(state: State, seat: int, out: NDArray[Any]) -> None:
    out[PHASE + state.phase] = 1
    out[ACTIONS_OR_DRAWS_LEFT] = state.left
    out[HELD_OFF] = state.saved
    if state.guided >= 0:
        out[GUIDED + (state.guided - seat) % state.players] = 1
    out[GUIDED_STEPS_LEFT] = state.steps
