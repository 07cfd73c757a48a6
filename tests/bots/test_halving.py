"""The search by the clock: it uses its time, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from skerry.bots import halving
from skerry.bots.arms import Arms


class Player:
    """Games that all take as long and end anyhow, by a clock of its own."""

    threads = 2

    def __init__(self, seconds: float) -> None:
        self.now, self.seconds, self.chance = 0.0, seconds, np.random.default_rng(1)

    def play(self, positions: Any, plans: Any, jobs: Any) -> Any:
        self.now += self.seconds * len(jobs)
        return self.chance.random(len(jobs)), np.zeros(len(jobs), np.int8)


@pytest.mark.parametrize("plans", [2, 3, 17, 200])
@pytest.mark.parametrize("limit", [0.1, 2.0])
@pytest.mark.parametrize("a_game", [1e-5, 1e-4])
def test_an_expert_uses_its_time_and_no_more(
    monkeypatch: pytest.MonkeyPatch, plans: int, limit: float, a_game: float
) -> None:
    player: Any = Player(a_game)
    monkeypatch.setattr("skerry.bots.halving.time.monotonic", lambda: player.now)
    field = Arms.of(np.zeros(plans), np.arange(plans), np.arange(plans) == 0, 2)
    halving.sequential_halving_by_clock(field, None, player, limit)  # type: ignore[arg-type]
    assert field.tries.min() > 0
    assert 0.75 * limit < player.now <= 1.1 * limit


def test_a_slow_game_is_still_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    player: Any = Player(1.0)
    monkeypatch.setattr("skerry.bots.halving.time.monotonic", lambda: player.now)
    field = Arms.of(np.zeros(5), np.arange(5), np.arange(5) == 0, 2)
    halving.sequential_halving_by_clock(field, None, player, 0.1)  # type: ignore[arg-type]
    assert field.tries.min() > 0
