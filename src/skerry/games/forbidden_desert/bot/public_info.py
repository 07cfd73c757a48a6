"""What everybody sees of the desert, collected once for all features, and the forecast of the storm."""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.feature_blocks import (
    CLUE_PLACES,
    MOVE_RISK,
    N_NEEDED_TILES,
    N_WELLS,
    STORM_CARDS_LEFT,
)
from skerry.games.forbidden_desert.bot.plan import water_carrier_seat
from skerry.games.forbidden_desert.rules.components import (
    CLUE,
    CRASH,
    DIRECTIONS,
    LAUNCH_PAD,
    MAX_WIND,
    MIRAGE,
    N_PARTS,
    PLACES,
    STORM_COPIES,
    STORM_KINDS,
    UPWIND,
    WELL,
)
from skerry.games.forbidden_desert.rules.state import STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn


class PublicInfo(NamedTuple):
    """The tiles and parts as everybody sees them, as sets of places, and some numbers."""

    dunes: int  # unexcavated tiles without a water mark, but for the crash tile
    wreck: int  # the crash tile if it is not excavated
    water_tiles: int  # unexcavated tiles with a water mark
    wells: int  # excavated wells
    pad: int  # the launch pad if it is excavated
    parts: int  # places of parts, the storm included
    deep: int  # places with three markers or more
    needed_tiles: int  # number of dunes that are clues or the launch pad
    wells_left: int  # number of water tiles that are wells
    water_carrier: int  # the Water Carrier's seat, or -1
    storm_cards: int  # number of storm cards that this turn still brings


@kernel
def public_info(state: State, out: Any) -> PublicInfo:
    """Collect the public information; the places of the excavated clues are noted in ``out``."""
    dunes = wreck = water_tiles = wells = parts = deep = 0
    for place in range(PLACES):
        tile, bit = state.tile_at[place], 1 << place
        excavated = state.excavated & bit
        if state.sand[place] > 2:
            deep |= bit
        if tile == CRASH:
            wreck |= bit & ~excavated
        elif WELL <= tile <= MIRAGE:
            water_tiles |= bit & ~excavated
            wells |= excavated if tile < MIRAGE else 0
        elif tile >= 0:
            dunes |= bit & ~excavated
    needed_tiles, pad = _needed_tiles(state, out)
    for part in range(N_PARTS):
        if state.part_at[part] >= 0:
            parts |= 1 << state.part_at[part]
    storm_cards = as_int(state.left if state.phase == STORM else storm_cards_per_turn(state) - state.saved)
    wells_left, water_carrier = N_WELLS - popcount(wells), water_carrier_seat(state)
    return PublicInfo(
        dunes, wreck, water_tiles, wells, pad, parts, deep, needed_tiles, wells_left, water_carrier, storm_cards
    )


@kernel
def _needed_tiles(state: State, out: Any) -> tuple[int, int]:
    """The number of needed tiles that are not excavated, and the place of the launch pad as a set. Notes the clues."""
    needed_tiles, pad, places = N_NEEDED_TILES, 0, as_int(state.excavated)
    while places:
        place = lowest_bit(places)
        places &= places - 1
        tile = state.tile_at[place]
        if tile >= CLUE:
            needed_tiles -= 1
            if tile == LAUNCH_PAD:
                pad = 1 << place
            else:
                out[CLUE_PLACES + tile - CLUE] = 1 + place
    return needed_tiles, pad


@kernel
def note_storm_forecast(state: State, out: Any) -> None:
    """Note how many storm cards of each kind are in the deck, and how likely the next card moves each tile."""
    for card in range(STORM_KINDS):
        out[STORM_CARDS_LEFT + card] = STORM_COPIES[card] - state.storm_discard[card]
    for i in range(state.shown):
        out[STORM_CARDS_LEFT + state.apart[i]] -= 1
    for direction in range(len(DIRECTIONS)):
        place = as_int(state.storm)
        for tiles_moved in range(MAX_WIND):
            place = as_int(UPWIND[direction, place])
            if place < 0:
                break
            for wind in range(tiles_moved, MAX_WIND):
                out[MOVE_RISK + place] += out[STORM_CARDS_LEFT + direction * MAX_WIND + wind] / state.storm_left


@kernel
def sand_probability(out: Any, place: int, cards: int) -> float:
    """A rough probability that a tile gets sand from a number of storm cards."""
    return min(1.0, 0.5 * out[MOVE_RISK + place] * cards)


@kernel
def write_unary(out: Any, start: int, size: int, number: int) -> None:
    """Write a number as that many ones in a block of the given size."""
    for i in range(min(number, size)):
        out[start + i] = 1.0
