"""Evaluate bots on tasks: the same games for all, a row for each game, and paired differences.

A bot decides in the learner's place, in the very rules of the environment: who is asked, what goes by itself, when a
game is cut off. Game ``i`` depends on the task, the bot and ``i`` alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skerry.bots import find
from skerry.bots.asked import AskedBot, known_positions
from skerry.bots.bot import Bot
from skerry.bots.dispatch import may_interrupt
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS, TurnOrder
from skerry.engine.match import Match
from skerry.engine.rng import derive_seed
from skerry.engine.struct import StructBuffer
from skerry.envs.batch import Batch
from skerry.envs.config import ME, EnvConfig, env_bot
from skerry.envs.episodes import LIMIT_REACHED, ending_names
from skerry.envs.tasks import Task, evaluation_seed
from skerry.lab.game_kernels import BOTS_STREAM
from skerry.lab.statistics import mean_interval, wilson_interval

SLOTS = 128  # games that are played side by side


@dataclass(frozen=True)
class GameRow:
    """One evaluation game."""

    task: str
    bot: str
    game: int
    seed: int
    reward: float  # of the learner's seats, on average
    won: float  # the share of the win: that of a team, or of the seats with the best score
    ending: str
    scores: tuple[float, ...]
    decisions: int  # of the learner

    def as_dict(self) -> dict[str, Any]:
        row = asdict(self)
        scores = row.pop("scores")
        return row | {f"score_{seat}": score for seat, score in enumerate(scores)}


def evaluation_bot(task: Task, name: str) -> Bot:
    """A bot for a task. An expert without a number of rollouts gets a fixed one, so that its games can be repeated."""
    game = task.config.variant.game
    return find(game, name) if name == "expert" else env_bot(game, name)


def evaluate(task: Task, name: str, games: int, first: int = 0, threads: int = 1) -> Iterator[GameRow]:
    """Play evaluation games and yield their rows as they end."""
    bot, batch = evaluation_bot(task, name), Batch(task.config, min(SLOTS, games), same_step=False, threads=threads)
    numbers = np.arange(first, first + batch.count)
    following = first + batch.count
    batch.reset(np.array([evaluation_seed(number) for number in numbers.tolist()], np.uint64))
    running = np.ones(batch.count, bool)
    while running.any():
        batch.step(batch.ask(bot))
        names = ending_names(batch)
        for slot in np.flatnonzero((batch.terminated | batch.truncated) & running).tolist():
            yield _row(task, name, batch, slot, int(numbers[slot]), str(names[slot]))
            if following < first + games:
                numbers[slot] = following
                seed = np.uint64(evaluation_seed(following))
                batch.slots["seed"][slot], batch.slots["sample_rng"][slot] = seed, ~seed
                following += 1
            else:
                running[slot] = False
    batch.close()


def _row(task: Task, name: str, batch: Batch, slot: int, number: int, ending: str) -> GameRow:
    mine = [seat for seat, player in enumerate(task.seats) if player == ME]
    return GameRow(
        task=task.id,
        bot=name,
        game=number,
        seed=evaluation_seed(number),
        reward=float(batch.rewards[slot][mine].mean()),
        won=_won_share(batch.game, batch, slot, mine),
        ending=ending,
        scores=tuple(batch.scores[slot].tolist()),
        decisions=int(batch.slots["steps"][slot]),
    )


def _won_share(game: Game, batch: Batch, slot: int, mine: list[int]) -> float:
    """Tied winners share a win; a single player has nobody to win against."""
    ending, scores = int(batch.endings[slot]), batch.scores[slot]
    if game.cooperative:
        return float(game.is_win[ending])
    if not ending or len(scores) == 1:
        return 0.0
    winners = scores == scores.max()
    return float(winners[mine].sum() / winners.sum())


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """What the games of a bot come to. ``difference``: of its rewards from those of another bot in the same games."""

    bot: str
    games: int
    reward: Estimate
    won: Estimate | None  # None where a single player plays for points
    unfinished: int  # cut off at the limit
    difference: Estimate | None


def summary_of(task: Task, rows: list[GameRow], others: list[GameRow] | None = None) -> Summary:
    """Summarise a bot's rows; ``others`` are the rows of the bot that it is compared with."""
    solo = len(task.seats) == 1
    wins = sum(row.won for row in rows)
    return Summary(
        bot=rows[0].bot,
        games=len(rows),
        reward=Estimate(*mean_interval(Counter(row.reward for row in rows))),
        won=None if solo else Estimate(wins / len(rows), *wilson_interval(wins, len(rows))),
        unfinished=sum(row.ending == LIMIT_REACHED for row in rows),
        difference=None if others is None else paired_difference(rows, others),
    )


