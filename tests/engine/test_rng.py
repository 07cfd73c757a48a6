"""The random generator: reference values, unbiased draws, fair shuffles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from skerry.engine.kernel import kernel_array
from skerry.engine.rng import advance, derive_seed, draw_below, mix64, next_below, shuffle
from skerry.engine.struct import StructBuffer, struct, u64


@struct
class Generator:
    rng: u64
    tested: u64  # numba takes a struct with the same first fields for this one; no other struct has this field


def generator(seed: int) -> Generator:
    buffer = StructBuffer(Generator)
    buffer.struct.rng = seed
    return buffer.struct


def test_the_stream_is_splitmix64() -> None:
    """The first values of the reference implementation for seed 1234567."""
    counter, values = np.uint64(1234567), []
    for _ in range(5):
        counter = np.uint64(advance(counter))
        values.append(int(mix64(counter)))
    assert values == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 24, 1000])
def test_draws_are_in_range_and_uniform(bound: int) -> None:
    state, draws = generator(bound), 20_000
    counts = Counter(draw_below(state, bound) for _ in range(draws))
    assert set(counts) <= set(range(bound))
    expected = draws / bound
    chi_square = sum((counts[i] - expected) ** 2 / expected for i in range(bound))
    assert chi_square < bound + 6 * (2 * bound) ** 0.5


def test_large_bounds_are_unbiased() -> None:
    """With a bound of three quarters of the range, scaling without rejection draws some values twice as often."""
    bound = 3 << 30
    counter, low = np.uint64(9), 0
    for _ in range(6_000):
        draw, counter = next_below(np.uint64(counter), bound)
        assert 0 <= draw < bound
        low += draw % 3 == 0
    assert abs(low - 2_000) < 5 * (6_000 * 2 / 9) ** 0.5


def test_all_orders_of_a_shuffle_are_equally_likely() -> None:
    state, games = generator(3), 12_000
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(games):
        cards = np.arange(4, dtype=np.int8)
        shuffle(state, kernel_array(cards), 0, 4)
        counts[tuple(cards.tolist())] += 1
    assert set(counts) == set(permutations(range(4)))
    expected = games / 24
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 24 + 6 * 48**0.5


def test_a_shuffle_leaves_the_other_cards_alone() -> None:
    cards = np.arange(10, dtype=np.int8)
    shuffle(generator(1), kernel_array(cards), 3, 7)
    assert cards[:3].tolist() == [0, 1, 2] and cards[7:].tolist() == [7, 8, 9]
    assert sorted(cards[3:7].tolist()) == [3, 4, 5, 6]


def test_seeds_of_a_series_are_all_different() -> None:
    seeds = {int(derive_seed(np.uint64(seed), index)) for seed in range(40) for index in range(40)}
    assert len(seeds) == 1600
