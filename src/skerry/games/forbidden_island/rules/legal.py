"""The kernels ``waiting`` and ``legal``: the seats that must act, and the legal actions of a seat."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import append_members, pair_index
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import (
    ENGINEER,
    FOOLS_LANDING,
    HAND_CARD_KINDS,
    HELICOPTER,
    MESSENGER,
    N_TREASURES,
    NAVIGATOR,
    SANDBAGS,
    SEATS,
    SET_SIZE,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import (
    adjacent,
    move_destinations,
    navigate_destinations,
    swim_destinations,
    tile_places,
)
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, State


@kernel
def waiting(state: State) -> int:
    """The seats that the game waits for, as a bit set. Others may still play special cards."""
    if state.ending:
        return 0
    if state.stranded:
        return lift_holders(state)
    if state.swimming:
        return 1 << next_swimmer(state)
    if state.over:
        return state.over
    return 1 << state.turn


@kernel
def lift_holders(state: State) -> int:
    """The seats with a Helicopter Lift in hand, as a bit set."""
    seats = 0
    for seat in range(state.players):
        if state.hands[seat, HELICOPTER]:
            seats |= 1 << seat
    return seats


@kernel
def next_swimmer(state: State) -> int:
    """FI-57: pawns swim in seat order, from the player whose turn it is."""
    seat = state.turn
    while not state.swimming >> seat & 1:
        seat = (seat + 1) % state.players
    return seat


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    """Write the ids of the legal actions of a seat, ascending; their number. ``out`` has room for one id more.

    The helpers below append to ``out`` from index ``n`` on and return the new length.
    """
    if state.ending or seat >= state.players:
        return 0
    if state.swimming:
        return _rescue_actions(state, seat, out)
    n = 0
    if state.over:
        if state.over >> seat & 1:
            n = _discard_actions(state, seat, out)
    elif state.turn == seat:
        n = _turn_actions(state, seat, out)
    return _special_card_actions(state, seat, out, n)


@kernel
def _turn_actions(state: State, seat: int, out: NDArray[Any]) -> int:
    if state.phase != ACTIONS:
        out[0] = actions.DRAW if state.phase == DRAWING else actions.FLOOD
        return 1
    out[0] = actions.END
    if not state.left:
        return 1
    n = append_members(move_destinations(state, seat), TILES, actions.MOVE, out, 1)
    if state.role[seat] == NAVIGATOR:
        n = _navigate_actions(state, seat, out, n)
    n = _shore_actions(state, seat, out, n)
    n = _give_actions(state, seat, out, n)
    return _capture_actions(state, seat, out, n)


@kernel
def _navigate_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for other in range(state.players):
        if other != seat:
            n = append_members(navigate_destinations(state, other), TILES, actions.NAVIGATE + other * TILES, out, n)
    return n


@kernel
def shoreable_places(state: State, seat: int) -> int:
    """FI-17, FI-19: the flooded tiles that a pawn can shore up, its own included."""
    return (adjacent(state, seat) | 1 << state.pawn[seat]) & state.flooded


@kernel
def _shore_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    near = shoreable_places(state, seat)
    if not near:
        return n
    n = append_members(near, TILES, actions.SHORE, out, n)
    if state.role[seat] == ENGINEER:
        for high in range(1, TILES):
            if near >> high & 1:
                n = append_members(near & (1 << high) - 1, high, actions.SHORE_TWO + pair_index(0, high), out, n)
    return n


@kernel
def can_give(state: State, seat: int, other: int) -> bool:
    """FI-20, FI-21: whether a seat can give cards to another from where it is."""
    return seat != other and (state.role[seat] == MESSENGER or state.pawn[seat] == state.pawn[other])


@kernel
def _give_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    near = 0
    for other in range(state.players):
        if can_give(state, seat, other):
            near |= 1 << other
    if near:
        for treasure in range(N_TREASURES):
            if state.hands[seat, treasure]:
                n = append_members(near, state.players, actions.GIVE + treasure * SEATS, out, n)
    return n


@kernel
def _capture_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    treasure = state.tile_at[state.pawn[seat]] // 2
    if treasure < N_TREASURES and state.captor[treasure] < 0 and state.hands[seat, treasure] >= SET_SIZE:
        out[n] = actions.CAPTURE + treasure
        n += 1
    return n


@kernel
def _discard_actions(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    for card in range(HAND_CARD_KINDS):
        if state.hands[seat, card]:
            out[n] = actions.DISCARD + card
            n += 1
    return n


@kernel
def _rescue_actions(state: State, seat: int, out: NDArray[Any]) -> int:
    """FI-43, FI-63: swim in order, or lift pawns out of the water. While a pawn is stranded, a lift must take one."""
    n = 0
    if not state.stranded and seat == next_swimmer(state):
        n = append_members(swim_destinations(state, seat), TILES, actions.SWIM, out, n)
    if state.hands[seat, HELICOPTER]:
        for pawns in range(1, 1 << state.players):
            if not pawns & ~state.swimming and (not state.stranded or pawns & state.stranded):
                n = append_members(tile_places(state), TILES, actions.LIFT + (pawns - 1) * TILES, out, n)
    return n


@kernel
def _special_card_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.hands[seat, SANDBAGS] and state.flooded:
        n = append_members(state.flooded, TILES, actions.PLAY_SANDBAGS, out, n)
    if state.hands[seat, HELICOPTER]:
        n = _lift_actions(state, out, n)
        if can_lift_off(state):
            out[n] = actions.LIFT_OFF
            n += 1
    return n


@kernel
def on_one_tile(state: State, pawns: int) -> bool:
    """FI-40: whether the pawns of a non-empty bit set are on the same tile."""
    place = -1
    for seat in range(state.players):
        if pawns >> seat & 1:
            if place >= 0 and state.pawn[seat] != place:
                return False
            place = state.pawn[seat]
    return True


@kernel
def _lift_actions(state: State, out: NDArray[Any], n: int) -> int:
    destinations = tile_places(state)
    for pawns in range(1, 1 << state.players):
        if on_one_tile(state, pawns):
            seat = 0
            while not pawns >> seat & 1:
                seat += 1
            n = append_members(
                destinations & ~(1 << state.pawn[seat]), TILES, actions.LIFT + (pawns - 1) * TILES, out, n
            )
    return n


@kernel
def can_lift_off(state: State) -> bool:
    """FI-60: all treasures are captured and every pawn is on Fools' Landing. The card is not checked."""
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            return False
    for seat in range(state.players):
        if state.pawn[seat] != state.place_of[FOOLS_LANDING]:
            return False
    return True
