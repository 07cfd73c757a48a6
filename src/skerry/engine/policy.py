"""Players that weigh one action at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.random import bounded

WORST = -(1 << 30)


def greedy(score: Callable[..., Any]) -> Callable[..., Any]:
    """A policy from a kernel ``score(world, seat, action)``: the action with the best score; among equals, any."""

    @kernel
    def choose(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
        best, highest, equals = 0, WORST, 0
        for index in range(count):
            value = score(world, seat, legal[index])
            if value > highest:
                best, highest, equals = index, value, 1
            elif value == highest:
                equals += 1
                draw, counter = bounded(counter, equals)
                if draw == 0:
                    best = index
        return best, counter

    return choose
