"""What the game waits for, and what each seat may do: ids in ascending order."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import pair, write
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules import actions as act
from skerry.games.forbidden_island.rules.components import (
    ENGINEER,
    FOOLS_LANDING,
    HELD,
    HELICOPTER,
    MESSENGER,
    N_TREASURES,
    NAVIGATOR,
    SANDBAGS,
    SEATS,
    SET,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import beside, moves, navigable, swims, there
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, State


@kernel
def waiting(state: State) -> int:
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
    seats = 0
    for seat in range(state.players):
        if state.hands[seat, HELICOPTER]:
            seats |= 1 << seat
    return seats


@kernel
def next_swimmer(state: State) -> int:
    """FI-57: seat order from the turn's player."""
    seat = state.turn
    while not state.swimming >> seat & 1:
        seat = (seat + 1) % state.players
    return seat


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    if state.ending or seat >= state.players:
        return 0
    if state.swimming:
        return _in_water(state, seat, out)
    n = 0
    if state.over:
        if state.over >> seat & 1:
            n = _discards(state, seat, out)
    elif state.turn == seat:
        n = _turn(state, seat, out)
    return _special_cards(state, seat, out, n)


@kernel
def _turn(state: State, seat: int, out: NDArray[Any]) -> int:
    if state.phase != ACTIONS:
        out[0] = act.DRAW if state.phase == DRAWING else act.FLOOD
        return 1
    out[0] = act.END
    if not state.left:
        return 1
    n = write(moves(state, seat), TILES, act.MOVE, out, 1)
    if state.role[seat] == NAVIGATOR:
        n = _navigate(state, seat, out, n)
    n = _shore_up(state, seat, out, n)
    n = _give(state, seat, out, n)
    return _capture(state, seat, out, n)


@kernel
def _navigate(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for other in range(state.players):
        if other != seat:
            n = write(navigable(state, other), TILES, act.NAVIGATE + other * TILES, out, n)
    return n


@kernel
def shoreable(state: State, seat: int) -> int:
    """FI-17, FI-19: the flooded tiles in reach of a pawn, its own included."""
    return (beside(state, seat) | 1 << state.pawn[seat]) & state.flooded


@kernel
def _shore_up(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    near = shoreable(state, seat)
    if not near:
        return n
    n = write(near, TILES, act.SHORE, out, n)
    if state.role[seat] == ENGINEER:
        for high in range(1, TILES):
            if near >> high & 1:
                n = write(near & (1 << high) - 1, high, act.SHORE_TWO + pair(0, high), out, n)
    return n


@kernel
def in_reach(state: State, seat: int, other: int) -> bool:
    """FI-20, FI-21: whether a card can be handed over."""
    return seat != other and (state.role[seat] == MESSENGER or state.pawn[seat] == state.pawn[other])


@kernel
def _give(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    near = 0
    for other in range(state.players):
        if in_reach(state, seat, other):
            near |= 1 << other
    if near:
        for treasure in range(N_TREASURES):
            if state.hands[seat, treasure]:
                n = write(near, state.players, act.GIVE + treasure * SEATS, out, n)
    return n


@kernel
def _capture(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    treasure = state.tile_at[state.pawn[seat]] // 2
    if treasure < N_TREASURES and state.captor[treasure] < 0 and state.hands[seat, treasure] >= SET:
        out[n] = act.CAPTURE + treasure
        n += 1
    return n


@kernel
def _discards(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    for card in range(HELD):
        if state.hands[seat, card]:
            out[n] = act.DISCARD + card
            n += 1
    return n


@kernel
def _in_water(state: State, seat: int, out: NDArray[Any]) -> int:
    """FI-43, FI-63: swim in turn, or be lifted out; while a pawn is stranded, only lifts that take one."""
    n = 0
    if not state.stranded and seat == next_swimmer(state):
        n = write(swims(state, seat), TILES, act.SWIM, out, n)
    if state.hands[seat, HELICOPTER]:
        for pawns in range(1, 1 << state.players):
            if not pawns & ~state.swimming and (not state.stranded or pawns & state.stranded):
                n = write(there(state), TILES, act.LIFT + (pawns - 1) * TILES, out, n)
    return n


@kernel
def _special_cards(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.hands[seat, SANDBAGS] and state.flooded:
        n = write(state.flooded, TILES, act.BAGS, out, n)
    if state.hands[seat, HELICOPTER]:
        n = _lifts(state, out, n)
        if can_lift_off(state):
            out[n] = act.LIFT_OFF
            n += 1
    return n


@kernel
def together(state: State, pawns: int) -> bool:
    """Whether the pawns of a bit set, not empty, stand on one tile."""
    place = -1
    for seat in range(state.players):
        if pawns >> seat & 1:
            if place >= 0 and state.pawn[seat] != place:
                return False
            place = state.pawn[seat]
    return True


@kernel
def _lifts(state: State, out: NDArray[Any], n: int) -> int:
    land = there(state)
    for pawns in range(1, 1 << state.players):
        if together(state, pawns):
            seat = 0
            while not pawns >> seat & 1:
                seat += 1
            n = write(land & ~(1 << state.pawn[seat]), TILES, act.LIFT + (pawns - 1) * TILES, out, n)
    return n


@kernel
def can_lift_off(state: State) -> bool:
    """FI-60, but for the card: all treasures captured and every pawn on Fools' Landing."""
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            return False
    for seat in range(state.players):
        if state.pawn[seat] != state.place_of[FOOLS_LANDING]:
            return False
    return True
