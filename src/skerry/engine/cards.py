"""Cards as many games deal them: a deck made anew of its discard, one thing for everybody and none twice."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.engine.rng import HasRng, draw_below, shuffle


@kernel
def reshuffle_discard(state: HasRng, deck: NDArray[Any], discard: NDArray[Any], kinds: int) -> int:
    """Shuffle the discard (how many of each kind) into a new deck and leave it empty; the deck's size."""
    left = 0
    for card in range(kinds):
        for _ in range(discard[card]):
            deck[left] = card
            left += 1
        discard[card] = 0
    shuffle(state, deck, 0, left)
    return left


@kernel
def deal_distinct(state: HasRng, chosen: NDArray[Any], dealt: NDArray[Any], seats: int, kinds: int) -> None:
    """Give each seat its choice, or where that is -1 by chance one of those nobody has."""
    taken = 0
    for seat in range(seats):
        if chosen[seat] >= 0:
            taken |= 1 << chosen[seat]
    for seat in range(seats):
        kind = chosen[seat]
        while kind < 0:
            kind = draw_below(state, kinds)
            if taken >> kind & 1:
                kind = -1
        taken |= 1 << kind
        dealt[seat] = kind
