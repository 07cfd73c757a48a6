"""The features of an action for the policy network, beside those of the state.

What a feature means depends on the kind of action, so there is a set of blocks for each of three kinds that share the
same numbers: moving a pawn, clearing or excavating a tile, and giving water. A distance is a number of actions, divided
by ``MAX_DISTANCE``; a change is the distance after the move less the distance before. The thirst risks are those of the
seat features.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.blocks import Block, Blocks
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.distances import pawn_distance
from skerry.games.forbidden_desert.bot.feature_blocks import (
    FIRST_SEAT,
    MAX_DISTANCE,
    MOVE_RISK,
    N_SEAT_FEATURES,
    STATE_NOTES_END,
)
from skerry.games.forbidden_desert.bot.public_info import public_info
from skerry.games.forbidden_desert.bot.routes import one_step_from
from skerry.games.forbidden_desert.bot.seat_features import (
    LESS_WATER_RISK,
    THIRST_RISK_LATER,
    THIRST_RISK_SOON,
    THIRST_RISK_THIS_TURN,
)
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
from skerry.games.forbidden_desert.rules.components import CANTEEN_SIZE, MAX_WATER, N_PARTS, PLACES, SEATS
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

# Kinds of places that a pawn may go for.
DUNES, WATER_TILES, PARTS, TUNNELS, PAD, WELLS = range(6)
GOAL_KINDS = 6

MOVE_FEATURES = Blocks(
    Block("goals", 2 * GOAL_KINDS, "for each kind of goal: distance from the destination to the nearest, its change"),
    Block("nearest_pawn", 1, "distance to the nearest other pawn"),
    Block("nearest_pawn_change", 1, "change of that distance"),
    Block("farthest_pawn", 1, "distance to the farthest other pawn"),
    Block("farthest_pawn_change", 1, "change of that distance"),
    Block("thirsty_pawns_change", 1, "changes of the distances to the other pawns, by their thirst risk later"),
    Block("water_change", 1, "changes of the distances to the other pawns, by their water"),
    Block("company", 1, "other pawns at the destination, by quarters"),
    Block("company_thirst", 1, "highest thirst risk later of a pawn at the destination"),
    Block("sand", 1, "sand at the destination up to 4, of 4"),
    Block("destination_tunnel", 1, "the destination is a tunnel"),
    Block("move_risk", 1, "probability that the next storm card moves the destination"),
    Block("start_tunnel", 1, "the start is a tunnel"),
    Block("start_blocked", 1, "the start is blocked"),
    Block("turn_pawn", 1, "the pawn is that of the seat whose turn it is"),
    Block("turn_pawn_distance", 1, "distance to the pawn whose turn it is"),
    Block("thirst_water_change", 1, "thirst risk later times the change of the distance to a water tile"),
    Block("carries", 1, "the Climber takes the pawn along; else the Navigator guides it, or it moves by itself"),
    Block("thirst_tunnel_change", 1, "thirst risk later times the change of the distance to a tunnel"),
)

TILE_ACTION_FEATURES = Blocks(
    Block("goals", GOAL_KINDS, "for each kind of goal: the tile is one"),
    Block("sand", 4, "sand on the tile, unary"),
    Block("own_tile", 1, "the pawn is on the tile"),
    Block("move_risk", 1, "probability that the next storm card moves the tile"),
    Block("company", 1, "pawns on the tile, by quarters"),
    Block("company_thirst_later", 1, "thirst risks later of the pawns on the tile, by halves"),
    Block("company_thirst_soon", 1, "thirst risks soon of the pawns on the tile, by halves"),
    Block("company_room", 1, "water up to two that each pawn on the tile can take, by quarters"),
    Block("company_thirst_now", 1, "highest thirst risk this turn of a pawn on the tile"),
    Block("others_thirst", 1, "thirst risks later of the other pawns, by halves"),
    Block("others_distance", 1, "longest distance of another pawn to the tile"),
    Block("unused", 1, "always 0"),
    Block("excavated", 1, "the tile is excavated"),
    Block("supply_below_8", 1, "markers missing to 8 in supply, of 8"),
    Block("blocked_tiles", 1, "blocked tiles, by twelfths"),
)

WATER_FEATURES = Blocks(
    Block("receiver_water", 1, "water of the receiver afterwards, of 5"),
    Block("giver_water", 1, "water of the giver afterwards, of 5"),
    Block("difference_before", 1, "water of the receiver less that of the giver before, of 5"),
    Block("difference_after", 1, "water of the receiver less that of the giver afterwards, of 5"),
    Block("receiver_room", 1, "room in the receiver's canteen afterwards, of 5"),
    Block("receiver_thirst", 3, "thirst risks of the receiver before: soon, later, with one water less"),
    Block("giver_thirst", 3, "the same of the giver"),
)

N_ACTION_FEATURES = max(MOVE_FEATURES.size, TILE_ACTION_FEATURES.size, WATER_FEATURES.size)

GOAL_DISTANCE = MOVE_FEATURES.offset("goals")
NEAREST_PAWN = MOVE_FEATURES.offset("nearest_pawn")
NEAREST_PAWN_CHANGE = MOVE_FEATURES.offset("nearest_pawn_change")
FARTHEST_PAWN = MOVE_FEATURES.offset("farthest_pawn")
FARTHEST_PAWN_CHANGE = MOVE_FEATURES.offset("farthest_pawn_change")
THIRSTY_PAWNS_CHANGE = MOVE_FEATURES.offset("thirsty_pawns_change")
WATER_CHANGE = MOVE_FEATURES.offset("water_change")
MOVE_COMPANY = MOVE_FEATURES.offset("company")
MOVE_COMPANY_THIRST = MOVE_FEATURES.offset("company_thirst")
MOVE_SAND = MOVE_FEATURES.offset("sand")
DESTINATION_TUNNEL = MOVE_FEATURES.offset("destination_tunnel")
DESTINATION_MOVE_RISK = MOVE_FEATURES.offset("move_risk")
START_TUNNEL = MOVE_FEATURES.offset("start_tunnel")
START_BLOCKED = MOVE_FEATURES.offset("start_blocked")
IS_TURN_PAWN = MOVE_FEATURES.offset("turn_pawn")
TURN_PAWN_DISTANCE = MOVE_FEATURES.offset("turn_pawn_distance")
THIRST_WATER_CHANGE = MOVE_FEATURES.offset("thirst_water_change")
CARRIES = MOVE_FEATURES.offset("carries")
THIRST_TUNNEL_CHANGE = MOVE_FEATURES.offset("thirst_tunnel_change")

IS_GOAL = TILE_ACTION_FEATURES.offset("goals")
TILE_SAND = TILE_ACTION_FEATURES.offset("sand")
OWN_TILE = TILE_ACTION_FEATURES.offset("own_tile")
TILE_MOVE_RISK = TILE_ACTION_FEATURES.offset("move_risk")
COMPANY = TILE_ACTION_FEATURES.offset("company")
COMPANY_THIRST_LATER = TILE_ACTION_FEATURES.offset("company_thirst_later")
COMPANY_THIRST_SOON = TILE_ACTION_FEATURES.offset("company_thirst_soon")
COMPANY_ROOM = TILE_ACTION_FEATURES.offset("company_room")
COMPANY_THIRST_NOW = TILE_ACTION_FEATURES.offset("company_thirst_now")
OTHERS_THIRST = TILE_ACTION_FEATURES.offset("others_thirst")
OTHERS_DISTANCE = TILE_ACTION_FEATURES.offset("others_distance")
EXCAVATED = TILE_ACTION_FEATURES.offset("excavated")
SUPPLY_BELOW_8 = TILE_ACTION_FEATURES.offset("supply_below_8")
BLOCKED_TILES = TILE_ACTION_FEATURES.offset("blocked_tiles")

RECEIVER_WATER = WATER_FEATURES.offset("receiver_water")
GIVER_WATER = WATER_FEATURES.offset("giver_water")
DIFFERENCE_BEFORE = WATER_FEATURES.offset("difference_before")
DIFFERENCE_AFTER = WATER_FEATURES.offset("difference_after")
RECEIVER_ROOM = WATER_FEATURES.offset("receiver_room")
RECEIVER_THIRST = WATER_FEATURES.offset("receiver_thirst")
GIVER_THIRST = WATER_FEATURES.offset("giver_thirst")

PICKS_UP_PART = 0  # the only feature of picking up a part

# Notes behind those of the state features: actions from each place to the nearest goal of each kind.
GOAL_DISTANCES = STATE_NOTES_END
SCRATCH_SIZE = GOAL_DISTANCES + GOAL_KINDS * PLACES


@kernel
def prepare_action_features(state: State, scratch: Any) -> None:
    """Note how far it is from each place to each kind of goal."""
    info = public_info(state, scratch)
    tiles = tile_places(state)
    _note_goal_distances(state, (info.dunes | info.wreck) & tiles, scratch, DUNES)
    _note_goal_distances(state, info.water_tiles & tiles, scratch, WATER_TILES)
    _note_goal_distances(state, info.parts & tiles, scratch, PARTS)
    _note_goal_distances(state, as_int(state.tunnels) & tiles, scratch, TUNNELS)
    _note_goal_distances(state, info.pad & tiles, scratch, PAD)
    _note_goal_distances(state, info.wells & tiles, scratch, WELLS)


@kernel
def _note_goal_distances(state: State, goals: int, scratch: Any, kind: int) -> None:
    """Note the actions from each place to the nearest of some goals, for a pawn without a special role."""
    base = GOAL_DISTANCES + kind * PLACES
    for place in range(PLACES):
        scratch[base + place] = MAX_DISTANCE
    tiles, blocked, reached, next_to_before = tile_places(state), as_int(state.blocked), goals, 0
    found = goals
    for actions in range(MAX_DISTANCE):
        while found:
            scratch[base + lowest_bit(found)] = actions
            found &= found - 1
        next_to = one_step_from(reached, False, as_int(state.tunnels)) & tiles
        found = (next_to & ~blocked | next_to_before & blocked) & ~reached
        reached |= found
        next_to_before = next_to
        if reached == tiles:
            break


@kernel
def _goal_distance(scratch: Any, kind: int, place: int) -> float:
    """The noted distance from a place to the nearest goal of a kind."""
    distance: float = scratch[GOAL_DISTANCES + kind * PLACES + place]
    return distance


@kernel
def _thirst(scratch: Any, seat: int, risk: int) -> float:
    """A thirst risk of a seat, from its features."""
    probability: float = scratch[FIRST_SEAT + seat * N_SEAT_FEATURES + risk]
    return probability


@kernel
def write_action_features(state: State, seat: int, action: int, scratch: Any, out: Any) -> None:
    """Write the features of a legal action of a seat."""
    for i in range(N_ACTION_FEATURES):
        out[i] = 0.0
    if MOVE <= action < CARRY:
        _write_move(state, seat, action - MOVE, scratch, out)
    elif CARRY <= action < CLEAR:
        pawn_and_place = (action - CARRY) % (SEATS * PLACES)
        out[CARRIES] = 1.0 if action < GUIDE else 0.0
        _write_move(state, pawn_and_place // PLACES, pawn_and_place % PLACES, scratch, out)
    elif CLEAR <= action < EXCAVATE:
        _write_tile_action(state, seat, (action - CLEAR) % PLACES, scratch, out)
    elif action == EXCAVATE:
        _write_tile_action(state, seat, as_int(state.pawn[seat]), scratch, out)
    elif TAKE <= action < TAKE + N_PARTS:
        out[PICKS_UP_PART] = 1.0
    elif WATER <= action < GIVE:
        _write_water(state, seat, (action - WATER) // MAX_WATER, (action - WATER) % MAX_WATER + 1, scratch, out)
    elif action >= BLAST:
        _write_gear(state, seat, action, scratch, out)


@kernel
def _write_gear(state: State, seat: int, action: int, scratch: Any, out: Any) -> None:
    """Playing a gear card: like clearing or moving, or who is on the tile."""
    if action < JET:
        _write_tile_action(state, seat, action - BLAST, scratch, out)
    elif action < JET_WITH:
        _write_move(state, seat, action - JET, scratch, out)
    elif action < PLAY_SHIELD:
        _write_move(state, seat, (action - JET_WITH) // SEATS, scratch, out)
    elif action in (PLAY_SHIELD, PLAY_RESERVE):
        _write_company(state, as_int(state.pawn[seat]), scratch, out)


@kernel
def _write_water(state: State, giver: int, receiver: int, amount: int, scratch: Any, out: Any) -> None:
    out[RECEIVER_WATER] = (state.water[receiver] + amount) / 5
    out[GIVER_WATER] = (state.water[giver] - amount) / 5
    out[DIFFERENCE_BEFORE] = (state.water[receiver] - state.water[giver]) / 5
    out[DIFFERENCE_AFTER] = (state.water[receiver] - state.water[giver] + 2 * amount) / 5
    out[RECEIVER_ROOM] = (CANTEEN_SIZE[state.role[receiver]] - state.water[receiver] - amount) / 5
    _write_thirst(receiver, scratch, out, RECEIVER_THIRST)
    _write_thirst(giver, scratch, out, GIVER_THIRST)


@kernel
def _write_thirst(seat: int, scratch: Any, out: Any, start: int) -> None:
    out[start] = _thirst(scratch, seat, THIRST_RISK_SOON)
    out[start + 1] = _thirst(scratch, seat, THIRST_RISK_LATER)
    out[start + 2] = _thirst(scratch, seat, LESS_WATER_RISK)


@kernel
def _write_move(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    """What the pawn of a seat would be nearer to at another place, and what is there."""
    start, thirst = state.pawn[seat], _thirst(scratch, seat, THIRST_RISK_LATER)
    for kind in range(GOAL_KINDS):
        before, after = _goal_distance(scratch, kind, start), _goal_distance(scratch, kind, place)
        out[GOAL_DISTANCE + 2 * kind] = after / MAX_DISTANCE
        out[GOAL_DISTANCE + 2 * kind + 1] = (after - before) / MAX_DISTANCE
    water_change = _goal_distance(scratch, WATER_TILES, place) - _goal_distance(scratch, WATER_TILES, start)
    tunnel_change = _goal_distance(scratch, TUNNELS, place) - _goal_distance(scratch, TUNNELS, start)
    _write_other_pawns(state, seat, place, scratch, out)
    out[MOVE_SAND] = min(as_int(state.sand[place]), 4) / 4
    out[DESTINATION_TUNNEL] = state.tunnels >> place & 1
    out[DESTINATION_MOVE_RISK] = scratch[MOVE_RISK + place]
    out[START_TUNNEL] = state.tunnels >> start & 1
    out[START_BLOCKED] = state.blocked >> start & 1
    out[IS_TURN_PAWN] = 1.0 if seat == state.turn else 0.0
    out[TURN_PAWN_DISTANCE] = pawn_distance(scratch, state.turn, place) / MAX_DISTANCE
    out[THIRST_WATER_CHANGE] = thirst * water_change / MAX_DISTANCE
    out[THIRST_TUNNEL_CHANGE] = thirst * tunnel_change / MAX_DISTANCE


@kernel
def _write_other_pawns(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    start = state.pawn[seat]
    nearest_before, nearest, farthest_before, farthest = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0, 0.0, 0.0
    for other in range(state.players):
        if other == seat:
            continue
        before, after = pawn_distance(scratch, other, start), pawn_distance(scratch, other, place)
        nearest_before, nearest = min(nearest_before, before), min(nearest, after)
        farthest_before, farthest = max(farthest_before, before), max(farthest, after)
        thirst = _thirst(scratch, other, THIRST_RISK_LATER)
        out[THIRSTY_PAWNS_CHANGE] += thirst * (after - before) / MAX_DISTANCE
        out[WATER_CHANGE] += state.water[other] * (after - before) / (5 * MAX_DISTANCE)
        if state.pawn[other] == place:
            out[MOVE_COMPANY] += 0.25
            out[MOVE_COMPANY_THIRST] = max(out[MOVE_COMPANY_THIRST], thirst)
    out[NEAREST_PAWN] = nearest / MAX_DISTANCE
    out[NEAREST_PAWN_CHANGE] = (nearest - nearest_before) / MAX_DISTANCE
    out[FARTHEST_PAWN] = farthest / MAX_DISTANCE
    out[FARTHEST_PAWN_CHANGE] = (farthest - farthest_before) / MAX_DISTANCE


@kernel
def _write_tile_action(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    """Clearing or excavating a tile."""
    for kind in range(GOAL_KINDS):
        out[IS_GOAL + kind] = 1.0 if _goal_distance(scratch, kind, place) == 0.0 else 0.0
    sand = as_int(state.sand[place])
    for i in range(4):
        out[TILE_SAND + i] = 1.0 if sand > i else 0.0
    out[OWN_TILE] = 1.0 if place == state.pawn[seat] else 0.0
    out[TILE_MOVE_RISK] = scratch[MOVE_RISK + place]
    _write_company(state, place, scratch, out)
    out[EXCAVATED] = state.excavated >> place & 1
    out[SUPPLY_BELOW_8] = max(0, 8 - as_int(state.supply)) / 8
    out[BLOCKED_TILES] = popcount(as_int(state.blocked)) / 12


@kernel
def _write_company(state: State, place: int, scratch: Any, out: Any) -> None:
    """The pawns on a tile and how thirsty they are, and the others."""
    for other in range(state.players):
        if state.pawn[other] == place:
            room = CANTEEN_SIZE[state.role[other]] - as_int(state.water[other])
            out[COMPANY] += 0.25
            out[COMPANY_THIRST_LATER] += 0.5 * _thirst(scratch, other, THIRST_RISK_LATER)
            out[COMPANY_THIRST_SOON] += 0.5 * _thirst(scratch, other, THIRST_RISK_SOON)
            out[COMPANY_ROOM] += min(2, room) / 4
            out[COMPANY_THIRST_NOW] = max(out[COMPANY_THIRST_NOW], _thirst(scratch, other, THIRST_RISK_THIS_TURN))
        else:
            out[OTHERS_THIRST] += 0.5 * _thirst(scratch, other, THIRST_RISK_LATER)
            out[OTHERS_DISTANCE] = max(out[OTHERS_DISTANCE], pawn_distance(scratch, other, place) / MAX_DISTANCE)
