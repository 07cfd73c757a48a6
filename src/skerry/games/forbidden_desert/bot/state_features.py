"""How a position looks to one who judges it: numbers about the tiles, the parts, the seats and the whole.

Only what everybody knows: what lies under the sand and in the decks is counted, never looked at.
"""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.features import (
    CLUE_PLACES,
    DISTANCES,
    FEATURES_END,
    MAX_DISTANCE,
    MAX_TURNS,
    OF_ALL,
    OF_PART,
    OF_SEAT,
    OF_TILE,
    PART_START,
    STORM_CARDS_LEFT,
    PublicInfo,
    actions_lacking,
    actions_to_nearest,
    measure_distances,
    public_info,
    sand_probability,
    turns_until,
    write_storm_forecast,
    write_unary,
)
from skerry.games.forbidden_desert.bot.seat_features import seat_numbers, whole_numbers
from skerry.games.forbidden_desert.bot.thirst import StormDeck
from skerry.games.forbidden_desert.rules.components import (
    ADJACENT,
    CANTEEN_SIZE,
    N_PARTS,
    PLACES,
    SEATS,
    SIDE,
    SUN,
    WELL_WATER,
)
from skerry.games.forbidden_desert.rules.reach import is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import ACTIONS, State

ENTITY_GROUPS = (
    EntityGroup(PLACES, OF_TILE, 16),
    EntityGroup(N_PARTS, OF_PART, 24),
    EntityGroup(SEATS, OF_SEAT, 32),
    EntityGroup(1, OF_ALL, 32),
)
ROLLOUT_TURNS = 2
VALUE_SPAN = 1.0  # a chance of winning
DULL, DUNE, WRECK, WET, SPRING, SHELTER, PAD = range(7)  # sorts of tiles, as everybody sees them
SORTS = 7


@kernel
def write_state_features(state: State, out: Any) -> float:
    for i in range(FEATURES_END):
        out[i] = 0.0
    view = public_info(state, out)
    write_storm_forecast(state, out)
    for seat in range(state.players):
        measure_distances(state, seat, out, view)
    sky = StormDeck(as_int(state.storm_left), int(out[STORM_CARDS_LEFT + SUN]), 0, 0, 0)
    for place in range(PLACES):
        if place != state.storm:
            _tile(state, place, out, view)
    for part in range(N_PARTS):
        if not state.taken >> part & 1:
            _part(state, part, out, view)
    for seat in range(state.players):
        seat_numbers(state, seat, out, view, sky)
    whole_numbers(state, out, view, sky)
    return 0.0


@kernel
def _sort(state: State, place: int, view: PublicInfo) -> int:
    """What a tile is good for."""
    bit = 1 << place
    if view.dunes & bit:
        return DUNE
    if view.wreck & bit:
        return WRECK
    if view.wet & bit:
        return WET
    if view.wells & bit and view.water_carrier >= 0:
        return SPRING
    if state.tunnels & bit:
        return SHELTER
    return PAD if view.pad & bit else DULL


@kernel
def _tile(state: State, place: int, out: Any, view: PublicInfo) -> None:
    base, bit, sort = place * OF_TILE, 1 << place, _sort(state, place, view)
    sand, risk = as_int(state.sand[place]), sand_probability(out, place, view.cards)
    nearest, other = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0
    for seat in range(state.players):
        away = out[DISTANCES + seat * PLACES + place]
        if away < nearest:
            nearest, other = away, nearest
        elif away < other:
            other = away
    out[base] = 1.0
    n = base + 1 + sort
    out[n] = 1.0
    out[n + SORTS] = min(sand, 5) / 5
    out[n + 2 * SORTS] = 1.0 if sand >= 2 else 0.0
    out[n + 3 * SORTS] = nearest / MAX_DISTANCE
    out[n + 4 * SORTS] = risk
    n = base + 1 + 5 * SORTS
    out[n] = other / MAX_DISTANCE
    out[n + 1] = popcount(ADJACENT[place] & tile_places(state) & ~state.blocked) / 4
    out[n + 2] = 1.0 if state.known_by[place] else 0.0
    out[n + 3] = risk if sand == 1 else 0.0
    out[n + 4] = actions_lacking(state, as_int(state.turn), out[DISTANCES + state.turn * PLACES + place] + min(sand, 2))
    out[n + 5] = 1.0 if sand == 1 else 0.0
    n += 6
    if view.parts & bit:
        out[n] = 1.0
        out[n + 1] = 0.0 if state.excavated & bit else 1.0
        out[n + 2] = nearest / MAX_DISTANCE
        out[n + 3] = min(sand, 5) / 5
    n += 4
    if sort == DUNE:
        hope = view.useful / popcount(view.dunes)
        out[n] = hope
        out[n + 1] = hope * (nearest + min(sand, 5)) / MAX_DISTANCE
    elif sort == WET:
        _drops(state, place, out, view, n + 2)
    n += 7
    _crowd(state, place, out, n)


