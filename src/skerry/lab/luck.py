"""Luck and skill of bots: some games of a series are analysed, and added up by bot.

For each bot, over its seats in a game,

    value at the end - value at the start = luck + its own choices + the choices of the others,

as in ``skerry.analysis.accounts``. In a team the values and the luck are the team's, and the choices of all seats of a
bot add up. Among rivals everything is the mean over the bot's seats. All hands are open to the analysis, but not the
order of the cards to come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.analysis.accounts import accounts_of, course_of
from skerry.analysis.evaluation import Evaluator
from skerry.analysis.grading import Unit, decisions_of, grade_all, unit_of
from skerry.analysis.viewpoint import hides_hands, viewpoint_of
from skerry.bots import find
from skerry.bots.expert import Expert
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.match import Match
from skerry.engine.rng import derive_seed
from skerry.lab.recorded import play_matches
from skerry.lab.series import Series
from skerry.lab.statistics import Z

EFFORT = 30  # worlds for a value, and rollouts for the search of a decision
SIDE_BY_SIDE = 8  # games that are played together
CHANGES = ("luck", "choices", "others")  # the quantities that add up to what changed
QUANTITIES = ("start", *CHANGES, "end", "losses")


class Shares(NamedTuple):
    """What one game was to a bot. ``losses`` are measured against the best action found, and None if none was looked
    for."""

    start: float
    luck: float
    choices: float
    others: float
    end: float
    losses: float | None
    decisions: int  # that were graded


class Mean(NamedTuple):
    """A mean over games with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class LuckOfBot:
    """The luck and skill of a bot over some games."""

    bot: str
    games: Sequence[Shares]

    def mean(self, quantity: str) -> Mean | None:
        """The mean of one of the ``QUANTITIES``, None if it was not measured."""
        values = [getattr(one, quantity) for one in self.games]
        return None if not values or None in values else mean_of(values)

    @property
    def loss_of_a_decision(self) -> float | None:
        """The mean loss of a graded decision: who keeps a game open for long has more decisions to lose by."""
        losses = [one.losses for one in self.games if one.losses is not None]
        decisions = sum(one.decisions for one in self.games)
        return sum(losses) / decisions if losses and decisions else None


def mean_of(values: Sequence[float]) -> Mean:
    mean = float(np.mean(values))
    half = Z * float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Mean(mean, mean - half, mean + half)


@dataclass(frozen=True)
class LuckAndSkill:
    """The luck and skill of all bots of a series."""

    unit: Unit
    bots: tuple[LuckOfBot, ...]

    @property
    def games(self) -> int:
        return len(self.bots[0].games)


def luck_and_skill(
    series: Series, games: int, effort: int = EFFORT, losses: bool = False, threads: int = 0
) -> LuckAndSkill:
    """Analyse so many games with the bots of a series, ``losses`` with a search of every decision."""
    return summed_up(series, analysed_games(series, games, effort, losses, threads))


def summed_up(series: Series, analysed: Iterable[dict[str, Shares]]) -> LuckAndSkill:
    """Add up what ``analysed_games`` yields."""
    by_game = list(analysed)
    bots = tuple(LuckOfBot(bot, [shares[bot] for shares in by_game]) for bot in dict.fromkeys(series.seats))
    return LuckAndSkill(unit_of(series.variant.players), bots)


def analysed_games(
    series: Series, games: int, effort: int = EFFORT, losses: bool = False, threads: int = 0
) -> Iterator[dict[str, Shares]]:
    """The shares of each bot in one game after the other.

    The games are dealt as the first ones of the series are; its bots draw other random numbers. Games that reach the
    limit of steps are left out, because they have no end to account for.
    """
    game = series.variant.game
    bots = [find(game, name) for name in series.seats]
    expert = Expert.of(game)
    pool = RolloutPool(game, expert.policy, threads, report=expert.report)
    for first in range(0, games, SIDE_BY_SIDE):
        seeds = [int(derive_seed(series.seed, number)) for number in range(first, min(games, first + SIDE_BY_SIDE))]
        for match in play_matches(series.variant, bots, seeds, series.limit, threads):
            if match.result is not None:
                yield shares_of_bots(match, series.seats, pool, effort, losses)


def shares_of_bots(
    match: Match, bots: Sequence[str], pool: RolloutPool, effort: int, losses: bool
) -> dict[str, Shares]:
    """What a finished match was to each bot."""
    course = course_of(match, viewpoint_of(match, open_cards=hides_hands(match)))
    evaluator, players = Evaluator(match.game, pool), range(match.variant.players)
    accounts = accounts_of(course, evaluator, effort)
    choices = np.array([accounts.decisions[course.deciders == seat].sum(axis=0) for seat in players])
    lost, decided = np.zeros(len(players)), np.zeros(len(players), np.int64)
    if losses:
        rollouts = evaluator.affordable_rollouts(effort)
        for graded in grade_all(course, decisions_of(course), pool, rollouts):
            for one in graded:
                lost[course.deciders[one.step]] += one.loss
                decided[course.deciders[one.step]] += 1
    seats_of = {bot: np.array([name == bot for name in bots]) for bot in bots}
    values, luck = accounts.values, accounts.luck.sum(axis=0)
    return {
        bot: Shares(
            start=float(values[0, seats].mean()),
            luck=float(luck[seats].mean()),
            choices=_own(choices, seats, match.game.cooperative),
            others=float(choices.sum(axis=0)[seats].mean()) - _own(choices, seats, match.game.cooperative),
            end=float(values[-1, seats].mean()),
            losses=float(lost[seats].sum() if match.game.cooperative else lost[seats].mean()) if losses else None,
            decisions=int(decided[seats].sum()),
        )
        for bot, seats in seats_of.items()
    }


def _own(choices: NDArray[np.float64], seats: NDArray[np.bool_], cooperative: bool) -> float:
    """What a bot's choices brought it; ``choices`` are those of each seat (row) for each seat (column)."""
    if cooperative:
        return float(choices[seats, 0].sum())
    return float(choices.diagonal()[seats].mean())


def as_rows(found: LuckAndSkill) -> list[dict[str, Any]]:
    """Plain data, a row for each bot."""
    return [
        {"bot": one.bot, "unit": found.unit, "games": len(one.games)}
        | {name: mean._asdict() for name in QUANTITIES if (mean := one.mean(name))}
        | ({"loss_of_a_decision": loss} if (loss := one.loss_of_a_decision) is not None else {})
        for one in found.bots
    ]


def csv_columns(found: LuckAndSkill) -> dict[str, float]:
    """Columns of a spreadsheet for each bot."""
    columns: dict[str, float] = {}
    for one in found.bots:
        for name in QUANTITIES:
            if mean := one.mean(name):
                columns |= {f"{name}_{one.bot}": mean.mean, f"{name}_low_{one.bot}": mean.low}
                columns |= {f"{name}_high_{one.bot}": mean.high}
    return columns


def amount_text(value: float, unit: Unit, places: int = 1, signed: bool = False) -> str:
    """A value or a difference: a chance in per cent, without the sign for it, or points."""
    number = 100 * value if unit == "chance" else value
    return f"{number:+.{places}f}" if signed else f"{number:.{places}f}"
