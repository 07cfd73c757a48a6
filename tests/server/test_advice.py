"""Advice through the API: for one's own seat, in one's own language, and limited."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, pace=0, bot_seconds=0.05, limits=FREE)


async def advice(guest: Guest, match: str, seat: int) -> httpx.Response:
    return await guest.ask("POST", f"/matches/{match}/advice", json={"seat": seat})


async def test_advice_names_legal_actions_with_chances_and_a_reason(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana", "es")
    match = await ana.open("forbidden-island", ["me", "me"], options={"players": 2})
    seat = match["waiting"][0]
    view = await ana.view(match["id"], seat)
    answer = await advice(ana, match["id"], seat)
    assert answer.status_code == 200, answer.text
    given = answer.json()
    assert given["seat"] == seat and given["seq"] == 0 and given["unit"] == "chance"
    labels = {choice["action"]: choice["label"] for choice in view["legal"]}
    for one in given["actions"]:
        assert one["label"] == labels[one["action"]]
        assert 0 <= one["low"] <= one["value"] <= one["high"] <= 1
    assert "partidas simuladas" in given["actions"][0]["why"]
    assert (await ana.view(match["id"], seat))["seq"] == 0


async def test_advice_is_refused_for_another_guests_seat_and_out_of_turn(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0})
    refused = await advice(ben, match["id"], 0)
    assert refused.status_code == 403 and refused.json()["error"]["code"] == "not-yours"
    idle = await advice(ana, match["id"], 1)
    assert idle.status_code == 422 and idle.json()["error"]["code"] == "illegal"


async def test_advice_is_rate_limited(settings: Settings) -> None:
    strict = dataclasses.replace(settings, limits=dataclasses.replace(FREE, advice=0.01, advice_burst=1))
    async with client_of(make_app(strict, all_games, find_game)) as client:
        ana = await Guest.register(client, "Ana")
        match = await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0})
        codes = [(await advice(ana, match["id"], 0)).status_code for _ in range(2)]
    assert codes == [200, 429]
