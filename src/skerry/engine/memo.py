"""Caching of what the views of one state have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

RECENT = 128  # states; at most twice as many are kept


def memoize_recent(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the latest results of a pure function of a state.

    The views of all seats are made from the same state, though not always in a row: a busy server serves the players of
    many matches before their spectators. The cache is keyed by the state's bytes, so that results do not depend on
    which view asks first.
    """
    young: dict[bytes, T] = {}
    old: dict[bytes, T] = {}  # the young ones of before, which are dropped when there are enough new ones

    @functools.wraps(function)
    def cached(state: Any) -> T:
        nonlocal young, old
        content = bytes(state.data)
        result = young.get(content)
        if result is None:
            result = old.get(content)
            if result is None:
                result = function(state)
            young[content] = result
            if len(young) == RECENT:
                young, old = {}, young
        return result

    return cached
