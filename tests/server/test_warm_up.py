"""Warm-up: games are compiled in parallel the first time, and loaded from the cache from then on."""

from __future__ import annotations

import pytest

from skerry.engine import kernel_cache
from skerry.games import find_game
from skerry.server import warm_up

GAMES = [find_game("cartagena"), find_game("forbidden-island")]


@pytest.fixture
def reported() -> list[str]:
    """The reported lines. The games have never been compiled."""
    for game in GAMES:
        (kernel_cache.cache_folder() / f"{game.name}.ready").unlink(missing_ok=True)
    return []


def test_compiling_is_reported_once(reported: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "INTERPRETED", False)
    warm_up.warm_up(GAMES, reported.append)
    assert reported[0].startswith("Compiling 2 games")
    assert {line.split(" is ready")[0].strip() for line in reported[1:]} == {game.title for game in GAMES}
    assert reported[-1].endswith("(2 of 2)")
    warm_up.warm_up(GAMES, reported.append)
    assert len(reported) == 3


def test_interpreted_kernels_are_not_compiled(reported: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "INTERPRETED", True)
    warm_up.warm_up(GAMES, reported.append)
    assert reported == []
