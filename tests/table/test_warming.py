"""A table's games are made ready beside each other the first time, and at once from then on."""

from __future__ import annotations

import pytest

from skerry.engine import cache
from skerry.engine.kernel import INTERPRETED
from skerry.games import find
from skerry.table.warming import warm


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_games_that_were_never_ready_are_told_of_once() -> None:
    games = [find("cartagena"), find("forbidden-island")]
    for game in games:
        (cache.folder() / f"{game.name}.ready").unlink(missing_ok=True)
    told: list[str] = []
    warm(games, told.append)
    assert told[0].startswith("Compiling 2 games")
    assert {line.split(" is ready")[0].strip() for line in told[1:]} == {game.title for game in games}
    assert told[-1].endswith("(2 of 2)")
    warm(games, told.append)
    assert len(told) == 3
