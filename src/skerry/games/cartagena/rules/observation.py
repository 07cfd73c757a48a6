"""The kernel ``observe``: the state as numbers for a learning agent."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import (
    CHEST,
    DRAWING_MOVES,
    KINDS,
    MAX_KNOWN_TOP,
    N_SYMBOLS,
    PART_SPACES,
    PLACES,
    SEATS,
    SPACES,
    STORIES,
)
from skerry.games.cartagena.rules.legal import waiting
from skerry.games.cartagena.rules.state import PHASES, State

_PHASES, _STORIES, _DRAWINGS = len(PHASES), len(STORIES), len(DRAWING_MOVES)


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(out.shape[0]):
        out[i] = 0
    n = _observe_path(state, out)
    n = _observe_pirates(state, seat, out, n)
    n = _observe_hands(state, seat, out, n)
    n = _observe_decks(state, seat, out, n)
    n = _observe_turn(state, seat, out, n)
    _observe_options(state, out, n)


@kernel
def _observe_path(state: State, out: NDArray[Any]) -> int:
    for space in range(1, state.spaces + 1):
        for symbol in range(N_SYMBOLS):
            out[(space - 1) * N_SYMBOLS + symbol] = state.symbols[symbol] >> space & 1
        if state.symbols[CHEST] >> space & 1:
            out[SPACES * N_SYMBOLS + space - 1] = state.chests >> ((space - 1) // PART_SPACES) & 1
    return SPACES * (N_SYMBOLS + 1)


@kernel
def _observe_pirates(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for i in range(state.players):
        other = (seat + i) % state.players
        for pirate in range(state.crew):
            out[n + i * PLACES + state.where[other, pirate]] += 1
    return n + SEATS * PLACES


@kernel
def _observe_hands(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    """The own hand, and what is known of the others'."""
    for kind in range(KINDS):
        out[n + kind] = state.hands[seat, kind]
    n += KINDS
    for i in range(state.players):
        out[n + i] = state.held[(seat + i) % state.players]
    n += SEATS
    for i in range(1, state.players):
        other = (seat + i) % state.players
        for kind in range(KINDS):
            out[n + (i - 1) * KINDS + kind] = state.known[seat, other, kind]
        out[n + (SEATS - 1) * KINDS + i - 1] = state.doubt[seat, other]
    return n + (SEATS - 1) * (KINDS + 1)


@kernel
def _observe_decks(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for kind in range(KINDS):
        out[n + kind] = state.pool[kind] if seat == state.turn else 0
    n += KINDS
    out[n] = state.pooled
    n += 1
    for i in range(state.tops[seat]):
        out[n + i * KINDS + state.deck[state.deck_left - 1 - i]] = 1
    n += MAX_KNOWN_TOP * KINDS
    out[n] = state.deck_left
    n += 1
    for kind in range(KINDS):
        out[n + kind] = state.discard[kind]
    return n + KINDS


@kernel
def _observe_turn(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    waited_for = waiting(state)
    for i in range(state.players):
        other = (seat + i) % state.players
        out[n + i] = 1 if other == state.turn else 0
        out[n + SEATS + i] = waited_for >> other & 1
    n += 2 * SEATS
    out[n + state.phase] = 1
    n += _PHASES
    out[n] = state.left
    out[n + 1] = state.captain
    out[n + 2] = state.sloop
    return n + 3


@kernel
def _observe_options(state: State, out: NDArray[Any], n: int) -> None:
    out[n] = state.crew
    out[n + 1] = state.spaces
    out[n + 2] = state.shore
    n += 3
    out[n + state.story] = 1
    n += _STORIES
    out[n + state.drawing] = 1
    n += _DRAWINGS
    out[n] = state.flibusters
    out[n + 1] = state.magic
