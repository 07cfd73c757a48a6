"""A number for each of up to 28 places, packed into a few words: kernels have no arrays of their own.

A whole set of places is added to in one go: four bits of the set become the lowest bits of a word's four fields.
"""

from __future__ import annotations

import numpy as np

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel, lookup_table

FIELDS = 4  # a word
BITS = 15  # a field, so that a word keeps its sign
FULL = (1 << BITS) - 1  # the largest number a place can have

Chart = tuple[int, int, int, int, int, int, int]

BLANK: Chart = (0, 0, 0, 0, 0, 0, 0)
_ONES = lookup_table(
    [sum((members >> i & 1) << BITS * i for i in range(FIELDS)) for members in range(1 << FIELDS)], dtype=np.int64
)


@kernel
def add(chart: Chart, places: int, amount: int) -> Chart:
    """The chart with so much more, not less than nothing, at every place of a set."""
    return (
        chart[0] + _ONES[places & 15] * amount,
        chart[1] + _ONES[places >> 4 & 15] * amount,
        chart[2] + _ONES[places >> 8 & 15] * amount,
        chart[3] + _ONES[places >> 12 & 15] * amount,
        chart[4] + _ONES[places >> 16 & 15] * amount,
        chart[5] + _ONES[places >> 20 & 15] * amount,
        chart[6] + _ONES[places >> 24 & 15] * amount,
    )


@kernel
def at(chart: Chart, place: int) -> int:
    return chart[place >> 2] >> BITS * (place & 3) & FULL


@kernel
def highest(chart: Chart, places: int) -> int:
    """The place of a set with the largest number, or -1 where none has any."""
    best, most = -1, 0
    while places:
        place = lowest_bit(places)
        places &= places - 1
        if at(chart, place) > most:
            best, most = place, at(chart, place)
    return best


@kernel
def least(chart: Chart, places: int) -> int:
    """The place of a set, not empty, with the smallest number."""
    best, fewest = -1, FULL + 1
    while places:
        place = lowest_bit(places)
        places &= places - 1
        if at(chart, place) < fewest:
            best, fewest = place, at(chart, place)
    return best
