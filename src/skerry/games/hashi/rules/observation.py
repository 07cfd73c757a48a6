"""The observation of a seat as a vector of numbers. ``OBSERVATION`` in ``state`` names its blocks."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.components import CARD_BRIDGES, CARD_NUMBERS, ISLANDS, LINES, N_BONUSES, N_CARDS
from skerry.games.hashi.rules.draft import bridges_at
from skerry.games.hashi.rules.scoring import is_late
from skerry.games.hashi.rules.state import NOWHERE, OBSERVATION, PAPER_SIZE, STARTING, State

ROW = OBSERVATION.offset("row")
COLUMN = OBSERVATION.offset("column")
RED_FLAG = OBSERVATION.offset("red_flag")
BLUE_FLAG = OBSERVATION.offset("blue_flag")
LINE_ENDS = OBSERVATION.offset("line_ends")
PAPERS = OBSERVATION.offset("papers")
BONUS_POINTS = OBSERVATION.offset("bonus_points")
CONFIRMED = OBSERVATION.offset("confirmed")
BONUS_LATE = OBSERVATION.offset("bonus_late")
CARD_UNSEEN = OBSERVATION.offset("card_unseen")
CARD = OBSERVATION.offset("card")
ROUND = OBSERVATION.offset("round")
DRAFT_NUMBER = OBSERVATION.offset("draft_number")
DRAFT_BRIDGES = OBSERVATION.offset("draft_bridges")


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """Write what a seat sees. Blocks by seat begin with the observer and go on in seat order."""
    _observe_board(state, out)
    for i in range(state.players):
        owner = (seat + i) % state.players
        observe_paper(state, owner, i == 0, out[PAPERS + i * PAPER_SIZE :])
    rest = out[PAPERS + state.players * PAPER_SIZE :]
    for i in range(len(rest)):
        rest[i] = 0
    _observe_seats(state, seat, out)
    _observe_round(state, out)
    _observe_draft(state, seat, out)


@kernel
def observe_paper(state: State, owner: int, with_draft: bool, out: NDArray[Any]) -> None:
    """Write a paper with this round's draft, as its owner sees it, or without, as the others do.

    The numbers are the number on each island, the bridges at each island, and the bridges on each line.
    """
    # The compiler vectorizes loops over the length of a slice; loops of a constant length it unrolls.
    numbers, bridges, lines = out[:ISLANDS], out[ISLANDS : 2 * ISLANDS], out[2 * ISLANDS : PAPER_SIZE]
    for island in range(len(numbers)):
        numbers[island] = state.number[owner, island]
        bridges[island] = bridges_at(state, owner, island)
    built, double = state.built[owner], state.double[owner]
    for line in range(len(lines)):
        lines[line] = (built >> line & 1) + (double >> line & 1)
    if with_draft or state.phase == STARTING:
        return
    if state.draft_island[owner] != NOWHERE:
        numbers[state.draft_island[owner]] = 0
    for i in range(state.drafted[owner]):
        line = state.draft_line[owner, i]
        lines[line] -= 1
        bridges[state.end[line, 0]] -= 1
        bridges[state.end[line, 1]] -= 1


@kernel
def _observe_board(state: State, out: NDArray[Any]) -> None:
    for island in range(ISLANDS):
        out[ROW + island] = state.row[island]
        out[COLUMN + island] = state.column[island]
        out[RED_FLAG + island] = state.red >> island & 1
        out[BLUE_FLAG + island] = state.blue >> island & 1
    for i in range(2 * LINES):
        out[LINE_ENDS + i] = -1
    for line in range(state.lines):
        out[LINE_ENDS + 2 * line] = state.end[line, 0]
        out[LINE_ENDS + 2 * line + 1] = state.end[line, 1]


@kernel
def _observe_seats(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(state.players):
        owner = (seat + i) % state.players
        for bonus in range(N_BONUSES):
            out[BONUS_POINTS + i * N_BONUSES + bonus] = state.bonus[owner, bonus]
        out[CONFIRMED + i] = state.confirmed >> owner & 1
    for bonus in range(N_BONUSES):
        out[BONUS_LATE + bonus] = 1 if is_late(state, bonus) else 0


@kernel
def _observe_round(state: State, out: NDArray[Any]) -> None:
    for position in range(state.turns, N_CARDS):
        out[CARD_UNSEEN + state.deck[position]] = 1
    if state.turns:
        out[CARD] = CARD_NUMBERS[state.deck[state.turns - 1]]
        out[CARD + 1] = CARD_BRIDGES[state.deck[state.turns - 1]]
    out[ROUND] = state.turns


@kernel
def _observe_draft(state: State, seat: int, out: NDArray[Any]) -> None:
    out[DRAFT_NUMBER] = state.draft_island[seat]
    out[DRAFT_NUMBER + 1] = state.draft_start[seat]
    for i in range(state.drafted[seat]):
        out[DRAFT_BRIDGES + state.draft_line[seat, i]] += 1