@kernel
def _drops(state: State, place: int, out: Any, view: PublicInfo, n: int) -> None:
    """What a water tile would bring to those who stand there, and how far the others are."""
    chance = view.springs / popcount(view.wet)
    gain, missed, far = 0, 0, 0.0
    for seat in range(state.players):
        water = min(WELL_WATER, CANTEEN_SIZE[state.role[seat]] - state.water[seat])
        if state.pawn[seat] == place:
            gain += water
        else:
            missed += water
        far += out[DISTANCES + seat * PLACES + place]
    out[n] = chance
    out[n + 1] = chance * gain / 4
    out[n + 2] = chance * missed / 4
    out[n + 3] = far / (MAX_DISTANCE * state.players)
    out[n + 4] = gain / max(1, gain + missed)


@kernel
def _crowd(state: State, place: int, out: Any, n: int) -> None:
    for seat in range(state.players):
        if state.pawn[seat] == place:
            out[n] += 0.25
            if is_buried(state, seat):
                out[n + 1] += 0.5


@kernel
def _part(state: State, part: int, out: Any, view: PublicInfo) -> None:
    base = PART_START + part * OF_PART
    out[base] = 1.0
    row, column = int(out[CLUE_PLACES + 2 * part]) - 1, int(out[CLUE_PLACES + 2 * part + 1]) - 1
    place = as_int(state.part_at[part])
    if place < 0:
        _clues(state, out, row, column, base + 1)
    elif place == state.storm:
        out[base + 6] = 1.0
    else:
        _found(state, place, out, view, base + 7)


@kernel
def _clues(state: State, out: Any, row: int, column: int, n: int) -> None:
    """What is known of where a part will lie: nothing, or one line."""
    if row < 0 and column < 0:
        out[n] = 1.0
        return
    start, stride = (row // SIDE * SIDE, 1) if row >= 0 else (column % SIDE, SIDE)
    out[n + 1] = 1.0
    sand = blocked = 0
    nearest = MAX_DISTANCE + 0.0
    for i in range(SIDE):
        place = start + i * stride
        sand += state.sand[place]
        blocked += state.blocked >> place & 1
        for seat in range(state.players):
            nearest = min(nearest, out[DISTANCES + seat * PLACES + place])
    out[n + 2] = sand / 10
    out[n + 3] = blocked / SIDE
    out[n + 4] = nearest / MAX_DISTANCE


@kernel
def _found(state: State, place: int, out: Any, view: PublicInfo, n: int) -> None:
    """A part that lies on a tile: what it takes to pick it up."""
    best, least, second, near = 0, 2.0 * MAX_DISTANCE, 2.0 * MAX_DISTANCE, 0
    work = as_int(state.sand[place]) if not state.excavated >> place & 1 else max(0, as_int(state.sand[place]) - 1)
    dug = as_int(state.excavated) >> place & 1
    for seat in range(state.players):
        away = out[DISTANCES + seat * PLACES + place]
        near += 1 if away <= 2 else 0
        # The sooner its turn comes, the better.
        late = 0.1 * ((seat - state.turn) % state.players)
        if away + late < least:
            best, least, second = seat, away + late, least
        elif away + late < second:
            second = away + late
    away = out[DISTANCES + best * PLACES + place]
    out[n] = 1.0
    out[n + 1] = 1.0 - dug
    write_unary(out, n + 2, 5, as_int(state.sand[place]))
    n += 7
    out[n] = away / MAX_DISTANCE
    out[n + 1] = 1.0 if away == 0.0 else 0.0
    out[n + 2] = 1.0 if away >= MAX_DISTANCE else 0.0
    out[n + 3] = second / MAX_DISTANCE
    out[n + 4] = near / SEATS
    out[n + 5] = (away + work + 2 - dug) / (2 * MAX_DISTANCE)
    out[n + 6] = sand_probability(out, place, view.cards)
    n += 7
    out[n + (best - state.turn) % state.players] = 1.0
    n += SEATS
    mine = out[DISTANCES + state.turn * PLACES + place] + work + 2 - dug
    out[n] = mine / (2 * MAX_DISTANCE)
    out[n + 1] = 1.0 if state.phase == ACTIONS and mine <= state.left else 0.0
    out[n + 2] = min(3, as_int(state.water[best])) / 3
    out[n + 3] = 1.0 if is_buried(state, best) else 0.0
    if view.pad:
        pad = lowest_bit(view.pad)
        out[n + 4] = (abs(pad // SIDE - place // SIDE) + abs(pad % SIDE - place % SIDE)) / 8
    if view.parts & (view.parts - 1):
        rest = view.parts & ~(1 << place)
        out[n + 5] = actions_to_nearest(out, best, rest) / MAX_DISTANCE
    n += 6
    soonest, lag = MAX_TURNS + 0.0, 1.0
    for seat in range(state.players):
        cost = out[DISTANCES + seat * PLACES + place] + work + 2 - dug
        soonest = min(soonest, turns_until(state, seat, cost))
        lag = min(lag, actions_lacking(state, seat, cost))
    out[n] = soonest / MAX_TURNS
    out[n + 1] = 1.0 if soonest == 0.0 else 0.0
    out[n + 2] = lag