def paired_difference(rows: list[GameRow], others: list[GameRow]) -> Estimate | None:
    """The mean difference of two bots' rewards in the games that both have played. The games begin alike, so that much
    of their luck cancels out."""
    reward = {row.game: row.reward for row in others}
    differences = Counter(row.reward - reward[row.game] for row in rows if row.game in reward)
    return Estimate(*mean_interval(differences)) if differences else None


def text_of(estimate: Estimate, places: int, scale: float = 1) -> str:
    """An estimate as tables show it."""
    low, value, high = (f"{scale * part:.{places}f}" for part in (estimate.low, estimate.value, estimate.high))
    return f"{value} ({low} to {high})" if math.isfinite(estimate.value) else "–"


# The record of one game


def play_recorded(task: Task, name: str, number: int) -> Match:
    """Play an evaluation game again as a match, whose record can be replayed step by step."""
    return _Recorder(task.config, evaluation_bot(task, name), evaluation_seed(number)).play()


class _Recorder:
    """Plays one game as a batch plays it, decision by decision, with the same random numbers."""

    def __init__(self, config: EnvConfig, learner: Bot, seed: int) -> None:
        self.config = config
        names = [learner.name if player == ME else player for player in config.seats]
        self.match = config.variant.new(seed, names)
        self.learner = learner
        self.bots = {bot.name: bot for bot in (*config.bots, *config.asked_bots)}
        self.order = TurnOrder(config.interrupting)
        self.learner_rng = ~np.uint64(seed)
        self.bots_rng = np.uint64(derive_seed(np.uint64(seed) ^ BOTS_STREAM, 0))

    def play(self) -> Match:
        decisions = 0
        while self.match.waiting:
            interrupters = [s for s in self.order.interrupters(self.match.state) if not self.config.silent >> s & 1]
            seat = interrupters[0] if interrupters else self.match.waiting[0]
            player, legal = self.config.seats[seat], self.match.legal_ids(seat)
            bot = self.learner if player == ME else self.bots[player]
            is_forced = len(legal) == 1 and not interrupters
            if is_forced and (player == ME or isinstance(bot, AskedBot)) and not self.config.forced:
                self._play(seat, legal[0])
                continue
            if player == ME:
                if 0 < self.config.limit <= decisions:
                    break
                decisions += 1
                action, self.learner_rng = self._answer(bot, seat, legal, self.learner_rng)
            else:
                action, self.bots_rng = self._answer(bot, seat, legal, self.bots_rng)
            if action == PASS:
                self.order.passed(seat)
            else:
                self._play(seat, action)
        return self.match

    def _play(self, seat: int, action: int) -> None:
        with self.order.step_of(seat, self.match):
            self.match.play(seat, action)

    def _answer(self, bot: Bot, seat: int, legal: list[int], rng: np.uint64) -> tuple[int, np.uint64]:
        game = self.match.game
        if isinstance(bot, AskedBot):
            rngs, state = np.array([rng], np.uint64), StructBuffer(game.state_struct, self.match.content)
            positions = known_positions(game, state.array, np.array([seat], np.int8), rngs)
            return int(bot.answering(1)(positions)[0]), np.uint64(rngs[0])
        world = self.match.determinized(seat, int(rng))
        ids = kernel_array(np.array([*legal, 0], np.int16))
        index, rng = bot.policy(world.struct, seat, ids, len(legal), rng)
        passes = index == PASS or (seat not in self.match.waiting and not may_interrupt(bot.policy))
        return (PASS if passes else legal[index]), np.uint64(rng)
