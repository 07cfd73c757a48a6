"""Synthetic results of series, whose reports and ratings can be calculated by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

import skerry
from skerry.lab import Series, SeriesResult, Tally
from skerry.lab.sweep import Configuration


def competitive_result(game: str, seats: Sequence[str], wins: Sequence[int], **options: Any) -> SeriesResult:
    """Games of a competitive game; ``wins`` has how many each seat won."""
    variant = skerry.game(game, players=len(seats), **options)
    endings = np.zeros(len(variant.game.endings) + 1, np.int64)
    endings[1] = sum(wins)
    winners = np.zeros((len(seats), len(seats)), np.int64)
    winners[:, 0] = wins
    points = tuple(Counter({1.0: won, 0.0: sum(wins) - won}) for won in wins)
    tally = Tally(endings, winners, points, Counter({30: sum(wins)}), 100)
    return SeriesResult(Configuration({}, Series(variant, tuple(seats), sum(wins))), tally)


def cooperative_result(won: int, lost: int, *, bot: str = "random", **options: Any) -> SeriesResult:
    """Games of Forbidden Island; those that were lost ended when Fools' Landing sank."""
    variant = skerry.game("forbidden-island", **options)
    endings = np.array([0, won, 0, lost, 0, 0])
    winners = np.zeros((variant.players, variant.players), np.int64)
    winners[:, 0] = won
    points = tuple(Counter({1.0: won, 0.0: lost}) for _ in range(variant.players))
    tally = Tally(endings, winners, points, Counter({12: won, 15: lost}), 1000)
    return SeriesResult(Configuration(options, Series(variant, (bot,) * variant.players, won + lost)), tally)
