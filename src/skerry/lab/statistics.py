"""Honest numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

Value = TypeVar("Value", int, float)
Z = 1.959964  # 95 %


def wilson_interval(hits: float, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson 1927), sensible also for few trials and near 0 or 1."""
    if trials == 0:
        return 0.0, 1.0
    share, z2 = hits / trials, Z * Z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    low = centre - half if hits > 0 else 0.0  # not a hair above it by rounding
    high = centre + half if hits < trials else 1.0
    return low, high


def mean_interval(counts: Mapping[Any, int]) -> tuple[float, float, float]:
    """Mean and its 95 % confidence interval of values given with their counts."""
    trials = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / trials
    variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / max(1, trials - 1)
    half = Z * math.sqrt(variance / trials)
    return mean, mean - half, mean + half


def quantile(counts: Mapping[Value, int], share: float) -> Value:
    """The smallest value that at least this share of the values do not exceed."""
    wanted, seen = share * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("no values")
