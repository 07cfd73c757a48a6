"""Challenges: the same deal for several groups, shown to each only after its own game; one try counts."""

from __future__ import annotations

import asyncio
import datetime
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest
import sqlalchemy as sa

import skerry
from skerry.games import all_games, find_game
from skerry.server import challenges
from skerry.server.app import make_app, services_in
from skerry.server.errors import Conflict
from skerry.server.middleware import RequestMiddleware
from skerry.server.schema import challenge_guests, matches
from skerry.server.schema import challenges as challenge_table
from skerry.server.services import Services
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of, empty_database
from tests.server.secrecy.routes import routes_of
from tests.server.server_main import FREE
from tests.server.waiting import until

pytestmark = pytest.mark.anyio

SOLO: dict[str, Any] = {"game": "hashi", "options": {"players": 1}}
TAKES_A_SEAT = ("/m/{match}/sit", "/api/v1/matches/{match}/seats/{seat}")  # which shows nothing of the deal
API_BODIES: dict[str, dict[str, Any]] = {
    "actions": {"seat": 0, "action": "end", "seq": 0},
    "undo": {"seat": 0, "seq": 0},
    "advice": {"seat": 0},
    "time": {"seat": 0, "wait": True},
}
FORM = {"seat": 0, "action": "end", "seq": 0, "at": 0, "do": "delete"}


ON_BOTH_DATABASES = pytest.mark.parametrize("app", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RequestMiddleware]:
    for database in empty_database(getattr(request, "param", "sqlite"), tmp_path / "table.db"):
        yield make_app(Settings(database=database, pace=0, limits=FREE), all_games, find_game)


@pytest.fixture
async def client(app: RequestMiddleware) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as client:
        yield client


@pytest.fixture
def services(app: RequestMiddleware) -> Services:
    return services_in(app)


