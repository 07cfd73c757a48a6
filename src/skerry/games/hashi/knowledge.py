"""What players know: resampling the rest, numbers for learners, the result.

Papers are open but for the draft of the running round; the cards to come are known, their order and the card
set aside are not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bits import count, lowest
from skerry.engine.kernel import kernel
from skerry.engine.random import below, scramble, shuffle
from skerry.games.hashi.bridges import due, offered
from skerry.games.hashi.draft import bridges_at, clear, draw, drafted_at, rewrite, writable
from skerry.games.hashi.facts import (
    BRIDGES_OF,
    DECK,
    ISLANDS,
    LINES,
    N_BONUSES,
    NUMBER_OF,
    SEATS,
    START_NUMBER,
    STARTS,
)
from skerry.games.hashi.scoring import points_of
from skerry.games.hashi.state import WRITING, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Others who have confirmed get some complete draft; those who have not, an empty one."""
    state.rng = scramble(seed)
    shuffle(state, state.deck, state.turns, DECK)
    for other in range(state.players):
        if other != seat and not state.ending:
            clear(state, other)
            if state.confirmed >> other & 1:
                _imagine(state, other)


@kernel
def _imagine(state: State, seat: int) -> None:
    """A complete draft by chance: any number, any bridges, and once in a while none."""
    if state.phase == WRITING:
        plain = (1 << ISLANDS) - 1 & ~(state.red | state.blue)
        state.draft_start[seat] = START_NUMBER[below(state, STARTS)]
        state.draft_island[seat] = _any(state, plain, count(plain))
        return
    islands = writable(state, seat)
    chosen = _any(state, islands, count(islands) + 1)
    if chosen >= 0:
        rewrite(state, seat, chosen)
    lines = offered(state, seat)
    line = _any(state, lines, count(lines) + 1)
    while line >= 0:
        draw(state, seat, line)
        lines = offered(state, seat)
        line = _any(state, lines, count(lines)) if due(state, seat) else -1


@kernel
def _any(state: State, members: int, choices: int) -> int:
    """A member of a set by chance; -1 for the choices beyond its members."""
    for _ in range(below(state, choices)):
        members &= members - 1
    return lowest(members) if members else -1


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    if state.ending:
        for seat in range(state.players):
            scores[seat] = points_of(state, seat)
    return state.ending


@kernel
def bridges_on(state: State, seat: int, line: int) -> int:
    """Bridges on a line, this round's draft included."""
    return (state.built[seat] >> line & 1) + (state.double[seat] >> line & 1)


@kernel
def drafted_on(state: State, seat: int, line: int) -> int:
    """Bridges that this round's draft draws on a line."""
    drawn = 0
    for i in range(state.drafted[seat]):
        if state.draft_line[seat, i] == line:
            drawn += 1
    return drawn


@kernel
def open_number(state: State, seat: int, island: int) -> int:
    """The number on an island as all can see it."""
    if state.phase != WRITING and state.draft_island[seat] == island:
        return 0
    return state.number[seat, island]


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(out.shape[0]):
        out[i] = 0
    n = _observe_board(state, out)
    for i in range(state.players):
        _observe_paper(state, (seat + i) % state.players, i == 0, i, out, n)
    n += SEATS * (2 * ISLANDS + LINES + N_BONUSES + 1)
    for bonus in range(N_BONUSES):
        out[n + bonus] = state.claimed >> bonus & 1
    n += N_BONUSES
    for position in range(state.turns, DECK):
        out[n + state.deck[position]] = 1
    n += DECK
    if state.turns:
        out[n] = NUMBER_OF[state.deck[state.turns - 1]]
        out[n + 1] = BRIDGES_OF[state.deck[state.turns - 1]]
    out[n + 2] = state.turns
    out[n + 3] = state.draft_island[seat]
    out[n + 4] = state.draft_start[seat]
    for i in range(state.drafted[seat]):
        out[n + 5 + state.draft_line[seat, i]] += 1


@kernel
def _observe_board(state: State, out: NDArray[Any]) -> int:
    for island in range(ISLANDS):
        out[island] = state.row[island]
        out[ISLANDS + island] = state.column[island]
        out[2 * ISLANDS + island] = state.red >> island & 1
        out[3 * ISLANDS + island] = state.blue >> island & 1
    n = 4 * ISLANDS
    for line in range(LINES):
        there = line < state.lines
        out[n + 2 * line] = state.end[line, 0] if there else -1
        out[n + 2 * line + 1] = state.end[line, 1] if there else -1
    return n + 2 * LINES


@kernel
def _observe_paper(state: State, owner: int, own: bool, i: int, out: NDArray[Any], n: int) -> None:
    """The paper of the i-th seat from the reader: the own with the draft, another's without."""
    for island in range(ISLANDS):
        number, bridges = open_number(state, owner, island), bridges_at(state, owner, island)
        if own:
            number = state.number[owner, island]
        else:
            bridges -= drafted_at(state, owner, island)
        out[n + i * ISLANDS + island] = number
        out[n + (SEATS + i) * ISLANDS + island] = bridges
    n += 2 * SEATS * ISLANDS
    for line in range(state.lines):
        hidden = 0 if own else drafted_on(state, owner, line)
        out[n + i * LINES + line] = bridges_on(state, owner, line) - hidden
    n += SEATS * LINES
    for bonus in range(N_BONUSES):
        out[n + i * N_BONUSES + bonus] = state.bonus[owner, bonus]
    out[n + SEATS * N_BONUSES + i] = state.confirmed >> owner & 1
