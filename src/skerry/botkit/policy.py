"""Building blocks of policies: weights by number of players, a greedy policy, and the index of an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from numpy.typing import NDArray

from skerry.botkit.protocols import Policy
from skerry.engine.kernel import kernel
from skerry.engine.loop import NOT_LEGAL, PASS
from skerry.engine.rng import next_below

LOWEST_SCORE = -(1 << 30)
Weights = TypeVar("Weights")
Context = TypeVar("Context")
ContextOut = TypeVar("ContextOut", covariant=True)
ContextIn = TypeVar("ContextIn", contravariant=True)


def weights_by_players(kind: Callable[..., Weights], **rows: tuple[int, ...]) -> tuple[Weights, ...]:
    """Weights written as a table, a row for each weight and a column for each number of players; a ``kind`` each."""
    return tuple(kind(**dict(zip(rows, column, strict=True))) for column in zip(*rows.values(), strict=True))


class Prepare(Protocol[ContextOut]):
    """Compute whatever is the same for all actions of a seat."""

    def __call__(self, world: Any, seat: int, /) -> ContextOut: ...


class ScoreAction(Protocol[ContextIn]):
    """The score of an action, given what ``Prepare`` has computed. It may try the action on ``world`` if it restores
    it."""

    def __call__(self, world: Any, seat: int, action: int, context: ContextIn, /) -> int: ...


def greedy(prepare: Prepare[Context], score: ScoreAction[Context]) -> Policy:
    """Make the policy that takes the action with the highest score; ties are broken at random."""

    @kernel
    def choose(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
        if count == 1:
            return 0, rng
        context = prepare(world, seat)
        best, highest, ties = 0, LOWEST_SCORE, 0
        for index in range(count):
            value = score(world, seat, legal[index], context)
            if value > highest:
                best, highest, ties = index, value, 1
            elif value == highest:
                ties += 1
                draw, rng = next_below(rng, ties)
                if draw == 0:
                    best = index
        return best, rng

    return choose


@kernel
def index_of(action: int, legal: NDArray[Any], count: int) -> int:
    """The index of an action among the legal ones, by binary search.

    If it is not legal, the result is a code that says which one it was. A policy hands it on as its answer, so that
    whoever asked notices (``skerry.bots.illegal_choice``).
    """
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if legal[middle] < action:
            low = middle + 1
        else:
            high = middle
    if legal[low] == action:
        return low
    return NOT_LEGAL - 1 - action if action >= 0 else NOT_LEGAL


@kernel
def index_or_pass(action: int, legal: NDArray[Any], count: int) -> int:
    """The same for a seat that may only interrupt: ``action`` can be ``PASS``."""
    return PASS if action == PASS else index_of(action, legal, count)
