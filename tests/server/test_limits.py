"""Limits on requests, new guests and unfinished matches."""

from __future__ import annotations

import dataclasses

import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Limits, Settings
from tests.server.conftest import Guest, client_of
from tests.server.responses import check_response, cookie_of

pytestmark = pytest.mark.anyio


async def test_too_many_requests_are_refused_with_the_time_to_wait(settings: Settings) -> None:
    slow = Limits(requests=0.5, requests_burst=5, new_guests=0.5, new_guests_burst=8)
    async with client_of(make_app(dataclasses.replace(settings, limits=slow), all_games, find_game)) as client:
        ana = await Guest.register(client, "Ana")
        answers = [await ana.ask("GET", "/me") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 3
        assert check_response(answers[-1]).json()["error"]["message"].startswith("Too many requests")
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 3
        page = await client.get("/", headers=ana.headers)
        assert check_response(page).status_code == 429 and "retry-after" in page.headers and "<html" in page.text
        others = [await client.get("/api/v1/matches") for _ in range(6)]
        assert {200, 429} == {answer.status_code for answer in others}, "an address without a guest has its own bucket"


async def test_new_guests_are_limited_for_each_address(settings: Settings) -> None:
    few = Limits(new_guests=0.01, new_guests_burst=3)
    async with client_of(make_app(dataclasses.replace(settings, limits=few), all_games, find_game)) as client:
        answers = []
        for _ in range(5):
            answers.append(await client.post("/play/hashi"))
            client.cookies.clear()
        assert [answer.status_code for answer in answers] == [303] * 3 + [429] * 2
        assert (await client.post("/api/v1/guests", json={"name": "Ana"})).status_code == 429


async def test_unfinished_matches_are_limited_for_each_guest(settings: Settings) -> None:
    few = dataclasses.replace(settings.limits, unfinished_matches=3)
    async with client_of(make_app(dataclasses.replace(settings, limits=few), all_games, find_game)) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        body = {"game": "hashi", "seats": ["me"], "options": {"players": 1}}
        answers = [await ana.ask("POST", "/matches", json=body) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 2
        assert check_response(answers[-1]).json()["error"]["message"].startswith("You have 3 unfinished matches")
        assert (await client.post("/play/hashi", headers=cookie_of(ana))).status_code == 429
        assert (await ben.ask("POST", "/matches", json=body)).status_code == 201
