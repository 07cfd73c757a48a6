"""Tallies: the results of games as counts. Counts are whole numbers, so tallies add up to the same sum in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.struct import struct_views

if TYPE_CHECKING:
    from skerry.lab.series import Series


@dataclass
class Tally:
    """The results of some games of one series. ``+=`` adds the results of other games."""

    endings: NDArray[np.int64]  # [ending]: games that ended so; ending 0 is "unfinished"
    winners: NDArray[np.int64]  # [seat, n - 1]: games in which the seat was one of n winners
    points: tuple[Counter[float], ...]  # for each seat: games by final score
    turns: Counter[int] = field(default_factory=Counter)  # games by number of turns
    steps: int = 0  # actions in all games

    @property
    def games(self) -> int:
        return int(self.endings.sum())

    @property
    def wins(self) -> NDArray[np.float64]:
        """Wins of each seat; a win shared by n seats counts 1/n for each."""
        return (self.winners / np.arange(1, self.winners.shape[1] + 1)).sum(1)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The sum of each seat's final scores."""
        return np.array([sum(value * games for value, games in seat.items()) for seat in self.points], np.float64)

    def __iadd__(self, other: Tally) -> Tally:
        self.endings = self.endings + other.endings
        self.winners = self.winners + other.winners
        self.turns.update(other.turns)
        for own_points, other_points in zip(self.points, other.points, strict=True):
            own_points.update(other_points)
        self.steps += other.steps
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.as_dict() == other.as_dict()

    def as_dict(self) -> dict[str, Any]:
        """Plain data for checkpoint files and for other machines; the names must not change."""
        return {
            "endings": self.endings.tolist(),
            "winners": self.winners.tolist(),
            "points": [sorted(seat.items()) for seat in self.points],
            "turns": sorted(self.turns.items()),
            "steps": self.steps,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        points = tuple(_counter(seat) for seat in data["points"])
        endings, winners = (np.array(data[name], np.int64) for name in ("endings", "winners"))
        return cls(endings, winners, points, _counter(data["turns"]), data["steps"])


def _counter(pairs: list[Any]) -> Counter[Any]:
    return Counter(dict(pairs))


def empty_tally(series: Series) -> Tally:
    """The tally of no games."""
    players = series.variant.players
    endings = np.zeros(len(series.variant.game.endings) + 1, np.int64)
    return Tally(endings, np.zeros((players, players), np.int64), tuple(Counter() for _ in range(players)))


def tally_games(series: Series, states: NDArray[Any], steps: NDArray[np.int32]) -> Tally:
    """Count the results of some games."""
    game, players = series.variant.game, series.variant.players
    scores, endings = np.zeros((len(states), players)), np.zeros(len(states), np.int8)
    rows_of_scores = [kernel_array(row) for row in scores] if INTERPRETED else scores
    series.kernels().result_batch(struct_views(game.state_struct, states), rows_of_scores, kernel_array(endings))
    tally = empty_tally(series)
    tally.endings = np.bincount(endings, minlength=len(game.endings) + 1)
    tally.winners = _cooperative_winners(series, endings) if game.cooperative else _competitive_winners(scores, endings)
    tally.points = tuple(count_values(scores[endings > 0, seat]) for seat in range(players))
    tally.turns = count_values(states["turns"])
    tally.steps = int(steps.sum())
    return tally


def _cooperative_winners(series: Series, endings: NDArray[np.int8]) -> NDArray[np.int64]:
    """In a cooperative game all seats win together, and each win counts fully for each seat."""
    won = series.variant.game.is_win[endings]
    winners = np.zeros((series.variant.players,) * 2, np.int64)
    winners[:, 0] = won.sum()
    return winners


def _competitive_winners(scores: NDArray[np.float64], endings: NDArray[np.int8]) -> NDArray[np.int64]:
    """The winners of a finished game are the seats with the highest score."""
    won = (scores == scores.max(1, keepdims=True)) & (endings > 0)[:, None]
    winners_in_game = won.sum(1)
    by_number = [won[winners_in_game == number].sum(0) for number in range(1, scores.shape[1] + 1)]
    return np.stack(by_number, 1).astype(np.int64)


def count_values(values: NDArray[Any]) -> Counter[Any]:
    """How often each value occurs. Small whole numbers, the usual case, are counted without sorting."""
    whole = values.astype(np.int64)
    if len(values) and (whole == values).all() and whole.min() >= 0 and whole.max() < len(values) + 1000:
        games = np.bincount(whole)
        distinct = np.flatnonzero(games)
        return Counter(dict(zip(distinct.astype(values.dtype).tolist(), games[distinct].tolist(), strict=True)))
    distinct, games = np.unique(values, return_counts=True)
    return Counter(dict(zip(distinct.tolist(), games.tolist(), strict=True)))
