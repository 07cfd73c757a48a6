"""Writes the database of a released version: ``python tests/server/databases/write.py 0.2.0``, run in its checkout.

It plays through the JSON API, which all versions share: a running and a finished match of each game, with an undo where
there is one to take. It writes ``VERSION.sql.gz``, a dump, and ``VERSION.json.gz``, what that version answered.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

from skerry.games import all_games, find_game
from skerry.server.app import fastapi_of, make_app
from skerry.server.settings import Settings

FOLDER = Path(__file__).parent
STEPS = 12  # of a running match
MOST_SECONDS = 120


class Player:
    """A guest who plays through the JSON API."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self.client = client
        self.headers = {"authorization": f"Bearer {token}"}

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        answer = await self.client.request(method, f"/api/v1{path}", headers=self.headers, **more)
        answer.raise_for_status()
        return answer

    async def open(self, game: str, seats: list[str]) -> str:
        opened = await self.ask("POST", "/matches", json={"game": game, "seats": seats})
        return str(opened.json()["id"])

    async def status(self, match: str) -> dict[str, Any]:
        found: dict[str, Any] = (await self.ask("GET", f"/matches/{match}")).json()
        return found

    async def view(self, match: str, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = (await self.ask("GET", f"/matches/{match}/view", params={"seat": seat})).json()
        return found

    async def play_first(self, match: str) -> None:
        """Play the last legal action of a seat to move; take it back once where that is possible, and play again."""
        seat = (await self.status(match))["waiting"][0]
        view = await self.view(match, seat)
        action = {"seat": seat, "action": view["legal"][-1]["action"]}
        await self.ask("POST", f"/matches/{match}/actions", json={**action, "seq": view["seq"]})
        after = await self.view(match, seat)
        if after["undo"] and after["seq"] == view["seq"] + 1 == 3:
            await self.ask("POST", f"/matches/{match}/undo", json={"seat": seat, "seq": after["seq"]})
            await self.ask("POST", f"/matches/{match}/actions", json={**action, "seq": after["seq"] + 1})

    async def views(self, match: str, seats: int) -> dict[str, Any]:
        return {str(seat): await self.view(match, seat) for seat in range(seats)}


async def play(client: httpx.AsyncClient) -> dict[str, Any]:
    registered = await client.post("/api/v1/guests", json={"name": "Ana", "language": "en"})
    token = f"Bearer {registered.json()['token']}"
    ana = Player(client, token.removeprefix("Bearer "))
    answers: dict[str, Any] = {"token": token}
    for game in all_games():
        players = game.configure({}).players
        running = await ana.open(game.name, ["me"] * players)
        for _ in range(STEPS):
            await ana.play_first(running)
        views = await ana.views(running, players)
        answers[running] = {"kind": "running", "game": game.name, "views": views}
        finished = await ana.open(game.name, ["me"] * players)
        for seat in range(players):
            await ana.ask("PUT", f"/matches/{finished}/seats/{seat}", json={"who": "random"})
        for _ in range(10 * MOST_SECONDS):
            if (await ana.status(finished))["result"]:
                break
            await asyncio.sleep(0.1)
        record = (await ana.ask("GET", f"/matches/{finished}/record")).text
        views = await ana.views(finished, players)
        answers[finished] = {"kind": "finished", "game": game.name, "views": views, "record": record}
    return answers


async def write(version: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        # The secret of the test, which the tokens are signed with.
        settings = Settings(data=Path(folder), pace=0, secret="a secret of the test", limits=free_limits())
        app = make_app(settings, all_games, find_game)
        inner = fastapi_of(app)
        async with inner.router.lifespan_context(inner):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://table", timeout=MOST_SECONDS) as client:
                answers = await play(client)
        connection = sqlite3.connect(Path(folder) / "skerry.db")
        dump = "\n".join(connection.iterdump()) + "\n"
        connection.close()
    (FOLDER / f"{version}.sql.gz").write_bytes(gzip.compress(dump.encode(), mtime=0))
    (FOLDER / f"{version}.json.gz").write_bytes(gzip.compress(json.dumps(answers).encode(), mtime=0))


def free_limits() -> Any:
    return importlib.import_module("tests.server.server_main").FREE


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
