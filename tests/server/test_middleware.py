"""The middleware: requests from other sites, body limits, and the headers of every response."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Limits, Settings
from tests.server.conftest import Guest, client_of
from tests.server.responses import check_response, cookie_of

pytestmark = pytest.mark.anyio


# Requests from other sites

FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://["},
    {"origin": "http://table.evil.example"},
    {"origin": "http://evil.example/table"},
    {"origin": "http://table:81"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


async def test_a_page_of_another_site_cannot_act_with_a_guests_cookie(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    seat = (await ana.view(match))["waiting"][0]
    action = (await ana.view(match, seat))["legal"][0]["action"]
    body = {"seat": seat, "action": action, "seq": 0}
    for more in FOREIGN:
        refused = await client.post(f"/api/v1/matches/{match}/actions", json=body, headers=cookie_of(ana) | more)
        assert check_response(refused).status_code == 403 and refused.json()["error"]["code"] == "other-origin", more
        for path in (f"/m/{match}/act", f"/m/{match}/sit", "/me", "/me/forget", "/play/hashi"):
            assert check_response(await client.post(path, headers=cookie_of(ana) | more)).status_code == 403, more
    assert (await ana.view(match))["seq"] == 0


async def test_own_pages_and_configured_origins_can_act(settings: Settings) -> None:
    named = dataclasses.replace(settings, origins=("https://play.example.org",))
    async with client_of(make_app(named, all_games, find_game)) as client:
        ana = await Guest.register(client, "Ana")
        for more in (
            {"origin": "http://table"},
            {"origin": "https://play.example.org"},
            {"sec-fetch-site": "same-origin"},
            {"sec-fetch-site": "none"},
            {},
        ):
            answer = await client.post("/me", headers=cookie_of(ana) | more, data={"name": "Ana", "language": "en"})
            assert check_response(answer).status_code == 303, more
        away = await client.post("/me", headers=cookie_of(ana) | {"origin": "https://play.example.com"})
        assert check_response(away).status_code == 403


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", ""])
async def test_redirects_stay_on_this_site(client: httpx.AsyncClient, ana: Guest, back: str) -> None:
    answer = await client.post("/me", headers=cookie_of(ana), data={"name": "Ana", "back": back})
    assert (
        check_response(answer).status_code == 303 and client.base_url.join(answer.headers["location"]).host == "table"
    )


# Body limits


async def test_the_body_is_limited_with_and_without_a_content_length(client: httpx.AsyncClient, ana: Guest) -> None:
    async def chunks(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1000):
            yield b"x" * 1000

    long = Limits().body_bytes + 2000
    for path, headers in (("/api/v1/matches", ana.headers), ("/new/hashi", {}), ("/me", {})):
        kind = {"content-type": "application/json"} if "api" in path else {}
        for content in (b"x" * long, chunks(long)):
            answer = await client.post(path, content=content, headers=headers | kind)
            assert check_response(answer).status_code == 413 and answer.json()["error"]["code"] == "too-long", path
    for length in ("-1", "abc", "9" * 5000, "1e3", "+5"):
        answer = await client.post("/me", content=b"", headers={"content-length": length})
        assert check_response(answer).status_code == 413
    within = await client.post("/new/hashi", content=b"x" * (Limits().body_bytes - 10))
    assert within.status_code != 413


# Headers


async def test_every_kind_of_response_has_the_security_headers(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    statuses = set()
    for method, path in [
        ("GET", "/"),
        ("GET", f"/m/{match}"),
        ("GET", f"/m/{match}/replay"),
        ("GET", f"/api/v1/matches/{match}/stream?since=0"),
        ("GET", f"/api/v1/matches/{match}/view"),
        ("GET", "/static/match.js"),
        ("GET", "/static/none.js"),
        ("GET", "/games/hashi/style.css"),
        ("GET", "/api/v1/openapi.json"),
        ("GET", "/healthz"),
        ("GET", "/metrics"),
        ("GET", "/nowhere"),
        ("PUT", "/"),
        ("POST", "/play/hashi"),
        ("POST", "/api/v1/matches"),
        ("HEAD", "/"),
    ]:
        answer = check_response(await client.request(method, path))
        statuses.add(answer.status_code)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert {200, 303, 401, 403, 404, 405, 422} & statuses >= {200, 303, 404, 405}


async def test_personal_responses_are_not_kept_by_shared_caches(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    for path in ("/", "/me", f"/m/{match}", f"/api/v1/matches/{match}/view?seat=0", f"/api/v1/matches/{match}/steps"):
        answer = await client.get(path, headers=ana.headers)
        assert answer.headers.get("cache-control") in ("no-store", "private, no-cache"), path


# Clients that leave


async def test_a_client_that_leaves_before_its_request_is_read_is_no_fault(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        headers = {"content-type": "application/json", "content-length": "60", **ana.headers}
        statuses = []

        async def receive() -> dict[str, str]:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            statuses.append(message.get("status"))

        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/api/v1/matches/{match}/actions",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "query_string": b"",
        }
        await app(scope, receive, send)
    assert statuses[0] == 499 and not caplog.records
