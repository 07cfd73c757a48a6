"""The features of an action for the policy network, beside those of the state.

What each block means depends on the kind of action, so ``ACTION_FEATURES`` has one set of blocks for moving a pawn (by
any action, a Helicopter Lift included) and a few more for the other actions, which leave the rest 0. A distance is a
number of moves, divided by ``MAX_DISTANCE``; a change is the distance after the move less the distance before.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.blocks import Block, Blocks
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.distances import pawn_distance
from skerry.games.forbidden_island.bot.feature_blocks import MAX_DISTANCE, STATE_NOTES_END
from skerry.games.forbidden_island.rules.actions import (
    CAPTURE,
    GIVE,
    LIFT,
    LIFT_OFF,
    MOVE,
    NAVIGATE,
    PLAY_SANDBAGS,
    SHORE,
    SWIM,
)
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    ADJACENT_OR_DIAGONAL,
    ENGINEER,
    EXPLORER,
    FOOLS_LANDING,
    HAND_LIMIT,
    N_TREASURES,
    SEATS,
    SET_SIZE,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import neighbours_of, tile_places
from skerry.games.forbidden_island.rules.state import State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

ACTION_FEATURES = Blocks(
    # Moving a pawn to a destination
    Block("landing_distance", 1, "distance from the destination to Fools' Landing"),
    Block("landing_change", 1, "change of that distance"),
    Block("has_set", 1, "the pawn's seat has a set of an uncaptured treasure"),
    Block("set_distance", 1, "if so: distance from the destination to the nearest tile of such treasures"),
    Block("set_change", 1, "change of that distance"),
    Block("has_partial_set", 1, "the pawn's seat has a set but for one or two cards"),
    Block("partial_set_distance", 1, "if so: distance from the destination to the nearest tile of such treasures"),
    Block("partial_set_change", 1, "change of that distance"),
    Block("partner_distance", 1, "distance to the nearest pawn whose cards with those of the seat nearly make a set"),
    Block("partner_change", 1, "change of that distance"),
    Block("nearest_pawn_distance", 1, "distance to the nearest other pawn"),
    Block("nearest_pawn_change", 1, "change of that distance"),
    Block("flooded_in_reach", 1, "flooded tiles that can be shored up from the destination, of 4"),
    Block("flooded_in_reach_change", 1, "change of their number, of 4"),
    Block("neighbours", 1, "tiles adjacent to the destination, of 4"),
    Block("destination_flooded", 1, "the destination is flooded"),
    Block("engineer", 1, "the pawn is the Engineer"),
    Block("turn_pawn", 1, "the pawn is that of the seat whose turn it is"),
    # Giving a card; Sandbags use the first of these for the distance from the pawn whose turn it is to their tile.
    Block("receiver_cards_after", 1, "cards of the treasure that the receiver then has, of 4"),
    Block("giver_cards", 1, "cards of the treasure that the giver has, of 4"),
    Block("receiver_hand_size", 1, "cards in the receiver's hand, of 5"),
    Block("receiver_distance", 1, "distance from the receiver to a tile of the treasure"),
    # A Helicopter Lift, beside the features of moving its first pawn
    Block("lifted_pawns", 1, "pawns that the Helicopter Lift takes, of 4"),
    # Giving a card, continued
    Block("receiver_completes", 1, "the receiver then has a set"),
)
N_ACTION_FEATURES = ACTION_FEATURES.size

LANDING_DISTANCE = ACTION_FEATURES.offset("landing_distance")
LANDING_CHANGE = ACTION_FEATURES.offset("landing_change")
HAS_SET = ACTION_FEATURES.offset("has_set")
SET_DISTANCE = ACTION_FEATURES.offset("set_distance")
SET_CHANGE = ACTION_FEATURES.offset("set_change")
HAS_PARTIAL_SET = ACTION_FEATURES.offset("has_partial_set")
PARTIAL_SET_DISTANCE = ACTION_FEATURES.offset("partial_set_distance")
PARTIAL_SET_CHANGE = ACTION_FEATURES.offset("partial_set_change")
PARTNER_DISTANCE = ACTION_FEATURES.offset("partner_distance")
PARTNER_CHANGE = ACTION_FEATURES.offset("partner_change")
NEAREST_PAWN_DISTANCE = ACTION_FEATURES.offset("nearest_pawn_distance")
NEAREST_PAWN_CHANGE = ACTION_FEATURES.offset("nearest_pawn_change")
FLOODED_IN_REACH = ACTION_FEATURES.offset("flooded_in_reach")
FLOODED_IN_REACH_CHANGE = ACTION_FEATURES.offset("flooded_in_reach_change")
NEIGHBOURS = ACTION_FEATURES.offset("neighbours")
DESTINATION_FLOODED = ACTION_FEATURES.offset("destination_flooded")
IS_ENGINEER = ACTION_FEATURES.offset("engineer")
IS_TURN_PAWN = ACTION_FEATURES.offset("turn_pawn")
RECEIVER_CARDS_AFTER = ACTION_FEATURES.offset("receiver_cards_after")
GIVER_CARDS = ACTION_FEATURES.offset("giver_cards")
RECEIVER_HAND_SIZE = ACTION_FEATURES.offset("receiver_hand_size")
RECEIVER_DISTANCE = ACTION_FEATURES.offset("receiver_distance")
LIFTED_PAWNS = ACTION_FEATURES.offset("lifted_pawns")
RECEIVER_COMPLETES = ACTION_FEATURES.offset("receiver_completes")
SANDBAGS_DISTANCE = RECEIVER_CARDS_AFTER

# Notes behind those of the state features: the distance from each place to the nearer tile of each treasure, and to
# Fools' Landing, in steps of a pawn without a special role.
GOAL_DISTANCES = STATE_NOTES_END
LANDING_DISTANCES = GOAL_DISTANCES + N_TREASURES * TILES
SCRATCH_SIZE = LANDING_DISTANCES + TILES


@kernel
def prepare_action_features(state: State, scratch: Any) -> None:
    """Note how far it is from each place to the treasures and to Fools' Landing."""
    tiles = tile_places(state)
    for treasure in range(N_TREASURES):
        goals = 0
        if state.captor[treasure] < 0:
            goals = 1 << state.place_of[2 * treasure] | 1 << state.place_of[2 * treasure + 1]
        _note_goal_distances(state, goals & tiles, scratch, GOAL_DISTANCES + treasure * TILES)
    _note_goal_distances(state, 1 << state.place_of[FOOLS_LANDING] & tiles, scratch, LANDING_DISTANCES)


