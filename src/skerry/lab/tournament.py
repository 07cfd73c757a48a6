"""Tournaments: each bot among others of each kind, at every seat, with the same seeds; and ratings from the results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.bots import find, names
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.lab.chunks import Backend
from skerry.lab.series import STEP_LIMIT, Series
from skerry.lab.simulate import simulate_all
from skerry.lab.statistics import Z, wilson_interval
from skerry.lab.sweep import Configuration, SeriesResult, variants
from skerry.lab.tally import Tally

MEAN_RATING = 1500
ELO_SCALE = 400 / math.log(10)  # 400 points are odds of ten to one
MAX_ITERATIONS = 10_000
TOLERANCE = 1e-10  # of the strengths, between two iterations


@dataclass(frozen=True)
class WinShare:
    """A share of games won, with its 95 % confidence interval."""

    wins: float
    games: int

    @property
    def share(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.wins, self.games)


@dataclass(frozen=True)
class Rating:
    """A bot's rating, with its 95 % confidence interval."""

    bot: str
    value: float
    low: float
    high: float


@dataclass
class Tournament:
    """The results of a tournament in one variant: one for each line-up."""

    variant: Variant
    bots: tuple[str, ...]
    results: list[SeriesResult]

    @property
    def even_share(self) -> float:
        """The share of games that a bot wins among equals."""
        return 1 / self.variant.players

    @cached_property
    def cross_table(self) -> dict[tuple[str, str], WinShare]:
        """``cross_table[one, others]``: how often one bot wins among others; in a cooperative game, together with
        them."""
        table: dict[tuple[str, str], WinShare] = {}
        for result in self.results:
            for lone in _lone_bots(result.series.seats):
                before = table.get((lone.bot, lone.others), WinShare(0, 0))
                wins = float(result.tally.wins[list(lone.seats)].sum()) / len(lone.seats)
                table[lone.bot, lone.others] = WinShare(before.wins + wins, before.games + result.tally.games)
        return table

    def wins(self, bot: str) -> WinShare:
        """A bot's wins in all games against others; in a cooperative game, those of a team of this bot alone."""
        if self.variant.game.cooperative:
            return self.cross_table[bot, bot]
        against = [share for (one, others), share in self.cross_table.items() if one == bot != others]
        return WinShare(sum(share.wins for share in against), sum(share.games for share in against))

    @property
    def ranking(self) -> list[str]:
        """The bots, best first."""
        if self.variant.players == 1:
            means = {one.series.seats[0]: float(one.tally.scores[0]) / one.tally.games for one in self.results}
            return sorted(self.bots, key=lambda bot: -means[bot])
        rated = [rating.bot for rating in self.ratings]
        return rated or sorted(self.bots, key=lambda bot: -self.wins(bot).share)

    @cached_property
    def ratings(self) -> list[Rating]:
        """The ratings, best first; none for cooperative and for solo games."""
        if self.variant.game.cooperative or self.variant.players == 1:
            return []
        strengths = fit_strengths(self.bots, self.results)
        ratings = []
        for bot, log_strength, error in zip(self.bots, strengths.logs, strengths.errors, strict=True):
            value = MEAN_RATING + ELO_SCALE * float(log_strength)
            half = Z * ELO_SCALE * float(error)
            ratings.append(Rating(bot, value, value - half, value + half))
        return sorted(ratings, key=lambda rating: -rating.value)


class LoneBot(NamedTuple):
    """A bot that sits alone among others of one kind; or the bot of all seats, which then is ``others`` too."""

    bot: str
    others: str
    seats: tuple[int, ...]


def _lone_bots(seats: tuple[str, ...]) -> Iterator[LoneBot]:
    """The cells of the cross table that a line-up counts for."""
    if len(set(seats)) == 1:
        yield LoneBot(seats[0], seats[0], tuple(range(len(seats))))
    for seat, bot in enumerate(seats):
        others = {*seats[:seat], *seats[seat + 1 :]}
        if len(others) == 1 and bot not in others:
            yield LoneBot(bot, others.pop(), (seat,))


class Strengths(NamedTuple):
    """The natural logarithm of each bot's strength, and its standard error."""

    logs: NDArray[np.float64]
    errors: NDArray[np.float64]


