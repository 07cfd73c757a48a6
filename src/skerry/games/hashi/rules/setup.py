"""The kernel ``setup`` (HA-01 to HA-03): lay out the board, shuffle the cards, and write a given start number."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import mix64, shuffle
from skerry.games.hashi.rules.components import ISLANDS, MAX_ISLAND_BRIDGES, N_CARDS
from skerry.games.hashi.rules.draft import begin_draft, put_number
from skerry.games.hashi.rules.state import BLUE_FLAG, PLAYING, RED_FLAG, STARTING, Options, State


@kernel
def setup(state: State, options: Options, seed: Any) -> None:
    """Set up a zeroed state. Without a given start number the game begins with the players writing theirs."""
    state.rng = mix64(seed)
    state.players = options.players
    _lay_out_board(state, options)
    for line in range(state.lines):
        _find_crossings(state, line)
    for seat in range(state.players):
        begin_draft(state, seat)
        for island in range(ISLANDS):
            state.room[seat, island] = MAX_ISLAND_BRIDGES
    for card in range(N_CARDS):
        state.deck[card] = card
    shuffle(state, state.deck, 0, N_CARDS)
    state.phase = STARTING
    if options.start[2]:
        _begin_with_given_start(state, options)


@kernel
def _lay_out_board(state: State, options: Options) -> None:
    """Copy the board of the options into the state."""
    for island in range(ISLANDS):
        state.row[island] = options.board[3 * island]
        state.column[island] = options.board[3 * island + 1]
        flag = options.board[3 * island + 2]
        if flag == RED_FLAG:
            state.red |= 1 << island
        elif flag == BLUE_FLAG:
            state.blue |= 1 << island
    state.lines = options.board[3 * ISLANDS]
    for line in range(state.lines):
        for side in range(2):
            island = options.board[3 * ISLANDS + 1 + 2 * line + side]
            state.end[line, side] = island
            state.at[island] |= 1 << line


@kernel
def _find_crossings(state: State, line: int) -> None:
    """Note the crossings of a horizontal line with the vertical lines; a vertical line is left to those it crosses."""
    left, right = state.end[line, 0], state.end[line, 1]
    if state.row[left] != state.row[right]:
        return
    for other in range(state.lines):
        top, bottom = state.end[other, 0], state.end[other, 1]
        if (
            state.row[top] < state.row[left] < state.row[bottom]
            and state.column[left] < state.column[top] < state.column[right]
        ):
            state.cross[line] |= 1 << other
            state.cross[other] |= 1 << line


@kernel
def _begin_with_given_start(state: State, options: Options) -> None:
    """HA-02: put the given start number on every paper and begin with the first card."""
    for island in range(ISLANDS):
        if state.row[island] == options.start[0] and state.column[island] == options.start[1]:
            for seat in range(state.players):
                put_number(state, seat, island, options.start[2])
    state.phase = PLAYING
    state.turns = 1
