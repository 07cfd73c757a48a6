"""What a position is worth, as learnt from many games.

A game says how it looks at a position in its module ``sketch``: ``sketch(state, out)`` writes the inputs of a network
(``engine.network``) and returns what is sure already, ``GROUPS`` has the network's groups, ``SPAN`` is the most that
can come to what is sure: a chance of winning has nothing sure and a span of 1, a score its points. ``AHEAD`` is how
many turns are best imagined before a position is judged.

It may have more. The kernel ``judged(state)`` says whether positions of a variant are judged at all. With
``follow(world, seat, legal, count, weights, desk)``, the index of what is judged best, imagined players go by the
judgement too (``bots.following``). ``STEPS`` is how many steps of their own players with an instinct look through
before they act (``bots.looking``).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.botkit.deep_sets import Shape, weighing
from skerry.bots.weights import Learnt, read
from skerry.engine.game import Game
from skerry.engine.kernel import kernel

NAME = "value"  # of its files


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a game has learnt: how it looks at a position, and what it makes of that."""

    shape: Shape
    worth: Callable[..., Any]
    weights: Learnt
    ahead: int  # turns that are imagined first
    judged: Callable[..., Any]
    follow: Callable[..., Any] | None
    steps: int  # that imagined players look through


@functools.cache
def judgement_of(game: Game) -> Judgement | None:
    """Read what a game has learnt, if it has."""
    return judgement_with(game, read(game, NAME)) if game.value_net else None


def judgement_with(game: Game, weights: Learnt | None = None) -> Judgement:
    """How a game judges with other weights than it has learnt; without any, it has all to learn."""
    module = importlib.import_module(f"{game.package}.bot.state_features")
    shape = Shape(module.GROUPS)
    worth = judging(module.sketch, shape, module.SPAN)
    known = weights or Learnt(np.zeros(shape.size))
    assert all(len(mine) == shape.size for mine in known)
    judged = getattr(module, "judged", _always)
    follow, steps = getattr(module, "follow", None), getattr(module, "STEPS", 0)
    return Judgement(shape, worth, known, module.AHEAD, judged, follow, steps)


@kernel
def _always(state: Any) -> bool:
    return True


@functools.cache
def judging(sketch: Callable[..., Any], shape: Shape, span: float = 1.0) -> Callable[..., Any]:
    """A kernel that says what a state is worth: ``worth(state, weights, desk)``."""
    weigh = weighing(shape)

    @kernel
    def worth(state: Any, weights: Any, desk: Any) -> float:
        sure = sketch(state, desk)
        return float(sure + span * weigh(weights, desk))

    return worth
