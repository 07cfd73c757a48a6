"""What-if boards: actions that are tried from any step of a finished match, and what the positions are worth."""

from __future__ import annotations

import dataclasses
import re
from html import unescape
from typing import Any

import httpx
import pytest

from skerry.analysis.position_value import position_value
from skerry.analysis.viewpoint import Viewpoint
from skerry.engine.game_record import read_record
from skerry.engine.match import Match
from skerry.games import all_games, find_game
from skerry.server.analysis.what_if import LONGEST_LINE, WORLDS
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE
from tests.server.test_replay_pages import finished

pytestmark = pytest.mark.anyio

AT = 6


async def position(guest: Guest, match: str) -> Match:
    """The match as it was at the step ``AT``, without its steps."""
    full = read_record((await guest.ask("GET", f"/matches/{match}/record")).text, find_game)
    there = full.copy()
    there.replace_content(full.steps[AT].before)
    return there


async def board(client: httpx.AsyncClient, match: str, **params: Any) -> httpx.Response:
    return await client.get(f"/m/{match}/what-if", params={"at": AT, **params})


async def test_it_offers_what_the_rules_allow_and_nothing_is_stored(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    there = await position(ana, match)
    before = (await ana.ask("GET", f"/matches/{match}")).json()
    (seat,) = there.waiting
    for _ in range(3):
        line = "-".join(f"{step.seat}.{step.action.id}" for step in there.steps)
        page = unescape((await board(client, match, line=line)).text)
        offered = set(re.findall(r"line=([\d.-]+)\"", page))
        following = {
            f"{line}-{seat}.{action}".lstrip("-") for seat in there.waiting for action in there.legal_ids(seat)
        }
        assert following <= offered
        (seat,) = there.waiting
        there.play(seat, there.legal_ids(seat)[0])
        assert there.forced_action() is None
    assert (await ana.ask("GET", f"/matches/{match}")).json() == before


async def test_the_value_is_that_of_the_analysis(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    there = await position(ana, match)
    (seat,) = there.waiting
    action = there.legal_ids(seat)[0]
    params: dict[str, Any] = {"at": AT, "line": f"{seat}.{action}"}
    found = (await client.get(f"/m/{match}/what-if/value", params=params)).json()["values"]
    there.play(seat, action)
    expected = position_value(there.copy(), Viewpoint("open"), WORLDS)
    assert [one["text"] for one in found] == [f"{100 * value:.0f} %" for value in expected]
    assert [one["title"] for one in found] == ["Red", "Green"]


async def test_what_the_rules_forbid_is_refused(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    there = await position(ana, match)
    illegal = next(action for action in range(there.game.actions.size) if action not in there.legal_ids(0))
    assert (await board(client, match, line=f"0.{illegal}")).status_code == 422
    assert (await board(client, match, line="0.999999")).status_code == 400
    assert (await board(client, match, line="9.0")).status_code == 404
    for nonsense in ("x", "1", "0.1-", "-0.1", "-".join(["0.1"] * (LONGEST_LINE + 1))):
        assert (await board(client, match, line=nonsense)).status_code == 400, nonsense


async def test_a_running_match_has_none(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    for path in ("what-if", "what-if/value", "analysis", "verdict"):
        answer = await client.get(f"/m/{match}/{path}", headers=ana.headers)
        assert answer.status_code == 403, path


async def test_values_are_limited(settings: Settings) -> None:
    limits = dataclasses.replace(FREE, what_if=0.001, what_if_burst=1)
    async with client_of(make_app(dataclasses.replace(settings, limits=limits), all_games, find_game)) as client:
        _, match = await finished(client)
        path = f"/m/{match}/what-if/value"
        assert (await client.get(path, params={"at": AT})).status_code == 200
        assert (await client.get(path, params={"at": AT})).status_code == 429
