"""What imagined players do: as they have learnt to, where the game has an instinct or follows its judgement; else as
the game's own best player does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.bots.bot import Policy
from skerry.bots.instinct import Instinct
from skerry.bots.judgement import Judgement
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel


def following(
    rules: Rules, policy: Policy, judgement: Judgement | None, instinct: Instinct | None = None
) -> Callable[..., Any]:
    """A kernel ``ask(world, seat, legal, count, counter, weights, desk) -> (index, counter)``: a policy that is given
    what was learnt, the judgement's weights before the instinct's, and a desk."""
    if judgement is not None and instinct is not None:
        return _by_instinct(rules.waiting, policy, instinct.choose, judgement.shape.size)
    if judgement is not None and judgement.follow is not None:
        return _by_judgement(policy, judgement.judged, judgement.follow)
    return _as_policy(policy)


def _as_policy(policy: Policy) -> Callable[..., Any]:
    @kernel
    def ask(world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any) -> Any:
        return policy(world, seat, legal, count, counter)

    return ask


def _by_judgement(policy: Policy, judged: Callable[..., Any], follow: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def ask(world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any) -> Any:
        if judged(world):
            return follow(world, seat, legal, count, weights, desk), counter
        return policy(world, seat, legal, count, counter)

    return ask


def _by_instinct(
    waiting: Callable[..., Any], policy: Policy, choose: Callable[..., Any], start: int
) -> Callable[..., Any]:
    """Whether to interrupt is not learnt."""

    @kernel
    def ask(world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any) -> Any:
        if waiting(world) >> seat & 1:
            return choose(world, seat, legal, count, weights[start:], desk), counter
        return policy(world, seat, legal, count, counter)

    return ask
