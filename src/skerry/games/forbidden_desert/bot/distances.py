"""Distances in actions, kept as notes behind the state features, and what follows from them for turns."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.feature_blocks import MAX_DISTANCE, MAX_TURNS, PAWN_DISTANCES
from skerry.games.forbidden_desert.bot.public_info import PublicInfo
from skerry.games.forbidden_desert.bot.routes import one_step_from
from skerry.games.forbidden_desert.rules.components import ACTIONS_A_TURN, ARCHEOLOGIST, EXPLORER, PLACES
from skerry.games.forbidden_desert.rules.reach import is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import STORM, State


@kernel
def note_pawn_distances(state: State, seat: int, out: Any, info: PublicInfo) -> None:
    """Note how many actions it takes a pawn to get to each place, the removal of blocking sand included."""
    base, start = PAWN_DISTANCES + seat * PLACES, as_int(state.pawn[seat])
    for place in range(PLACES):
        out[base + place] = MAX_DISTANCE
    out[base + start] = 0
    role, tiles = state.role[seat], tile_places(state)
    one_to_clear, two_to_clear, to_dig_out = as_int(state.blocked) & ~info.deep, info.deep, 0
    if seat == state.climber:
        one_to_clear = two_to_clear = 0
    elif role == ARCHEOLOGIST:
        one_to_clear, two_to_clear = one_to_clear | two_to_clear, 0
    if is_buried(state, seat):
        sand = as_int(state.sand[start])
        to_dig_out = sand // 2 if role == ARCHEOLOGIST else sand - 1
    reached, next_to_before, next_to_earlier = 1 << start, 0, 0
    for actions in range(1 + to_dig_out, MAX_DISTANCE):
        next_to = one_step_from(reached, role == EXPLORER, as_int(state.tunnels)) & tiles
        free = next_to & ~one_to_clear & ~two_to_clear
        found = (free | next_to_before & one_to_clear | next_to_earlier & two_to_clear) & ~reached
        reached |= found
        next_to_before, next_to_earlier = next_to, next_to_before
        while found:
            out[base + lowest_bit(found)] = actions
            found &= found - 1
        if reached == tiles:
            break


@kernel
def pawn_distance(out: Any, seat: int, place: int) -> float:
    """The noted distance from a pawn to a place."""
    distance: float = out[PAWN_DISTANCES + seat * PLACES + place]
    return distance


@kernel
def distance_to_nearest(out: Any, seat: int, places: int) -> float:
    """The distance from a pawn to the nearest of some places."""
    distance = MAX_DISTANCE + 0.0
    while places:
        distance = min(distance, pawn_distance(out, seat, lowest_bit(places)))
        places &= places - 1
    return distance


@kernel
def actions_to_excavate(state: State, seat: int, out: Any, places: int) -> float:
    """The actions that a pawn needs to get to one of some places, clear it and excavate it."""
    fewest = MAX_DISTANCE + 0.0
    while places:
        place = lowest_bit(places)
        places &= places - 1
        distance = pawn_distance(out, seat, place)
        sand = state.sand[place] if distance == 0.0 else min(1, state.sand[place])
        fewest = min(fewest, distance + sand + 1.0)
    return fewest


@kernel
def turns_until(state: State, seat: int) -> int:
    """The number of turns until a seat's turn, 0 for the seat whose turn it is."""
    return as_int((seat - state.turn) % state.players)


@kernel
def actions_available(state: State, seat: int) -> int:
    """The actions that a pawn has left in the current turn."""
    return as_int(state.left) if seat == state.turn and state.phase != STORM else 0


@kernel
def actions_lacking(state: State, seat: int, cost: float) -> float:
    """The actions that a pawn lacks to spend ``cost`` of them now, of ``MAX_DISTANCE``.

    A step towards a goal leaves this number as it is; any other action raises it.
    """
    return min(1.0, max(0.0, cost - actions_available(state, seat)) / MAX_DISTANCE)


@kernel
def turns_to_spend(state: State, seat: int, cost: float) -> float:
    """The number of turns that end before a pawn can have spent ``cost`` actions."""
    if cost <= actions_available(state, seat):
        return 0.0
    turns = turns_until(state, seat)
    if not turns:
        turns = as_int(state.players)
        cost -= actions_available(state, seat)
    if cost > 2 * MAX_DISTANCE:
        return MAX_TURNS + 0.0
    return min(MAX_TURNS + 0.0, turns + state.players * ((cost - 1.0) // ACTIONS_A_TURN))