@kernel
def _note_goal_distances(state: State, goals: int, scratch: Any, base: int) -> None:
    """Note the distance from each place to the nearest of some goals."""
    for place in range(TILES):
        scratch[base + place] = MAX_DISTANCE
    tiles, reached, frontier, distance = tile_places(state), goals, goals, 0
    while frontier and distance < MAX_DISTANCE:
        places = frontier
        while places:
            scratch[base + lowest_bit(places)] = distance
            places &= places - 1
        frontier = neighbours_of(state, frontier, False) & tiles & ~reached
        reached |= frontier
        distance += 1


@kernel
def write_action_features(state: State, seat: int, action: int, scratch: Any, out: Any) -> None:
    """Write the features of a legal action of a seat."""
    for i in range(N_ACTION_FEATURES):
        out[i] = 0.0
    if MOVE <= action < NAVIGATE:
        _write_move(state, seat, action - MOVE, scratch, out)
    elif NAVIGATE <= action < SHORE:
        _write_move(state, (action - NAVIGATE) // TILES, (action - NAVIGATE) % TILES, scratch, out)
    elif SWIM <= action < SWIM + TILES:
        _write_move(state, seat, action - SWIM, scratch, out)
    elif LIFT <= action < LIFT_OFF:
        pawns = (action - LIFT) // TILES + 1
        out[LIFTED_PAWNS] = popcount(pawns) / 4
        _write_move(state, lowest_bit(pawns), (action - LIFT) % TILES, scratch, out)
    elif GIVE <= action < CAPTURE:
        _write_gift(state, seat, (action - GIVE) // SEATS, (action - GIVE) % SEATS, scratch, out)
    elif PLAY_SANDBAGS <= action < LIFT:
        out[SANDBAGS_DISTANCE] = pawn_distance(scratch, state.turn, action - PLAY_SANDBAGS) / MAX_DISTANCE


@kernel
def _write_gift(state: State, seat: int, treasure: int, receiver: int, scratch: Any, out: Any) -> None:
    cards_after = state.hands[receiver, treasure] + 1
    out[RECEIVER_CARDS_AFTER] = cards_after / SET_SIZE
    out[GIVER_CARDS] = state.hands[seat, treasure] / SET_SIZE
    out[RECEIVER_HAND_SIZE] = hand_size(state, receiver) / HAND_LIMIT
    out[RECEIVER_DISTANCE] = scratch[GOAL_DISTANCES + treasure * TILES + state.pawn[receiver]] / MAX_DISTANCE
    out[RECEIVER_COMPLETES] = 1.0 if cards_after >= SET_SIZE else 0.0


@kernel
def _write_move(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    """What the pawn of a seat would be nearer to at another place."""
    start = state.pawn[seat]
    before, after = scratch[LANDING_DISTANCES + start], scratch[LANDING_DISTANCES + place]
    out[LANDING_DISTANCE] = after / MAX_DISTANCE
    out[LANDING_CHANGE] = (after - before) / MAX_DISTANCE
    _write_treasures(state, seat, place, scratch, out)
    _write_other_pawns(state, seat, place, scratch, out)
    _write_surroundings(state, seat, place, out)
    out[IS_ENGINEER] = 1.0 if state.role[seat] == ENGINEER else 0.0
    out[IS_TURN_PAWN] = 1.0 if seat == state.turn else 0.0


@kernel
def _write_treasures(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    """Distances to the treasures of which the seat has a set, or a set but for one or two cards."""
    sets = partial_sets = 0
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            cards = state.hands[seat, treasure]
            sets |= (1 if cards >= SET_SIZE else 0) << treasure
            partial_sets |= (1 if 0 < SET_SIZE - cards <= 2 else 0) << treasure
    start = state.pawn[seat]
    if sets:
        before, after = _nearest_goal(scratch, sets, start), _nearest_goal(scratch, sets, place)
        out[HAS_SET] = 1.0
        out[SET_DISTANCE] = after / MAX_DISTANCE
        out[SET_CHANGE] = (after - before) / MAX_DISTANCE
    if partial_sets:
        before, after = _nearest_goal(scratch, partial_sets, start), _nearest_goal(scratch, partial_sets, place)
        out[HAS_PARTIAL_SET] = 1.0
        out[PARTIAL_SET_DISTANCE] = after / MAX_DISTANCE
        out[PARTIAL_SET_CHANGE] = (after - before) / MAX_DISTANCE


@kernel
def _nearest_goal(scratch: Any, treasures: int, place: int) -> float:
    """The distance from a place to the nearest tile of some treasures, a bit set."""
    distance = MAX_DISTANCE + 0.0
    for treasure in range(N_TREASURES):
        if treasures >> treasure & 1:
            distance = min(distance, scratch[GOAL_DISTANCES + treasure * TILES + place])
    return distance


@kernel
def _write_other_pawns(state: State, seat: int, place: int, scratch: Any, out: Any) -> None:
    """Distances to the nearest other pawn, and to the nearest one that shares a collection."""
    start = state.pawn[seat]
    before, after = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0
    partner_before, partner_after = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0
    for other in range(state.players):
        if other != seat:
            other_before, other_after = pawn_distance(scratch, other, start), pawn_distance(scratch, other, place)
            before, after = min(before, other_before), min(after, other_after)
            if _shares_collection(state, seat, other):
                partner_before, partner_after = min(partner_before, other_before), min(partner_after, other_after)
    out[PARTNER_DISTANCE] = partner_after / MAX_DISTANCE
    out[PARTNER_CHANGE] = (partner_after - partner_before) / MAX_DISTANCE
    out[NEAREST_PAWN_DISTANCE] = after / MAX_DISTANCE
    out[NEAREST_PAWN_CHANGE] = (after - before) / MAX_DISTANCE


@kernel
def _shares_collection(state: State, seat: int, other: int) -> bool:
    """Whether two seats both have cards of an uncaptured treasure and together at most one too few for a set."""
    for treasure in range(N_TREASURES):
        own, others = state.hands[seat, treasure], state.hands[other, treasure]
        if state.captor[treasure] < 0 and own and others and own + others >= SET_SIZE - 1:
            return True
    return False


@kernel
def _write_surroundings(state: State, seat: int, place: int, out: Any) -> None:
    start = state.pawn[seat]
    diagonal = state.role[seat] == EXPLORER
    adjacent = ADJACENT_OR_DIAGONAL[state.layout, place] if diagonal else ADJACENT[state.layout, place]
    adjacent_before = ADJACENT_OR_DIAGONAL[state.layout, start] if diagonal else ADJACENT[state.layout, start]
    in_reach = popcount((adjacent | 1 << place) & state.flooded)
    in_reach_before = popcount((adjacent_before | 1 << start) & state.flooded)
    out[FLOODED_IN_REACH] = in_reach / 4
    out[FLOODED_IN_REACH_CHANGE] = (in_reach - in_reach_before) / 4
    out[NEIGHBOURS] = popcount(adjacent & tile_places(state)) / 4
    out[DESTINATION_FLOODED] = state.flooded >> place & 1
