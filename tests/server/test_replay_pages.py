"""Replays: a finished match at any of its steps, and playing on from there."""

from __future__ import annotations

import asyncio
from html import unescape

import httpx
import pytest

from skerry.engine.game_record import read_record
from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE

pytestmark = pytest.mark.anyio


async def finished(client: httpx.AsyncClient) -> tuple[Guest, str]:
    """A finished match between bots."""
    ana = await Guest.register(client, "Ana")
    options = {"players": 2, "parts": 4, "pirates": 4}
    match = (await ana.open("cartagena", ["random", "random"], options=options))["id"]
    for _ in range(1200):
        if (await ana.ask("GET", f"/matches/{match}")).json()["result"]:
            return ana, match
        await asyncio.sleep(0.05)
    raise AssertionError("it does not end")


async def test_a_replay_shows_any_step_and_the_changes_between_two(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    record = read_record((await ana.ask("GET", f"/matches/{match}/record")).text, find_game)
    page = (await client.get(f"/m/{match}/replay?at=5&seat=0")).text
    assert f"5 / {len(record.steps)}" in page
    frame = (await client.get(f"/m/{match}/replay/frame", params={"was": 5, "at": 6, "seat": 0})).json()
    assert frame["at"] == 6
    assert frame["parts"] and all(f'id="{name}"' in html for name, html in frame["parts"].items())
    step = record.steps[5]
    assert frame["words"] == [str(event.message) for event in record.step_events(step, 0)]
    end = (await client.get(f"/m/{match}/replay/frame", params={"was": 6, "at": len(record.steps), "seat": 0})).json()
    assert record.result is not None
    winner = str(record.names["colour"][record.result.winners[0]].title)
    told = f"{winner} won: all of {winner}'s pirates are aboard the sloop"
    assert f"<h2>{told}</h2>" in unescape((await client.get(f"/m/{match}")).text)
    assert (await ana.view(match, None))["prompt"] == told
    assert end["prompt"] == told
    same = (await client.get(f"/m/{match}/replay/frame", params={"was": 6, "at": 6})).json()
    assert same["parts"] == {}
    assert (await client.get(f"/m/{match}/replay?seat=7")).status_code == 404
    spanish = (await client.get(f"/m/{match}/replay", headers={"accept-language": "es"})).text
    assert spanish.count("<small>Al azar</small>") == 2 and ">Reproducir</button>" in spanish


async def test_a_replay_is_refused_while_the_match_runs(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me", "me", "me"]))["id"]
    assert (await client.get(f"/m/{match}/replay")).status_code == 403
    assert (await client.get(f"/m/{match}/replay/frame?at=0&was=0")).status_code == 403
    assert (await client.post(f"/m/{match}/play-on", data={"at": "0", "seat": "0"})).status_code == 403


async def test_playing_on_copies_the_steps_into_a_normal_match(database: str) -> None:
    async with client_of(
        make_app(Settings(database=database, pace=0, moment=0, limits=FREE), all_games, find_game)
    ) as client:
        ana, match = await finished(client)
        record = read_record((await ana.ask("GET", f"/matches/{match}/record")).text, find_game)
        seat = record.steps[7].seat
        answer = await client.post(f"/m/{match}/play-on", data={"at": "7", "seat": str(seat)}, headers=ana.headers)
        again = answer.headers["location"].removeprefix("/m/")
        found = (await ana.ask("GET", f"/matches/{again}")).json()
        assert [one["mine"] for one in found["seats"]] == [place == seat for place in range(2)]
        steps = (await ana.ask("GET", f"/matches/{again}/steps")).json()
        assert [one["seat"] for one in steps[:7]] == [step.seat for step in record.steps[:7]]
        there = record.variant.new(record.seed)
        for step in record.steps[:7]:
            there.play(step.seat, step.action.id)
        assert (await ana.view(again, seat))["view"] == there.view(seat)
        assert (await client.post(f"/m/{match}/play-on", data={"at": "9999", "seat": "0"})).status_code == 400
