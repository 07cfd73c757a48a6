"""The kernel ``determinize``: resampling what a seat cannot know.

Hidden are the order of the cards to come, the card set aside among them, and the other seats' drafts of this round.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, resample_order
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import (
    ISLANDS,
    N_CARDS,
    N_START_NUMBERS,
    START_NUMBER_TABLE,
)
from skerry.games.hashi.rules.draft import discard_draft, draw_bridge, move_number, writable_islands
from skerry.games.hashi.rules.state import STARTING, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Shuffle the cards to come, and replace the other seats' drafts.

    A seat that has confirmed gets a random complete draft, one that has not an empty draft.
    """
    state.rng = mix64(seed)
    resample_order(state, state.deck, state.turns, N_CARDS)
    for other in range(state.players):
        if other != seat and not state.ending:
            discard_draft(state, other)
            if state.confirmed >> other & 1:
                _draft_at_random(state, other)


@kernel
def reshuffle(state: State, seed: Any) -> None:
    """Resample only what no seat knows: the order of the cards to come."""
    state.rng = mix64(seed)
    resample_order(state, state.deck, state.turns, N_CARDS)


@kernel
def _draft_at_random(state: State, seat: int) -> None:
    """Give a seat a random complete draft: a number or none, and all bridges of the card or none."""
    if state.phase == STARTING:
        plain = (1 << ISLANDS) - 1 & ~(state.red | state.blue)
        state.draft_start[seat] = START_NUMBER_TABLE[draw_below(state, N_START_NUMBERS)]
        state.draft_island[seat] = _random_member(state, plain, popcount(plain))
        return
    islands = writable_islands(state, seat)
    chosen = _random_member(state, islands, popcount(islands) + 1)
    if chosen >= 0:
        move_number(state, seat, chosen)
    lines = drawable_lines(state, seat)
    line = _random_member(state, lines, popcount(lines) + 1)
    while line >= 0:
        draw_bridge(state, seat, line)
        lines = drawable_lines(state, seat)
        line = _random_member(state, lines, popcount(lines)) if bridges_due(state, seat) else -1


@kernel
def _random_member(state: State, members: int, choices: int) -> int:
    """A random one of ``choices`` possibilities: the members of a set, and -1 for each possibility beyond them."""
    for _ in range(draw_below(state, choices)):
        members &= members - 1
    return lowest_bit(members) if members else -1
