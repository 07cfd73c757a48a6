"""Many games at once: a series of seeded games on all cores or on a GPU, and what came of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots import find
from skerry.engine.game import Variant
from skerry.engine.kernel import INTERPRETED, argument
from skerry.engine.log import new_log
from skerry.engine.record import batch, rows
from skerry.engine.refusal import BadOption, say
from skerry.lab.loops import Loops, loops

CHUNK = 16 if INTERPRETED else 2_000  # games a call: small enough to show progress and to stop in time
LIMIT = 20_000  # steps after which a game is counted as unfinished


@dataclass(frozen=True)
class Series:
    """What is played: game ``i`` of a series is the same wherever and beside whichever others it is played."""

    variant: Variant
    seats: tuple[str, ...]  # a bot each
    games: int
    seed: int = 0
    limit: int = LIMIT

    def __post_init__(self) -> None:
        if len(self.seats) != self.variant.players:
            given, wanted = len(self.seats), self.variant.players
            raise BadOption(say("{given} bots for {wanted} seats", given=given, wanted=wanted))
        if self.games < 1:
            raise BadOption("a series has at least one game")

    def chunks(self) -> Iterator[tuple[int, int]]:
        for first in range(0, self.games, CHUNK):
            yield first, min(CHUNK, self.games - first)

    @property
    def bots(self) -> list[str]:
        """Each bot once; a seat's mind is its place in this list."""
        return list(dict.fromkeys(self.seats))

    @property
    def mind(self) -> NDArray[np.int8]:
        return np.array([self.bots.index(name) for name in self.seats], np.int8)

    def loops(self) -> Loops:
        found = [find(self.variant.game, name) for name in self.bots]
        policies = tuple(bot.policy for bot in found)
        return loops(self.variant.game.rules, policies, all(bot.blind for bot in found))


@dataclass
class Tally:
    """What came of a series; two tallies of different games add up."""

    endings: NDArray[np.int64]  # how often each, 0 for unfinished
    wins: NDArray[np.float64]  # a seat; shared wins are parts
    scores: NDArray[np.float64]  # sums a seat
    steps: int = 0
    turns: dict[int, int] = field(default_factory=dict)  # how many games had so many

    @property
    def games(self) -> int:
        return int(self.endings.sum())

    def __iadd__(self, other: Tally) -> Tally:
        self.endings += other.endings
        self.wins += other.wins
        self.scores += other.scores
        self.steps += other.steps
        for turns, games in other.turns.items():
            self.turns[turns] = self.turns.get(turns, 0) + games
        return self


def empty(series: Series) -> Tally:
    players = series.variant.players
    endings = np.zeros(len(series.variant.game.endings) + 1, np.int64)
    return Tally(endings, np.zeros(players), np.zeros(players))


def play(series: Series, first: int, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The final states of some games of a series, and how many steps they took."""
    game = series.variant.game
    states, steps = batch(game.state, count), np.zeros(count, np.int32)
    series.loops().play_batch(
        rows(game.state, states),
        rows(game.state, batch(game.state, 1)),
        rows(game.choices, series.variant.encoded.array),
        argument(series.mind),
        np.uint64(series.seed),
        first,
        argument(np.zeros(game.actions.size + 1, np.int16)),
        argument(new_log(0)),
        series.limit,
        argument(steps),
    )
    return states, steps


def judge(series: Series, states: NDArray[Any], steps: NDArray[np.int32]) -> Tally:
    """Count what came of some games."""
    game, players = series.variant.game, series.variant.players
    scores, endings = np.zeros((len(states), players)), np.zeros(len(states), np.int8)
    rows_of_scores = [argument(row) for row in scores] if INTERPRETED else scores
    series.loops().judge_batch(rows(game.state, states), rows_of_scores, argument(endings))
    tally = empty(series)
    tally.endings = np.bincount(endings, minlength=len(game.endings) + 1)
    tally.scores = scores.sum(0)
    tally.steps = int(steps.sum())
    lengths, games = np.unique(states["turns"], return_counts=True)
    tally.turns = dict(zip(lengths.tolist(), games.tolist(), strict=True))
    finished = endings > 0
    if game.cooperative:
        won = np.array([False, *(ending.won for ending in game.endings)])[endings]
        tally.wins = np.repeat(float(won.sum()), players)
    else:
        best = (scores == scores.max(1, keepdims=True)) & finished[:, None]
        tally.wins = (best / np.maximum(best.sum(1, keepdims=True), 1)).sum(0)
    return tally


def simulate(series: Series, cores: int | None = None) -> Tally:
    """Play a series on all cores; what came of it."""
    total = empty(series)
    for tally in stream(series, cores):
        total += tally
    return total


def stream(series: Series, cores: int | None = None) -> Iterator[Tally]:
    """The tallies of a series, chunk by chunk as they come in; who stops listening stops the series."""
    chunks = series.chunks()
    cores = cores or os.cpu_count() or 1
    yield _chunk(series, *next(chunks))  # alone: it may have to compile
    pool = ThreadPoolExecutor(cores)
    running: set[Future[Tally]] = set()
    try:
        while True:
            running |= {pool.submit(_chunk, series, *chunk) for chunk in islice(chunks, 2 * cores - len(running))}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        pool.shutdown(cancel_futures=True)


def _chunk(series: Series, first: int, count: int) -> Tally:
    return judge(series, *play(series, first, count))
