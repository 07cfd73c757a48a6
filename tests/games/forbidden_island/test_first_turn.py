"""Our first turns against the published chances; ``first_turn`` prints the long run."""

from __future__ import annotations

import pytest

from skerry.engine.kernel import INTERPRETED

from .first_turn import LOSS, OUT_OF_REACH, count

GAMES = 2_000 if INTERPRETED else 200_000
SIGMAS = 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("difficulty", LOSS)
def test_losing_the_landing_in_the_first_turn(players: int, difficulty: str) -> None:
    known = LOSS[difficulty][players - 2]
    lost = count(GAMES, 7, players=players, difficulty=difficulty)[2] / GAMES
    assert abs(lost - known) < SIGMAS * (known / GAMES) ** 0.5


@pytest.mark.parametrize("role", OUT_OF_REACH)
def test_a_flooded_landing_out_of_reach(role: str) -> None:
    known = OUT_OF_REACH[role]
    flooded, unreached, _ = count(GAMES, 8, players=2, roles=f"{role},random", first=0)
    error = (known * (1 - known) / flooded) ** 0.5
    assert abs(unreached / flooded - known) <= SIGMAS * error
