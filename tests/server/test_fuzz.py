"""Fuzzing: whatever is requested, the server answers without a fault."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.responses import check_response, cookie_of

pytestmark = pytest.mark.anyio


FUZZ = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
ANY = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=60)
HEADER = st.binary(max_size=80).map(lambda value: value.translate(None, b"\r\n\0"))
PATHS = st.sampled_from(
    [
        "/m/{}",
        "/m/{}/replay",
        "/m/{}/seat/0/x",
        "/m/x/seat/{}/x",
        "/m/x/seat/0/{}",
        "/enter/{}",
        "/new/{}",
        "/rules/{}",
        "/games/{}/style.css",
        "/static/{}",
        "/{}",
        "/m/x?seat={}",
        "/api/v1/games/{}",
        "/api/v1/games/{}/rules",
        "/api/v1/matches/{}",
        "/api/v1/matches/{}/view",
        "/api/v1/matches/{}/stream",
        "/api/v1/matches/{}/record",
        "/api/v1/matches/{}/steps?since=0",
        "/api/v1/matches/x/steps?since={}",
    ]
)


@pytest.fixture
async def client_of_each_store(database: str, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app(dataclasses.replace(settings, database=database), all_games, find_game)) as client:
        yield client


@FUZZ
@given(path=PATHS, text=ANY)
async def test_any_id_or_link_is_answered(client_of_each_store: httpx.AsyncClient, path: str, text: str) -> None:
    check_response(await client_of_each_store.get(path.format(quote(text, safe=""))))


@FUZZ
@given(
    name=st.sampled_from(
        [
            "cookie",
            "authorization",
            "accept-language",
            "origin",
            "host",
            "content-length",
            "sec-fetch-site",
            "last-event-id",
            "content-type",
            "accept",
            "forwarded",
            "x-forwarded-for",
            "range",
            "if-none-match",
        ]
    ),
    start=st.sampled_from([b"", b"skerry=", b"Bearer ", b"http://", b"bytes=", b"en;q="]),
    value=HEADER,
    path=st.sampled_from([("GET", "/"), ("POST", "/me"), ("GET", "/static/match.js"), ("PATCH", "/api/v1/me")]),
)
async def test_any_header_is_answered(
    client: httpx.AsyncClient, name: str, start: bytes, value: bytes, path: tuple[str, str]
) -> None:
    request = client.build_request(*path, content=b"" if path[0] != "GET" else None)
    request.headers.pop(name, None)
    request.headers = httpx.Headers([*request.headers.raw, (name.encode(), start + value)])
    check_response(await client.send(request))


@FUZZ
@given(
    path=st.sampled_from(["/me", "/new/cartagena", "/new/hashi", "/m/{}/act", "/m/{}/sit", "/m/{}/rematch"]),
    form=st.dictionaries(
        st.sampled_from(["seat", "seq", "action", "undo", "who", "name", "language", "back", "clock", "listed"])
        | st.sampled_from(["option-players", "option-seed", "option-board", "option-set", "seat-0", "seat-1"])
        | ANY,
        ANY | st.sampled_from(["0", "1", "me", "open", "random", "9" * 20, "9" * 5000, "-1", "\0", "٣"]),
        max_size=6,
    ),
)
async def test_any_form_is_answered(client_of_each_store: httpx.AsyncClient, path: str, form: dict[str, str]) -> None:
    ana = await Guest.register(client_of_each_store, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    check_response(await client_of_each_store.post(path.format(match), data=form, headers=cookie_of(ana)))


@FUZZ
@given(body=st.binary(max_size=200), kind=st.sampled_from(["application/json", "text/plain", ""]))
async def test_any_body_is_answered(client: httpx.AsyncClient, body: bytes, kind: str) -> None:
    for path in ("/api/v1/guests", "/api/v1/matches", "/me", "/new/hashi"):
        check_response(await client.post(path, content=body, headers={"content-type": kind}))


async def test_a_key_that_a_database_cannot_store_is_refused(client_of_each_store: httpx.AsyncClient) -> None:
    ana = await Guest.register(client_of_each_store, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    seat = (await ana.view(match))["waiting"][0]
    action = (await ana.view(match, seat))["legal"][0]["action"]
    for key in ("\0", "a\0b", "\ud800", "\n", "x" * 65, ""):
        body = json.dumps({"seat": seat, "action": action, "seq": 0, "key": key})
        headers = ana.headers | {"content-type": "application/json"}
        answer = await client_of_each_store.post(f"/api/v1/matches/{match}/actions", content=body, headers=headers)
        assert check_response(answer).status_code in (400, 422), key
    assert (await ana.act(match, seat, action, 0, key="ключ 1")).status_code == 200
