"""What imagined players do: as they have learnt to, where the game has an instinct or follows its judgement; else as
the game's own best player does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.bots.bot import Policy
from skerry.bots.lookahead import lookahead_kernel
from skerry.bots.policy_net import PolicyNet
from skerry.bots.value_net import ValueNet
from skerry.bots.workspace import Workspace
from skerry.engine.kernel import kernel
from skerry.engine.protocols import Rules


def rollout_policy_kernel(
    rules: Rules, policy: Policy, value: Callable[..., Any], judgement: ValueNet | None, instinct: PolicyNet | None
) -> Callable[..., Any]:
    """A kernel ``ask(room, seat, count, counter) -> (index, counter)``: a policy for the room's first world."""
    if judgement is not None and instinct is not None:
        if judgement.steps:
            return lookahead_kernel(rules, value, judgement, instinct)
        return _by_instinct(rules.waiting, policy, instinct.choose, judgement.shape.size)
    if judgement is not None and judgement.follow is not None:
        return _by_judgement(policy, judgement.judged, judgement.follow)
    return _as_policy(policy)


def _as_policy(policy: Policy) -> Callable[..., Any]:
    @kernel
    def ask(room: Workspace, seat: int, count: int, counter: Any) -> Any:
        return policy(room.worlds[0], seat, room.legal, count, counter)

    return ask


def _by_judgement(policy: Policy, judged: Callable[..., Any], follow: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def ask(room: Workspace, seat: int, count: int, counter: Any) -> Any:
        if judged(room.worlds[0]):
            return follow(room.worlds[0], seat, room.legal, count, room.weights, room.desk), counter
        return policy(room.worlds[0], seat, room.legal, count, counter)

    return ask


def _by_instinct(
    waiting: Callable[..., Any], policy: Policy, choose: Callable[..., Any], start: int
) -> Callable[..., Any]:
    """Whether to interrupt is not learnt."""

    @kernel
    def ask(room: Workspace, seat: int, count: int, counter: Any) -> Any:
        if waiting(room.worlds[0]) >> seat & 1:
            return choose(room.worlds[0], seat, room.legal, count, room.weights[start:], room.desk), counter
        return policy(room.worlds[0], seat, room.legal, count, counter)

    return ask
