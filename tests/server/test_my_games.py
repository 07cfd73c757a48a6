"""My games: history, archive, deletion, statistics and export, on both kinds of databases."""

from __future__ import annotations

import dataclasses
import datetime
import json
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy import event

from skerry.engine.i18n.translations import translations
from skerry.games import all_games, find_game
from skerry.server.history import PAGE, HistoryEntry, entry_of, statistics_of
from skerry.server.match_session import SeatHolder
from skerry.server.match_summaries import MatchSummary
from skerry.server.middleware import RequestMiddleware
from skerry.server.outcomes import Outcome
from skerry.server.schema import matches, shelf
from skerry.server.services import Services
from tests.server.conftest import Guest
from tests.server.test_challenges import ON_BOTH_DATABASES, finish
from tests.server.test_challenges import app as app
from tests.server.test_challenges import client as client
from tests.server.test_challenges import services as services

pytestmark = pytest.mark.anyio


async def page(guest: Guest, path: str) -> str:
    answer = await guest.client.get(path, headers={"cookie": f"skerry={guest.token}"})
    assert answer.status_code == 200, answer.text
    return answer.text


async def change(guest: Guest, match: str, action: str) -> httpx.Response:
    headers = {"cookie": f"skerry={guest.token}"}
    return await guest.client.post(f"/me/games/{match}", data={"do": action}, headers=headers)


# History


@ON_BOTH_DATABASES
async def test_the_history_is_read_by_a_few_statements_and_opens_no_session(
    app: RequestMiddleware, client: httpx.AsyncClient, services: Services
) -> None:
    ana = await Guest.register(client, "Ana")
    games = all_games()
    opened = [await ana.open(games[n % 4].name, ["me", "me"], options={"players": 2}) for n in range(PAGE + 4)]
    ids = [match["id"] for match in opened]
    for match in ids:
        services.sessions.forget(match)
    statements: list[str] = []
    event.listen(
        services.store.database.engine.sync_engine,
        "before_cursor_execute",
        lambda connection, cursor, statement, *more: statements.append(statement),
    )
    for path in ("/me/games", "/me/games?page=2", "/me/statistics", "/me/export"):
        statements.clear()
        await page(ana, path)
        assert len(statements) <= 6, (path, statements)
    text = await page(ana, "/me/games") + await page(ana, "/me/games?page=2")
    assert all(f'href="/m/{match}"' in text for match in ids)
    assert not set(ids) & set(services.sessions.in_memory)


async def test_the_history_is_filtered_by_game_result_partner_and_text(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    solo = str((await ana.open("hashi", ["me"], options={"players": 1}))["id"])
    shared = str((await ana.open("cartagena", ["me", "open"], options={"players": 2}))["id"])
    await ben.sit(shared, 1)
    await finish(ana, solo)
    ben_id = (await ben.ask("GET", "/me")).json()["id"]
    for query, expected in (
        ("game=hashi", {solo}),
        ("result=points", {solo}),
        ("result=running", {shared}),
        (f"partner={ben_id}", {shared}),
        ("text=BEN", {shared}),
        ("text=nobody", set()),
        ("archived=true", set()),
    ):
        text = await page(ana, f"/me/games?{query}")
        assert {match for match in (solo, shared) if f'href="/m/{match}"' in text} == expected, query
    assert "points" in await page(ana, "/me/games?game=hashi")


async def test_an_archived_match_is_off_the_lists_until_it_is_restored(client: httpx.AsyncClient) -> None:
    ana, eve = await Guest.register(client, "Ana"), await Guest.register(client, "Eve")
    match = (await ana.open("hashi", ["me"], options={"players": 1}))["id"]
    link = f'href="/m/{match}"'
    assert (await change(eve, match, "archive")).status_code == 404
    assert (await change(ana, match, "archive")).status_code == 303
    assert link not in await page(ana, "/me/games") and link not in await page(ana, "/")
    assert link in await page(ana, "/me/games?archived=true")
    assert (await ana.ask("GET", "/matches?mine=true")).json() == []
    await change(ana, match, "unarchive")
    assert link in await page(ana, "/me/games") and link in await page(ana, "/")


@ON_BOTH_DATABASES
async def test_deleting_removes_what_nobody_else_has_and_hides_the_rest(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    alone = str((await ana.open("hashi", ["me"], options={"players": 1}))["id"])
    shared = str((await ana.open("hashi", ["me", "open"], options={"players": 2}))["id"])
    await ben.sit(shared, 1)
    assert (await change(ana, shared, "delete")).status_code == 409, "Ben still plays"
    await ben.sit(shared, 1, "random")
    await finish(ana, shared)
    assert (await change(ben, alone, "delete")).status_code == 404
    assert "Others have played" in await page(ana, f"/me/games/{shared}/delete")
    for match in (alone, shared):
        assert (await change(ana, match, "delete")).status_code == 303
    assert not [match for match in (alone, shared) if match in await page(ana, "/me/games")]
    assert (await ana.ask("GET", f"/matches/{alone}")).status_code == 404
    assert f'href="/m/{shared}"' in await page(ben, "/me/games")
    kept = await services.store.database.all(sa.select(matches.c.id))
    assert [row.id for row in kept] == [shared]


@ON_BOTH_DATABASES
async def test_the_export_has_everything_and_forgetting_deletes_it(
    client: httpx.AsyncClient, services: Services
) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("cartagena", ["me", "open"], options={"players": 2}))["id"]
    await ben.sit(match, 1)
    await change(ana, match, "archive")
    challenge = (await ana.ask("POST", "/challenges", json={"game": "hashi"})).json()["id"]
    exported = (await ana.ask("GET", "/me/export")).json()
    assert exported["guest"]["name"] == "Ana"
    (one,) = exported["matches"]
    assert (one["id"], one["people"], one["outcome"], one["result"]) == (match, ["Ben"], "running", None)
    assert one["archived"] and [entry["id"] for entry in exported["challenges"]] == [challenge]
    assert json.loads(await page(ana, "/me/export")) == exported
    assert (await ana.ask("DELETE", "/me")).status_code == 204
    assert await services.store.database.all(sa.select(shelf)) == []
    assert (await ben.ask("GET", f"/matches/{match}")).status_code == 200


# Statistics


def entry(number: int, won: bool, people: tuple[str, ...], difficulty: str = "novice") -> HistoryEntry:
    """A finished co-operative game of "ana" with others."""
    header = SimpleNamespace(
        id=str(number),
        game="forbidden-island",
        options=json.dumps({"difficulty": difficulty}),
        ended="over",
        result=json.dumps({"winners": [], "scores": [0.0, 0.0], "won": won}),
        at=datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC).timestamp() - number,
    )
    holders = [SeatHolder(guest, None, guest.title()) for guest in ("ana", *people)]
    seats = (*holders, SeatHolder(bot="random"))
    return entry_of(MatchSummary(header, seats, find_game("forbidden-island"), None), "ana", None)


