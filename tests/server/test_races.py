"""Concurrency: of two actions with the same number exactly one is played, and a page misses nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.settings import Settings
from skerry.server.store import Row
from tests.server import backing_services
from tests.server.conftest import Guest, client_of
from tests.server.event_streams import OpenPage
from tests.server.server_processes import ServerProcess, connect, running

pytestmark = pytest.mark.anyio


async def race(one: ServerProcess, other: ServerProcess, rounds: int) -> None:
    async with connect(one) as first, connect(other) as second:
        ana = await Guest.register(first, "Ana")
        same = Guest(second, "Ana", ana.headers["authorization"].split()[1])  # at another process
        winner, winners, matches = ana, set[Guest](), list[str]()
        for number in range(rounds):
            if not number or (await winner.view(matches[-1]))["result"]:
                matches.append((await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"])
                winner = ana
            # The winner's process is up to date; the other one learns of the new step from the number it is given.
            seat = (await winner.view(matches[-1]))["waiting"][0]
            view = await winner.view(matches[-1], seat)
            racers = [ana, same] if number % 2 else [same, ana]
            acts = (
                who.act(matches[-1], seat, view["legal"][-n]["action"], view["seq"]) for n, who in enumerate(racers)
            )
            answers = sorted(zip(await asyncio.gather(*acts), racers, strict=True), key=lambda one: one[0].status_code)
            (won, winner), (lost, _) = answers
            assert (won.status_code, lost.status_code) == (200, 409), (won.text, lost.text)
            assert won.json()["seq"] == view["seq"] + 1
            assert lost.json()["error"]["code"] == "stale" and lost.json()["error"]["seq"] > view["seq"]
            winners.add(winner)
        assert len(winners) == 2, "one of the processes never wins"
        for match in matches:
            steps = (await winner.ask("GET", f"/matches/{match}/steps", params={"seat": 0})).json()
            assert [step["seq"] for step in steps] == list(range(1, len(steps) + 1))


@pytest.mark.parametrize("rounds", [25, pytest.param(1000, marks=pytest.mark.slow)])
async def test_one_of_two_actions_with_the_same_number_wins_on_postgresql(tmp_path: Path, rounds: int) -> None:
    with backing_services.postgresql_database() as database:
        redis = backing_services.redis_url()
        one, other = (ServerProcess(tmp_path, ("cartagena",), database=database, redis=redis) for _ in range(2))
        with running(one, other):
            await race(one, other, rounds)


@pytest.mark.parametrize("rounds", [25, pytest.param(1000, marks=pytest.mark.slow)])
async def test_one_of_two_actions_with_the_same_number_wins_on_sqlite(tmp_path: Path, rounds: int) -> None:
    database = f"sqlite:///{tmp_path / 'table.db'}"
    one, other = (ServerProcess(tmp_path, ("cartagena",), database=database) for _ in range(2))
    with running(one, other):
        await race(one, other, rounds)


async def test_a_page_contains_steps_that_happen_while_it_is_rendered(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match goes on between reading the log and rendering the page: the page equals a later one."""
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        await ana.turn_cards_by_hand()  # nothing else happens between two requests
        match = (await ana.open("forbidden-island", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        store, read = services_in(app).store, services_in(app).store.tail

        async def tail(match: str, limit: int) -> list[Row]:
            rows = await read(match, limit)
            monkeypatch.undo()
            for action in ("end", "draw", "draw"):
                await ana.act(match, 0, action, (await ana.view(match, 0))["seq"])
            return rows

        monkeypatch.setattr(store, "tail", tail)
        pages = [(await client.get(f"/m/{match}?seat=0", headers=ana.headers)).text for _ in range(2)]
        open_page, new_page = map(OpenPage, pages)
        assert open_page.seen == new_page.seen == (await ana.view(match, 0))["seq"] == 3
        log = open_page.page.by_id()["log"]
        assert len(log.children) >= 2 and log == new_page.page.by_id()["log"]
