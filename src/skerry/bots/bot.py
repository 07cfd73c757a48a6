"""A bot: a policy that plays seats of matches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skerry.botkit.protocols import Policy
from skerry.engine.errors import Illegal
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.struct import StructBuffer

TEXTS = ("random", "expert")  # names of bots that every game has, for the translation catalogues


@dataclass(frozen=True)
class Bot:
    """A bot that asks its policy once for each decision."""

    name: str
    policy: Policy
    blind: bool  # the policy never reads the state, so nothing needs to be determinized for it

    def with_time_limit(self, seconds: float, threads: int = 0) -> Bot:
        """The same bot with so much time for a decision, on so many threads (0: one per core). Only bots that search
        take time."""
        return self

    def choose(self, match: Match, seat: int, seed: int) -> int:
        """The action for a seat that has to act, chosen from what the seat knows."""
        action = self._action_or_pass(match, seat, seed)
        if action == PASS:
            raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
        return action

    def interrupt(self, match: Match, seat: int, seed: int) -> int | None:
        """The action with which a seat interrupts that the game does not wait for, if any."""
        action = PASS if self.blind else self._action_or_pass(match, seat, seed)
        return None if action == PASS else action

    def _action_or_pass(self, match: Match, seat: int, seed: int) -> int:
        legal = np.zeros(match.game.actions.size + 1, np.int16)
        count = match.game.rules.legal(match.state, seat, kernel_array(legal))
        if not count:
            raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
        world = StructBuffer(match.game.state_struct, match.content)
        match.game.rules.determinize(world.struct, seat, np.uint64(seed))
        index, _ = self.policy(world.struct, seat, kernel_array(legal), count, np.uint64(seed))
        return PASS if index == PASS else int(legal[index])
