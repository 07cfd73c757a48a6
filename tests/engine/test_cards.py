"""Kernels for cards: reshuffling a discard pile, dealing distinct things, and shuffling some places only."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from skerry.engine.cards import deal_distinct, reshuffle_discard
from skerry.engine.kernel import kernel_array
from skerry.engine.rng import shuffle_at
from skerry.engine.struct import StructBuffer, i8, struct, u64


@struct
class Generator:
    rng: u64
    only_here: i8  # numba takes a struct with the same first fields for this one; no other struct has this field


def generator(seed: int) -> Any:
    buffer = StructBuffer(Generator)
    buffer.struct.rng = seed
    return buffer.struct


def int8_array(values: list[int]) -> Any:
    return np.array(values, np.int8)


def test_a_reshuffled_deck_has_the_cards_of_the_discard_pile_in_a_random_order() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(600):
        deck, discard = int8_array([9] * 4), int8_array([2, 0, 1])
        assert reshuffle_discard(generator(seed), kernel_array(deck), kernel_array(discard), 3) == 3
        assert sorted(deck[:3].tolist()) == [0, 0, 2] and deck[3] == 9 and discard.tolist() == [0, 0, 0]
        orders[tuple(deck[:3].tolist())] += 1
    assert len(orders) == 3 and min(orders.values()) > 140


def test_everybody_gets_something_different_and_choices_are_kept() -> None:
    deals: Counter[tuple[int, ...]] = Counter()
    for seed in range(600):
        dealt = int8_array([0] * 4)
        deal_distinct(generator(seed), kernel_array(int8_array([-1, 2, -1, -1])), kernel_array(dealt), 3, 4)
        assert len(set(dealt[:3].tolist())) == 3 and dealt[1] == 2
        deals[tuple(dealt[:3].tolist())] += 1
    assert len(deals) == 6 and min(deals.values()) > 60


@pytest.mark.parametrize(("places", "fixed"), [(0b10110, (0, 3)), (0b00001, (0, 1, 2, 3, 4)), (0, (0, 1, 2, 3, 4))])
def test_only_the_chosen_places_are_shuffled(places: int, fixed: tuple[int, ...]) -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(600):
        deck = int8_array([0, 1, 2, 3, 4])
        shuffle_at(generator(seed), kernel_array(deck), places)
        assert sorted(deck.tolist()) == [0, 1, 2, 3, 4] and all(deck[i] == i for i in fixed)
        orders[tuple(deck.tolist())] += 1
    assert len(orders) == (6 if places == 0b10110 else 1)
    assert min(orders.values()) > 60
