"""Secrecy: no response of the server contains what its receiver must not know. The tests in ``secrecy`` resample it."""

from __future__ import annotations

import contextlib
import json
import logging
import random
import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from skerry.engine.struct import StructBuffer
from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE
from tests.server.test_broadcast import random_step

pytestmark = pytest.mark.anyio

GAMES = [game.name for game in all_games()]


@contextlib.asynccontextmanager
async def client_at(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(
        make_app(Settings(data=folder, pace=0, moment=0, limits=FREE), all_games, find_game)
    ) as client:
        yield client


async def all_responses(
    guest: Guest, client: httpx.AsyncClient, match: str, seat: int | None, attempts: list[str]
) -> list[str]:
    """All responses about a match that a guest can get without changing it."""
    here = f"/api/v1/matches/{match}"
    place = {} if seat is None else {"seat": seat}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"/m/{match}", {"params": place}),
        ("GET", "/", {}),
        ("GET", f"/m/{match}/replay", {"params": place}),
        ("GET", here, {}),
        ("GET", f"{here}/view", {"params": place}),
        ("GET", f"{here}/steps", {"params": place}),
        ("GET", f"{here}/record", {}),
        ("GET", f"{here}/stream", {"params": place | {"since": 0}}),
        ("GET", f"{here}/stream", {"params": place | {"since": 0, "page": True}}),
        ("GET", f"{here}/stream", {"params": place | {"since": 10**6, "page": True}}),
        ("POST", f"/m/{match}/rematch", {}),
        ("GET", "/api/v1/matches", {"params": {"mine": True}}),
    ]
    seq = json.loads((await client.get(f"{here}/view")).text)["seq"]
    for action in attempts:
        asked.append(("POST", f"{here}/actions", {"json": {"seat": seat or 0, "action": action, "seq": seq}}))
        form = {"seat": seat or 0, "action": action, "seq": seq}
        asked.append(("POST", f"/m/{match}/act", {"data": form}))
    found = []
    for method, path, more in asked:
        answer = await client.request(method, path, headers=guest.headers, **more)
        assert answer.status_code < 500
        found.append(f"{method} {path} {answer.status_code} {answer.text}")
    return found


async def illegal_actions(guest: Guest, match: str, game: str, seat: int, chance: random.Random) -> list[str]:
    """Actions that are illegal now. The reasons of their refusals must not reveal anything either."""
    legal = {choice["action"] for choice in (await guest.view(match, seat))["legal"]}
    about = find_game(game).configure({"players": 2}).new(seed=1)
    ids = chance.sample(range(about.game.actions.size), 30)
    texts = [about.action(number).text for number in ids]
    return [*[text for text in texts if text not in legal][:12], "nonsense", ""]


async def running_match(guest: Guest, game: str, chance: random.Random) -> str:
    """A match with some steps that is not over, since the end opens its record."""
    while True:
        match = str((await guest.open(game, ["me", "me"], options={"players": 2}, listed=True))["id"])
        if None not in [await random_step([guest] * 2, match, chance) for _ in range(11)]:
            return match


async def test_no_response_and_no_log_line_contains_the_seed_of_a_running_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)  # the most verbose level of the server
    async with client_at(tmp_path) as client:
        ana = await Guest.register(client, "Ana")
        for game in GAMES:
            chance = random.Random(game)
            match = await running_match(ana, game, chance)
            with contextlib.closing(sqlite3.connect(tmp_path / "skerry.db")) as store:
                ((seed,),) = store.execute("SELECT seed FROM matches WHERE id = ?", [match])
                ((state,),) = store.execute(
                    "SELECT state FROM actions WHERE match = ? ORDER BY seq DESC LIMIT 1", [match]
                )
            attempts = await illegal_actions(ana, match, game, 0, chance)
            received = "\n".join(
                [
                    *await all_responses(ana, client, match, 0, attempts),
                    *await all_responses(ana, client, match, None, []),
                ]
            )
            chances = str(int(StructBuffer(find_game(game).state_struct, state).struct.rng))
            for secret in (seed, f"{int(seed):x}", chances, state.hex()):
                assert secret not in received and secret not in caplog.text
        token = ana.headers["authorization"].split()[1]
        assert token not in received
    assert caplog.records, "nothing was logged: nothing was tested"
    assert token not in "\n".join(line for line in caplog.text.splitlines() if "httpx" not in line)


async def test_only_its_seat_sees_a_draft(client: httpx.AsyncClient) -> None:
    """In Hashi the others do not learn what a seat writes until all are ready: neither the number nor its place."""
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("hashi", ["me", "open"], options={"players": 2}))["id"]
    await ben.sit(match, 1)
    before = await all_responses(ana, client, match, 0, [])
    drawn = []
    for _ in range(3):
        view = await ben.view(match, 1)
        number = next(
            one["action"] for one in view["legal"] if one["action"].startswith("start") and one["action"] not in drawn
        )
        drawn.append(number)
        assert (await ben.act(match, 1, number, view["seq"])).status_code == 200
    mine = (await ben.ask("GET", f"/matches/{match}/steps", params={"seat": 1})).json()
    assert [step["action"] for step in mine] == drawn
    for guest, seat in ((ana, 0), (ana, None)):
        place = {} if seat is None else {"seat": seat}
        received = (await guest.ask("GET", f"/matches/{match}/steps", params=place)).json()
        assert [(step["seat"], step["action"], step["events"], step["words"]) for step in received] == [
            (1, None, [], [])
        ] * 3
        streamed = (await guest.ask("GET", f"/matches/{match}/stream", params=place | {"since": 0})).text
        assert not [number for number in drawn if number in streamed]
    after = await all_responses(ana, client, match, 0, [])
    assert _pages_without_seq(before) == _pages_without_seq(after)


