"""A player that is a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.errors import Illegal
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.struct import StructBuffer

Policy = Callable[..., Any]
TEXTS = ("random", "expert")  # what the bots of every game are called


@dataclass(frozen=True)
class Bot:
    name: str
    policy: Policy
    blind: bool  # it never looks at the world

    def with_time_limit(self, seconds: float, threads: int = 0) -> Bot:
        """The same bot, with so long for a decision, on so many threads (0: one a core). Most need no time at all."""
        return self

    def choose(self, match: Match, seat: int, counter: int) -> int:
        """The action this bot takes at a seat of a match, knowing what the seat knows."""
        action = self._answer(match, seat, counter)
        if action == PASS:
            raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
        return action

    def interrupt(self, match: Match, seat: int, counter: int) -> int | None:
        """What it does at a seat that the game does not wait for, if anything (see ``asking``)."""
        action = PASS if self.blind else self._answer(match, seat, counter)
        return None if action == PASS else action

    def _answer(self, match: Match, seat: int, counter: int) -> int:
        legal = np.zeros(match.game.actions.size + 1, np.int16)
        count = match.game.rules.legal(match.state, seat, kernel_array(legal))
        if not count:
            raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
        world = StructBuffer(match.game.state_struct, match.content)
        match.game.rules.determinize(world.struct, seat, np.uint64(counter))
        index, _ = self.policy(world.struct, seat, kernel_array(legal), count, np.uint64(counter))
        return PASS if index == PASS else int(legal[index])
