"""Games of bots as matches with all their steps, which can be analysed. They are played side by side, so that bots that
search are asked about many positions at once, as in ``skerry.lab.lockstep``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from skerry.bots.asked import Answer, AskedBot, Positions, determinize_match
from skerry.bots.bot import Bot
from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Variant
from skerry.engine.loop import PASS, TurnOrder
from skerry.engine.match import Match
from skerry.engine.rng import derive_seed
from skerry.lab.game_kernels import BOTS_STREAM
from skerry.lab.series import STEP_LIMIT


def play_matches(
    variant: Variant, bots: Sequence[Bot], seeds: Iterable[int], limit: int = STEP_LIMIT, threads: int = 0
) -> list[Match]:
    """A match for each seed, with a bot for each seat. The course of a match does not depend on the others. It is left
    unfinished after ``limit`` steps."""
    answers = {bot: bot.answering(threads) for bot in bots if isinstance(bot, AskedBot)}
    games = [_Game(variant, bots, seed, limit) for seed in seeds]
    playing = games
    while playing := [game for game in playing if game.play_to_search()]:
        for bot, answer in answers.items():
            _answer([game for game in playing if bots[game.asked] == bot], answer)
    return [game.match for game in games]


def _answer(games: Sequence[_Game], answer: Answer) -> None:
    """Ask a bot in the games in which it is its turn."""
    if not games:
        return
    known = [determinize_match(game.match, game.asked, game.next_seed()) for game in games]
    positions = Positions(
        games[0].match.game,
        np.concatenate([one.states for one in known]),
        np.concatenate([one.seats for one in known]),
        np.concatenate([one.seeds for one in known]),
    )
    for game, action in zip(games, answer(positions).tolist(), strict=True):
        game.answered(action)


@dataclass
class _Game:
    """A match being played."""

    variant: Variant
    bots: Sequence[Bot]
    seed: int
    limit: int
    asked: int = 0  # the seat of the bot that is asked next
    match: Match = field(init=False)

    def __post_init__(self) -> None:
        self.match = self.variant.new(self.seed)
        self._order = TurnOrder(interrupting_of(self.variant.game))
        self._stream = np.uint64(derive_seed(np.uint64(self.seed) ^ BOTS_STREAM, 0))
        self._drawn = 0

    def next_seed(self) -> int:
        """A random seed for the next decision."""
        self._drawn += 1
        return int(derive_seed(self._stream, self._drawn))

    def play_to_search(self) -> bool:
        """Play until a bot that searches is asked. False if the game ends before that."""
        while self.match.result is None and len(self.match.steps) < self.limit:
            interrupters = self._order.interrupters(self.match.state)
            self.asked = interrupters[0] if interrupters else self.match.waiting[0]
            bot = self.bots[self.asked]
            if isinstance(bot, AskedBot):
                return True
            self.answered(self._action(bot, bool(interrupters)))
        return False

    def _action(self, bot: Bot, is_interrupt: bool) -> int:
        if not is_interrupt:
            return bot.choose(self.match, self.asked, self.next_seed())
        action = bot.interrupt(self.match, self.asked, self.next_seed())
        return PASS if action is None else action

    def answered(self, action: int) -> None:
        """Play what the seat that was asked has answered."""
        if action == PASS:
            self._order.passed(self.asked)
            return
        with self._order.step_of(self.asked, self.match):
            self.match.play(self.asked, action)
