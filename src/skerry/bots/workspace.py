"""Where imagined players work: kernels allocate nothing, so all they need lies ready."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.bots.policy_net import PolicyNet
from skerry.bots.value_net import ValueNet
from skerry.engine.event_log import new_log
from skerry.engine.game import Game
from skerry.engine.kernel import argument
from skerry.engine.struct import batch, rows


class Workspace(NamedTuple):
    """Worlds, the one they are in and those that some steps lead to, and what is legal in each; what was learnt, the
    judgement's weights before the instinct's, and a desk, behind which actions are rated."""

    worlds: Any
    legal: Any
    weights: Any
    desk: Any
    won: Any
    scores: Any
    log: Any


def scratch_size(judgement: ValueNet | None, instinct: PolicyNet | None) -> int:
    return max(judgement.shape.desk if judgement else 0, instinct.form.desk["end"] if instinct else 0)


def new_workspace(
    game: Game, judgement: ValueNet | None, instinct: PolicyNet | None, weights: NDArray[Any], won: NDArray[Any]
) -> Workspace:
    size, steps = game.actions.size + 1, judgement.steps if judgement else 0
    return Workspace(
        rows(game.state, batch(game.state, 1 + steps)),
        argument(np.zeros((1 + steps) * size, np.int16)),
        argument(weights),
        argument(np.zeros(scratch_size(judgement, instinct) + steps * size)),
        argument(won),
        argument(np.zeros(8)),
        argument(new_log(0)),
    )
