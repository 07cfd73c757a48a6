"""The kernel ``observe``: the state as numbers for a learning agent."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.components import CARD_BRIDGES, CARD_NUMBERS, ISLANDS, LINES, N_BONUSES, N_CARDS, SEATS
from skerry.games.hashi.rules.draft import bridges_at
from skerry.games.hashi.rules.state import NOWHERE, PAPER_SIZE, STARTING, State

# Where the blocks of the observation begin.
ENDS = 4 * ISLANDS
PAPERS = ENDS + 2 * LINES
BONUSES = PAPERS + SEATS * PAPER_SIZE
CONFIRMED = BONUSES + SEATS * N_BONUSES
GONE = CONFIRMED + SEATS
TO_COME = GONE + N_BONUSES
CARD = TO_COME + N_CARDS
DRAFT = CARD + 3
DRAWN = DRAFT + 2


@kernel
def observe_paper(state: State, owner: int, own: bool, out: NDArray[Any]) -> None:
    """A paper as its owner sees it, or as others do, without the draft: the number on each island, the bridges at
    each island, the bridges on each line."""
    # Loops as long as a slice are done many numbers at once; those of a known length are written out one by one.
    numbers, bridges, lines = out[:ISLANDS], out[ISLANDS : 2 * ISLANDS], out[2 * ISLANDS : PAPER_SIZE]
    for island in range(len(numbers)):
        numbers[island] = state.number[owner, island]
        bridges[island] = bridges_at(state, owner, island)
    built, double = state.built[owner], state.double[owner]
    for line in range(len(lines)):
        lines[line] = (built >> line & 1) + (double >> line & 1)
    if own or state.phase == STARTING:
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
        observe_paper(state, owner, i == 0, out[PAPERS + i * PAPER_SIZE :])
    rest = out[PAPERS + state.players * PAPER_SIZE :]
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
    for position in range(state.turns, N_CARDS):
        out[TO_COME + state.deck[position]] = 1
    if state.turns:
        out[CARD] = CARD_NUMBERS[state.deck[state.turns - 1]]
        out[CARD + 1] = CARD_BRIDGES[state.deck[state.turns - 1]]
    out[CARD + 2] = state.turns
