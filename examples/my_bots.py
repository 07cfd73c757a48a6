"""Three bots of one's own, one of each kind. Try them with

    skerry simulate hashi --bot examples.my_bots:careful --games 100
    skerry tournament cartagena --bot examples.my_bots:greedy --bots greedy,random,novice -o players=3
    skerry play hashi --bot examples.my_bots:first
    skerry serve --bot examples.my_bots:careful --bot examples.my_bots:first

in the folder that ``examples`` lies in. A package offers its bots by entry points of the group ``skerry.bots``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.bots import bot_options
from skerry.bots.function_bot import Decision, Decisions
from skerry.engine.kernel import kernel


def careful(decision: Decision) -> skerry.Action | None:
    """Any action but those that end the turn, if there are others; and it never interrupts."""
    if decision.may_pass:
        return None
    ends_turn = {verb.name for verb in decision.game.actions.verbs if verb.ends_turn}
    going_on = [action for action in decision.legal if action.verb not in ends_turn]
    choices = going_on or decision.legal
    return choices[int(decision.rng.integers(len(choices)))]


@bot_options(batched=True)
def greedy(decisions: Decisions) -> NDArray[np.int64]:
    """A network without hidden layers, whose weights nobody has trained: many positions in one call."""
    size = decisions.observations.shape[1]
    weights = np.random.default_rng(1).normal(size=(size, decisions.action_masks.shape[1]))
    logits = np.where(decisions.action_masks, decisions.observations @ weights, -np.inf)
    return logits.argmax(1)


@kernel
def first(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Always the first legal action: compiled into the loops that play games."""
    return 0, rng
