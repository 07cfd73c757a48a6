"""Sets of up to 32 things as bits of an int, and lists made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel, lookup_table

_SEQUENCE = 0x077CB531  # de Bruijn: the top five bits of each multiple are different
_INDEX = lookup_table([n for _, n in sorted(((_SEQUENCE << n & 0xFFFFFFFF) >> 27, n) for n in range(32))], np.int64)


@kernel
def as_int(number: int) -> int:
    """A number of a record or an array as the widest int. Tuples are made of such alone, and so are a game's kernels
    called: on a GPU they would be compiled once more for each other type, and for other tuples everywhere."""
    return number + 0


@kernel
def lowest_bit(members: int) -> int:
    """The smallest member of a set that is not empty."""
    return _INDEX[((members & -members) * _SEQUENCE & 0xFFFFFFFF) >> 27]


@kernel
def popcount(members: int) -> int:
    n = 0
    while members:
        members &= members - 1
        n += 1
    return n


@kernel
def members_if(holds: bool, members: int) -> int:
    """The members if something holds, else none: no branch, which the processor would guess wrong half the time."""
    return members * holds


@kernel
def append_members(members: int, size: int, base: int, out: NDArray[Any], n: int) -> int:
    """Append ``base + member`` for each member, ascending; the list's new length. ``out`` needs a spare place."""
    for member in range(size):
        out[n] = base + member
        n += members >> member & 1
    return n


@kernel
def append_sparse(members: int, base: int, out: NDArray[Any], n: int) -> int:
    """The same from member to member: quicker where most places are empty."""
    while members:
        out[n] = base + lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@kernel
def pair_index(low: int, high: int) -> int:
    """The index of two different things in no order: (0,1) (0,2) (1,2) (0,3) …"""
    return high * (high - 1) // 2 + low
