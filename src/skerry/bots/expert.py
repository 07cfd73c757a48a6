"""``expert``: a bot that searches with determinized rollouts.

Every legal action is an arm of a bandit. A rollout resamples what the seat cannot know, plays the action, lets the
rollout policy play on, and is evaluated at the end of the game or, by the value network, some turns later. Sequential
halving decides which actions get more rollouts. The search is handed a determinization, never the true state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from skerry.bots import EXPERT, find
from skerry.bots.arms import Arms
from skerry.bots.bot import Bot
from skerry.bots.halving import (
    Positions,
    RolloutBackend,
    initial_arms,
    sequential_halving,
    sequential_halving_by_clock,
)
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer

SECONDS = 1.0  # for a decision, by the clock
ROLLOUTS = 500  # for a decision, without a clock
MIN_BREADTH = 8  # actions that are searched at least: those with the highest policy logits
ROLLOUTS_PER_ARM = 16  # for as many rollouts, one more action is searched


@dataclass(frozen=True)
class Expert(Bot):
    """``policy`` is the rollout policy where the game has no networks."""

    game: Game
    seconds: float = SECONDS
    rollouts: int = 0  # for a decision, however long they take; 0: by the clock
    threads: int = 0  # 0: one per core

    @classmethod
    def of(cls, game: Game) -> Expert:
        found = find(game, EXPERT)
        assert isinstance(found, cls)
        return found

    @cached_property
    def rollout_pool(self) -> RolloutPool:
        return RolloutPool(self.game, self.policy, self.threads)

    def with_time_limit(self, seconds: float, threads: int = 0) -> Expert:
        return replace(self, seconds=seconds, rollouts=0, threads=threads)

    def with_fixed_rollouts(self) -> Expert:
        """The same without a clock, so that its games are the same on every machine."""
        return replace(self, rollouts=self.rollouts or ROLLOUTS)

    def _action_or_pass(self, match: Match, seat: int, seed: int) -> int:
        legal = match.legal_ids(seat)
        if not legal or (len(legal) == 1 and seat in match.waiting):
            return super()._action_or_pass(match, seat, seed)
        arms = self.search(determinize_match(match, seat, seed))
        return int(arms.actions[arms.best(1)[0]])

    def search(self, positions: Positions, backend: RolloutBackend | None = None) -> Arms:
        """Search positions; by the clock, only one at a time.

        Only the actions with the highest logits are searched, because the best of very many is often only the luckiest.
        A single rollout could not tell any two actions apart: none is played, and the baseline is the answer.
        """
        backend = backend or self.rollout_pool
        arms = initial_arms(positions, backend, max(MIN_BREADTH, self.rollouts // ROLLOUTS_PER_ARM))
        if self.rollouts > 1:
            sequential_halving(arms, positions, backend, self.rollouts)
        elif not self.rollouts:
            sequential_halving_by_clock(arms, positions, backend, self.seconds)
        return arms


def determinize_match(match: Match, seat: int, seed: int) -> Positions:
    """The position of a match as a seat knows it: whatever is hidden from the seat is resampled."""
    game = match.game
    world = StructBuffer(game.state_struct, match.content)
    game.rules.determinize(world.struct, seat, np.uint64(seed))
    return Positions(game, world.array, np.array([seat], np.int8), np.array([seed], np.uint64))
