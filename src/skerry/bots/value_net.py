"""The value network: the expected result of a state, as the chance of winning or, alone, as the score.

A game with a value network has ``value_net=True`` on its fact sheet, a module ``bot.state_features`` (see
``skerry.botkit.protocols``) and weights in ``bot/value.npy``, trained by ``skerry.train``.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.botkit.deep_sets import DeepSetsShape, forward_kernel
from skerry.bots.weights import NetWeights, read
from skerry.engine.game import Game
from skerry.engine.kernel import kernel

NAME = "value"  # of its files


@dataclass(frozen=True, eq=False)
class ValueNet:
    """What a game has learnt: how it looks at a position, and what it makes of that."""

    shape: DeepSetsShape
    worth: Callable[..., Any]
    weights: NetWeights
    ahead: int  # turns that are imagined first
    judged: Callable[..., Any]
    follow: Callable[..., Any] | None
    steps: int  # that imagined players look through


@functools.cache
def value_net_of(game: Game) -> ValueNet | None:
    """Read what a game has learnt, if it has."""
    return value_net_with(game, read(game, NAME)) if game.value_net else None


def value_net_with(game: Game, weights: NetWeights | None = None) -> ValueNet:
    """How a game judges with other weights than it has learnt; without any, it has all to learn."""
    module = importlib.import_module(f"{game.package}.bot.state_features")
    shape = DeepSetsShape(module.ENTITY_GROUPS)
    worth = value_kernel(module.write_state_features, shape, module.VALUE_SPAN)
    known = weights or NetWeights(np.zeros(shape.size))
    assert all(len(mine) == shape.size for mine in known)
    judged = getattr(module, "has_value", _always)
    follow, steps = getattr(module, "greedy_by_value", None), getattr(module, "LOOKAHEAD_STEPS", 0)
    return ValueNet(shape, worth, known, module.ROLLOUT_TURNS, judged, follow, steps)


@kernel
def _always(state: Any) -> bool:
    return True


@functools.cache
def value_kernel(sketch: Callable[..., Any], shape: DeepSetsShape, span: float = 1.0) -> Callable[..., Any]:
    """A kernel that says what a state is worth: ``worth(state, weights, desk)``."""
    weigh = forward_kernel(shape)

    @kernel
    def worth(state: Any, weights: Any, desk: Any) -> float:
        sure = sketch(state, desk)
        return float(sure + span * weigh(weights, desk))

    return worth
