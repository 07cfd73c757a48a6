"""Features of the parts of the flying machine that are not picked up yet."""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bitset import as_int, lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.distances import (
    actions_lacking,
    distance_to_nearest,
    pawn_distance,
    turns_to_spend,
    turns_until,
)
from skerry.games.forbidden_desert.bot.feature_blocks import (
    CLUE_PLACES,
    FIRST_PART,
    MAX_DISTANCE,
    MAX_TURNS,
    N_PART_FEATURES,
    PART_FEATURES,
)
from skerry.games.forbidden_desert.bot.plan import manhattan_distance
from skerry.games.forbidden_desert.bot.public_info import PublicInfo, sand_probability, write_unary
from skerry.games.forbidden_desert.rules.components import SEATS, SIDE
from skerry.games.forbidden_desert.rules.reach import is_buried
from skerry.games.forbidden_desert.rules.state import ACTIONS, State

EXISTS = PART_FEATURES.offset("exists")
NO_CLUE = PART_FEATURES.offset("no_clue")
ONE_CLUE = PART_FEATURES.offset("one_clue")
LINE_SAND = PART_FEATURES.offset("line_sand")
LINE_BLOCKED = PART_FEATURES.offset("line_blocked")
LINE_NEAREST_PAWN = PART_FEATURES.offset("line_nearest_pawn")
WAITS_IN_STORM = PART_FEATURES.offset("waits_in_storm")
ON_TILE = PART_FEATURES.offset("on_tile")
UNEXCAVATED = PART_FEATURES.offset("unexcavated")
SAND = PART_FEATURES.offset("sand")
PICKER_DISTANCE = PART_FEATURES.offset("picker_distance")
PICKER_HERE = PART_FEATURES.offset("picker_here")
UNREACHABLE = PART_FEATURES.offset("unreachable")
SECOND_DISTANCE = PART_FEATURES.offset("second_distance")
PAWNS_NEAR = PART_FEATURES.offset("pawns_near")
PICKER_COST = PART_FEATURES.offset("picker_cost")
SAND_RISK = PART_FEATURES.offset("sand_risk")
PICKER_TURN = PART_FEATURES.offset("picker_turn")
TURN_PAWN_COST = PART_FEATURES.offset("turn_pawn_cost")
PICK_UP_THIS_TURN = PART_FEATURES.offset("pick_up_this_turn")
PICKER_WATER = PART_FEATURES.offset("picker_water")
PICKER_BURIED = PART_FEATURES.offset("picker_buried")
PAD_DISTANCE = PART_FEATURES.offset("pad_distance")
NEXT_PART = PART_FEATURES.offset("next_part")
SOONEST = PART_FEATURES.offset("soonest")
SOONEST_NOW = PART_FEATURES.offset("soonest_now")
LACKS = PART_FEATURES.offset("lacks")

MAX_COST = 2 * MAX_DISTANCE
DELAY_COST = 0.1  # of each turn until a pawn's turn, when choosing the picker


class Picker(NamedTuple):
    """The pawn that is best placed to pick up a part: nearest, then soonest to play."""

    seat: int
    second_score: float  # of the second best pawn: its distance and delay
    pawns_near: int  # number of pawns at distances up to 2


@kernel
def write_part_features(state: State, part: int, out: Any, info: PublicInfo) -> None:
    """Write the features of a part that is not picked up."""
    base = FIRST_PART + part * N_PART_FEATURES
    out[base + EXISTS] = 1.0
    row_clue, column_clue = int(out[CLUE_PLACES + 2 * part]) - 1, int(out[CLUE_PLACES + 2 * part + 1]) - 1
    place = as_int(state.part_at[part])
    if place < 0:
        _write_clues(state, out, base, row_clue, column_clue)
    elif place == state.storm:
        out[base + WAITS_IN_STORM] = 1.0
    else:
        _write_on_tile(state, place, out, base, info)


