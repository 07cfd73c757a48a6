"""The simple bot goes forward and finishes, and beats chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.kernel import INTERPRETED
from skerry.lab.simulate import Series, play

GAMES = 2 if INTERPRETED else 40


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "parts": 8},
        {"players": 5, "draw": "morgan"},
        {"story": "full", "draw": "back"},
        {"story": "full", "draw": "morgan"},
        {"story": "full", "draw": "back-then-morgan", "magic": "on", "flibusters": "on", "players": 3},
        {"story": "tortuga", "draw": "both", "magic": "on"},
    ],
)
def test_four_simple_pirates_come_home(options: dict[str, Any]) -> None:
    variant = skerry.game("cartagena", **options)
    states, steps = play(Series(variant, ("simple",) * variant.players, GAMES, seed=3, limit=1_000), 0, GAMES)
    assert (states["ending"] > 0).all() and np.median(steps) < 400


def test_a_simple_pirate_beats_three_random_ones() -> None:
    variant = skerry.game("cartagena", first=1)
    states, _ = play(Series(variant, ("simple", "random", "random", "random"), GAMES, seed=5), 0, GAMES)
    assert (states["winner"] == 0).mean() > 0.9
