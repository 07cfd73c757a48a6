"""Moving pawns: the own, a passenger of the Climber, others by the Navigator."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit, secret
from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import GUIDED_STEPS
from skerry.games.forbidden_desert.rules.state import State


@kernel
def move(state: State, seat: int, place: int, log: Log) -> None:
    state.pawn[seat] = place
    emit(log, what.MOVED, seat, place, 0)


@kernel
def carry(state: State, seat: int, passenger: int, place: int, log: Log) -> None:
    state.pawn[seat] = place
    state.pawn[passenger] = place
    emit(log, what.CARRIED, seat, place, passenger)


@kernel
def guide(state: State, seat: int, other: int, place: int, log: Log) -> None:
    _count_step(state, other)
    state.pawn[other] = place
    emit(log, what.GUIDED, seat, other, place)


@kernel
def guide_carrying(state: State, seat: int, passenger: int, place: int, log: Log) -> None:
    """FD-56: the Climber, with a passenger that is chosen anew at each step; the Navigator may be it."""
    _count_step(state, state.climber)
    state.pawn[state.climber] = place
    state.pawn[passenger] = place
    secret(log, EVERYBODY, what.GUIDED_CARRYING, seat, state.climber, place, passenger)


@kernel
def _count_step(state: State, other: int) -> None:
    """The first step costs the action; two more with the same pawn belong to it."""
    if state.guided == other:
        state.steps -= 1
        if not state.steps:
            state.guided = -1
    else:
        state.left -= 1
        state.guided = other
        state.steps = GUIDED_STEPS - 1
