"""The random generator inside a state: SplitMix64 (Steele et al. 2014), a 64-bit counter whose values are mixed.

The counter is all that has to be saved, and a copy of a state draws the same cards as the original.
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
    """A struct with the counter of a generator in its field ``rng``."""

    rng: int


@kernel(wraps=True)
def advance(counter: Any) -> Any:
    """The next counter."""
    return np.uint64(counter) + STEP


@kernel(wraps=True)
def mix64(counter: Any) -> Any:
    """The random 64-bit number of a counter."""
    z = np.uint64(counter)
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel(wraps=True)
def next_below(counter: Any, bound: int) -> Any:
    """A uniform draw from 0..bound-1 and the next counter (Lemire's method, with rejection against bias)."""
    size = np.uint64(bound)
    while True:
        counter = advance(counter)
        product = (mix64(counter) >> S32) * size
        low = product & LOW
        if low >= size or low >= RANGE % size:
            return int(np.int64(product >> S32)), counter  # signed: numba mixes int64 and uint64 to float


@kernel
def draw_below(state: HasRng, bound: int) -> int:
    """A uniform draw from 0..bound-1 with the state's generator."""
    draw, state.rng = next_below(state.rng, bound)
    return draw


@kernel
def derive_seed(seed: Any, index: int) -> Any:
    """The seed of game ``index`` in a series. Small seeds and indices give unrelated results, too."""
    return mix64(mix64(np.uint64(seed)) ^ mix64(np.uint64(index) ^ MIX_1))


@kernel
def shuffle(state: HasRng, cards: NDArray[Any], start: int, stop: int) -> None:
    """Shuffle ``cards[start:stop]`` (Fisher and Yates): every order is equally likely."""
    for i in range(stop - 1, start, -1):
        j = start + draw_below(state, i - start + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


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
    """Sort the cards at the places of a bit set."""
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
    """Replace the hidden order of ``cards[start:stop]`` by a random one.

    The cards are sorted first, so that the result depends on which cards there are and not on their true order.
    """
    sort_at(cards, (1 << stop) - (1 << start))
    shuffle(state, cards, start, stop)


@kernel
def resample_order_at(state: HasRng, cards: NDArray[Any], places: int) -> None:
    """``resample_order`` for the cards at the places of a bit set."""
    sort_at(cards, places)
    shuffle_at(state, cards, places)
