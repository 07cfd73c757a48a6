"""Doing a legal action: one function a verb."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions as act
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import NAVIGATOR, PLACES
from skerry.games.forbidden_desert.rules.excavation import excavate, refresh
from skerry.games.forbidden_desert.rules.forecast import calm, keep, look_ahead, put_under
from skerry.games.forbidden_desert.rules.gear import hand_over, play_gear
from skerry.games.forbidden_desert.rules.movement import carry, guide, guide_carrying, move
from skerry.games.forbidden_desert.rules.result import take_off
from skerry.games.forbidden_desert.rules.sand import remove_sand
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.rules.storm import draw_storm, face_storm


@kernel
def step(state: State, seat: int, action: int, log: Log) -> bool:
    """Ladders, since compiled code has no table of functions; their order is the order of the ids."""
    if action < act.MOVE:
        sealed = _go_through_the_turn(state, seat, action, log)
    elif action < act.FREE:
        sealed = _spend_action(state, seat, action, log)
    elif action < act.BLAST:
        hand_over(state, seat, action, log)
        sealed = False
    else:
        sealed = play_gear(state, seat, action, log)
    take_off(state, log)
    return sealed


@kernel
def _go_through_the_turn(state: State, seat: int, action: int, log: Log) -> bool:
    if action == act.END:
        face_storm(state, log)
    elif action == act.DRAW:
        draw_storm(state, log)
    elif action == act.KEEP:
        keep(state, seat, log)
    else:
        put_under(state, seat, action - act.BOTTOM + 1, log)
    return action == act.DRAW


@kernel
def _spend_action(state: State, seat: int, action: int, log: Log) -> bool:
    if state.role[seat] == NAVIGATOR and act.CARRY <= action < act.CLEAR:
        _guide(state, seat, action, log)
        return False
    state.left -= 1
    state.guided = -1
    state.steps = 0
    if action < act.CLEAR:
        _move(state, seat, action, log)
    elif action < act.EXCAVATE:
        _clear(state, seat, action, log)
    elif action == act.EXCAVATE:
        excavate(state, seat, log)
    elif action < act.CALM:
        _take(state, seat, action - act.TAKE, log)
    elif action == act.CALM:
        calm(state, seat, log)
    elif action == act.LOOK_AHEAD:
        look_ahead(state, seat, log)
    else:
        refresh(state, seat, log)
    return action in (act.EXCAVATE, act.LOOK_AHEAD)


@kernel
def _guide(state: State, seat: int, action: int, log: Log) -> None:
    if action < act.GUIDE:
        guide_carrying(state, seat, (action - act.CARRY) // PLACES, (action - act.CARRY) % PLACES, log)
    else:
        guide(state, seat, (action - act.GUIDE) // PLACES, (action - act.GUIDE) % PLACES, log)


@kernel
def _move(state: State, seat: int, action: int, log: Log) -> None:
    if action < act.CARRY:
        move(state, seat, action - act.MOVE, log)
    else:
        carry(state, seat, (action - act.CARRY) // PLACES, (action - act.CARRY) % PLACES, log)


@kernel
def _clear(state: State, seat: int, action: int, log: Log) -> None:
    markers = 1 if action < act.CLEAR_TWO else 2
    place = action - act.CLEAR if markers == 1 else action - act.CLEAR_TWO
    emit(log, what.CLEARED, seat, place, remove_sand(state, place, markers))


@kernel
def _take(state: State, seat: int, part: int, log: Log) -> None:
    state.taken |= 1 << part
    state.holder[part] = seat
    state.part_at[part] = -1
    emit(log, what.TOOK, seat, part, 0)
