"""The kernel that differs from those of Cartagena: ``setup`` deals more cards."""

from __future__ import annotations

from typing import Any

from skerry.games.cartagena.rules.setup import setup as set_up_cartagena
from skerry.games.cartagena.rules.state import State
from skerry.toolkit import kernel


@kernel
def setup(state: State, options: Any, seed: Any) -> None:
    """Set up Cartagena, and deal the additional cards."""
    set_up_cartagena(state, options, seed)
    for seat in range(state.players):
        for _ in range(options.extra):
            _deal_one(state, seat)


@kernel
def _deal_one(state: State, seat: int) -> None:
    """A seat gets the next card of the shuffled deck."""
    state.deck_left -= 1
    kind = state.deck[state.deck_left]
    state.deck[state.deck_left] = 0
    state.hands[seat, kind] += 1
    state.limits[seat, kind] -= 1
    state.held[seat] += 1
