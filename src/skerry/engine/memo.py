"""Caching of what the views of one state have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def memoize_last(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the last result of a pure function of a state.

    The views of all seats are made one after another from the same state. The cache is keyed by the state's bytes, so
    that results do not depend on which view asks first.
    """
    last: list[Any] = [None, None]

    @functools.wraps(function)
    def cached(state: Any) -> T:
        content = bytes(state.data)
        last_content, result = last
        if last_content != content:
            result = function(state)
            last[:] = content, result
        return result

    return cached
