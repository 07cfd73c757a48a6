"""Analyses on a server: asked for, run in another process, kept, cancelled, limited, and begun again after a stop."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from skerry.analysis import analyse, as_data
from skerry.engine.game_record import read_record
from skerry.games import all_games, find_game
from skerry.server.analysis import jobs
from skerry.server.analysis.job_store import DONE, FAILED, MAX_ATTEMPTS, QUEUED, RUNNING, JobStore
from skerry.server.app import make_app, services_in
from skerry.server.schema import analyses, matches
from skerry.server.settings import Limits, Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE
from tests.server.test_replay_pages import finished

pytestmark = pytest.mark.anyio

EFFORT = 3
LONG = 1_000  # an effort that lasts until it is cancelled


async def ask(guest: Guest, match: str, effort: int = EFFORT, **more: Any) -> httpx.Response:
    return await guest.ask("POST", f"/matches/{match}/analysis", json={"effort": effort, **more})


async def read(guest: Guest, match: str, **params: Any) -> dict[str, Any]:
    answer = await guest.ask("GET", f"/matches/{match}/analysis", params=params)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def wait_until(guest: Guest, match: str, state: str) -> dict[str, Any]:
    limit = time.monotonic() + 120
    while (found := await read(guest, match))["state"] != state:
        assert time.monotonic() < limit, f"it is {found['state']}, not {state}"
        await asyncio.sleep(0.05)
    return found


@pytest.fixture
async def app(settings: Settings) -> Any:
    return make_app(settings, all_games, find_game)


@pytest.fixture
async def client(app: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as client:
        yield client


async def test_an_analysis_is_that_of_the_record_and_the_same_for_all(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    answer = await ask(ana, match)
    assert answer.status_code == 202, answer.text
    assert (answer.json()["state"], answer.json()["viewpoint"]) in {("queued", "open"), ("running", "open")}
    found = await wait_until(ana, match, DONE)
    record = read_record((await ana.ask("GET", f"/matches/{match}/record")).text, find_game)
    expected = as_data(analyse(record, EFFORT, open_cards=True))
    course = found["course"]
    assert {name: course[name] for name in ("initial", "final", "luck", "decisions", "unit", "complete")} == {
        name: expected[name] for name in ("initial", "final", "luck", "decisions", "unit", "complete")
    }
    assert [(step["values"], step["grade"]) for step in course["steps"]] == [
        (step["values"], step.get("grade")) for step in expected["steps"]
    ]
    assert [moment["step"] for moment in course["moments"]] == expected["moments"]
    assert course["complete"] and found["progress"]["done"] == found["progress"]["total"] > 0
    ben = await Guest.register(client, "Ben", "es")
    again = (await ask(ben, match)).json()
    assert again["state"] == "done" and again["course"]["final"] == course["final"]
    assert again["course"]["verdict"] != course["verdict"], "Ben reads Spanish"


async def test_it_runs_beside_the_event_loop(app: Any, client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    await ask(ana, match, LONG)
    await wait_until(ana, match, RUNNING)
    analyst = services_in(app).analyses.analyst
    while analyst._child is None:
        await asyncio.sleep(0.01)
    child = analyst._child.pid
    assert child != os.getpid()
    while os.getpriority(os.PRIO_PROCESS, child) < 15:
        await asyncio.sleep(0.01)
    assert (await ana.ask("DELETE", f"/matches/{match}/analysis")).status_code == 204


async def test_what_cannot_be_analysed_is_refused_in_words(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    running = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    requests: tuple[tuple[str, dict[str, Any]], ...] = (("POST", {"json": {}}), ("GET", {}), ("DELETE", {}))
    for method, more in requests:
        answer = await ana.ask(method, f"/matches/{running}/analysis", **more)
        assert answer.status_code == 403 and answer.json()["error"]["code"] == "not-yet"
        assert answer.json()["error"]["message"] == "A match can be analysed only after its end"
    _, match = await finished(client)
    nothing = await ana.ask("GET", f"/matches/{match}/analysis")
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (404, "not-analysed")
    assert (await ask(ana, match, viewpoint="table")).json()["error"]["code"] == "bad-option"
    assert (await ask(ana, match, viewpoint="seat-7")).status_code == 404
    assert (await ask(ana, match, 20_000)).json()["error"]["message"] == "The effort is a number from 1 to 1000"
    stranger = await client.post(f"/api/v1/matches/{match}/analysis", json={})
    assert stranger.status_code == 401


async def test_it_can_be_cancelled_by_its_players_only(client: httpx.AsyncClient) -> None:
    ana, match = await finished(client)
    await ask(ana, match, LONG)
    await wait_until(ana, match, RUNNING)
    ben = await Guest.register(client, "Ben")
    assert (await ben.ask("DELETE", f"/matches/{match}/analysis")).json()["error"]["code"] == "not-yours"
    assert (await ana.ask("DELETE", f"/matches/{match}/analysis")).status_code == 204
    assert (await ana.ask("GET", f"/matches/{match}/analysis")).status_code == 404
    await ask(ana, match)
    await wait_until(ana, match, DONE)
    assert (await ana.ask("DELETE", f"/matches/{match}/analysis")).json()["error"]["code"] == "taken"


async def test_guests_and_servers_have_limits(settings: Settings) -> None:
    limits = dataclasses.replace(FREE, analyses=1, all_analyses=2)
    async with client_of(make_app(dataclasses.replace(settings, limits=limits), all_games, find_game)) as client:
        found = [await finished(client) for _ in range(3)]
        ana = found[0][0]
        assert (await ask(ana, found[0][1], LONG)).status_code == 202
        assert (await ask(ana, found[0][1], LONG)).status_code == 202, "the same one costs nothing"
        refused = await ask(ana, found[1][1])
        assert refused.status_code == 429 and "not finished yet" in refused.json()["error"]["message"]
        assert (await ask(found[1][0], found[1][1])).json()["ahead"] == 1
        assert (await ask(found[2][0], found[2][1])).json()["error"]["code"] == "too-much"
        assert (await ana.ask("DELETE", f"/matches/{found[0][1]}/analysis")).status_code == 204
        await wait_until(found[1][0], found[1][1], DONE)


async def test_a_stopped_server_goes_on_when_it_comes_back(database: str, settings: Settings) -> None:
    settings = dataclasses.replace(settings, database=database)
    async with client_of(make_app(settings, all_games, find_game)) as client:
        ana, match = await finished(client)
        await ask(ana, match, LONG)
        await wait_until(ana, match, RUNNING)
    app = make_app(settings, all_games, find_game)
    store = services_in(app).store
    async with client_of(app) as client:
        ana = Guest(client, ana.name, ana.token)
        row = await services_in(app).analyses.jobs.find(match, "open")
        assert row is not None and row.attempts <= 1, "a stop is no failed attempt"
        await wait_until(ana, match, RUNNING)
        await store.database.execute(sa.delete(matches).where(matches.c.id == match))
        assert await services_in(app).analyses.jobs.find(match, "open") is None


async def test_a_match_that_ends_its_process_again_and_again_is_given_up(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry.server.analysis.analyst_process.PROGRAM", ("false",))
    ana, match = await finished(client)
    await ask(ana, match)
    found = await wait_until(ana, match, FAILED)
    assert found["course"] is None


async def test_one_of_two_processes_runs_it_and_both_show_it(database: str, settings: Settings) -> None:
    """Two servers on one database, as workers are: the second takes over what the first leaves behind."""
    settings = dataclasses.replace(settings, database=database)
    first, second = (make_app(settings, all_games, find_game) for _ in range(2))
    for app in (first, second):
        services_in(app).hub.shared = True
    async with client_of(first) as here, client_of(second) as there:
        ana, match = await finished(here)
        elsewhere = Guest(there, ana.name, ana.token)
        await ask(ana, match, LONG)
        await wait_until(elsewhere, match, RUNNING)
        assert (await elsewhere.ask("DELETE", f"/matches/{match}/analysis")).status_code == 204
        await ask(elsewhere, match)
        found = await wait_until(ana, match, DONE)
        assert found == await read(elsewhere, match)
        mine = [services_in(app).analyses.jobs for app in (first, second)]
        await mine[0].enqueue(match, "spectator", "", jobs.VERSION, EFFORT)
        claimed = [await one.claim(1, alone=False) for one in mine]
        assert [one is not None for one in claimed] in ([True, False], [False, True]), "one of them runs it"


async def test_what_a_dead_process_ran_is_taken_over_after_a_while(client: httpx.AsyncClient, app: Any) -> None:
    ana, match = await finished(client)
    services = services_in(app)
    await services.analyses.close()
    database = services.store.database
    dead, living = JobStore(database, "dead"), JobStore(database, "living")
    await dead.enqueue(match, "open", "", jobs.VERSION, EFFORT)
    job = await dead.claim(1, alone=False)
    assert job is not None and await dead.update(job, done=1)
    assert await living.claim(1, alone=False) is None
    await database.execute(sa.update(analyses).values(beat=time.time() - 60))
    assert await living.claim(1, alone=False) is not None
    assert not await dead.update(job, done=2), "it does not run it any more"
    await database.execute(sa.update(analyses).values(beat=0.0, attempts=MAX_ATTEMPTS))
    assert await living.claim(1, alone=False) is None
    row = await living.find(match, "open")
    assert row is not None and row.state == FAILED
    assert ana.name == "Ana"


async def test_an_analysis_of_another_version_is_shown_as_such_and_made_anew_when_asked_for(
    client: httpx.AsyncClient, app: Any
) -> None:
    ana, match = await finished(client)
    await ask(ana, match)
    await wait_until(ana, match, DONE)
    await services_in(app).store.database.execute(sa.update(analyses).values(version="0.0.1"))
    earlier = await read(ana, match)
    assert earlier["outdated"] and earlier["version"] == "0.0.1" and earlier["course"] is not None
    assert (await ask(ana, match)).json()["state"] in (QUEUED, RUNNING)
    assert not (await wait_until(ana, match, DONE))["outdated"]


async def test_it_is_deleted_with_its_match(database: str, settings: Settings) -> None:
    app = make_app(dataclasses.replace(settings, database=database), all_games, find_game)
    async with client_of(app) as client:
        ana, match = await finished(client)
        await ask(ana, match)
        await wait_until(ana, match, DONE)
        assert (await ana.ask("DELETE", "/me")).status_code == 204
        assert await services_in(app).store.database.all(sa.select(analyses.c.match)) == []


def test_the_defaults_leave_room_for_others() -> None:
    assert Limits().running_analyses == 1 and Limits().analyses < Limits().all_analyses
