"""Kernels for cards that several games need."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.engine.rng import HasRng, draw_below, shuffle


@kernel
def reshuffle_discard(state: HasRng, deck: NDArray[Any], discard: NDArray[Any], kinds: int) -> int:
    """Shuffle the discard pile into a new deck and return the deck's size.

    ``discard`` holds how many cards of each kind lie there; afterwards it is empty.
    """
    size = 0
    for card in range(kinds):
        for _ in range(discard[card]):
            deck[size] = card
            size += 1
        discard[card] = 0
    shuffle(state, deck, 0, size)
    return size


@kernel
def deal_distinct(state: HasRng, chosen: NDArray[Any], dealt: NDArray[Any], seats: int, kinds: int) -> None:
    """Give each seat a different thing: its choice, or a random one that is still free where the choice is -1."""
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
