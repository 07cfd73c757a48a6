"""Every test that takes ``game`` runs over the registry."""

from __future__ import annotations

from typing import cast

import pytest

import skerry
from skerry.games import all_games


@pytest.fixture(params=all_games(), ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> skerry.Game:
    return cast(skerry.Game, request.param)
