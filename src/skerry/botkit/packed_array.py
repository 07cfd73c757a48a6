"""An array of small numbers for up to 28 places, packed into seven ints: kernels cannot allocate arrays.

A number can be added at all places of a set at once: four bits of the set become the lowest bits of a word's four
fields.
"""

from __future__ import annotations

import numpy as np

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel, lookup_table

FIELDS = 4  # numbers in a word
BITS = 15  # of a number: the word stays positive
MAX_VALUE = (1 << BITS) - 1

PackedArray = tuple[int, int, int, int, int, int, int]

ZEROS: PackedArray = (0, 0, 0, 0, 0, 0, 0)
_ONES = lookup_table(
    [sum((members >> i & 1) << BITS * i for i in range(FIELDS)) for members in range(1 << FIELDS)], dtype=np.int64
)


@kernel
def add(array: PackedArray, places: int, amount: int) -> PackedArray:
    """The array with ``amount`` added at every place of a set. No number may become negative."""
    return (
        array[0] + _ONES[places & 15] * amount,
        array[1] + _ONES[places >> 4 & 15] * amount,
        array[2] + _ONES[places >> 8 & 15] * amount,
        array[3] + _ONES[places >> 12 & 15] * amount,
        array[4] + _ONES[places >> 16 & 15] * amount,
        array[5] + _ONES[places >> 20 & 15] * amount,
        array[6] + _ONES[places >> 24 & 15] * amount,
    )


@kernel
def at(array: PackedArray, place: int) -> int:
    """The number at a place."""
    return array[place >> 2] >> BITS * (place & 3) & MAX_VALUE


@kernel
def argmax(array: PackedArray, places: int) -> int:
    """The place of a set with the largest number, or -1 if all are 0."""
    best, largest = -1, 0
    while places:
        place = lowest_bit(places)
        places &= places - 1
        if at(array, place) > largest:
            best, largest = place, at(array, place)
    return best


@kernel
def argmin(array: PackedArray, places: int) -> int:
    """The place of a non-empty set with the smallest number."""
    best, smallest = -1, MAX_VALUE + 1
    while places:
        place = lowest_bit(places)
        places &= places - 1
        if at(array, place) < smallest:
            best, smallest = place, at(array, place)
    return best
