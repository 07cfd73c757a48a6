"""A table's games are made ready beside each other the first time, and at once from then on."""

from __future__ import annotations

import pytest

from skerry.engine import kernel_cache
from skerry.games import find_game
from skerry.server import warm_up

GAMES = [find_game("cartagena"), find_game("forbidden-island")]


@pytest.fixture
def told() -> list[str]:
    """What is told, beginning with games that were never ready."""
    for game in GAMES:
        (kernel_cache.cache_folder() / f"{game.name}.ready").unlink(missing_ok=True)
    return []


def test_games_that_were_never_ready_are_told_of_once(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "INTERPRETED", False)
    warm_up.warm_up(GAMES, told.append)
    assert told[0].startswith("Compiling 2 games")
    assert {line.split(" is ready")[0].strip() for line in told[1:]} == {game.title for game in GAMES}
    assert told[-1].endswith("(2 of 2)")
    warm_up.warm_up(GAMES, told.append)
    assert len(told) == 3


def test_what_is_interpreted_needs_no_compiling(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "INTERPRETED", True)
    warm_up.warm_up(GAMES, told.append)
    assert told == []
