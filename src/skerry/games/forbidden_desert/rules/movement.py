"""Moving pawns: one's own, passengers of the Climber (FD-51), and pawns guided by the Navigator (FD-56)."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events
from skerry.games.forbidden_desert.rules.components import GUIDED_STEPS
from skerry.games.forbidden_desert.rules.state import State


@kernel
def move(state: State, seat: int, place: int, log: EventLog) -> None:
    """Move a pawn by its own action."""
    state.pawn[seat] = place
    emit(log, events.MOVED, seat, place, 0)


@kernel
def carry(state: State, seat: int, passenger: int, place: int, log: EventLog) -> None:
    """FD-51: move the Climber and a passenger."""
    state.pawn[seat] = place
    state.pawn[passenger] = place
    emit(log, events.CARRIED, seat, place, passenger)


@kernel
def guide(state: State, seat: int, other: int, place: int, log: EventLog) -> None:
    """FD-56: the Navigator moves another pawn one step."""
    _count_step(state, other)
    state.pawn[other] = place
    emit(log, events.GUIDED, seat, other, place)


@kernel
def guide_carrying(state: State, seat: int, passenger: int, place: int, log: EventLog) -> None:
    """FD-56: the Navigator moves the Climber with a passenger, chosen anew at each step. It may be the Navigator."""
    _count_step(state, state.climber)
    state.pawn[state.climber] = place
    state.pawn[passenger] = place
    emit_secret(log, EVERYBODY, events.GUIDED_CARRYING, seat, state.climber, place, passenger)


@kernel
def _count_step(state: State, other: int) -> None:
    """The first step with a pawn costs an action; up to two more steps with the same pawn are part of it."""
    if state.guided == other:
        state.steps -= 1
        if not state.steps:
            state.guided = -1
    else:
        state.left -= 1
        state.guided = other
        state.steps = GUIDED_STEPS - 1
