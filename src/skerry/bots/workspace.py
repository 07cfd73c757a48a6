"""The buffers that rollouts work in: kernels allocate nothing."""

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
    """The first of the worlds is the one that is played; the others are for the steps of a lookahead."""

    worlds: Any
    legal: Any  # a buffer of legal actions for each world
    weights: Any  # those of the value network, then those of the policy network
    scratch: Any  # of the networks; behind it, for each step of a lookahead, the logits of the legal actions
    won: Any  # for each ending, whether it is a win
    scores: Any
    log: Any


def scratch_size(value_net: ValueNet | None, policy_net: PolicyNet | None) -> int:
    """Size of the scratch buffer that the networks share."""
    value_size = value_net.shape.scratch_size if value_net else 0
    policy_size = policy_net.shape.scratch.size if policy_net else 0
    return max(value_size, policy_size)


def new_workspace(
    game: Game,
    value_net: ValueNet | None,
    policy_net: PolicyNet | None,
    weights: NDArray[Any],
    won: NDArray[Any],
) -> Workspace:
    """``weights`` are for one number of players: the value network's, then the policy network's."""
    buffer_size = game.actions.size + 1
    steps = value_net.lookahead_steps if value_net else 0
    return Workspace(
        worlds=struct_views(game.state_struct, struct_array(game.state_struct, 1 + steps)),
        legal=kernel_array(np.zeros((1 + steps) * buffer_size, np.int16)),
        weights=kernel_array(weights),
        scratch=kernel_array(np.zeros(scratch_size(value_net, policy_net) + steps * buffer_size)),
        won=kernel_array(won),
        scores=kernel_array(np.zeros(MAX_SEATS)),
        log=kernel_array(new_event_log(0)),
    )
