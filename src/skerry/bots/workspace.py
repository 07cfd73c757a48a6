"""Where imagined players work: kernels allocate nothing, so all they need lies ready."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.bots.policy_net import PolicyNet
from skerry.bots.value_net import ValueNet
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import struct_array, struct_views


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
        struct_views(game.state_struct, struct_array(game.state_struct, 1 + steps)),
        kernel_array(np.zeros((1 + steps) * size, np.int16)),
        kernel_array(weights),
        kernel_array(np.zeros(scratch_size(judgement, instinct) + steps * size)),
        kernel_array(won),
        kernel_array(np.zeros(MAX_SEATS)),
        kernel_array(new_event_log(0)),
    )
