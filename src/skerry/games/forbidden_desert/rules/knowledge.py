"""What players know: resampling the rest, and numbers for learners.

Hidden are the undersides of the tiles, the order of both decks, and what others have looked at. Who has looked
under a tile is in ``known_by``, which travels with it; what the Meteorologist has seen of the storm deck is in
``foreseen``. That somebody has looked, and where, everybody knows.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel, table
from skerry.engine.rng import deal_anew, deal_anew_among, scramble
from skerry.games.forbidden_desert.rules.components import (
    CLUE,
    CRASH,
    GEAR_TILE,
    LAUNCH_PAD,
    METEOROLOGIST,
    METER_TICKS,
    MIRAGE,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    PLACES,
    SEATS,
    STORM_CARDS,
    STORM_KINDS,
    TILES,
    TUNNEL,
    WELL,
)
from skerry.games.forbidden_desert.rules.reach import tiles
from skerry.games.forbidden_desert.rules.state import LOOKS, OVER, State
from skerry.games.forbidden_desert.rules.storm import storm_cards


def _kind(tile: int) -> int:
    """Crash, gear, tunnel, well, mirage, the eight clues, the launch pad."""
    starts = (CRASH, GEAR_TILE, TUNNEL, WELL, MIRAGE, *range(CLUE, LAUNCH_PAD + 1))
    return max(i for i, start in enumerate(starts) if start <= tile)


KIND = table([_kind(tile) for tile in range(TILES)])
UNKNOWN_DUNE, UNKNOWN_WATER = LOOKS - 2, LOOKS - 1


@kernel
def knows_tile(state: State, seat: int, place: int) -> bool:
    """Whether a seat (-1: a spectator) knows which tile lies at a place. The crash tile everybody knows."""
    if state.excavated >> place & 1 or state.tile_at[place] == CRASH:
        return True
    return seat >= 0 and state.known_by[place] >> seat & 1 > 0


@kernel
def looks_wet(state: State, place: int) -> bool:
    """The wells and the mirage show a drop on their desert side."""
    return WELL <= state.tile_at[place] <= MIRAGE


@kernel
def foresees(state: State, seat: int) -> int:
    """Positions of the storm deck whose cards a seat has seen."""
    return state.foreseen if seat >= 0 and state.role[seat] == METEOROLOGIST else 0


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    state.rng = scramble(seed)
    wet, dry = 0, 0
    for place in range(PLACES):
        if tiles(state) >> place & 1 and not knows_tile(state, seat, place):
            if looks_wet(state, place):
                wet |= 1 << place
            else:
                dry |= 1 << place
    deal_anew_among(state, state.tile_at, wet)
    deal_anew_among(state, state.tile_at, dry)
    deal_anew_among(state, state.storm_deck, (1 << state.storm_left) - 1 & ~foresees(state, seat))
    deal_anew(state, state.gear_deck, 0, state.gear_left)


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(out.shape[0]):
        out[i] = 0
    n = _observe_desert(state, seat, out)
    n = _observe_seats(state, seat, out, n)
    n = _observe_storm(state, seat, out, n)
    _observe_turn(state, seat, out, n)


@kernel
def _observe_desert(state: State, seat: int, out: NDArray[Any]) -> int:
    for place in range(PLACES):
        if place == state.storm:
            continue
        if knows_tile(state, seat, place):
            look = KIND[state.tile_at[place]]
        else:
            look = UNKNOWN_WATER if looks_wet(state, place) else UNKNOWN_DUNE
        out[place * LOOKS + look] = 1
        out[PLACES * LOOKS + place] = state.excavated >> place & 1
        out[PLACES * (LOOKS + 1) + place] = state.sand[place]
    n = PLACES * (LOOKS + 2)
    for part in range(N_PARTS):
        if state.part_at[part] >= 0:
            out[n + part * PLACES + state.part_at[part]] = 1
    return n + N_PARTS * PLACES


@kernel
def _observe_seats(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    roles = n + SEATS * PLACES
    water = roles + SEATS * N_ROLES
    gear = water + SEATS
    shields = gear + SEATS * N_GEARS
    for i in range(state.players):
        other = (seat + i) % state.players
        out[n + i * PLACES + state.pawn[other]] = 1
        out[roles + i * N_ROLES + state.role[other]] = 1
        out[water + i] = state.water[other]
        for card in range(N_GEARS):
            out[gear + i * N_GEARS + card] = state.gear[other, card]
        out[shields + i] = state.shielded >> other & 1
        out[shields + SEATS + i] = 1 if other == state.turn else 0
    return shields + 2 * SEATS


@kernel
def _observe_storm(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for part in range(N_PARTS):
        out[n + part] = state.taken >> part & 1
    n += N_PARTS
    for card in range(STORM_KINDS):
        out[n + card] = state.storm_discard[card]
    n += STORM_KINDS
    for i in range(state.shown):
        out[n + state.apart[i]] += 1
    n += STORM_KINDS
    seen = foresees(state, seat)
    for position in range(state.storm_left):
        if seen >> position & 1:
            out[n + state.storm_left - 1 - position] = state.storm_deck[position] + 1
    n += STORM_CARDS
    out[n + state.meter] = 1
    out[n + METER_TICKS] = storm_cards(state)
    return n + METER_TICKS + 1


@kernel
def _observe_turn(state: State, seat: int, out: NDArray[Any], n: int) -> None:
    out[n + state.phase] = 1
    n += OVER + 1
    out[n] = state.left
    out[n + 1] = state.saved
    n += 2
    if state.guided >= 0:
        out[n + (state.guided - seat) % state.players] = 1
    n += SEATS
    out[n] = state.steps
    out[n + 1] = state.supply
    out[n + 2] = state.storm_left
    out[n + 3] = state.gear_left
