"""What players know: resampling the rest, numbers for learners, the result.

Papers are open but for the draft of the running round; the cards to come are known, their order and the card
set aside are not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, resample_order
from skerry.games.hashi.rules.bridges import due, offered
from skerry.games.hashi.rules.components import (
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
from skerry.games.hashi.rules.draft import bridges_at, clear, draw, rewrite, writable
from skerry.games.hashi.rules.scoring import points_of
from skerry.games.hashi.rules.state import NOWHERE, PAPER, WRITING, State

# Where the blocks of the observation begin.
ENDS = 4 * ISLANDS
PAPERS = ENDS + 2 * LINES
BONUSES = PAPERS + SEATS * PAPER
CONFIRMED = BONUSES + SEATS * N_BONUSES
GONE = CONFIRMED + SEATS
TO_COME = GONE + N_BONUSES
CARD = TO_COME + DECK
DRAFT = CARD + 3
DRAWN = DRAFT + 2


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Others who have confirmed get some complete draft; those who have not, an empty one."""
    state.rng = mix64(seed)
    resample_order(state, state.deck, state.turns, DECK)
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
        state.draft_start[seat] = START_NUMBER[draw_below(state, STARTS)]
        state.draft_island[seat] = _any(state, plain, popcount(plain))
        return
    islands = writable(state, seat)
    chosen = _any(state, islands, popcount(islands) + 1)
    if chosen >= 0:
        rewrite(state, seat, chosen)
    lines = offered(state, seat)
    line = _any(state, lines, popcount(lines) + 1)
    while line >= 0:
        draw(state, seat, line)
        lines = offered(state, seat)
        line = _any(state, lines, popcount(lines)) if due(state, seat) else -1


@kernel
def _any(state: State, members: int, choices: int) -> int:
    """A member of a set by chance; -1 for the choices beyond its members."""
    for _ in range(draw_below(state, choices)):
        members &= members - 1
    return lowest_bit(members) if members else -1


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    if state.ending:
        for seat in range(state.players):
            scores[seat] = points_of(state, seat)
    return state.ending


@kernel
def paper(state: State, owner: int, own: bool, out: NDArray[Any]) -> None:
    """A paper as its owner sees it, or as others do, without the draft: the number on each island, the bridges at
    each island, the bridges on each line."""
    # Loops as long as a slice are done many numbers at once; those of a known length are written out one by one.
    numbers, bridges, lines = out[:ISLANDS], out[ISLANDS : 2 * ISLANDS], out[2 * ISLANDS : PAPER]
    for island in range(len(numbers)):
        numbers[island] = state.number[owner, island]
        bridges[island] = bridges_at(state, owner, island)
    built, double = state.built[owner], state.double[owner]
    for line in range(len(lines)):
        lines[line] = (built >> line & 1) + (double >> line & 1)
    if own or state.phase == WRITING:
        return
    if state.draft_island[owner] != NOWHERE:
        numbers[state.draft_island[owner]] = 0
    for i in range(state.drafted[owner]):
        line = state.draft_line[owner, i]
        lines[line] -= 1
        bridges[state.end[line, 0]] -= 1
        bridges[state.end[line, 1]] -= 1


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    _observe_board(state, out)
    for i in range(state.players):
        owner = (seat + i) % state.players
        paper(state, owner, i == 0, out[PAPERS + i * PAPER :])
    rest = out[PAPERS + state.players * PAPER :]
    for i in range(len(rest)):
        rest[i] = 0
    for i in range(state.players):
        owner = (seat + i) % state.players
        for bonus in range(N_BONUSES):
            out[BONUSES + i * N_BONUSES + bonus] = state.bonus[owner, bonus]
        out[CONFIRMED + i] = state.confirmed >> owner & 1
    for bonus in range(N_BONUSES):
        out[GONE + bonus] = state.claimed >> bonus & 1
    _observe_round(state, out)
    out[DRAFT] = state.draft_island[seat]
    out[DRAFT + 1] = state.draft_start[seat]
    for i in range(state.drafted[seat]):
        out[DRAWN + state.draft_line[seat, i]] += 1


@kernel
def _observe_board(state: State, out: NDArray[Any]) -> None:
    for island in range(ISLANDS):
        out[island] = state.row[island]
        out[ISLANDS + island] = state.column[island]
        out[2 * ISLANDS + island] = state.red >> island & 1
        out[3 * ISLANDS + island] = state.blue >> island & 1
    for i in range(2 * LINES):
        out[ENDS + i] = -1
    for line in range(state.lines):
        out[ENDS + 2 * line] = state.end[line, 0]
        out[ENDS + 2 * line + 1] = state.end[line, 1]


@kernel
def _observe_round(state: State, out: NDArray[Any]) -> None:
    for position in range(state.turns, DECK):
        out[TO_COME + state.deck[position]] = 1
    if state.turns:
        out[CARD] = NUMBER_OF[state.deck[state.turns - 1]]
        out[CARD + 1] = BRIDGES_OF[state.deck[state.turns - 1]]
    out[CARD + 2] = state.turns
