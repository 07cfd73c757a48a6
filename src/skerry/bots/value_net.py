"""The value network: estimates the result of a state as the chance of winning or, in a solo game, as the score.

A game with a value network has ``value_net=True`` on its fact sheet, a module ``bot.state_features`` (see
``skerry.botkit.protocols``) and weights in ``bot/value.npy`` (see ``skerry.train``).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from skerry.botkit.deep_sets import DeepSetsShape, Floats, forward_kernel
from skerry.botkit.protocols import GreedyByValue, HasValue, WriteStateFeatures
from skerry.bots.feature_modules import state_features_of
from skerry.bots.net_weights import NetWeights, read_weights
from skerry.engine.game import Game
from skerry.engine.kernel import kernel

NAME = "value"  # of its weight files


class Value(Protocol):
    """The value of a state."""

    def __call__(self, state: Any, weights: Floats, scratch: Floats, /) -> float: ...


@dataclass(frozen=True, eq=False)
class ValueNet:
    """The value network of a game, as kernels, and how rollouts use it."""

    shape: DeepSetsShape
    value: Value
    weights: NetWeights
    rollout_turns: int  # after which a rollout is cut off and evaluated
    has_value: HasValue
    greedy: GreedyByValue | None
    lookahead_steps: int  # search depth of the lookahead rollout policy


@functools.cache
def value_net_of(game: Game) -> ValueNet | None:
    """The value network of a game with its trained weights, if it has one."""
    return value_net_with(game, read_weights(game, NAME)) if game.value_net else None


def value_net_with(game: Game, weights: NetWeights | None = None) -> ValueNet:
    """The value network of a game with other weights, or with all weights 0."""
    module = state_features_of(game)
    shape = DeepSetsShape(module.ENTITY_GROUPS)
    if weights is None:
        weights = NetWeights(np.zeros(shape.weight_count))
    assert all(len(one) == shape.weight_count for one in weights)
    return ValueNet(
        shape=shape,
        value=value_kernel(module.write_state_features, shape, module.VALUE_SPAN),
        weights=weights,
        rollout_turns=module.ROLLOUT_TURNS,
        has_value=getattr(module, "has_value", _always),
        greedy=getattr(module, "greedy_by_value", None),
        lookahead_steps=getattr(module, "LOOKAHEAD_STEPS", 0),
    )


@kernel
def _always(state: Any) -> bool:
    return True


@functools.cache
def value_kernel(write_state_features: WriteStateFeatures, shape: DeepSetsShape, span: float = 1.0) -> Value:
    """Make the kernel that evaluates a state: what is certain already, and the network's share of ``span``."""
    forward = forward_kernel(shape)

    @kernel
    def value(state: Any, weights: Any, scratch: Any) -> float:
        certain = write_state_features(state, scratch)
        return float(certain + span * forward(weights, scratch))

    return value
