"""The value of one position, for what is looked at one position at a time: what-if boards and coaches."""

from __future__ import annotations

import numpy as np

from skerry.analysis.accounts import SEED
from skerry.analysis.evaluation import NO_ACTION, Evaluator, Positions
from skerry.analysis.viewpoint import Viewpoint
from skerry.engine.match import Match
from skerry.engine.rng import derive_seed
from skerry.engine.struct import dtype_of


def position_value(match: Match, viewpoint: Viewpoint, worlds: int) -> tuple[float, ...]:
    """What the present position of a match is worth to each seat, as far as a viewpoint knows it."""
    game = match.game
    actor = match.waiting[0] if match.waiting else 0
    positions = Positions(
        game,
        np.frombuffer(match.content, dtype_of(game.state_struct)).copy(),
        np.array([viewpoint.knower(game, actor)], np.int8),
        np.array([actor], np.int8),
        np.array([derive_seed(SEED, 0)], np.uint64),
    )
    jobs = np.array([(0, NO_ACTION, world) for world in range(worlds)], np.int32)
    means, _ = Evaluator(game).means(positions, jobs, np.zeros(worlds, np.int64))
    return tuple(float(value) for value in means[0])
