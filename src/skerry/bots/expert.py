"""``expert``: a bot that searches with determinized rollouts.

Every legal action is an arm of a bandit. A rollout resamples what the seat cannot know, plays the action, lets the
rollout policy play on, and is evaluated at the end of the game or, by the value network, some turns later. Sequential
halving decides which actions get more rollouts. The search is handed a determinization, never the true state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from skerry.bots import EXPERT, find
from skerry.bots.arms import Arms
from skerry.bots.asked import Actions, Answer, AskedBot, Positions, determinize_match
from skerry.bots.bot import nothing_to_do
from skerry.bots.halving import (
    RolloutBackend,
    initial_arms,
    sequential_halving,
    sequential_halving_by_clock,
)
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.game import Game
from skerry.engine.match import Match

SECONDS = 1.0  # for a decision, by the clock
ROLLOUTS = 500  # for a decision, without a clock
MIN_BREADTH = 8  # actions that are searched at least: those with the highest policy logits
ROLLOUTS_PER_ARM = 16  # for as many rollouts, one more action is searched


@dataclass(frozen=True)
class Expert(AskedBot):
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
        return RolloutPool(self.game, self.policy, self.threads, report=self.report)

    def with_time_limit(self, seconds: float, threads: int = 0) -> Expert:
        return replace(self, seconds=seconds, rollouts=0, threads=threads)

    def with_fixed_rollouts(self) -> Expert:
        """The same without a clock, so that its games are the same on every machine."""
        return replace(self, rollouts=self.rollouts or ROLLOUTS)

    def answering(self, threads: int = 0) -> Answer:
        pool = RolloutPool(self.game, self.policy, threads, background=False, report=self.report)
        return ExpertAnswer(self.with_fixed_rollouts(), pool)

    def _action_or_pass(self, match: Match, seat: int, seed: int) -> int:
        legal = match.legal_ids(seat)
        if not legal:
            raise nothing_to_do(seat)
        if len(legal) == 1 and seat in match.waiting:
            return legal[0]
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


@dataclass(frozen=True)
class ExpertAnswer:
    """The search of an expert in many positions at once."""

    expert: Expert
    pool: RolloutPool

    def search(self, positions: Positions) -> Arms:
        return self.expert.search(positions, self.pool)

    def __call__(self, positions: Positions) -> Actions:
        if self.expert.rollouts == 1:  # none is played: the answer is the rollout policy's
            return self.pool.policy_actions(positions)
        return chosen_actions(self.search(positions), positions)


def chosen_actions(arms: Arms, positions: Positions) -> Actions:
    """The best action in each position."""
    return arms.actions[arms.best(len(positions))]
