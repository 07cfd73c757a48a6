"""Chance, inside the state: a 64-bit counter whose steps are scrambled (SplitMix64, Steele et al. 2014).

The counter is all there is to save, and a copy of a state draws the same cards as the original.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
RANGE = np.uint64(1 << 32)


class HasRng(Protocol):
    """Any record with a generator inside."""

    rng: int


@kernel(wraps=True)
def advance(counter: Any) -> Any:
    return np.uint64(counter) + STEP


@kernel(wraps=True)
def mix64(counter: Any) -> Any:
    z = np.uint64(counter)
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel(wraps=True)
def next_below(counter: Any, bound: int) -> Any:
    """A draw from 0..bound-1 (Lemire's method, rejecting what would favour some), and the next counter."""
    size = np.uint64(bound)
    while True:
        counter = advance(counter)
        product = (mix64(counter) >> S32) * size
        low = product & LOW
        if low >= size or low >= RANGE % size:
            return int(np.int64(product >> S32)), counter  # signed: numba mixes int64 and uint64 to float


@kernel
def draw_below(state: HasRng, bound: int) -> int:
    """A draw from 0..bound-1 with the state's own generator."""
    draw, state.rng = next_below(state.rng, bound)
    return draw


@kernel
def shuffle(state: HasRng, cards: NDArray[Any], start: int, stop: int) -> None:
    """Fisher and Yates on ``cards[start:stop]``: every order is equally likely."""
    for i in range(stop - 1, start, -1):
        j = start + draw_below(state, i - start + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def derive_seed(seed: Any, index: int) -> Any:
    """The seed of game ``index`` in a series: far apart even where seed and index are small."""
    return mix64(mix64(np.uint64(seed)) ^ mix64(np.uint64(index) ^ MIX_1))


@kernel
def shuffle_at(state: HasRng, cards: NDArray[Any], places: int) -> None:
    """Shuffle only the cards at the places of a bit set; the others stay where they are."""
    while places:
        i = lowest_bit(places)
        j = i
        for _ in range(draw_below(state, popcount(places))):
            j += 1
            while not places >> j & 1:
                j += 1
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        places &= places - 1


@kernel
def sort_at(cards: NDArray[Any], places: int) -> None:
    """Put the cards at the places of a bit set into order. Shuffled after that, they tell nothing of how they lay."""
    while places:
        first = smallest = lowest_bit(places)
        places &= places - 1
        others = places
        while others:
            place = lowest_bit(others)
            if cards[place] < cards[smallest]:
                smallest = place
            others &= others - 1
        card = cards[first]
        cards[first] = cards[smallest]
        cards[smallest] = card


@kernel
def resample_order(state: HasRng, cards: NDArray[Any], start: int, stop: int) -> None:
    """Lay ``cards[start:stop]`` as they might lie for one who does not know their order."""
    sort_at(cards, (1 << stop) - (1 << start))
    shuffle(state, cards, start, stop)


@kernel
def resample_order_at(state: HasRng, cards: NDArray[Any], places: int) -> None:
    """The same for the cards at the places of a bit set."""
    sort_at(cards, places)
    shuffle_at(state, cards, places)
