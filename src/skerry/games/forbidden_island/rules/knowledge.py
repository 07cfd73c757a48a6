"""Hidden information: resampling everything that a seat cannot know.

Only the order of the two decks is hidden. The flood deck is a stack of piles: each Waters Rise! puts the shuffled
discards on top of it. So it is public which cards lie in each pile, but not in which order.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import mix64, resample_order
from skerry.games.forbidden_island.rules.state import State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Reshuffle the treasure deck and each pile of the flood deck. The seat does not matter: all know the same."""
    state.rng = mix64(seed)
    resample_order(state, state.treasure_deck, 0, state.treasure_left)
    pile_start = 0
    for position in range(1, state.flood_left + 1):
        if position == state.flood_left or state.layers >> position & 1:
            resample_order(state, state.flood_deck, pile_start, position)
            pile_start = position
