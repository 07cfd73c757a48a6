"""Bit sets: sets of up to 32 members as the bits of an int."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel, lookup_table

_DE_BRUIJN = 0x077CB531  # a de Bruijn sequence: the top five bits of its product with each power of two differ
_BIT_INDEX = lookup_table(
    [n for _, n in sorted(((_DE_BRUIJN << n & 0xFFFFFFFF) >> 27, n) for n in range(32))], np.int64
)


@kernel
def as_int(number: int) -> int:
    """A number from a struct or an array as a 64-bit int.

    Use it for the members of tuples and for the arguments of a game's kernels. A GPU kernel would otherwise be compiled
    again for each narrower type, and tuples of mixed types again on every platform.
    """
    return number + 0


@kernel
def lowest_bit(members: int) -> int:
    """The smallest member of a non-empty set."""
    return _BIT_INDEX[((members & -members) * _DE_BRUIJN & 0xFFFFFFFF) >> 27]


@kernel
def popcount(members: int) -> int:
    """The number of members."""
    n = 0
    while members:
        members &= members - 1
        n += 1
    return n


@kernel
def members_if(condition: bool, members: int) -> int:
    """The set itself if the condition holds, otherwise the empty set. It avoids a branch that is hard to predict."""
    return members * condition


@kernel
def append_members(members: int, size: int, base: int, out: NDArray[Any], n: int) -> int:
    """Append ``base + member`` for each member in ascending order and return the new length of the list.

    It writes to the place behind the list even if there is no member, so ``out`` needs one spare place.
    """
    for member in range(size):
        out[n] = base + member
        n += members >> member & 1
    return n


@kernel
def append_sparse(members: int, base: int, out: NDArray[Any], n: int) -> int:
    """``append_members`` for sets with few members: it jumps from member to member."""
    while members:
        out[n] = base + lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@kernel
def pair_index(low: int, high: int) -> int:
    """The index of an unordered pair of different members: (0,1) (0,2) (1,2) (0,3) …"""
    return high * (high - 1) // 2 + low
