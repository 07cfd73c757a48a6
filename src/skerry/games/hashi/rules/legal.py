"""The kernels ``waiting`` and ``legal``: whose decision the game waits for, and the action ids each seat may play."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import append_members, append_sparse
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules import actions
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import ISLANDS, N_START_NUMBERS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import writable_islands
from skerry.games.hashi.rules.state import NOWHERE, OVER, STARTING, State


@kernel
def waiting(state: State) -> int:
    """HA-10: every seat that has not confirmed."""
    if state.phase == OVER:
        return 0
    return (1 << state.players) - 1 & ~state.confirmed


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    """Write a seat's legal action ids in ascending order; returns how many there are."""
    if not waiting(state) >> seat & 1:
        return 0
    if state.phase == STARTING:
        return _legal_starts(state, seat, out)
    return _legal_in_round(state, seat, out)


@kernel
def _legal_starts(state: State, seat: int, out: NDArray[Any]) -> int:
    """HA-02: a start number goes on any island without a flag; one that is written can be confirmed."""
    n = 0
    if state.draft_island[seat] != NOWHERE:
        out[0] = actions.CONFIRM
        n = 1
    plain = (1 << ISLANDS) - 1 & ~(state.red | state.blue)
    for i in range(N_START_NUMBERS):
        islands = plain
        if state.draft_start[seat] == START_NUMBER_TABLE[i]:
            islands &= ~(1 << state.draft_island[seat])
        n = append_members(islands, ISLANDS, actions.START + i * ISLANDS, out, n)
    return n


@kernel
def drafted_lines(state: State, seat: int) -> int:
    """The lines with a bridge of this round's draft."""
    lines = 0
    for i in range(state.drafted[seat]):
        lines |= 1 << state.draft_line[seat, i]
    return lines


@kernel
def _legal_in_round(state: State, seat: int, out: NDArray[Any]) -> int:
    """HA-10 to HA-20: write or move the number, draw or remove bridges, confirm."""
    n = 0
    if not state.drafted[seat] or not bridges_due(state, seat):
        out[n] = actions.CONFIRM
        n += 1
    if state.draft_island[seat] != NOWHERE:
        out[n] = actions.ERASE
        n += 1
    n = append_sparse(writable_islands(state, seat), actions.WRITE, out, n)
    n = append_sparse(drawable_lines(state, seat), actions.BRIDGE, out, n)
    return append_sparse(drafted_lines(state, seat), actions.REMOVE, out, n)
