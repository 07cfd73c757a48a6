"""Simulated players and listeners that keep going whatever happens to the server, and check what they receive."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from dataclasses import dataclass, field
from typing import Any

import httpx

from skerry.games import find_game
from skerry.server.schema import UNDO
from skerry.server.store import Store
from tests.server.conftest import Guest
from tests.server.event_streams import OpenPage

HEARTBEAT_LINE = "data: {}"  # a heartbeat for a page
AWAY = (httpx.TransportError, httpx.StreamError)


@dataclass
class Player:
    """A guest who plays random actions at all their seats. A request whose answer is lost is repeated with its key."""

    guest: Guest
    match: str
    chance: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)  # the number of each acknowledged key
    refused: list[str] = field(default_factory=list)  # error codes of refused requests

    @classmethod
    async def register(cls, client: httpx.AsyncClient, number: int, game: str, seats: list[str]) -> Player:
        guest = await Guest.register(client, f"Guest {number}")
        match = await guest.open(game, seats, options={"players": len(seats)})
        return cls(guest, match["id"], random.Random(number))

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            body = await self._choose()
            if body is None:
                await asyncio.sleep(0.05)
                continue
            answer = await self._ask("POST", f"/matches/{self.match}/{'actions' if 'action' in body else 'undo'}", body)
            if answer.status_code == 200:
                self.acknowledged[body["key"]] = answer.json()["seq"]
            else:
                assert answer.status_code == 409, answer.text

    async def over(self) -> bool:
        return (await self.guest.view(self.match))["result"] is not None

    async def _choose(self) -> dict[str, Any] | None:
        """A legal action or an undo; None if the match waits for others or is over."""
        standing = (await self._ask("GET", f"/matches/{self.match}")).json()
        mine = [seat for seat in standing["waiting"] if standing["seats"][seat]["mine"]]
        if not mine:
            return None
        seat = self.chance.choice(mine)
        view = (await self._ask("GET", f"/matches/{self.match}/view?seat={seat}")).json()
        if not view["legal"]:
            return None
        body = {"seat": seat, "seq": view["seq"], "key": f"{self.chance.getrandbits(64):x}"}
        if view["undo"] and self.chance.random() < 0.2:
            return body
        return body | {"action": self.chance.choice(view["legal"])["action"]}

    async def _ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Repeat a request until it is answered."""
        while True:
            with contextlib.suppress(*AWAY):
                answer = await self.guest.ask(method, path, json=body)
                if answer.status_code != 503:
                    return answer
                self.refused.append(answer.json()["error"]["code"])
            await asyncio.sleep(0.1)


@dataclass
class Listener:
    """An open page or a listening program, which reconnects whenever its connection is lost."""

    guest: Guest
    match: str
    seat: int | None
    page: OpenPage | None = None  # None: a program
    seen: int = 0
    cuts: int = 0

    def __post_init__(self) -> None:
        self.seen = self.first = self.page.seen if self.page is not None else 0

    async def listen(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            with contextlib.suppress(*AWAY):
                await self._listen(stop)
            self.cuts += 1
            await asyncio.sleep(0.1)

    async def _listen(self, stop: asyncio.Event) -> None:
        params = {"since": self.first, "page": self.page is not None} | (
            {} if self.seat is None else {"seat": self.seat}
        )
        headers = self.guest.headers | ({"last-event-id": str(self.seen)} if self.seen else {})
        path = f"/api/v1/matches/{self.match}/stream"
        async with self.guest.client.stream("GET", path, params=params, headers=headers) as stream:
            assert stream.status_code in (200, 503), stream.status_code
            async for line in stream.aiter_lines():
                if line.startswith("data: ") and line != HEARTBEAT_LINE:
                    self.receive(json.loads(line[6:]))
                if stop.is_set():
                    return

    def receive(self, message: dict[str, Any]) -> None:
        if self.page is not None:
            self.page.receive(message)
        else:
            seqs = [step["seq"] for step in message["steps"]]
            assert seqs == list(range(self.seen + 1, self.seen + 1 + len(seqs))), "a step came twice, or was left out"
        self.seen = message["seq"]


async def check_logs(url: str, players: list[Player]) -> None:
    """Check that all acknowledged actions are in the log, once, and that replaying the log gives its states exactly."""
    store = Store(url)
    try:
        for player in players:
            head = await store.match(player.match)
            assert head is not None
            rows = await store.log(player.match)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            kept = {row.key: row.seq for row in rows if row.key}
            assert player.acknowledged.items() <= kept.items(), "an acknowledged action is lost"
            assert len(kept) == sum(bool(row.key) for row in rows)
            check_replay(head, rows)
    finally:
        await store.database.engine.dispose()


def check_replay(head: Any, rows: list[Any]) -> None:
    match = find_game(head.game).configure(json.loads(head.options)).new(int(head.seed))
    for row in rows:
        if row.action == UNDO:
            match.undo(row.seat)
        else:
            match.play(row.seat, int(row.action))
        assert match.content == row.state, f"{head.game} at {row.seq}"
