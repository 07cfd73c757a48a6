"""Packed arrays behave as lists of numbers."""

from __future__ import annotations

import random

from skerry.botkit.packed_array import MAX_VALUE, ZEROS, add, argmax, argmin, at

PLACES = 28


def test_a_packed_array_holds_a_number_for_each_place() -> None:
    chance, array, expected = random.Random(3), ZEROS, [0] * PLACES
    for _ in range(200):
        places, amount = chance.getrandbits(PLACES), chance.randrange(MAX_VALUE // 400)
        array = add(array, places, amount)
        expected = [number + amount * (places >> place & 1) for place, number in enumerate(expected)]
        assert [at(array, place) for place in range(PLACES)] == expected


def test_argmin_and_argmax_search_a_set_of_places() -> None:
    array = add(add(add(ZEROS, 0b0110, 5), 0b0100, 2), 0b1000, 1)  # 0, 5, 7, 1
    assert argmax(array, 0b1111) == 2 and argmax(array, 0b1011) == 1
    assert argmin(array, 0b1111) == 0 and argmin(array, 0b1110) == 3


def test_argmax_is_none_where_all_numbers_are_zero() -> None:
    assert argmax(ZEROS, 0b1111) == -1 and argmax(add(ZEROS, 0b1, 3), 0b1110) == -1
