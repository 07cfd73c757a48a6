"""FD-18, FD-19, FD-60 to FD-66: what is free and possible at any time."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit, secret
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions as act
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import (
    BLASTER,
    JET_PACK,
    MARKERS,
    MOST_WATER,
    RESERVE,
    SEATS,
    SHIELD,
    TERRASCOPE,
    THROTTLE,
    THROTTLE_ACTIONS,
)
from skerry.games.forbidden_desert.rules.excavation import refresh_all
from skerry.games.forbidden_desert.rules.sand import remove_sand
from skerry.games.forbidden_desert.rules.state import State


@kernel
def hand_over(state: State, seat: int, action: int, log: Log) -> None:
    """Water or a gear card, from its owner's own hand."""
    if action < act.GIVE:
        other, amount = (action - act.WATER) // MOST_WATER, (action - act.WATER) % MOST_WATER + 1
        state.water[seat] -= amount
        state.water[other] += amount
        emit(log, what.GAVE_WATER, seat, amount, other)
    else:
        card, other = (action - act.GIVE) // SEATS, (action - act.GIVE) % SEATS
        state.gear[seat, card] -= 1
        state.gear[other, card] += 1
        emit(log, what.GAVE, seat, card, other)


@kernel
def play_gear(state: State, seat: int, action: int, log: Log) -> bool:
    """A gear card takes effect and leaves the game. Only a Terrascope shows something hidden."""
    if action < act.JET:
        _blast(state, seat, action - act.BLAST, log)
    elif action < act.JET_WITH:
        _fly(state, seat, action - act.JET, -1, log)
    elif action < act.PLAY_SHIELD:
        offset = action - act.JET_WITH
        _fly(state, seat, offset // SEATS, offset % SEATS, log)
    elif action < act.SCOPE:
        _shield(state, seat, log)
    elif action < act.PLAY_RESERVE:
        _scope(state, seat, action - act.SCOPE, log)
        return True
    elif action < act.PLAY_THROTTLE:
        _reserve(state, seat, log)
    else:
        _throttle(state, seat, log)
    return False


@kernel
def _blast(state: State, seat: int, place: int, log: Log) -> None:
    state.gear[seat, BLASTER] -= 1
    emit(log, what.BLASTED, seat, place, remove_sand(state, place, MARKERS))


@kernel
def _fly(state: State, seat: int, place: int, passenger: int, log: Log) -> None:
    state.gear[seat, JET_PACK] -= 1
    state.pawn[seat] = place
    if passenger >= 0:
        state.pawn[passenger] = place
        emit(log, what.FLEW_WITH, seat, place, passenger)
    else:
        emit(log, what.FLEW, seat, place, 0)


@kernel
def _shield(state: State, seat: int, log: Log) -> None:
    state.gear[seat, SHIELD] -= 1
    state.shielded |= 1 << seat
    emit(log, what.SHIELDED, seat, 0, 0)


@kernel
def _scope(state: State, seat: int, place: int, log: Log) -> None:
    state.gear[seat, TERRASCOPE] -= 1
    state.known_by[place] |= 1 << seat
    secret(log, 1 << seat, what.SCOPED, seat, place, state.tile_at[place], 0)


@kernel
def _reserve(state: State, seat: int, log: Log) -> None:
    state.gear[seat, RESERVE] -= 1
    emit(log, what.OPENED_RESERVE, seat, 0, 0)
    refresh_all(state, state.pawn[seat], log)


@kernel
def _throttle(state: State, seat: int, log: Log) -> None:
    state.gear[seat, THROTTLE] -= 1
    state.left += THROTTLE_ACTIONS
    emit(log, what.THROTTLED, seat, 0, 0)