def _pages_without_seq(answers: list[str]) -> list[str]:
    """The responses without steps, streams, log numbers and the time: only the number of steps may be known."""
    kept = [answer for answer in answers if "/steps" not in answer[:60] and "/stream" not in answer[:60]]
    return [re.sub(r'(seq":|data-seq="|data-now="|name="seq" value=")\d+', r"\1", answer) for answer in kept]


async def test_only_its_seat_sees_a_hand(client: httpx.AsyncClient) -> None:
    """In Cartagena the others see only how many cards a hand has."""
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("cartagena", ["me", "open"], options={"players": 2}))["id"]
    await ben.sit(match, 1)
    seats = [(await guest.view(match, seat))["view"]["seats"] for guest, seat in ((ana, 0), (ben, 1), (ana, None))]
    hands = [[seat["hand"] is not None for seat in view] for view in seats]
    assert hands == [[True, False], [False, True], [False, False]]
    assert seats[0][0]["hand"] and seats[0][1]["cards"] == sum(seats[1][1]["hand"].values())


async def test_the_record_and_the_replay_of_a_running_match_are_refused(client: httpx.AsyncClient) -> None:
    ana, eve = await Guest.register(client, "Ana"), await Guest.register(client, "Eve")
    for game in GAMES:
        match = (await ana.open(game, ["me", "me"], options={"players": 2}))["id"]
        await ana.play_first(match, (await ana.view(match))["waiting"][0])
        for guest in (ana, eve):
            for path in (f"/api/v1/matches/{match}/record", f"/m/{match}/replay", f"/m/{match}/replay?at=1&seat=1"):
                answer = await client.get(path, headers=guest.headers)
                assert answer.status_code == 403, path


@pytest.mark.parametrize("who", ["a stranger", "another player", "nobody", "a player who left"])
async def test_every_request_for_another_guests_seat_is_refused(client: httpx.AsyncClient, who: str) -> None:
    ana, ben, eve = [await Guest.register(client, name) for name in ("Ana", "Ben", "Eve")]
    match = (await ana.open("cartagena", ["me", "open", "random"], options={"players": 3, "first": 0}))["id"]
    await ben.sit(match, 1)
    asker = {"a stranger": eve, "another player": ben, "a player who left": eve}.get(who)
    if who == "a player who left":
        await ana.sit(match, 0, "open")
        await eve.sit(match, 0)
        assert (await eve.view(match, 0))["seat"] == 0
        await eve.sit(match, 0, "open")
        await ana.sit(match, 0)
    headers = {} if asker is None else asker.headers
    view = await ana.view(match, 0)
    action, seq = view["legal"][0]["action"], view["seq"]
    here, body = f"/api/v1/matches/{match}", {"seat": 0, "action": action, "seq": seq}
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"/m/{match}?seat=0", {}),
        ("GET", f"/m/{match}?seat=2", {}),
        ("GET", f"{here}/view?seat=0", {}),
        ("GET", f"{here}/view?seat=2", {}),
        ("GET", f"{here}/steps?seat=0", {}),
        ("GET", f"{here}/stream?seat=0", {}),
        ("GET", f"{here}/stream?seat=0&page=true&since=0", {}),
        ("POST", f"{here}/actions", {"json": body}),
        ("POST", f"{here}/actions", {"json": body | {"seat": 2}}),
        ("POST", f"{here}/undo", {"json": {"seat": 0, "seq": seq}}),
        ("POST", f"/m/{match}/act", {"data": body}),
        ("POST", f"/m/{match}/act", {"data": body | {"undo": "1"}}),
        ("PUT", f"{here}/seats/0", {"json": {"who": "me"}}),
        ("PUT", f"{here}/seats/0", {"json": {"who": "open"}}),
        ("PUT", f"{here}/seats/0", {"json": {"who": "random"}}),
        ("PUT", f"{here}/seats/2", {"json": {"who": "me"}}),
        ("POST", f"/m/{match}/sit", {"data": {"seat": 0, "who": "me"}}),
        ("POST", f"/m/{match}/sit", {"data": {"seat": 2, "who": "open"}}),
    ]
    for method, path, more in requests:
        client.cookies.clear()
        answer = await client.request(method, path, headers=headers, **more)
        assert answer.status_code in ((401, 403) if asker is None else (403,)), (path, answer.text)
        assert action not in answer.text
    assert await ana.view(match, 0) == view