def fit_strengths(bots: Sequence[str], results: Sequence[SeriesResult]) -> Strengths:
    """Fit the Bradley-Terry-Luce model to the wins of all line-ups by maximum likelihood.

    In this model each seat wins with a probability proportional to the strength of its bot. One drawn game between any
    two bots is added, so that a bot that always wins gets a finite strength.
    """
    seats, wins = _seats_and_wins(bots, results)
    strength = np.ones(len(bots))
    for _ in range(MAX_ITERATIONS):  # Hunter's MM algorithm, which converges from any start
        chances = seats / (seats @ strength)[:, None]
        better = wins.sum(0) / (wins.sum(1)[:, None] * chances).sum(0)
        better /= np.exp(np.log(better).mean())
        if np.abs(better - strength).max() < TOLERANCE:
            break
        strength = better
    chances = seats * strength / (seats @ strength)[:, None]
    games = wins.sum(1)
    information = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
    # The mean of the logarithms is fixed, so the information matrix is singular in that direction.
    even = np.full_like(information, 1 / len(bots))
    return Strengths(np.log(strength), np.sqrt(np.diag(np.linalg.inv(information + even) - even)))


def _seats_and_wins(
    bots: Sequence[str], results: Sequence[SeriesResult]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two matrices, by line-up and bot: how many seats the bot has, and how many games it won."""
    column = {bot: i for i, bot in enumerate(bots)}
    seats, wins = [], []
    for result in results:
        seats_row, wins_row = np.zeros(len(bots)), np.zeros(len(bots))
        for bot, won in zip(result.series.seats, result.tally.wins, strict=True):
            seats_row[column[bot]] += 1
            wins_row[column[bot]] += won
        seats.append(seats_row)
        wins.append(wins_row)
    for one in range(len(bots)):
        for other in range(one):
            pair = np.zeros(len(bots))
            pair[[one, other]] = 1
            seats.append(pair)
            wins.append(pair / 2)
    return np.array(seats), np.array(wins)


def read_bots(game: Game, wanted: Iterable[str]) -> tuple[str, ...]:
    """The bots of a tournament: the named ones, or all of the game."""
    named = tuple(dict.fromkeys(wanted))
    bots = names(game) if named in ((), ("all",)) else named
    for bot in bots:
        find(game, bot)
    if len(bots) < 2:
        raise BadOption("a tournament needs at least two bots")
    return bots


def line_ups(variant: Variant, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Each bot alone among others of each kind, at every seat; in a cooperative game, also among its own kind."""
    players = variant.players
    if players == 1:
        return [(bot,) for bot in bots]
    found = [
        (other,) * seat + (one,) + (other,) * (players - seat - 1)
        for one in bots
        for other in bots
        for seat in range(players)
        if one != other or variant.game.cooperative
    ]
    return list(dict.fromkeys(found))


def line_up_configurations(
    base: Variant, bots: Sequence[str], vary: Mapping[str, Any], games: int, seed: int = 0, limit: int = STEP_LIMIT
) -> list[list[Configuration]]:
    """For each variant, the line-ups of a tournament. ``games`` is for a bot among others of one kind, at all seats
    together."""
    tournaments = []
    for values, variant in variants(base, vary):
        games_per_seat = math.ceil(games / variant.players)
        compiled_with = tuple(bots)  # one compilation for all line-ups
        series = [
            Series(variant, seats, games_per_seat, seed, limit, compiled_with) for seats in line_ups(variant, bots)
        ]
        tournaments.append([Configuration(values, one) for one in series])
    return tournaments


def tournaments_from(
    bots: Sequence[str], planned: Sequence[Sequence[Configuration]], tallies: Iterable[Tally]
) -> list[Tournament]:
    """The tournaments whose line-ups have these tallies, in the same order."""
    next_tally = iter(tallies)
    return [
        Tournament(
            configurations[0].series.variant,
            tuple(bots),
            [SeriesResult(configuration, next(next_tally)) for configuration in configurations],
        )
        for configurations in planned
    ]


def tournament(
    variant: Variant,
    bots: Sequence[str] = (),
    games: int = 10_000,
    vary: Mapping[str, Any] | None = None,
    seed: int = 0,
    limit: int = STEP_LIMIT,
    backend: Backend | None = None,
    checkpoint: str | Path | None = None,
) -> list[Tournament]:
    """Play a tournament of some bots, or of all bots of the game, in each combination of ``vary``."""
    chosen = read_bots(variant.game, bots)
    planned = line_up_configurations(variant, chosen, vary or {}, games, seed, limit)
    series = [configuration.series for configurations in planned for configuration in configurations]
    return tournaments_from(chosen, planned, simulate_all(series, backend=backend, checkpoint=checkpoint))
