"""Hidden information: what a seat knows, and resampling everything that it cannot know.

Hidden are the undersides of the tiles, the order of both decks, and what other seats have looked at. ``known_by`` says
which seats have looked under a tile and moves with the tile; ``foreseen`` says which cards of the storm deck the
Meteorologist has seen. It is public that somebody has looked, and where.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import mix64, resample_order, resample_order_at
from skerry.games.forbidden_desert.rules.components import CRASH, METEOROLOGIST, MIRAGE, PLACES, WELL
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State


@kernel
def knows_tile(state: State, seat: int, place: int) -> bool:
    """Whether a seat (-1: a spectator) knows which tile lies at a place. Everybody knows the crash tile."""
    if state.excavated >> place & 1 or state.tile_at[place] == CRASH:
        return True
    return seat >= 0 and state.known_by[place] >> seat & 1 > 0


@kernel
def shows_water_mark(state: State, place: int) -> bool:
    """Whether the desert side of the tile shows a drop: the wells and the mirage do."""
    return WELL <= state.tile_at[place] <= MIRAGE


@kernel
def known_storm_positions(state: State, seat: int) -> int:
    """The positions of the storm deck whose cards a seat has seen, as a bit set."""
    return state.foreseen if seat >= 0 and state.role[seat] == METEOROLOGIST else 0


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Reshuffle the tiles that the seat does not know (water tiles among themselves) and the unseen cards."""
    state.rng = mix64(seed)
    water_tiles, dunes = 0, 0
    for place in range(PLACES):
        if tile_places(state) >> place & 1 and not knows_tile(state, seat, place):
            if shows_water_mark(state, place):
                water_tiles |= 1 << place
            else:
                dunes |= 1 << place
    resample_order_at(state, state.tile_at, water_tiles)
    resample_order_at(state, state.tile_at, dunes)
    resample_order_at(state, state.storm_deck, (1 << state.storm_left) - 1 & ~known_storm_positions(state, seat))
    resample_order(state, state.gear_deck, 0, state.gear_left)
