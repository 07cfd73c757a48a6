"""``pytest --skerry-game NAME``: each check of the conformance suite as a test, for a game of any package.

The option can be repeated. A test that fails says what is broken and prints the shortest game that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from skerry.engine.game import Game

OPTION = "--skerry-game"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("skerry").addoption(
        OPTION,
        action="append",
        default=[],
        metavar="NAME",
        help="check that a game keeps the contract of games of Skerry; can be repeated",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the checks of the games that the command line names."""
    for name in config.getoption(OPTION):
        items.extend(GameChecks.from_parent(session, name=name, nodeid=f"skerry-game/{name}").collect())


class GameChecks(pytest.Collector):
    """The checks of one game."""

    def collect(self) -> Iterator[pytest.Item]:
        from skerry.engine.conformance import CHECKS
        from skerry.engine.errors import Refusal
        from skerry.games import find_game

        try:
            game = find_game(self.name)
        except Refusal as refusal:
            raise pytest.UsageError(f"{OPTION} {self.name}: {refusal}") from None
        for check in CHECKS:
            yield GameCheck.from_parent(self, name=check.__name__, game=game, check=check)


class GameCheck(pytest.Item):
    """One check of a game."""

    def __init__(self, *, game: Game, check: Callable[[Game], None], **arguments: Any) -> None:
        super().__init__(**arguments)
        self.game, self.check = game, check

    def runtest(self) -> None:
        from skerry.engine.game_check import assert_keeps

        assert_keeps(self.game, self.check)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[str, None, str]:
        return self.game.name, None, f"{self.game.name}: {self.name}"
