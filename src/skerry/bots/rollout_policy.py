"""The rollout policy: how the seats play in rollouts.

It is the best that the game provides: lookahead with both networks, the policy network, a policy that follows the value
network, or the game's best policy without networks.
"""

from __future__ import annotations

from typing import Any

from skerry.botkit.protocols import GreedyByValue, HasValue, Policy
from skerry.bots.lookahead import lookahead_kernel
from skerry.bots.policy_net import ChooseByLogit, PolicyNet
from skerry.bots.protocols import FinalValue, RolloutPolicy
from skerry.bots.value_net import ValueNet
from skerry.bots.workspace import Workspace
from skerry.engine.kernel import kernel
from skerry.engine.protocols import Rules


def rollout_policy_kernel(
    rules: Rules,
    policy: Policy,
    final_value: FinalValue,
    value_net: ValueNet | None,
    policy_net: PolicyNet | None,
) -> RolloutPolicy:
    """Make the rollout policy; ``policy`` is the one to use without networks."""
    if value_net is not None and policy_net is not None:
        if value_net.lookahead_steps:
            return lookahead_kernel(rules, final_value, value_net, policy_net)
        return _by_policy_net(rules, policy, policy_net.choose, value_net.shape.weight_count)
    if value_net is not None and value_net.greedy is not None:
        return _by_value_net(policy, value_net.has_value, value_net.greedy)
    return _by_policy(policy)


def _by_policy(policy: Policy) -> RolloutPolicy:
    @kernel
    def choose(workspace: Workspace, seat: int, count: int, rng: Any) -> Any:
        return policy(workspace.worlds[0], seat, workspace.legal, count, rng)

    return choose


def _by_value_net(policy: Policy, has_value: HasValue, greedy: GreedyByValue) -> RolloutPolicy:
    @kernel
    def choose(workspace: Workspace, seat: int, count: int, rng: Any) -> Any:
        world = workspace.worlds[0]
        if has_value(world):
            return greedy(world, seat, workspace.legal, count, workspace.weights, workspace.scratch), rng
        return policy(world, seat, workspace.legal, count, rng)

    return choose


def _by_policy_net(rules: Rules, policy: Policy, choose_by_logit: ChooseByLogit, policy_weights: int) -> RolloutPolicy:
    """The network is not trained to interrupt: ``policy`` decides that. ``policy_weights`` is where the network's
    weights begin."""
    waiting = rules.waiting

    @kernel
    def choose(workspace: Workspace, seat: int, count: int, rng: Any) -> Any:
        world = workspace.worlds[0]
        if waiting(world) >> seat & 1:
            weights = workspace.weights[policy_weights:]
            return choose_by_logit(world, seat, workspace.legal, count, weights, workspace.scratch), rng
        return policy(world, seat, workspace.legal, count, rng)

    return choose
