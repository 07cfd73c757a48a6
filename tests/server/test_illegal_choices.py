"""A bot that chooses no legal action in a running server: the match goes on, and the host learns why."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from skerry.botkit.policy import index_of
from skerry.bots.illegal_choice import IllegalChoice
from skerry.engine.kernel import kernel
from skerry.games import all_games, find_game
from skerry.games.cartagena.bot import policies
from skerry.server.app import make_app
from skerry.server.bot_runner import illegal_choice_report
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of

pytestmark = pytest.mark.anyio
GAME = find_game("cartagena")
IMPOSSIBLE = GAME.actions.size - 1  # to discard a dark chest, which nobody demands


@kernel
def wrong(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Wants to discard a card all the time."""
    return index_of(IMPOSSIBLE, legal, count), rng


@pytest.fixture
async def client(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setattr(policies, "skilled", wrong)
    async with client_of(make_app(settings, all_games, find_game)) as client:
        yield client


async def illegal_choices(client: httpx.AsyncClient, bot: str) -> float:
    """The counter that ``/metrics`` shows for a bot of Cartagena."""
    labels = f'skerry_illegal_choices_total{{bot="{bot}",game="cartagena"}} '
    lines = (await client.get("/metrics")).text.splitlines()
    return sum(float(line.removeprefix(labels)) for line in lines if line.startswith(labels))


async def steps_of(guest: Guest, match: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = (await guest.ask("GET", f"/matches/{match}/steps")).json()
    return steps


async def played_by(guest: Guest, match: str, number: int) -> list[dict[str, Any]]:
    """The steps of a match, once there are so many."""
    for _ in range(600):
        steps = await steps_of(guest, match)
        if len(steps) >= number:
            return steps
        await asyncio.sleep(0.1)
    raise AssertionError("the bot does not play")


@pytest.mark.parametrize("bot", ["skilled", "expert"])
async def test_the_bot_plays_something_legal_and_is_counted_and_logged_once_a_decision(
    client: httpx.AsyncClient, bot: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The expert's rollouts are played by the same policy."""
    before = await illegal_choices(client, bot)
    ana = await Guest.register(client, "Ana")
    with caplog.at_level(logging.ERROR):
        match = await ana.open("cartagena", ["me", bot], options={"players": 2, "first": 1})
        steps = await played_by(ana, match["id"], 1)
    counted = await illegal_choices(client, bot) - before
    assert steps[0]["seat"] == 1
    lines = [record.getMessage() for record in caplog.records if "a bot plays something else" in record.getMessage()]
    assert counted == len(lines) >= 1
    cause = {
        "skilled": "because skilled of cartagena, at seat 1 after 0 steps, chose 'discard dark-chest'",
        "expert": "because the rollout policy of cartagena chose an action that is not legal",
    }
    assert cause[bot] in lines[0]


def test_one_decision_is_counted_once(caplog: pytest.LogCaptureFixture) -> None:
    """A search can meet the same mistake in thousands of rollouts."""
    report = illegal_choice_report(GAME, "expert")
    for number in range(5):
        report(IllegalChoice(f"the cause {number}"))
    assert [record.getMessage() for record in caplog.records] == ["a bot plays something else, because the cause 0"]
