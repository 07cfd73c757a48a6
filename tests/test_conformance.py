"""The conformance suite of the engine, for every registered game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skerry.engine.conformance import CHECKS
from skerry.engine.game import Game
from skerry.games import all_games


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(game: Game, check: Callable[[Game], None]) -> None:
    check(game)