@kernel
def _write_clues(state: State, out: Any, base: int, row_clue: int, column_clue: int) -> None:
    """What is known of where a part will be: nothing, or a line. The arguments are the places of the clues, or -1."""
    if row_clue < 0 and column_clue < 0:
        out[base + NO_CLUE] = 1.0
        return
    start, stride = (row_clue // SIDE * SIDE, 1) if row_clue >= 0 else (column_clue % SIDE, SIDE)
    sand = blocked = 0
    nearest = MAX_DISTANCE + 0.0
    for i in range(SIDE):
        place = start + i * stride
        sand += state.sand[place]
        blocked += state.blocked >> place & 1
        for seat in range(state.players):
            nearest = min(nearest, pawn_distance(out, seat, place))
    out[base + ONE_CLUE] = 1.0
    out[base + LINE_SAND] = sand / 10
    out[base + LINE_BLOCKED] = blocked / SIDE
    out[base + LINE_NEAREST_PAWN] = nearest / MAX_DISTANCE


@kernel
def _picker(state: State, place: int, out: Any) -> Picker:
    picker, best, second, pawns_near = 0, 2.0 * MAX_DISTANCE, 2.0 * MAX_DISTANCE, 0
    for seat in range(state.players):
        distance = pawn_distance(out, seat, place)
        pawns_near += 1 if distance <= 2 else 0
        delay = DELAY_COST * turns_until(state, seat)
        if distance + delay < best:
            picker, best, second = seat, distance + delay, best
        elif distance + delay < second:
            second = distance + delay
    return Picker(picker, second, pawns_near)


@kernel
def _write_on_tile(state: State, place: int, out: Any, base: int, info: PublicInfo) -> None:
    """A part that lies on a tile: what it takes to pick it up."""
    sand, excavated = as_int(state.sand[place]), as_int(state.excavated) >> place & 1
    to_clear = max(0, sand - 1) if excavated else sand
    actions_there = to_clear + 2 - excavated  # clear, excavate if need be, pick up
    picker = _picker(state, place, out)
    distance = pawn_distance(out, picker.seat, place)
    out[base + ON_TILE] = 1.0
    out[base + UNEXCAVATED] = 1.0 - excavated
    write_unary(out, base + SAND, 5, sand)
    out[base + PICKER_DISTANCE] = distance / MAX_DISTANCE
    out[base + PICKER_HERE] = 1.0 if distance == 0.0 else 0.0
    out[base + UNREACHABLE] = 1.0 if distance >= MAX_DISTANCE else 0.0
    out[base + SECOND_DISTANCE] = picker.second_score / MAX_DISTANCE
    out[base + PAWNS_NEAR] = picker.pawns_near / SEATS
    out[base + PICKER_COST] = (distance + actions_there) / MAX_COST
    out[base + SAND_RISK] = sand_probability(out, place, info.storm_cards)
    out[base + PICKER_TURN + turns_until(state, picker.seat)] = 1.0
    out[base + PICKER_WATER] = min(3, as_int(state.water[picker.seat])) / 3
    out[base + PICKER_BURIED] = 1.0 if is_buried(state, picker.seat) else 0.0
    if info.pad:
        out[base + PAD_DISTANCE] = manhattan_distance(lowest_bit(info.pad), place) / 8
    if info.parts & (info.parts - 1):
        out[base + NEXT_PART] = distance_to_nearest(out, picker.seat, info.parts & ~(1 << place)) / MAX_DISTANCE
    _write_soonest(state, place, out, base, actions_there)


@kernel
def _write_soonest(state: State, place: int, out: Any, base: int, actions_there: int) -> None:
    """How soon the pawn whose turn it is, or any pawn, can have picked up a part."""
    turn_pawn_cost = pawn_distance(out, state.turn, place) + actions_there
    out[base + TURN_PAWN_COST] = turn_pawn_cost / MAX_COST
    out[base + PICK_UP_THIS_TURN] = 1.0 if state.phase == ACTIONS and turn_pawn_cost <= state.left else 0.0
    soonest, lacks = MAX_TURNS + 0.0, 1.0
    for seat in range(state.players):
        cost = pawn_distance(out, seat, place) + actions_there
        soonest = min(soonest, turns_to_spend(state, seat, cost))
        lacks = min(lacks, actions_lacking(state, seat, cost))
    out[base + SOONEST] = soonest / MAX_TURNS
    out[base + SOONEST_NOW] = 1.0 if soonest == 0.0 else 0.0
    out[base + LACKS] = lacks
