"""The kernel ``step``: applies a legal action to the state."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions, events
from skerry.games.forbidden_desert.rules.components import NAVIGATOR, PLACES
from skerry.games.forbidden_desert.rules.excavation import excavate, gain_water
from skerry.games.forbidden_desert.rules.forecast import hold_off, keep_order, look_ahead, put_at_bottom
from skerry.games.forbidden_desert.rules.gear import hand_over, play_gear
from skerry.games.forbidden_desert.rules.movement import carry, guide, guide_carrying, move
from skerry.games.forbidden_desert.rules.result import take_off
from skerry.games.forbidden_desert.rules.sand import remove_sand
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.rules.storm import draw_storm, face_storm


@kernel
def step(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Apply an action. True if it revealed something hidden.

    The branches follow the order of the action ids, as compiled code has no table of functions.
    """
    if action < actions.MOVE:
        revealed = _advance_turn(state, seat, action, log)
    elif action < actions.FIRST_FREE_ACTION:
        revealed = _spend_action(state, seat, action, log)
    elif action < actions.BLAST:
        hand_over(state, seat, action, log)
        revealed = False
    else:
        revealed = play_gear(state, seat, action, log)
    take_off(state, log)
    return revealed


@kernel
def _advance_turn(state: State, seat: int, action: int, log: EventLog) -> bool:
    """End the actions, draw a storm card, or decide about a forecast."""
    if action == actions.END:
        face_storm(state, log)
    elif action == actions.DRAW:
        draw_storm(state, log)
    elif action == actions.KEEP:
        keep_order(state, seat, log)
    else:
        put_at_bottom(state, seat, action - actions.BOTTOM + 1, log)
    return action == actions.DRAW


@kernel
def _spend_action(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Do what costs an action. All but guiding ends a guided move that has steps left."""
    if state.role[seat] == NAVIGATOR and actions.CARRY <= action < actions.CLEAR:
        _guide(state, seat, action, log)
        return False
    state.left -= 1
    state.guided = -1
    state.steps = 0
    if action < actions.CLEAR:
        _move(state, seat, action, log)
    elif action < actions.EXCAVATE:
        _clear(state, seat, action, log)
    elif action == actions.EXCAVATE:
        excavate(state, seat, log)
    elif action < actions.HOLD_OFF:
        _take(state, seat, action - actions.TAKE, log)
    elif action == actions.HOLD_OFF:
        hold_off(state, seat, log)
    elif action == actions.LOOK_AHEAD:
        look_ahead(state, seat, log)
    else:
        gain_water(state, seat, log)
    return action in (actions.EXCAVATE, actions.LOOK_AHEAD)


@kernel
def _guide(state: State, seat: int, action: int, log: EventLog) -> None:
    if action < actions.GUIDE:
        guide_carrying(state, seat, (action - actions.CARRY) // PLACES, (action - actions.CARRY) % PLACES, log)
    else:
        guide(state, seat, (action - actions.GUIDE) // PLACES, (action - actions.GUIDE) % PLACES, log)


@kernel
def _move(state: State, seat: int, action: int, log: EventLog) -> None:
    if action < actions.CARRY:
        move(state, seat, action - actions.MOVE, log)
    else:
        carry(state, seat, (action - actions.CARRY) // PLACES, (action - actions.CARRY) % PLACES, log)


@kernel
def _clear(state: State, seat: int, action: int, log: EventLog) -> None:
    markers = 1 if action < actions.CLEAR_TWO else 2
    place = action - actions.CLEAR if markers == 1 else action - actions.CLEAR_TWO
    emit(log, events.CLEARED, seat, place, remove_sand(state, place, markers))


@kernel
def _take(state: State, seat: int, part: int, log: EventLog) -> None:
    state.taken |= 1 << part
    state.holder[part] = seat
    state.part_at[part] = -1
    emit(log, events.TOOK, seat, part, 0)
