"""What players know: resampling the rest, numbers for learners, the result.

Papers are open but for the draft of the running round; the cards to come are known, their order and the card
set aside are not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bits import count, lowest
from skerry.engine.kernel import kernel
from skerry.engine.random import below, deal_anew, scramble
from skerry.games.hashi.bridges import due, offered
from skerry.games.hashi.draft import bridges_at, clear, draw, rewrite, writable
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
from skerry.games.hashi.state import NOWHERE, PAPER, WRITING, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Others who have confirmed get some complete draft; those who have not, an empty one."""
    state.rng = scramble(seed)
    deal_anew(state, state.deck, state.turns, DECK)
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
def paper(state: State, owner: int, own: bool, out: NDArray[Any], n: int) -> None:
    """A paper as its owner sees it, or as others do, without the draft: the number on each island, the bridges at
    each island, the bridges on each line."""
    for island in range(ISLANDS):
        out[n + island] = state.number[owner, island]
        out[n + ISLANDS + island] = bridges_at(state, owner, island)
    for line in range(state.lines):
        out[n + 2 * ISLANDS + line] = (state.built[owner] >> line & 1) + (state.double[owner] >> line & 1)
    if own or state.phase == WRITING:
        return
    if state.draft_island[owner] != NOWHERE:
        out[n + state.draft_island[owner]] = 0
    for i in range(state.drafted[owner]):
        line = state.draft_line[owner, i]
        out[n + 2 * ISLANDS + line] -= 1
        out[n + ISLANDS + state.end[line, 0]] -= 1
        out[n + ISLANDS + state.end[line, 1]] -= 1


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(out.shape[0]):
        out[i] = 0
    n = _observe_board(state, out)
    for i in range(state.players):
        owner = (seat + i) % state.players
        paper(state, owner, i == 0, out, n + i * PAPER)
        for bonus in range(N_BONUSES):
            out[n + SEATS * PAPER + i * N_BONUSES + bonus] = state.bonus[owner, bonus]
        out[n + SEATS * (PAPER + N_BONUSES) + i] = state.confirmed >> owner & 1
    n += SEATS * (PAPER + N_BONUSES + 1)
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
