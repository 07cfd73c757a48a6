"""Sequential halving by the clock uses its time, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from skerry.bots.arms import Arms, RolloutResults
from skerry.bots.halving import sequential_halving_by_clock


class FakeBackend:
    """Rollouts with random results that each take the same time, by a clock of the backend's own."""

    threads = 2

    def __init__(self, seconds_each: float) -> None:
        self.now, self.seconds_each = 0.0, seconds_each
        self.random = np.random.default_rng(1)

    def play(self, positions: Any, actions: Any, jobs: Any) -> RolloutResults:
        self.now += self.seconds_each * len(jobs)
        return RolloutResults(self.random.random(len(jobs)), np.zeros(len(jobs), np.int8))


def search(monkeypatch: pytest.MonkeyPatch, actions: int, backend: FakeBackend, seconds: float) -> Arms:
    monkeypatch.setattr("skerry.bots.halving.time.monotonic", lambda: backend.now)
    arms = Arms.of(np.zeros(actions), np.arange(actions), np.arange(actions) == 0, 2)
    positions: Any = None
    sequential_halving_by_clock(arms, positions, backend, seconds)  # type: ignore[arg-type]
    return arms


@pytest.mark.parametrize("actions", [2, 3, 17, 200])
@pytest.mark.parametrize("seconds", [0.1, 2.0])
@pytest.mark.parametrize("seconds_each", [1e-5, 1e-4])
def test_a_search_by_the_clock_uses_its_time_and_no_more(
    monkeypatch: pytest.MonkeyPatch, actions: int, seconds: float, seconds_each: float
) -> None:
    backend = FakeBackend(seconds_each)
    arms = search(monkeypatch, actions, backend, seconds)
    assert arms.pulls.min() > 0
    assert 0.75 * seconds < backend.now <= 1.1 * seconds


def test_every_action_is_played_even_if_a_single_batch_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert search(monkeypatch, 5, FakeBackend(1.0), 0.1).pulls.min() > 0
