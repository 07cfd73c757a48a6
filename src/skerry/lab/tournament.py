"""Every bot beside every other, at every seat, in the same set-ups; and how strong that makes each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

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

MIDDLE = 1500  # the mean rating
STEEP = 400 / math.log(10)  # Elo's scale: 400 points are odds of ten to one


@dataclass(frozen=True)
class Share:
    """Hits of trials, with a 95 % confidence interval."""

    hits: float
    trials: int

    @property
    def share(self) -> float:
        return self.hits / self.trials if self.trials else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.hits, self.trials)


@dataclass(frozen=True)
class Rating:
    bot: str
    value: float
    low: float
    high: float


@dataclass
class Tournament:
    """What came of it, in one variant."""

    variant: Variant
    bots: tuple[str, ...]
    outcomes: list[SeriesResult]

    @property
    def even(self) -> float:
        """The share of wins of one among equals."""
        return 1 / self.variant.players

    @cached_property
    def table(self) -> dict[tuple[str, str], Share]:
        """``table[one, others]``: how often one bot wins among others; where all win together, beside them."""
        found: dict[tuple[str, str], Share] = {}
        for outcome in self.outcomes:
            for one, others, seats in _alone(outcome.series.seats):
                old = found.get((one, others), Share(0, 0))
                hits = float(outcome.tally.wins[list(seats)].sum()) / len(seats)
                found[one, others] = Share(old.hits + hits, old.trials + outcome.tally.games)
        return found

    def wins(self, bot: str) -> Share:
        """Of all games against others; where all win together, those with only this bot."""
        if self.variant.game.cooperative:
            return self.table[bot, bot]
        against = [share for (one, others), share in self.table.items() if one == bot != others]
        return Share(sum(share.hits for share in against), sum(share.trials for share in against))

    @property
    def ranking(self) -> list[str]:
        """The bots, the best first."""
        if self.variant.players == 1:
            means = {one.series.seats[0]: float(one.tally.scores[0]) / one.tally.games for one in self.outcomes}
            return sorted(self.bots, key=lambda bot: -means[bot])
        rated = [rating.bot for rating in self.ratings]
        return rated or sorted(self.bots, key=lambda bot: -self.wins(bot).share)

    @cached_property
    def ratings(self) -> list[Rating]:
        """Best first. Games that are won together or played alone have none."""
        if self.variant.game.cooperative or self.variant.players == 1:
            return []
        logs, errors = rate(self.bots, self.outcomes)
        values = [MIDDLE + STEEP * float(one) for one in logs]
        halves = [Z * STEEP * float(one) for one in errors]
        rated = [Rating(b, v, v - h, v + h) for b, v, h in zip(self.bots, values, halves, strict=True)]
        return sorted(rated, key=lambda rating: -rating.value)


def _alone(seats: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Each bot that sits alone among others of one kind, these, and its seat; or the bot that sits everywhere."""
    if len(set(seats)) == 1:
        yield seats[0], seats[0], tuple(range(len(seats)))
    for seat, one in enumerate(seats):
        others = {*seats[:seat], *seats[seat + 1 :]}
        if len(others) == 1 and one not in others:
            yield one, others.pop(), (seat,)


def rate(bots: Sequence[str], outcomes: Sequence[SeriesResult]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logarithms of strengths that explain the wins best, and their standard errors.

    Among several a bot wins with a chance that is its part of all strengths at the table (Bradley, Terry and Luce). One
    shared game between any two is added, so that who always wins is not infinitely strong.
    """
    seated, wins = _counts(bots, outcomes)
    strength = np.ones(len(bots))
    for _ in range(10_000):  # Hunter's MM steps climb to the top from anywhere
        chances = seated / (seated @ strength)[:, None]
        better = wins.sum(0) / (wins.sum(1)[:, None] * chances).sum(0)
        better /= np.exp(np.log(better).mean())
        if np.abs(better - strength).max() < 1e-10:
            break
        strength = better
    chances = seated * strength / (seated @ strength)[:, None]
    games = wins.sum(1)
    information = np.diag(games @ chances) - (chances * games[:, None]).T @ chances
    even = np.full_like(information, 1 / len(bots))  # the mean is given: that direction holds no information
    return np.log(strength), np.sqrt(np.diag(np.linalg.inv(information + even) - even))


def _counts(bots: Sequence[str], outcomes: Sequence[SeriesResult]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each line-up how many seats each bot has, and how many games it won."""
    place = {bot: i for i, bot in enumerate(bots)}
    seated, wins = [], []
    for outcome in outcomes:
        line, won = np.zeros(len(bots)), np.zeros(len(bots))
        for bot, share in zip(outcome.series.seats, outcome.tally.wins, strict=True):
            line[place[bot]] += 1
            won[place[bot]] += share
        seated.append(line)
        wins.append(won)
    for one in range(len(bots)):
        for other in range(one):
            line = np.zeros(len(bots))
            line[[one, other]] = 1
            seated.append(line)
            wins.append(line / 2)
    return np.array(seated), np.array(wins)


def read_bots(game: Game, wanted: Sequence[str]) -> tuple[str, ...]:
    """All bots of a game, or those that are named."""
    bots = names(game) if not wanted or list(wanted) == ["all"] else tuple(dict.fromkeys(wanted))
    for bot in bots:
        find(game, bot)
    if len(bots) < 2:
        raise BadOption("a tournament takes at least two bots")
    return bots


def line_ups(variant: Variant, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Each bot once among others of each kind, at every seat; where all win together, also each with its own kind."""
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
    """The line-ups of a tournament in each variant. ``games`` is for one bot beside another: all its seats together."""
    drawn = []
    for values, variant in variants(base, vary):
        each = math.ceil(games / variant.players)
        company = tuple(bots)  # compiled once for all line-ups
        drawn.append(
            [
                Configuration(values, Series(variant, seats, each, seed, limit, company))
                for seats in line_ups(variant, bots)
            ]
        )
    return drawn


def tournaments_from(
    bots: Sequence[str], drawn: Sequence[Sequence[Configuration]], totals: Iterable[Tally]
) -> list[Tournament]:
    """The tallies of all line-ups, in their order, as tournaments."""
    each = iter(totals)
    return [
        Tournament(cells[0].series.variant, tuple(bots), [SeriesResult(cell, next(each)) for cell in cells])
        for cells in drawn
    ]


def tournament(
    variant: Variant,
    bots: Sequence[str] = (),
    games: int = 10_000,
    vary: Mapping[str, Any] | None = None,
    seed: int = 0,
    limit: int = STEP_LIMIT,
    backend: Backend | None = None,
    keep: str | Path | None = None,
) -> list[Tournament]:
    """Play a tournament of some bots, or of all that the game has; one for each combination of what is varied."""
    chosen = read_bots(variant.game, bots)
    drawn = line_up_configurations(variant, chosen, vary or {}, games, seed, limit)
    series = [cell.series for cells in drawn for cell in cells]
    return tournaments_from(chosen, drawn, simulate_all(series, backend=backend, keep=keep))
