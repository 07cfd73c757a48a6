"""What imagined players do: as the game's own best player, or where the game has learnt to, by its judgement.

A game whose module ``sketch`` has a kernel ``follow`` says itself how to go by the judgement. One with
``weighed(state, action)`` has what it names tried: an action is preferred to what the own best player would do if it is
judged clearly better. What that player does beyond (a special card, a draw) is done without a question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.bots.bot import Policy
from skerry.bots.judgement import Judgement
from skerry.engine.bits import plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.policy import PASS

CLEARLY = 0.03  # a chance to win: what is judged better by less is as likely misjudged


def following(rules: Rules, policy: Policy, judgement: Judgement | None) -> Callable[..., Any]:
    """A kernel ``ask(world, seat, legal, count, counter, weights, desk, spare, log) -> (index, counter)``: a policy
    that is given what judging needs, and room for a world."""
    if judgement is not None and judgement.follow is not None:
        return _as_told(policy, judgement.judged, judgement.follow)
    if judgement is not None and judgement.weighed is not None:
        return _as_judged(rules.step, policy, judgement.worth, judgement.weighed)
    return _as_policy(policy)


def _as_policy(policy: Policy) -> Callable[..., Any]:
    @kernel
    def ask(
        world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any, spare: Any, log: Any
    ) -> Any:
        return policy(world, seat, legal, count, counter)

    return ask


def _as_told(policy: Policy, judged: Callable[..., Any], follow: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def ask(
        world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any, spare: Any, log: Any
    ) -> Any:
        if judged(world):
            return follow(world, seat, legal, count, weights, desk), counter
        return policy(world, seat, legal, count, counter)

    return ask


def _as_judged(
    step: Callable[..., Any], policy: Policy, worth: Callable[..., Any], weighed: Callable[..., Any]
) -> Callable[..., Any]:
    @kernel
    def hope(world: Any, seat: int, action: int, weights: Any, desk: Any, spare: Any, log: Any) -> float:
        spare[0] = world
        step(spare[0], seat, action, log)
        return float(worth(spare[0], weights, desk))

    @kernel
    def ask(
        world: Any, seat: int, legal: Any, count: int, counter: Any, weights: Any, desk: Any, spare: Any, log: Any
    ) -> Any:
        own, counter = policy(world, seat, legal, count, counter)
        if own == PASS or not weighed(world, plain(legal[own])):
            return own, counter
        best, most = own, hope(world, seat, plain(legal[own]), weights, desk, spare, log) + CLEARLY
        for index in range(count):
            if index != own and weighed(world, plain(legal[index])):
                value = hope(world, seat, plain(legal[index]), weights, desk, spare, log)
                if value > most:
                    best, most = index, value
        return best, counter

    return ask