def tallies(rows: list[Any]) -> list[tuple[str, int, int]]:
    return [(row.title, row.games, row.won) for row in rows]


def test_statistics_add_up_by_game_difficulty_role_partner_and_group() -> None:
    entries = [
        *(entry(number, True, ("bia",)) for number in range(3)),
        entry(3, False, ("bia",), "elite"),
        *(entry(number, number == 4, ("bia", "carl")) for number in (4, 5)),
    ]
    roles = {str(number): ("Engineer" if number < 3 else "Pilot",) for number in range(6)}
    texts = translations("en", "skerry.server", "skerry.engine.i18n")
    found = statistics_of(entries, roles, texts, datetime.date(2026, 11, 20))
    assert (found.total.games, found.total.won, found.total.lost, found.total.rate) == (6, 4, 2, 67)
    assert (found.streak, found.longest_streak) == (3, 3)
    assert tallies(found.by_difficulty)[1] == ("Forbidden Island · Elite", 1, 0)
    assert tallies(found.by_players) == [("3", 4, 3), ("4", 2, 1)]
    assert tallies(found.by_partner) == [("Bia", 6, 4), ("Carl", 2, 1)]
    assert tallies(found.by_role)[0] == ("Engineer · Forbidden Island", 3, 3)
    pair, trio = found.groups
    assert (pair.title, pair.games, pair.unbeaten) == ("Bia", 4, ["Engineer"])
    assert (trio.title, trio.games, trio.unbeaten) == ("Bia\nCarl", 2, [])
    assert [month.tally.games for month in found.months][-1] + found.months[-2].tally.games == 6


def test_a_group_is_the_same_people_whoever_sits_where() -> None:
    first = entry(0, True, ("bia", "carl"))
    seats = first.summary.seats
    other = dataclasses.replace(first.summary, seats=(seats[2], seats[0], seats[1], seats[3]))
    texts = translations("en", "skerry.server", "skerry.engine.i18n")
    entries = [first, entry_of(other, "ana", None)]
    (group,) = statistics_of(entries, {}, texts, datetime.date(2026, 11, 20)).groups
    assert group.games == 2


def test_a_game_that_one_plays_alone_has_points() -> None:
    header = SimpleNamespace(ended="ranked", result=json.dumps({"winners": [0], "scores": [41.0], "won": False}))
    summary = MatchSummary(header, (SeatHolder("ana", None, "Ana"),), find_game("hashi"), None)
    found = entry_of(summary, "ana", None)
    assert (found.outcome, found.points) == (Outcome.POINTS, 41.0)
