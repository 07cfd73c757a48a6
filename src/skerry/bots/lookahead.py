"""The lookahead rollout policy.

On its turn a seat searches up to ``LOOKAHEAD_STEPS`` of its own actions depth-first, expanding the ``BREADTH`` actions
with the highest policy logits; leaves are scored by the value network. A line ends before a step that would reveal
hidden information, because the seat cannot know the outcome, and where another seat is to move.

Between the turns a seat interrupts only if that clearly increases the value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from skerry.bots.policy_net import LOWEST, PolicyNet
from skerry.bots.protocols import FinalValue, RolloutPolicy
from skerry.bots.value_net import ValueNet
from skerry.bots.workspace import Workspace, scratch_size
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.engine.protocols import Rules

BREADTH = 4  # actions that are expanded at each step
MAX_LOGIT_GAP = 4.0  # an action whose logit is farther below the highest one is not expanded
LOGIT_WEIGHT = 1 / 300  # of the policy logits in the score of an action, beside the value of where it leads
MIN_GAIN = 0.03  # in value that an interruption must bring, unless it ends the game


class LeafValue(Protocol):
    """The value of one of the workspace's worlds to a seat."""

    def __call__(self, workspace: Workspace, number: int, seat: int, /) -> float: ...


class WriteWorldLogits(Protocol):
    """Write the logits of a seat's legal actions in one of the worlds to that world's part of the scratch buffer."""

    def __call__(self, workspace: Workspace, number: int, seat: int, count: int, /) -> None: ...


class Search(Protocol):
    """Search from one of the worlds: the best score that a seat can reach, and the index of the action to it."""

    def __call__(self, workspace: Workspace, seat: int, /) -> tuple[float, int]: ...


class ActionScore(Protocol):
    """The best score that a seat can reach with an action in one of the worlds."""

    def __call__(self, workspace: Workspace, seat: int, action: int, /) -> float: ...


class Interrupt(Protocol):
    """The index of the action to interrupt with, or ``PASS``."""

    def __call__(self, workspace: Workspace, seat: int, count: int, /) -> int: ...


@dataclass(frozen=True)
class NetworkKernels:
    """The two networks as kernels on the worlds of a workspace."""

    value: LeafValue
    write_logits: WriteWorldLogits
    logits_at: int  # where the logits begin in the scratch buffer


def lookahead_kernel(
    rules: Rules, final_value: FinalValue, value_net: ValueNet, policy_net: PolicyNet
) -> RolloutPolicy:
    """Make the kernel that chooses an action by lookahead."""
    waiting, networks = rules.waiting, _network_kernels(rules, final_value, value_net, policy_net)
    search = _leaf_kernel(networks, value_net.lookahead_steps)
    for number in reversed(range(value_net.lookahead_steps)):
        search = _search_kernel(rules, networks, number, search)
    interrupt = _interrupt_kernel(rules, networks)

    @kernel
    def choose(workspace: Workspace, seat: int, count: int, rng: Any) -> Any:
        if waiting(workspace.worlds[0]) >> seat & 1:
            _, index = search(workspace, seat)
            return index, rng
        return interrupt(workspace, seat, count), rng

    return choose


def _network_kernels(
    rules: Rules, final_value: FinalValue, value_net: ValueNet, policy_net: PolicyNet
) -> NetworkKernels:
    waiting, state_value, write_logits = rules.waiting, value_net.value, policy_net.write_logits
    policy_weights, logits_at = value_net.shape.weight_count, scratch_size(value_net, policy_net)

    @kernel
    def value(workspace: Workspace, number: int, seat: int) -> float:
        world = workspace.worlds[number]
        if waiting(world):
            return float(state_value(world, workspace.weights, workspace.scratch))
        found, _ = final_value(world, seat, workspace.won, workspace.scores)
        return float(found)

    @kernel
    def write_world_logits(workspace: Workspace, number: int, seat: int, count: int) -> None:
        size = len(workspace.legal) // len(workspace.worlds)
        legal, logits = workspace.legal[number * size :], workspace.scratch[logits_at + number * size :]
        weights = workspace.weights[policy_weights:]
        write_logits(workspace.worlds[number], seat, legal, count, weights, workspace.scratch, logits)

    return NetworkKernels(value, write_world_logits, logits_at)


@kernel
def _argmax(logits: Any, count: int) -> int:
    best = 0
    for index in range(1, count):
        if logits[index] > logits[best]:
            best = index
    return best


def _leaf_kernel(networks: NetworkKernels, number: int) -> Search:
    """The search with no steps left."""
    value = networks.value

    @kernel
    def leaf(workspace: Workspace, seat: int) -> Any:
        return value(workspace, number, seat), 0

    return leaf


def _search_kernel(rules: Rules, networks: NetworkKernels, number: int, search_next: Search) -> Search:
    """The search from world ``number``. (Each depth is a kernel of its own, made with the kernel of the next one.)"""
    legal_actions, write_logits, logits_at = rules.legal, networks.write_logits, networks.logits_at
    action_score = _action_score_kernel(rules, networks, number, search_next)

    @kernel
    def search(workspace: Workspace, seat: int) -> Any:
        size = len(workspace.legal) // len(workspace.worlds)
        legal, logits = workspace.legal[number * size :], workspace.scratch[logits_at + number * size :]
        count = legal_actions(workspace.worlds[number], seat, legal)
        logits[0] = 0.0
        if count > 1:
            write_logits(workspace, number, seat, count)
        highest = logits[_argmax(logits, count)]
        best, best_score = 0, LOWEST
        for _ in range(min(BREADTH, count)):
            index = _argmax(logits, count)
            gap = highest - logits[index]
            if gap > MAX_LOGIT_GAP:
                break
            logits[index] = LOWEST
            score = action_score(workspace, seat, as_int(legal[index])) - LOGIT_WEIGHT * gap
            if score > best_score:
                best, best_score = index, score
        return best_score, best

    return search


def _action_score_kernel(rules: Rules, networks: NetworkKernels, number: int, search_next: Search) -> ActionScore:
    waiting, step, value = rules.waiting, rules.step, networks.value

    @kernel
    def action_score(workspace: Workspace, seat: int, action: int) -> float:
        workspace.worlds[number + 1] = workspace.worlds[number]
        reveals = step(workspace.worlds[number + 1], seat, action, workspace.log)
        if reveals:
            return float(value(workspace, number, seat))
        if waiting(workspace.worlds[number + 1]) != 1 << seat:
            return float(value(workspace, number + 1, seat))
        score, _ = search_next(workspace, seat)
        return float(score)

    return action_score


def _interrupt_kernel(rules: Rules, networks: NetworkKernels) -> Interrupt:
    waiting, step, value = rules.waiting, rules.step, networks.value
    write_logits, logits_at = networks.write_logits, networks.logits_at

    @kernel
    def interrupt(workspace: Workspace, seat: int, count: int) -> int:
        best, best_value, logits = PASS, value(workspace, 0, seat), workspace.scratch[logits_at:]
        write_logits(workspace, 0, seat, count)
        for _ in range(min(BREADTH, count)):
            index = _argmax(logits, count)
            logits[index] = LOWEST
            workspace.worlds[1] = workspace.worlds[0]
            if not step(workspace.worlds[1], seat, as_int(workspace.legal[index]), workspace.log):
                found = value(workspace, 1, seat)
                if found > best_value + (MIN_GAIN if waiting(workspace.worlds[1]) and best == PASS else 0.0):
                    best, best_value = index, found
        return best

    return interrupt
