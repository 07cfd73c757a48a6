"""Bots that are still being compiled: the page says so, and a quicker bot sits in for one that searches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skerry.engine.game import Game
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.game_stages import Stage
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of

pytestmark = pytest.mark.anyio

WAITING = "The bot is getting ready …"
STANDING_IN = "getting ready; this bot plays for now:"


class SlowWarmUp:
    """A warm-up in which stages get ready when a test says so."""

    def __init__(self) -> None:
        self.events = {stage: asyncio.Event() for stage in Stage}
        self.events[Stage.RULES].set()
        self.wanted: set[Stage] = set()

    def is_ready(self, game: Game, stage: Stage) -> bool:
        return self.events[stage].is_set()

    def want(self, game: Game, stage: Stage) -> None:
        self.wanted.add(stage)

    async def wait(self, game: Game, stage: Stage, seconds: float | None = None) -> bool:
        await self.events[stage].wait()
        return True


class Table:
    """A match of Cartagena in which a bot has the first turn."""

    def __init__(self, guest: Guest, match: str) -> None:
        self.guest, self.match = guest, match

    async def page(self) -> str:
        return (await self.guest.client.get(f"/m/{self.match}", headers=self.guest.headers)).text

    async def until_page_has(self, text: str) -> str:
        for _ in range(300):
            page = await self.page()
            if text in page:
                return page
            await asyncio.sleep(0.1)
        raise AssertionError(f"the page never says {text!r}")

    async def until_bot_has_moved(self) -> list[dict[str, Any]]:
        for _ in range(300):
            steps: list[dict[str, Any]] = (await self.guest.ask("GET", f"/matches/{self.match}/steps")).json()
            if steps:
                return steps
            await asyncio.sleep(0.1)
        raise AssertionError("the bot does not move")


@pytest.fixture
def warm_up() -> SlowWarmUp:
    return SlowWarmUp()


@pytest.fixture
async def ana(settings: Settings, warm_up: SlowWarmUp, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Guest]:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        monkeypatch.setattr(services_in(app).bot_runner, "warm_up", warm_up)
        yield await Guest.register(client, "Ana")


async def table_with(ana: Guest, bot: str) -> Table:
    match = await ana.open("cartagena", ["me", bot], options={"players": 2, "first": 1})
    return Table(ana, match["id"])


async def test_the_prompt_says_that_the_bot_is_getting_ready_until_it_moves(ana: Guest, warm_up: SlowWarmUp) -> None:
    table = await table_with(ana, "skilled")
    await table.until_page_has(WAITING)
    assert warm_up.wanted == {Stage.BOTS}
    warm_up.events[Stage.BOTS].set()
    await table.until_bot_has_moved()
    page = await table.page()
    assert WAITING not in page and STANDING_IN not in page


async def test_a_quicker_bot_sits_in_for_the_expert_and_the_seat_says_so(ana: Guest, warm_up: SlowWarmUp) -> None:
    warm_up.events[Stage.BOTS].set()
    table = await table_with(ana, "expert")
    await table.until_bot_has_moved()
    page = await table.until_page_has(STANDING_IN)
    assert WAITING not in page and Stage.EXPERT in warm_up.wanted
