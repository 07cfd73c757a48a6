"""Bots that whoever runs a server has registered play at its tables; no request can name another function."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from skerry import bots
from skerry.bots.custom import VARIABLE
from skerry.bots.function_bot import Decision
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio


def last(decision: Decision) -> int | None:
    """The last legal action; it never interrupts."""
    return None if decision.may_pass else decision.legal_ids[-1]


@pytest.fixture
def own_bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv(VARIABLE, "")
    name = bots.register(last, "my-bot")
    yield name
    bots.unregister(name)


async def test_a_registered_bot_is_offered_and_plays(client: httpx.AsyncClient, own_bot: str) -> None:
    ana = await Guest.register(client, "Ana")
    games = (await ana.ask("GET", "/games")).json()
    assert all(own_bot in game["bots"] for game in games)
    assert f'value="{own_bot}"' in (await client.get("/new/cartagena")).text
    match = await ana.open("cartagena", [own_bot, "me"], options={"players": 2, "first": 0})
    for _ in range(200):
        standing = (await ana.ask("GET", f"/matches/{match['id']}")).json()
        if standing["waiting"] == [1]:
            break
        await asyncio.sleep(0.05)
    assert standing["waiting"] == [1] and standing["seq"] >= 1


@pytest.mark.parametrize("name", ["os:system", "tests.server.test_own_bots:last", "mine=os:system"])
async def test_no_request_names_a_function(client: httpx.AsyncClient, name: str) -> None:
    ana = await Guest.register(client, "Ana")
    answer = await ana.ask("POST", "/matches", json={"game": "cartagena", "seats": ["me", name], "options": {}})
    assert answer.status_code == 400 and "has no bot" in answer.json()["error"]["message"]
