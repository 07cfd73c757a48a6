"""Doing a legal action: one function a verb."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules import actions as act
from skerry.games.forbidden_island.rules import events as what
from skerry.games.forbidden_island.rules.cards import draw_treasure, give, release
from skerry.games.forbidden_island.rules.components import DRAWS, HELICOPTER, PILOT, SANDBAGS, SEATS, SET, TILES
from skerry.games.forbidden_island.rules.flood import draw_flood, finish, leave_water
from skerry.games.forbidden_island.rules.reach import walk
from skerry.games.forbidden_island.rules.state import DRAWING, ESCAPED, State


@kernel
def step(state: State, seat: int, action: int, log: Log) -> bool:
    """A ladder, since compiled code has no table of functions; its order is the order of the ids."""
    if action < act.MOVE:
        return _go_through_the_turn(state, action, log)
    if action < act.SWIM:
        _spend_action(state, seat, action, log)
    elif action < act.DISCARD:
        _swim(state, seat, action - act.SWIM, log)
    elif action < act.BAGS:
        release(state, seat, action - act.DISCARD)
        emit(log, what.DISCARDED, seat, action - act.DISCARD, 0)
    elif action < act.LIFT:
        _sandbags(state, seat, action - act.BAGS, log)
    elif action < act.LIFT_OFF:
        offset = action - act.LIFT
        _lift(state, seat, offset // TILES + 1, offset % TILES, log)
    else:
        release(state, seat, HELICOPTER)
        finish(state, ESCAPED, log, what.WON, seat)
    return False


@kernel
def _go_through_the_turn(state: State, action: int, log: Log) -> bool:
    """The only steps that bring something hidden to light are the draws."""
    if action == act.END:
        state.phase = DRAWING
        state.left = DRAWS
        return False
    if action == act.DRAW:
        draw_treasure(state, log)
    else:
        draw_flood(state, log)
    return True


@kernel
def _spend_action(state: State, seat: int, action: int, log: Log) -> None:
    state.left -= 1
    if action < act.NAVIGATE:
        _move(state, seat, action - act.MOVE, log)
    elif action < act.SHORE:
        other, place = (action - act.NAVIGATE) // TILES, (action - act.NAVIGATE) % TILES
        state.pawn[other] = place
        emit(log, what.NAVIGATED, seat, other, place)
    elif action < act.SHORE_TWO:
        _shore_up(state, seat, action - act.SHORE, log)
    elif action < act.GIVE:
        _shore_up(state, seat, act.PAIRS[action - act.SHORE_TWO, 0], log)
        _shore_up(state, seat, act.PAIRS[action - act.SHORE_TWO, 1], log)
    elif action < act.CAPTURE:
        give(state, seat, (action - act.GIVE) // SEATS, (action - act.GIVE) % SEATS, log)
    else:
        _capture(state, seat, action - act.CAPTURE, log)


@kernel
def _move(state: State, seat: int, place: int, log: Log) -> None:
    """FI-14: where the Pilot could walk, he walks, and keeps his flight."""
    flies = state.role[seat] == PILOT and not walk(state, seat) >> place & 1
    if flies:
        state.flown = 1
    state.pawn[seat] = place
    emit(log, what.FLEW if flies else what.MOVED, seat, place, 0)


@kernel
def _shore_up(state: State, seat: int, place: int, log: Log) -> None:
    state.flooded &= ~(1 << place)
    emit(log, what.SHORED, seat, place, 0)


@kernel
def _capture(state: State, seat: int, treasure: int, log: Log) -> None:
    state.hands[seat, treasure] -= SET
    state.treasure_discard[treasure] += SET
    state.captor[treasure] = seat
    emit(log, what.CAPTURED, seat, treasure, 0)


@kernel
def _sandbags(state: State, seat: int, place: int, log: Log) -> None:
    release(state, seat, SANDBAGS)
    state.flooded &= ~(1 << place)
    emit(log, what.BAGGED, seat, place, 0)


@kernel
def _swim(state: State, seat: int, place: int, log: Log) -> None:
    state.pawn[seat] = place
    emit(log, what.FLEW if state.role[seat] == PILOT else what.SWAM, seat, place, 0)
    leave_water(state, 1 << seat, log)


@kernel
def _lift(state: State, seat: int, pawns: int, place: int, log: Log) -> None:
    release(state, seat, HELICOPTER)
    for pawn in range(state.players):
        if pawns >> pawn & 1:
            state.pawn[pawn] = place
    emit(log, what.LIFTED, seat, pawns - 1, place)
    if state.swimming:
        leave_water(state, pawns, log)
