"""Simulated first turns agree with published probabilities. ``first_turn`` prints longer runs."""

from __future__ import annotations

import pytest

from skerry.engine.kernel import INTERPRETED

from .first_turn import LOSS_PROBABILITY, OUT_OF_REACH_PROBABILITY, count

GAMES = 2_000 if INTERPRETED else 200_000
SIGMAS = 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("difficulty", LOSS_PROBABILITY)
def test_probability_of_losing_fools_landing_in_the_first_turn(players: int, difficulty: str) -> None:
    known = LOSS_PROBABILITY[difficulty][players - 2]
    lost = count(GAMES, 7, players=players, difficulty=difficulty)[2] / GAMES
    assert abs(lost - known) < SIGMAS * (known / GAMES) ** 0.5


@pytest.mark.parametrize("role", OUT_OF_REACH_PROBABILITY)
def test_probability_that_flooded_fools_landing_is_out_of_reach(role: str) -> None:
    known = OUT_OF_REACH_PROBABILITY[role]
    flooded, unreached, _ = count(GAMES, 8, players=2, roles=f"{role},random", first=0)
    error = (known * (1 - known) / flooded) ** 0.5
    assert abs(unreached / flooded - known) <= SIGMAS * error
