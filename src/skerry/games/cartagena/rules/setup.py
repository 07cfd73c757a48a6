"""The kernel ``setup`` (CA-01 to CA-03, CA-51): lay out the path, place the pirates, deal the cards."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, shuffle
from skerry.games.cartagena.rules.components import (
    ACTIONS_A_TURN,
    CHEST_TOKENS_TABLE,
    COPIES,
    DARK_COPIES,
    DEALT_CARDS,
    ESCAPE,
    FULL,
    KINDS,
    N_SYMBOLS,
    PART_SPACES,
    PARTS,
    SIDES,
    START,
)
from skerry.games.cartagena.rules.state import PUBLIC, Options, State


@kernel
def setup(state: State, options: Options, seed: Any) -> None:
    """Set up a zeroed state."""
    state.rng = mix64(seed)
    state.players = options.players
    state.crew = options.pirates
    state.story = options.story
    state.drawing = options.draw
    state.flibusters = options.flibusters
    state.magic = options.magic
    _choose_parts(state, options)
    _lay_path(state, options)
    for seat in range(state.players):
        state.at[seat] = 1 << START
    state.crowd[START] = state.players * state.crew
    _deal(state)
    if state.magic:
        _lay_chests(state)
    state.first = options.first
    if options.first < 0:
        state.first = draw_below(state, state.players)
    state.turn = state.first
    state.turns = 1
    state.left = ACTIONS_A_TURN


@kernel
def _choose_parts(state: State, options: Options) -> None:
    """CA-01: use the parts that are named, and random ones for the rest."""
    if state.story == FULL:
        in_tunnel = options.tunnel[0]
        state.laid = in_tunnel + options.island[0]
        state.shore = in_tunnel * PART_SPACES
        for i in range(state.laid):
            state.parts[i] = options.tunnel[1 + i] if i < in_tunnel else options.island[1 + i - in_tunnel]
    else:
        state.laid = options.parts[0]
        state.shore = state.laid * PART_SPACES
        for i in range(state.laid):
            state.parts[i] = options.parts[1 + i]
    state.spaces = state.laid * PART_SPACES
    taken = 0
    for i in range(state.laid):
        if state.parts[i] >= 0:
            taken |= 1 << state.parts[i]
    for i in range(state.laid):
        while state.parts[i] < 0:
            part = draw_below(state, PARTS)
            if not taken >> part & 1:
                state.parts[i] = part
                taken |= 1 << part


@kernel
def _lay_path(state: State, options: Options) -> None:
    """CA-02: note which spaces have which symbol, with each part on its tunnel or island side."""
    for space in range(state.spaces):
        tunnel_up = state.story == ESCAPE or (state.story == FULL and space < state.shore)
        side = state.parts[space // PART_SPACES] * SIDES + (0 if tunnel_up else 1)
        symbol = options.set[side * PART_SPACES + space % PART_SPACES]
        state.symbols[symbol] |= 2 << space


@kernel
def _deal(state: State) -> None:
    """CA-03: shuffle and deal. Without flibusters, dark cards do not matter, and all cards count as light."""
    dark = DARK_COPIES if state.flibusters else 0
    left = 0
    for kind in range(KINDS):
        copies = COPIES - dark if kind < N_SYMBOLS else dark
        for viewer in range(PUBLIC + 1):
            state.limits[viewer, kind] = copies
        for _ in range(copies):
            state.deck[left] = kind
            left += 1
    shuffle(state, state.deck, 0, left)
    for seat in range(state.players):
        for _ in range(DEALT_CARDS):
            left -= 1
            kind = state.deck[left]
            state.deck[left] = 0
            state.hands[seat, kind] += 1
            state.limits[seat, kind] -= 1
        state.held[seat] = DEALT_CARDS
    state.deck_left = left


@kernel
def _lay_chests(state: State) -> None:
    for i in range(PARTS):
        state.tokens[i] = CHEST_TOKENS_TABLE[i]
    lay_tokens(state)


@kernel
def lay_tokens(state: State) -> None:
    """CA-51, CA-58: shuffle all tokens and put one on each chest; the rest are out of the game, unseen."""
    shuffle(state, state.tokens, 0, PARTS)
    state.chests = (1 << state.laid) - 1