async def make(guest: Guest, **body: Any) -> dict[str, Any]:
    answer = await guest.ask("POST", "/challenges", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def begin(guest: Guest, challenge: str, *seats: str) -> str:
    answer = await guest.ask("POST", f"/challenges/{challenge}/matches", json={"seats": list(seats) or ["me"]})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def finish(guest: Guest, match: str, *seats: int) -> None:
    """Let a bot play the guest's seats to the end."""
    for seat in seats or (0,):
        assert (await guest.sit(match, seat, "random")).status_code == 200

    async def is_over() -> bool:
        return bool((await guest.ask("GET", f"/matches/{match}")).json()["result"])

    await until(is_over)


async def board(guest: Guest, challenge: str) -> list[dict[str, Any]] | None:
    found: list[dict[str, Any]] | None = (await guest.ask("GET", f"/challenges/{challenge}")).json()["results"]
    return found


async def seed_of(services: Services, challenge: str) -> str:
    row = await services.challenges.store.get(challenge)
    assert row is not None
    return str(row.seed)


# Secrecy


async def test_no_route_shows_a_match_of_a_challenge_before_the_own_game_is_over(
    app: RequestMiddleware, client: httpx.AsyncClient, services: Services
) -> None:
    """Every route about a match is asked, of a running and of a finished one, by a stranger, a guest and a guest who is
    playing the same deal at another table."""
    ana, ben, eve = [await Guest.register(client, name) for name in ("Ana", "Ben", "Eve")]
    challenge = (await make(ana, **SOLO))["id"]
    over = await begin(ana, challenge)
    await finish(ana, over)
    running = await begin(ana, challenge)
    await begin(ben, challenge)
    seed = await seed_of(services, challenge)
    headers: tuple[dict[str, str], ...] = ({}, eve.headers, ben.headers)
    asked = [(method, path) for method, path in routes_of(app) if "{match}" in path and path not in TAKES_A_SEAT]
    assert len(asked) > 15
    for match in (over, running):
        for method, path in asked:
            for who in headers:
                client.cookies.clear()
                if who and not path.startswith("/api/"):
                    client.cookies.set("skerry", who["authorization"].split()[1])
                filled = path.replace("{match}", match).replace("{seat}", "0").replace("{token}", "none")
                body = API_BODIES.get(path.rpartition("/")[2], {}) if path.startswith("/api/") else FORM
                more: dict[str, Any] = {}
                if method != "GET":
                    more = {"json": body} if path.startswith("/api/") else {"data": body}
                query = {"at": 0, "was": 0}
                answer = await client.request(method, filled, headers=who, params=query, **more)
                assert answer.status_code in (401, 403, 404), (method, path, answer.status_code)
                for secret in (seed, f"{int(seed):x}", "board-svg", '"view"'):
                    assert secret not in answer.text, (method, path)
    assert await board(ben, challenge) is None and await board(eve, challenge) is None


async def test_the_seed_is_in_no_answer_about_a_challenge(client: httpx.AsyncClient, services: Services) -> None:
    ana = await Guest.register(client, "Ana")
    challenge = (await make(ana, **SOLO))["id"]
    match = await begin(ana, challenge)
    client.cookies.set("skerry", ana.token)
    paths = (f"/c/{challenge}", "/daily", "/me/games", "/me/export", "/me/statistics", "/", f"/m/{match}")
    api = (f"/api/v1/challenges/{challenge}", "/api/v1/me/export", "/api/v1/matches?mine=true")
    received = [(await client.get(path, headers=ana.headers)).text for path in (*paths, *api)]
    seed = await seed_of(services, challenge)
    assert all(len(text) > 100 for text in received)
    assert not [text for text in received if seed in text or f"{int(seed):x}" in text]


async def test_roles_are_hidden_from_invited_people_until_they_sit_down(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    options = {"players": 2, "roles": "pilot,diver"}
    challenge = (await make(ana, game="forbidden-island", options=options))["id"]
    match = await begin(ana, challenge, "me", "open")
    client.cookies.set("skerry", ana.token)
    page = (await client.get(f"/m/{match}/invite")).text
    (link,) = re.findall(rf'value="(http://table/m/{match}/seat/1/[^"]+)"', page)
    client.cookies.clear()
    client.cookies.set("skerry", ben.token)
    for path in (link, f"/m/{match}"):
        text = (await client.get(path)).text
        assert "Sit down" in text and "Diver" not in text
    assert (await client.post(f"/m/{match}/sit", data={"seat": "1"})).status_code == 303
    assert "Diver" in (await client.get(f"/m/{match}")).text


async def test_what_is_continued_from_the_replay_belongs_to_the_challenge_too(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = str((await ana.open("hashi", ["me"], options={"players": 1}))["id"])
    await finish(ana, match)
    client.cookies.set("skerry", ana.token)
    for _ in range(2):  # before there is a challenge, and afterwards
        opened = await client.post(f"/m/{match}/play-on", data={"at": "2", "seat": "0"})
        continued = opened.headers["location"].removeprefix("/m/")
        challenge = (await make(ana, match=match))["id"]
        for hidden in (match, continued):
            refused = await ben.ask("GET", f"/matches/{hidden}/view")
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "deal-hidden")
    results = await board(ana, challenge)
    assert results is not None and [result["match"] for result in results] == [match]


# Playing


@ON_BOTH_DATABASES
async def test_two_groups_get_the_same_deal_and_see_each_other_after_their_games(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    options = {"players": 2, "difficulty": "legendary"}
    mine = str((await ana.open("forbidden-island", ["me", "random"], options=options))["id"])
    assert (await ana.ask("POST", "/challenges", json={"match": mine})).status_code == 403, "it is not over"
    await finish(ana, mine)
    assert (await ben.ask("POST", "/challenges", json={"match": mine})).status_code == 403, "it is not Ben's"
    challenge = (await make(ana, match=mine))["id"]
    assert (await make(ana, match=mine))["id"] == challenge
    theirs = await begin(ben, challenge, "me", "random")
    assert await begin(ben, challenge) == theirs, "the same table, not another try"
    states = await services.store.first_states([mine, theirs])
    assert states[mine] == states[theirs]
    await finish(ben, theirs)
    results = await board(ben, challenge)
    assert results is not None and {result["match"] for result in results} == {mine, theirs}
    assert all(result["first_try"] for result in results)
    for guest, match in ((ben, mine), (ana, theirs)):
        assert (await guest.ask("GET", f"/matches/{match}/record")).status_code == 200
    again = str((await ben.ask("POST", f"/matches/{theirs}/rematch")).json()["id"])
    assert (await services.store.first_states([again]))[again] != states[theirs], "a rematch is dealt anew"


async def test_only_the_first_of_two_tries_is_ranked(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    challenge = (await make(ana, **SOLO))["id"]
    tables = {await begin(ana, challenge) for _ in range(2)}
    both = await asyncio.gather(begin(ana, challenge), begin(ana, challenge))
    assert tables == set(both)
    (first,) = tables
    await finish(ana, first)
    second = await begin(ana, challenge)
    await finish(ana, second)
    results = await board(ana, challenge)
    assert results is not None
    assert [(result["match"], result["first_try"]) for result in results] == [(first, True), (second, False)]


@ON_BOTH_DATABASES
async def test_requests_at_the_same_moment_are_not_two_first_tries(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana = await Guest.register(client, "Ana")
    challenge = (await make(ana, **SOLO))["id"]
    await asyncio.gather(*(begin(ana, challenge) for _ in range(4)))
    query = sa.select(matches.c.known).where(matches.c.challenge == challenge)
    assert sum(not row.known for row in await services.store.database.all(query)) == 1


@ON_BOTH_DATABASES
async def test_whoever_has_been_at_another_table_with_the_deal_is_not_ranked(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    challenge = (await make(ana, game="hashi", options={"players": 2}))["id"]
    first = await begin(ana, challenge, "me", "open")
    second = await begin(ben, challenge, "me", "open")
    assert (await ana.sit(second, 1)).status_code == 409, "while she plays it elsewhere"
    await ana.sit(first, 0, "open")
    assert (await ana.sit(second, 1)).status_code == 200
    await ana.sit(second, 1, "open")
    await ana.sit(first, 0)
    query = sa.select(matches.c.id, matches.c.known)
    known = {row.id: bool(row.known) for row in await services.store.database.all(query)}
    assert known == {first: True, second: True}


async def test_a_try_that_could_not_begin_does_not_count(client: httpx.AsyncClient, services: Services) -> None:
    ana = await Guest.register(client, "Ana")
    challenge = (await make(ana, **SOLO))["id"]
    with mock.patch.object(services.matches, "create", side_effect=Conflict("no")):
        refused = await ana.ask("POST", f"/challenges/{challenge}/matches", json={"seats": ["me"]})
    assert refused.status_code == 409
    assert await services.store.database.all(sa.select(challenge_guests)) == []


async def test_a_challenge_of_other_rules_shows_its_results_and_cannot_be_begun(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana = await Guest.register(client, "Ana")
    challenge = (await make(ana, **SOLO))["id"]
    await finish(ana, await begin(ana, challenge))
    await services.store.database.execute(sa.update(challenge_table).values(version=99))
    assert (await ana.ask("POST", f"/challenges/{challenge}/matches", json={})).status_code == 409
    assert await board(ana, challenge)


@ON_BOTH_DATABASES
async def test_a_forgotten_guest_leaves_results_without_a_name(client: httpx.AsyncClient, services: Services) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    challenge = (await make(ana, game="hashi", options={"players": 2}))["id"]
    match = await begin(ana, challenge, "me", "open")
    await ben.sit(match, 1)
    for guest, seat in ((ana, 0), (ben, 1)):
        await guest.sit(match, seat, "random")
    await finish(ana, match, 0)
    assert (await ana.ask("DELETE", "/me")).status_code == 204
    results = await board(ben, challenge)
    assert results is not None and [result["names"] for result in results] == [[None, "Ben"]]
    noted = await services.store.database.all(sa.select(challenge_guests.c.guest))
    assert [row.guest for row in noted] == [(await ben.ask("GET", "/me")).json()["id"]]
    assert (await services.challenges.get(challenge)).owner is None


# The deal of the day


async def test_the_deal_of_the_day_depends_on_the_secret_the_day_and_the_difficulty(services: Services) -> None:
    island, day = find_game("forbidden-island"), datetime.date(2026, 11, 20)
    levels = challenges.levels_of(island)
    assert levels == ("novice", "normal", "elite")
    seeds = set()
    for secret in ("a", "b"):
        services.challenges.secret = secret
        for number in range(2):
            for level in levels:
                _, seed = services.challenges._deal_of_day(island, day + datetime.timedelta(days=number), level)
                seeds.add(seed)
    assert len(seeds) == 12


async def test_everybody_gets_the_same_deal_of_the_day(client: httpx.AsyncClient, services: Services) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    for game in all_games():
        level = challenges.levels_of(game)[-1]
        days = [await make(guest, game=game.name, day="today", level=level) for guest in (ana, ben)]
        assert days[0]["id"] == days[1]["id"]
        tables = [await begin(guest, days[0]["id"], "me") for guest in (ana, ben)]
        states = await services.store.first_states(tables)
        assert len(set(states.values())) == 1
    puzzle = skerry.daily()
    assert states[tables[0]] == puzzle.content, "Hashi's is the same on every server"


async def test_days_to_come_and_unknown_difficulties_are_refused(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    tomorrow = (challenges.today() + datetime.timedelta(days=1)).isoformat()
    wrong = ({"day": tomorrow}, {"day": "2001-01-01"}, {"day": "x"}, {"day": "today", "level": "legendary"})
    for body in wrong:
        answer = await ana.ask("POST", "/challenges", json={"game": "forbidden-island", **body})
        assert answer.status_code == 400, body


def test_a_streak_counts_the_days_up_to_today_or_yesterday() -> None:
    today = datetime.date(2026, 11, 20)
    days = [today - datetime.timedelta(days=number) for number in (0, 1, 2, 4)]
    assert challenges.streak(days, today) == 3
    assert challenges.streak(days[1:], today) == 2
    assert challenges.streak(days[2:], today) == 0


async def test_the_shared_line_tells_the_result_and_the_streak(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    client.cookies.set("skerry", ana.token)
    challenge = (await make(ana, game="forbidden-island", day="today", level="normal"))["id"]
    assert "Skerry · " not in (await client.get(f"/c/{challenge}")).text.partition("<h1>")[2]
    await finish(ana, await begin(ana, challenge, "me", "random"))
    page = (await client.get(f"/c/{challenge}")).text
    (line,) = re.findall(r'value="(Skerry · [^"]+)"', page)
    today = challenges.today()
    assert re.fullmatch(rf"Skerry · Forbidden Island · {today.day} \w+ · Normal · (won|lost), water level \d+", line)
