"""The desert as everybody sees it: what a sketch is made of, and where its numbers stand.

Notes that several numbers need (how far it is, where the wind may blow) stand behind them in the same array.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.plan import water_carrier_seat
from skerry.games.forbidden_desert.bot.routes import one_step_from
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    ARCHEOLOGIST,
    CLUE,
    CRASH,
    DIRECTIONS,
    EXPLORER,
    LAUNCH_PAD,
    MAX_WIND,
    MIRAGE,
    N_PARTS,
    PLACES,
    SEATS,
    STORM_COPIES,
    STORM_KINDS,
    TILES,
    UPWIND,
    WELL,
)
from skerry.games.forbidden_desert.rules.reach import is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn

MAX_DISTANCE = 9  # actions; what cannot be reached at all
MAX_TURNS = 12  # turns
N_WELLS = MIRAGE - WELL
N_NEEDED_TILES = TILES - CLUE  # clues and the launch pad
N_CLUES = LAUNCH_PAD - CLUE

OF_TILE, OF_PART, OF_SEAT, OF_ALL = 55, 35, 71, 103
PART_START = PLACES * OF_TILE
SEAT_START = PART_START + N_PARTS * OF_PART
ALL_START = SEAT_START + SEATS * OF_SEAT
# Notes behind the inputs
DISTANCES = ALL_START + OF_ALL  # actions from each pawn to each place
MOVE_RISK = DISTANCES + SEATS * PLACES  # the chance that the next card moves the tile of a place
STORM_CARDS_LEFT = MOVE_RISK + PLACES  # storm cards of each kind in the deck
CLUE_PLACES = STORM_CARDS_LEFT + STORM_KINDS  # 1 plus the place of each clue that is excavated
FEATURES_END = CLUE_PLACES + N_CLUES


class PublicInfo(NamedTuple):
    """What all see. Sets of places, but for the last lines."""

    dunes: int  # unexcavated and dry, but for the crash tile
    wreck: int  # the crash tile, unexcavated
    wet: int  # unexcavated water tiles
    wells: int
    pad: int  # the launch pad, once excavated
    parts: int  # where parts lie
    deep: int  # with three markers or more
    useful: int  # how many of the dunes are needed
    springs: int  # how many of the wet tiles are wells
    water_carrier: int  # the Water Carrier's seat, or -1
    cards: int  # storm cards still to come this turn


@kernel
def public_info(state: State, out: Any) -> PublicInfo:
    dunes = wreck = wet = wells = parts = deep = 0
    for place in range(PLACES):
        tile, bit = state.tile_at[place], 1 << place
        dug = state.excavated & bit
        if state.sand[place] > 2:
            deep |= bit
        if tile == CRASH:
            wreck |= bit & ~dug
        elif WELL <= tile <= MIRAGE:
            wet |= bit & ~dug
            wells |= dug if tile < MIRAGE else 0
        elif tile >= 0:
            dunes |= bit & ~dug
    useful, pad = _needed_tiles(state, out)
    for part in range(N_PARTS):
        if state.part_at[part] >= 0:
            parts |= 1 << state.part_at[part]
    cards = as_int(state.left) if state.phase == STORM else as_int(storm_cards_per_turn(state) - state.saved)
    return PublicInfo(
        dunes, wreck, wet, wells, pad, parts, deep, useful, N_WELLS - popcount(wells), water_carrier_seat(state), cards
    )


@kernel
def _needed_tiles(state: State, out: Any) -> tuple[int, int]:
    """How many tiles are still needed, and where the launch pad is; where the clues are is noted."""
    useful, pad, places = N_NEEDED_TILES, 0, as_int(state.excavated)
    while places:
        place = lowest_bit(places)
        places &= places - 1
        tile = state.tile_at[place]
        if tile >= CLUE:
            useful -= 1
            if tile == LAUNCH_PAD:
                pad = 1 << place
            else:
                out[CLUE_PLACES + tile - CLUE] = 1 + place
    return useful, pad


@kernel
def write_storm_forecast(state: State, out: Any) -> None:
    """The cards that are left, by kinds, and where they would blow."""
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
def measure_distances(state: State, seat: int, out: Any, view: PublicInfo) -> None:
    """How many actions it takes a pawn to come to each place, sand to be removed on the way included."""
    base, start = DISTANCES + seat * PLACES, as_int(state.pawn[seat])
    for place in range(PLACES):
        out[base + place] = MAX_DISTANCE
    out[base + start] = 0
    role, land = state.role[seat], tile_places(state)
    light, deep, late = as_int(state.blocked) & ~view.deep, view.deep, 0
    if seat == state.climber:
        light = deep = 0
    elif role == ARCHEOLOGIST:
        light, deep = light | deep, 0
    if is_buried(state, seat):
        late = as_int(state.sand[start]) // 2 if role == ARCHEOLOGIST else as_int(state.sand[start]) - 1
    near, before, earlier = 1 << start, 0, 0
    for actions in range(1 + late, MAX_DISTANCE):
        beyond = one_step_from(near, role == EXPLORER, as_int(state.tunnels)) & land
        found = (beyond & ~light & ~deep | before & light | earlier & deep) & ~near
        near |= found
        before, earlier = beyond, before
        while found:
            out[base + lowest_bit(found)] = actions
            found &= found - 1
        if near == land:
            break


@kernel
def write_unary(out: Any, n: int, size: int, level: int) -> int:
    """A number as so many ones: what is learnt of one level then holds for the next too. Where the next number goes."""
    for i in range(min(level, size)):
        out[n + i] = 1.0
    return n + size


@kernel
def actions_available(state: State, seat: int) -> int:
    """The actions a pawn has at once."""
    return as_int(state.left) if seat == state.turn and state.phase != STORM else 0


@kernel
def actions_lacking(state: State, seat: int, cost: float) -> float:
    """Actions that are missing: a step towards something leaves that as it is, any other makes it more."""
    return min(1.0, max(0.0, cost - actions_available(state, seat)) / MAX_DISTANCE)


@kernel
def turns_until(state: State, seat: int, cost: float) -> float:
    """How many turns end before a pawn can have done what takes so many actions."""
    if cost <= actions_available(state, seat):
        return 0.0
    turns = as_int((seat - state.turn) % state.players)
    if not turns:
        turns = as_int(state.players)
        cost -= actions_available(state, seat)
    if cost > 2 * MAX_DISTANCE:
        return MAX_TURNS + 0.0
    return min(MAX_TURNS + 0.0, turns + state.players * ((cost - 1.0) // ACTIONS_A_TURN))


@kernel
def sand_probability(out: Any, place: int, cards: int) -> float:
    """How likely a tile gets sand from so many cards."""
    return min(1.0, 0.5 * out[MOVE_RISK + place] * cards)


@kernel
def actions_to_nearest(out: Any, seat: int, places: int) -> float:
    """Actions from a pawn to the nearest of some places."""
    away = MAX_DISTANCE + 0.0
    while places:
        away = min(away, out[DISTANCES + seat * PLACES + lowest_bit(places)])
        places &= places - 1
    return away


@kernel
def actions_to_excavate(state: State, seat: int, out: Any, places: int) -> float:
    """Actions for a pawn to come to one of some places and to excavate it."""
    least = MAX_DISTANCE + 0.0
    while places:
        place = lowest_bit(places)
        places &= places - 1
        sand = state.sand[place] if out[DISTANCES + seat * PLACES + place] == 0.0 else min(1, state.sand[place])
        least = min(least, out[DISTANCES + seat * PLACES + place] + sand + 1.0)
    return least
