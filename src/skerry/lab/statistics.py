"""Confidence intervals and quantiles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypeVar

Value = TypeVar("Value", int, float)
Z = 1.959964  # standard deviations on both sides of the mean that hold 95 % of a normal distribution


def wilson_interval(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a proportion. It stays sensible for few trials and near 0 and 1."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    z2 = Z * Z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    low = centre - half if successes > 0 else 0.0  # exactly 0, whatever the rounding
    high = centre + half if successes < trials else 1.0
    return low, high


def mean_interval(counts: Mapping[Any, int]) -> tuple[float, float, float]:
    """The mean of values, given by how often each occurs, and its 95 % confidence interval."""
    trials = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / trials
    variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / max(1, trials - 1)
    half = Z * math.sqrt(variance / trials)
    return mean, mean - half, mean + half


def percent_number(share: float, places: int = 1) -> str:
    """A share in per cent, rounded half up. What is equal but for the last bits of a float gives the same text, so that
    all tables and figures say the same."""
    exact = Decimal(repr(round(100 * float(share), 9)))
    return str(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def quantile(counts: Mapping[Value, int], share: float) -> Value:
    """The smallest value such that at least this share of all values are not greater."""
    target = share * sum(counts.values())
    cumulated = 0
    for value in sorted(counts):
        cumulated += counts[value]
        if cumulated >= target:
            return value
    raise ValueError("no values")
