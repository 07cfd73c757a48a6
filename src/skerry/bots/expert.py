"""``expert``: it imagines many games and does what has led to the best ends.

The seats of the imagined games play as they have learnt to, or as the game's own best player does. The expert is handed
a sample of what its seat knows, never the truth, and each imagined game begins with another sample of that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from skerry.bots import EXPERT, find
from skerry.bots.arms import Arms
from skerry.bots.bot import Bot
from skerry.bots.halving import Player, Positions, initial_arms, sequential_halving, sequential_halving_by_clock
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer

SECONDS = 1.0  # for a decision, where people wait
ROLLOUTS = 500  # for a decision, where many are thought about at once
LIKELY = 8  # plans that are tried at least: those that suggest themselves
OFTEN = 16  # games for each plan more, where games are counted


@dataclass(frozen=True)
class Expert(Bot):
    """``policy`` is what it imagines the others, and itself later on, to do."""

    game: Game
    seconds: float = SECONDS
    rollouts: int = 0  # so many, however long they take; 0: the clock decides
    threads: int = 0  # 0: one a core

    @classmethod
    def of(cls, game: Game) -> Expert:
        found = find(game, EXPERT)
        assert isinstance(found, cls)
        return found

    @cached_property
    def player(self) -> RolloutPool:
        return RolloutPool(self.game, self.policy, self.threads)

    def with_time_limit(self, seconds: float, threads: int = 0) -> Expert:
        return replace(self, seconds=seconds, rollouts=0, threads=threads)

    def with_fixed_rollouts(self) -> Expert:
        """The same without a clock, so that a game is the same on every machine."""
        return replace(self, rollouts=self.rollouts or ROLLOUTS)

    def _answer(self, match: Match, seat: int, counter: int) -> int:
        legal = match.legal_ids(seat)
        if not legal or (len(legal) == 1 and seat in match.waiting):
            return super()._answer(match, seat, counter)
        field = self.search(determinize_match(match, seat, counter))
        return int(field.plans[field.best(1)[0]])

    def search(self, positions: Positions, player: Player | None = None) -> Arms:
        """What can be done, and what comes of it. The clock is for one position at a time. Only what suggests itself is
        tried: the best of very many is often only the luckiest. One game would tell nothing apart: none is imagined."""
        player = player or self.player
        field = initial_arms(positions, player, max(LIKELY, self.rollouts // OFTEN))
        if self.rollouts > 1:
            sequential_halving(field, positions, player, self.rollouts)
        elif not self.rollouts:
            sequential_halving_by_clock(field, positions, player, self.seconds)
        return field


def determinize_match(match: Match, seat: int, counter: int) -> Positions:
    """A match as a seat knows it: what is hidden from it is drawn anew."""
    game = match.game
    world = StructBuffer(game.state_struct, match.content)
    game.rules.determinize(world.struct, seat, np.uint64(counter))
    return Positions(game, world.array, np.array([seat], np.int8), np.array([counter], np.uint64))
