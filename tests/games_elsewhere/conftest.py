"""A registry of the test's own, and the example games in it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import skerry.games
from skerry.engine.game import Game
from skerry.games import VARIABLE, Registry, find_game
from tests.games_elsewhere.packages import EXAMPLES
from tests.server.conftest import client as client
from tests.server.conftest import settings as settings


@pytest.fixture(scope="module")
def example_games() -> Iterator[list[Game]]:
    """The example games, as the variable offers them to this process and to its children."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(EXAMPLES), os.environ.get("PYTHONPATH")))))
        patch.setenv(VARIABLE, "skerry_example_games.tic_tac_toe,skerry_example_games.lanterns")
        patch.setattr(skerry.games, "_registry", Registry())
        yield [find_game("tic-tac-toe"), find_game("lanterns")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
