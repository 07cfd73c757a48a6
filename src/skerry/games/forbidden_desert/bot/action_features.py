"""How an action looks to one who weighs it: what it would bring a pawn nearer to, who would drink, what is dug."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.features import (
    DISTANCES,
    FEATURES_END,
    MAX_DISTANCE,
    MOVE_RISK,
    OF_SEAT,
    SEAT_START,
    public_info,
)
from skerry.games.forbidden_desert.bot.routes import one_step_from
from skerry.games.forbidden_desert.rules.actions import (
    BLAST,
    CARRY,
    CLEAR,
    EXCAVATE,
    GIVE,
    GUIDE,
    JET,
    JET_WITH,
    MOVE,
    PLAY_RESERVE,
    PLAY_SHIELD,
    TAKE,
    WATER,
)
from skerry.games.forbidden_desert.rules.components import CANTEEN_SIZE, MAX_WATER, N_PARTS, N_ROLES, PLACES, SEATS
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

DUNES, WET, PARTS, SHADE, PAD, WELLS = range(6)
GOALS = 6
WAYS = FEATURES_END  # where actions from each place to the nearest of each sort of goal are noted
SCRATCH_SIZE = WAYS + GOALS * PLACES
N_ACTION_FEATURES = 30
THIRST = 1 + N_ROLES + SEATS  # where a seat's water stands in its sketch


@kernel
def prepare_action_features(state: State, out: Any) -> None:
    """Behind a sketch, how far it is from each place to what a pawn may go for."""
    view = public_info(state, out)
    land = tile_places(state)
    _ways(state, (view.dunes | view.wreck) & land, out, WAYS + DUNES * PLACES)
    _ways(state, view.wet & land, out, WAYS + WET * PLACES)
    _ways(state, view.parts & land, out, WAYS + PARTS * PLACES)
    _ways(state, as_int(state.tunnels) & land, out, WAYS + SHADE * PLACES)
    _ways(state, view.pad & land, out, WAYS + PAD * PLACES)
    _ways(state, view.wells & land, out, WAYS + WELLS * PLACES)


@kernel
def _ways(state: State, goals: int, out: Any, base: int) -> None:
    for place in range(PLACES):
        out[base + place] = MAX_DISTANCE
    land, blocked, near, before = tile_places(state), as_int(state.blocked), goals, 0
    found = goals
    for actions in range(MAX_DISTANCE):
        while found:
            out[base + lowest_bit(found)] = actions
            found &= found - 1
        beyond = one_step_from(near, False, as_int(state.tunnels)) & land
        found = (beyond & ~blocked | before & blocked) & ~near
        near |= found
        before = beyond
        if near == land:
            break


@kernel
def write_action_features(state: State, seat: int, action: int, desk: Any, out: Any) -> None:
    for i in range(N_ACTION_FEATURES):
        out[i] = 0.0
    if MOVE <= action < CARRY:
        _go(state, seat, action - MOVE, desk, out)
    elif CARRY <= action < CLEAR:
        others = (action - CARRY) % (SEATS * PLACES)
        out[28] = 1.0 if action < GUIDE else 0.0
        _go(state, others // PLACES, others % PLACES, desk, out)
    elif CLEAR <= action < EXCAVATE:
        _dig(state, seat, (action - CLEAR) % PLACES, desk, out)
    elif action == EXCAVATE:
        _dig(state, seat, as_int(state.pawn[seat]), desk, out)
    elif TAKE <= action < TAKE + N_PARTS:
        out[0] = 1.0
    elif WATER <= action < GIVE:
        _pour(state, seat, (action - WATER) // MAX_WATER, (action - WATER) % MAX_WATER + 1, desk, out)
    elif action >= BLAST:
        _use(state, seat, action, desk, out)


@kernel
def _use(state: State, seat: int, action: int, desk: Any, out: Any) -> None:
    """A gear card."""
    if action < JET:
        _dig(state, seat, action - BLAST, desk, out)
    elif action < JET_WITH:
        _go(state, seat, action - JET, desk, out)
    elif action < PLAY_SHIELD:
        _go(state, seat, (action - JET_WITH) // SEATS, desk, out)
    elif action in (PLAY_SHIELD, PLAY_RESERVE):
        _company(state, as_int(state.pawn[seat]), desk, out)


@kernel
def _pour(state: State, seat: int, other: int, amount: int, desk: Any, out: Any) -> None:
    """Who would have how much water, and how soon each may die of thirst."""
    out[0] = (state.water[other] + amount) / 5
    out[1] = (state.water[seat] - amount) / 5
    out[2] = (state.water[other] - state.water[seat]) / 5
    out[3] = (state.water[other] - state.water[seat] + 2 * amount) / 5
    out[4] = (CANTEEN_SIZE[state.role[other]] - state.water[other] - amount) / 5
    base = SEAT_START + other * OF_SEAT + THIRST
    out[5], out[6], out[7] = desk[base + 10], desk[base + 12], desk[base + 15]
    base = SEAT_START + seat * OF_SEAT + THIRST
    out[8], out[9], out[10] = desk[base + 10], desk[base + 12], desk[base + 15]


@kernel
def _go(state: State, seat: int, place: int, desk: Any, out: Any) -> None:
    here = state.pawn[seat]
    for goal in range(GOALS):
        base = WAYS + goal * PLACES
        out[2 * goal] = desk[base + place] / MAX_DISTANCE
        out[2 * goal + 1] = (desk[base + place] - desk[base + here]) / MAX_DISTANCE
    now, then, far, was = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0, 0.0, 0.0
    for other in range(state.players):
        if other == seat:
            continue
        base = DISTANCES + other * PLACES
        now, then = min(now, desk[base + here]), min(then, desk[base + place])
        was, far = max(was, desk[base + here]), max(far, desk[base + place])
        dry = desk[SEAT_START + other * OF_SEAT + THIRST + 12]
        out[16] += dry * (desk[base + place] - desk[base + here]) / MAX_DISTANCE
        out[17] += state.water[other] * (desk[base + place] - desk[base + here]) / (5 * MAX_DISTANCE)
        if state.pawn[other] == place:
            out[18] += 0.25
            out[19] = max(out[19], dry)
    out[12], out[13] = then / MAX_DISTANCE, (then - now) / MAX_DISTANCE
    out[14], out[15] = far / MAX_DISTANCE, (far - was) / MAX_DISTANCE
    out[20] = min(as_int(state.sand[place]), 4) / 4
    out[21] = state.tunnels >> place & 1
    out[22] = desk[MOVE_RISK + place]
    out[23] = state.tunnels >> here & 1
    out[24] = state.blocked >> here & 1
    out[25] = 1.0 if seat == state.turn else 0.0
    out[26] = (desk[DISTANCES + state.turn * PLACES + place]) / MAX_DISTANCE
    dry = desk[SEAT_START + seat * OF_SEAT + THIRST + 12]
    out[27] = dry * (desk[WAYS + WET * PLACES + place] - desk[WAYS + WET * PLACES + here]) / MAX_DISTANCE
    out[29] = dry * (desk[WAYS + SHADE * PLACES + place] - desk[WAYS + SHADE * PLACES + here]) / MAX_DISTANCE


@kernel
def _dig(state: State, seat: int, place: int, desk: Any, out: Any) -> None:
    for goal in range(GOALS):
        out[goal] = 1.0 if desk[WAYS + goal * PLACES + place] == 0.0 else 0.0
    sand = as_int(state.sand[place])
    for i in range(4):
        out[6 + i] = 1.0 if sand > i else 0.0
    out[10] = 1.0 if place == state.pawn[seat] else 0.0
    out[11] = desk[MOVE_RISK + place]
    _company(state, place, desk, out)
    out[20] = state.excavated >> place & 1
    out[21] = max(0, 8 - as_int(state.supply)) / 8
    out[22] = popcount(as_int(state.blocked)) / 12


@kernel
def _company(state: State, place: int, desk: Any, out: Any) -> None:
    """Who stands there, and how thirsty they are."""
    for other in range(state.players):
        if state.pawn[other] == place:
            base = SEAT_START + other * OF_SEAT + THIRST
            out[12] += 0.25
            out[13] += 0.5 * desk[base + 12]
            out[14] += 0.5 * desk[base + 10]
            out[15] += min(2, CANTEEN_SIZE[state.role[other]] - as_int(state.water[other])) / 4
            out[16] = max(out[16], desk[base + 11])
        else:
            out[17] += 0.5 * desk[SEAT_START + other * OF_SEAT + THIRST + 12]
            out[18] = max(out[18], desk[DISTANCES + other * PLACES + place] / MAX_DISTANCE)
