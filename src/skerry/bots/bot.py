"""A bot: a policy that plays seats of matches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from skerry.botkit.protocols import Policy
from skerry.bots.illegal_choice import Report, illegal_answer, raise_choice
from skerry.engine.errors import Illegal
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS, is_answer
from skerry.engine.match import Match
from skerry.engine.messages import say

B = TypeVar("B", bound="Bot")
TEXTS = ("random", "expert")  # names of bots that every game has, for the translation catalogues


@dataclass(frozen=True)
class Bot:
    """A bot that asks its policy once for each decision."""

    name: str
    policy: Policy
    blind: bool  # the policy never reads the state, so nothing needs to be determinized for it
    report: Report = field(default=raise_choice, compare=False, kw_only=True)  # told when it chooses no legal action

    def reporting(self: B, report: Report) -> B:
        """The same bot for a server, which tells ``report`` and plays something legal where others raise an error."""
        return replace(self, report=report)

    def with_time_limit(self, seconds: float, threads: int = 0) -> Bot:
        """The same bot with a time limit for a decision, on a number of threads (0: one per core). Only bots that
        search take time."""
        return self

    def choose(self, match: Match, seat: int, seed: int) -> int:
        """The action for a seat that has to act, chosen from what the seat knows."""
        action = self._action_or_pass(match, seat, seed)
        if action == PASS:
            raise nothing_to_do(seat)
        return action

    def interrupt(self, match: Match, seat: int, seed: int) -> int | None:
        """The action with which a seat interrupts that the game does not wait for, if any."""
        action = PASS if self.blind else self._action_or_pass(match, seat, seed)
        return None if action == PASS else action

    def _action_or_pass(self, match: Match, seat: int, seed: int) -> int:
        legal = np.zeros(match.game.actions.size + 1, np.int16)
        count = match.game.rules.legal(match.state, seat, kernel_array(legal))
        if not count:
            raise nothing_to_do(seat)
        index, _ = self.policy(match.determinized(seat, seed).struct, seat, kernel_array(legal), count, np.uint64(seed))
        if not 0 <= index < count and not is_answer(index, count, seat not in match.waiting):
            self.report(illegal_answer(match, self.name, seat, int(index), count))
            index = 0 if seat in match.waiting else PASS
        return PASS if index == PASS else int(legal[index])


def nothing_to_do(seat: int) -> Illegal:
    """The refusal where a bot is asked for a seat without legal actions."""
    return Illegal(say("seat {seat} has nothing to do now", seat=seat))
