"""Pieces of players: their weights, weighing one action at a time, finding an action among the legal ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.engine.rng import next_below

WORST = -(1 << 30)
W = TypeVar("W")


def columns(kind: Callable[..., W], **rows: tuple[int, ...]) -> tuple[W, ...]:
    """Weights written side by side, a column for each number of players."""
    return tuple(kind(**dict(zip(rows, column, strict=True))) for column in zip(*rows.values(), strict=True))


def greedy(survey: Callable[..., Any], score: Callable[..., Any]) -> Callable[..., Any]:
    """A policy that takes the action with the best score; among equals, any.

    ``survey(world, seat)`` looks the position over once, ``score(world, seat, action, seen)`` weighs an action by what
    was seen. It may try the action on the world if it leaves all as it was.
    """

    @kernel
    def choose(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
        if count == 1:
            return 0, counter
        seen = survey(world, seat)
        best, highest, equals = 0, WORST, 0
        for index in range(count):
            value = score(world, seat, legal[index], seen)
            if value > highest:
                best, highest, equals = index, value, 1
            elif value == highest:
                equals += 1
                draw, counter = next_below(counter, equals)
                if draw == 0:
                    best = index
        return best, counter

    return choose


@kernel
def index_of(action: int, legal: NDArray[Any], count: int) -> int:
    """Where an action stands in the list; the first if it does not."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if legal[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low if legal[low] == action else 0


@kernel
def index_or_pass(action: int, legal: NDArray[Any], count: int) -> int:
    """The same for who may only interrupt: it need not do anything."""
    return PASS if action == PASS else index_of(action, legal, count)
