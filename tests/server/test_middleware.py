"""The door: who comes in from where, with how much, how often; and what every answer carries."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Limits, Settings
from tests.server.conftest import Guest, client_of
from tests.server.html_pages import Element, read

pytestmark = pytest.mark.anyio

FUZZ = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
HEADERS = {
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}


@pytest.fixture
async def ana(client: httpx.AsyncClient) -> Guest:
    return await Guest.come(client, "Ana")


def cookie_of(guest: Guest) -> dict[str, str]:
    return {"cookie": f"skerry={guest.headers['authorization'].split()[1]}"}


def well(answer: httpx.Response) -> httpx.Response:
    """No fault of ours, and nothing of our inside, whatever was asked."""
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text and "site-packages" not in answer.text and ".py" not in answer.text
    for name, value in HEADERS.items():
        assert answer.headers[name].startswith(value)
    return answer


# Where a request comes from


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
        assert well(refused).status_code == 403 and refused.json()["error"]["code"] == "other-origin", more
        for path in (f"/m/{match}/act", f"/m/{match}/sit", "/me", "/me/forget", "/play/hashi"):
            assert well(await client.post(path, headers=cookie_of(ana) | more)).status_code == 403, more
    assert (await ana.view(match))["seq"] == 0


async def test_our_own_pages_and_named_origins_may(settings: Settings) -> None:
    named = dataclasses.replace(settings, origins=("https://play.example.org",))
    async with client_of(make_app(named, all_games, find_game)) as client:
        ana = await Guest.come(client, "Ana")
        for more in (
            {"origin": "http://table"},
            {"origin": "https://play.example.org"},
            {"sec-fetch-site": "same-origin"},
            {"sec-fetch-site": "none"},
            {},
        ):
            answer = await client.post("/me", headers=cookie_of(ana) | more, data={"name": "Ana", "language": "en"})
            assert well(answer).status_code == 303, more
        away = await client.post("/me", headers=cookie_of(ana) | {"origin": "https://play.example.com"})
        assert well(away).status_code == 403


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", ""])
async def test_nobody_is_sent_to_another_site(client: httpx.AsyncClient, ana: Guest, back: str) -> None:
    answer = await client.post("/me", headers=cookie_of(ana), data={"name": "Ana", "back": back})
    assert well(answer).status_code == 303 and client.base_url.join(answer.headers["location"]).host == "table"


# Cookies


async def test_a_cookie_is_for_us_alone(settings: Settings) -> None:
    for secure in (False, True):
        async with client_of(make_app(dataclasses.replace(settings, secure=secure), all_games, find_game)) as client:
            answer = await client.post("/play/hashi")
            flags = answer.headers["set-cookie"].lower().split("; ")
            assert "httponly" in flags and "samesite=lax" in flags and "path=/" in flags
            assert ("secure" in flags) == secure and not any(flag.startswith("domain") for flag in flags)


async def test_a_mark_that_is_forged_or_cut_or_of_another_table_is_nobodys(
    client: httpx.AsyncClient, ana: Guest, tmp_path: Any
) -> None:
    token = ana.headers["authorization"].split()[1]
    elsewhere = Settings(data=tmp_path / "other", pace=0)
    async with client_of(make_app(elsewhere, all_games, find_game)) as other:
        foreign = (await Guest.come(other, "Eve")).headers["authorization"].split()[1]
    guest, _, mark = token.partition(".")
    last = mark[:-2] + ("A" if mark[-2] != "A" else "B") + mark[-1]
    forged = [foreign, token[:-1], guest, f"{guest}.", f"{guest}.{last}", f"x{token}", mark, "", ".", "a.b.c", "é" * 30]
    link = httpx.URL((await ana.ask("POST", "/me/link")).json()["link"]).path.rpartition("/")[2]
    for bad in [*forged, link]:
        if bad:
            told = await client.get("/api/v1/me", headers=[(b"authorization", f"Bearer {bad}".encode())])
            assert well(told).status_code == 401, bad
        page = await client.get("/", headers=[(b"cookie", f"skerry={bad}".encode())])
        assert well(page).status_code == 200 and "Ana" not in page.text
        if bad != link and "/" not in bad:
            entered = await client.post(f"/enter/{bad}")
            assert well(entered).status_code in (401, 404, 405) and "set-cookie" not in entered.headers
    assert (await client.post(f"/enter/{token}")).status_code == 401, "a cookie is not a link"


async def test_a_seats_invitation_is_for_that_seat_of_that_match(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "open", "open"], options={"players": 3}))["id"]
    other = (await ana.open("cartagena", ["me", "open", "open"], options={"players": 3}))["id"]
    page = (await client.get(f"/m/{match}", headers=cookie_of(ana))).text
    link = next(one for one in re.findall(r'value="http://table(/m/[^"]+/seat/1/[^"]+)"', page))
    assert (await client.get(link)).status_code == 200
    mark = link.rpartition("/")[2]
    bad = [f"/m/{match}/seat/2/{mark}", f"/m/{other}/seat/1/{mark}", f"/m/{match}/seat/1/{mark[:-1]}", link + "A"]
    bad += [f"/m/{match}/seat/{seat}/{mark}" for seat in ("-1", "99", "9" * 50, "9" * 5000, "x")]
    for path in bad:
        assert well(await client.get(path)).status_code in (403, 422), path
    spectator = await client.get(f"/m/{match}")
    assert mark not in spectator.text, "only the host hands out invitations"


async def test_ids_cannot_be_guessed(client: httpx.AsyncClient, ana: Guest) -> None:
    ids = [(await ana.open("hashi", ["me"], options={"players": 1}))["id"] for _ in range(20)]
    ids += [(await client.post("/api/v1/guests", json={"name": "Ana"})).json()["id"] for _ in range(20)]
    raw = b"".join(base64.urlsafe_b64decode(one + "==") for one in ids)
    assert len(raw) == 16 * len(ids) and len(set(ids)) == len(ids), "128 bits each"
    ones = sum(byte.bit_count() for byte in raw)
    assert abs(ones - 4 * len(raw)) < 6 * math.sqrt(2 * len(raw)), "half of the bits are ones"


# How much, how often


async def test_a_body_has_a_limit_with_and_without_a_length(client: httpx.AsyncClient, ana: Guest) -> None:
    async def drops(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1000):
            yield b"x" * 1000

    long = Limits().body_bytes + 2000
    for path, headers in (("/api/v1/matches", ana.headers), ("/new/hashi", {}), ("/me", {})):
        kind = {"content-type": "application/json"} if "api" in path else {}
        for content in (b"x" * long, drops(long)):
            answer = await client.post(path, content=content, headers=headers | kind)
            assert well(answer).status_code == 413 and answer.json()["error"]["code"] == "too-long", path
    for length in ("-1", "abc", "9" * 5000, "1e3", "+5"):
        answer = await client.post("/me", content=b"", headers={"content-length": length})
        assert well(answer).status_code == 413
    within = await client.post("/new/hashi", content=b"x" * (Limits().body_bytes - 10))
    assert within.status_code != 413


async def test_who_asks_too_often_is_told_when_to_come_back(settings: Settings) -> None:
    slow = Limits(requests=0.5, requests_burst=5, new_guests=0.5, new_guests_burst=8)
    async with client_of(make_app(dataclasses.replace(settings, limits=slow), all_games, find_game)) as client:
        ana = await Guest.come(client, "Ana")
        answers = [await ana.ask("GET", "/me") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 3
        assert well(answers[-1]).json()["error"]["message"].startswith("Too many requests")
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 3
        page = await client.get("/", headers=ana.headers)
        assert well(page).status_code == 429 and "retry-after" in page.headers and "<html" in page.text
        others = [await client.get("/api/v1/matches") for _ in range(6)]
        assert {200, 429} == {answer.status_code for answer in others}, "an address without a guest has its own bucket"


async def test_new_guests_of_one_address_are_limited(settings: Settings) -> None:
    few = Limits(new_guests=0.01, new_guests_burst=3)
    async with client_of(make_app(dataclasses.replace(settings, limits=few), all_games, find_game)) as client:
        answers = []
        for _ in range(5):
            answers.append(await client.post("/play/hashi"))
            client.cookies.clear()
        assert [answer.status_code for answer in answers] == [303] * 3 + [429] * 2
        assert (await client.post("/api/v1/guests", json={"name": "Ana"})).status_code == 429


async def test_a_guest_has_so_many_unfinished_matches(settings: Settings) -> None:
    few = dataclasses.replace(settings.limits, unfinished_matches=3)
    async with client_of(make_app(dataclasses.replace(settings, limits=few), all_games, find_game)) as client:
        ana, ben = await Guest.come(client, "Ana"), await Guest.come(client, "Ben")
        body = {"game": "hashi", "seats": ["me"], "options": {"players": 1}}
        answers = [await ana.ask("POST", "/matches", json=body) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 2
        assert well(answers[-1]).json()["error"]["message"].startswith("You have 3 unfinished matches")
        assert (await client.post("/play/hashi", headers=cookie_of(ana))).status_code == 429
        assert (await ben.ask("POST", "/matches", json=body)).status_code == 201


# What every answer carries


async def test_every_kind_of_answer_has_the_headers(client: httpx.AsyncClient, ana: Guest) -> None:
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
        answer = well(await client.request(method, path))
        statuses.add(answer.status_code)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert {200, 303, 401, 403, 404, 405, 422} & statuses >= {200, 303, 404, 405}


async def test_what_a_guest_sees_is_kept_by_nobody_between(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    for path in ("/", "/me", f"/m/{match}", f"/api/v1/matches/{match}/view?seat=0", f"/api/v1/matches/{match}/steps"):
        answer = await client.get(path, headers=ana.headers)
        assert answer.headers.get("cache-control") in ("no-store", "private, no-cache"), path


# No script and no style inside a page


def check_plain(page: Element, where: str) -> None:
    """What the policy would block must not be there: the page would be broken, not only unsafe."""
    for element in page:
        names = set(element.attributes)
        assert "style" not in names and element.tag != "style", where
        assert not [name for name in names if name.startswith("on")], where
        assert element.tag != "script" or (element.attributes["src"].startswith("/") and not element.children), where
        links = [element.attributes.get(name, "") for name in ("href", "src", "action", "formaction", "xlink:href")]
        assert not [link for link in links if link.strip().lower().startswith(("javascript:", "data:"))], where
        assert not [link for link in links if link.startswith(("http:", "https:", "//"))], where


@pytest.mark.parametrize("language", ["en", "es", "pt"])
async def test_no_page_has_a_script_or_a_style_inside(client: httpx.AsyncClient, language: str) -> None:
    ana = await Guest.come(client, "<b onclick=x>&\"'", language)
    paths = ["/", "/me", "/nowhere", "/m/none"]
    for game in all_games():
        match = await ana.open(game.name, ["me", "me"], options={"players": 2}, listed=True)
        for _ in range(6):
            standing = (await ana.ask("GET", f"/matches/{match['id']}")).json()
            await ana.play_first(match["id"], standing["waiting"][0])
        here = f"/m/{match['id']}"
        paths += [
            f"/new/{game.name}",
            f"/rules/{game.name}",
            here,
            f"{here}?seat=0",
            f"{here}?seat=1",
            f"{here}/replay",
        ]
    link = httpx.URL((await ana.ask("POST", "/me/link")).json()["link"]).path
    for path in [*paths, link]:
        for headers in ({"accept-language": language, **cookie_of(ana)}, {"accept-language": language}):
            page = await client.get(path, headers=headers)
            assert page.headers["content-type"].startswith("text/html"), path
            check_plain(read(page.text), path)
            assert f'lang="{language}"' in page.text


async def test_the_page_of_a_finished_match_and_its_replay_are_plain_too(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("hashi", ["me"], options={"players": 1}))["id"]
    for _ in range(2000):
        standing = (await ana.ask("GET", f"/matches/{match}")).json()
        if standing["result"] is not None:
            break
        await ana.play_first(match, standing["waiting"][0])
    for path in (
        f"/m/{match}",
        f"/m/{match}/replay",
        f"/m/{match}/replay?at=2&seat=0",
        f"/m/{match}/replay?at={10**30}",
    ):
        page = await client.get(path, headers=cookie_of(ana))
        assert page.status_code == 200, path
        check_plain(read(page.text), path)


# Whatever comes


ANY = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=60)
HEADER = st.binary(max_size=80).map(lambda value: value.translate(None, b"\r\n\0"))
PLACES = st.sampled_from(
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
async def any_client(database: str, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app(dataclasses.replace(settings, database=database), all_games, find_game)) as client:
        yield client


@FUZZ
@given(place=PLACES, text=ANY)
async def test_any_id_or_link_is_answered(any_client: httpx.AsyncClient, place: str, text: str) -> None:
    well(await any_client.get(place.format(quote(text, safe=""))))


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
    place=st.sampled_from([("GET", "/"), ("POST", "/me"), ("GET", "/static/match.js"), ("PATCH", "/api/v1/me")]),
)
async def test_any_header_is_answered(
    client: httpx.AsyncClient, name: str, start: bytes, value: bytes, place: tuple[str, str]
) -> None:
    request = client.build_request(*place, content=b"" if place[0] != "GET" else None)
    request.headers.pop(name, None)
    request.headers = httpx.Headers([*request.headers.raw, (name.encode(), start + value)])
    well(await client.send(request))


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
async def test_any_form_is_answered(any_client: httpx.AsyncClient, path: str, form: dict[str, str]) -> None:
    ana = await Guest.come(any_client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    well(await any_client.post(path.format(match), data=form, headers=cookie_of(ana)))


@FUZZ
@given(body=st.binary(max_size=200), kind=st.sampled_from(["application/json", "text/plain", ""]))
async def test_any_body_is_answered(client: httpx.AsyncClient, body: bytes, kind: str) -> None:
    for path in ("/api/v1/guests", "/api/v1/matches", "/me", "/new/hashi"):
        well(await client.post(path, content=body, headers={"content-type": kind}))


async def test_a_key_that_a_database_cannot_hold_is_refused_alone(any_client: httpx.AsyncClient) -> None:
    ana = await Guest.come(any_client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    seat = (await ana.view(match))["waiting"][0]
    action = (await ana.view(match, seat))["legal"][0]["action"]
    for key in ("\0", "a\0b", "\ud800", "\n", "x" * 65, ""):
        body = json.dumps({"seat": seat, "action": action, "seq": 0, "key": key})
        headers = ana.headers | {"content-type": "application/json"}
        answer = await any_client.post(f"/api/v1/matches/{match}/actions", content=body, headers=headers)
        assert well(answer).status_code in (400, 422), key
    assert (await ana.act(match, seat, action, 0, key="ключ 1")).status_code == 200
