"""Simulated readers: open pages and listening programs, which reconnect and may read slowly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.server.simulation.network import Exchange, Lost
from tests.server.simulation.players import Player
from tests.server.simulation.process import ServerProcess

WHOLE_PAGE = 2**31 - 1  # a number that no log has: a page that knows it gets all of its parts
RECONNECT = 1.5  # seconds, as browsers are told to wait
SILENCE = 50.0  # seconds without a heartbeat after which a client takes its connection to be dead


class Reader:
    """Follows a match from a seat, or as a spectator, as a page or as a program."""

    def __init__(
        self, number: int, player: Player, match: str, seat: int | None, *, page: bool, slowness: float
    ) -> None:
        self.player = player
        self.table = player.table
        self.world = player.world
        self.match = match
        self.seat = seat
        self.page = page
        self.slowness = slowness  # seconds between two looks into the connection
        self.process: ServerProcess = player.home
        self.name = f"{player.name}'s {'page' if page else 'program'} {number}"
        self.seen = 0
        self.parts: dict[str, str] | None = None  # of a page that is open
        self.steps: dict[int, Any] = {}  # of a program, by number
        self.stays = True
        self.is_connected = False
        self.is_allowed = True
        self._exchange: Exchange | None = None

    async def live(self) -> None:
        while self.stays and self.is_allowed:
            try:
                await self._follow()
            except Lost:
                self.world.tell(self.name, f"loses its connection to {self.process.name} at {self.seen}")
            self.is_connected = False
            if self.stays:
                self.world.counts["readers: reconnections"] += 1
                await self.world.sleep(RECONNECT * (0.5 + self.world.chance.random()))
                if not self.process.answers or self.world.chance.random() < 0.3:
                    self.process = self.world.chance.choice(self.table.processes)

    def leave(self) -> None:
        self.stays = False
        if self._exchange is not None:
            self._exchange.cut()

    async def _follow(self) -> None:
        fresh = self.page and self.parts is None
        since = WHOLE_PAGE if fresh else 0
        query = f"since={since}&page={'true' if self.page else 'false'}"
        if self.seat is not None:
            query += f"&seat={self.seat}"
        path = f"/api/v1/matches/{self.match}/stream?{query}"
        last = None if fresh or not self.seen else self.seen
        exchange = self._exchange = await self.table.network.open_stream(self.process, path, self.player.token, last)
        try:
            await self._read(exchange, fresh)
        finally:
            exchange.cut()
            self._exchange = None

    async def _read(self, exchange: Exchange, fresh: bool) -> None:
        text = ""
        while True:
            try:
                async with asyncio.timeout(SILENCE):
                    chunk = await exchange.next_chunk()
            except TimeoutError:
                raise Lost from None
            if exchange.status != 200:
                self._refused(exchange)
                return
            self.is_connected = True
            if not chunk or self.world.faults.strikes("network: stream cut"):
                return
            if self.slowness:
                await self.world.sleep(self.world.draw(self.slowness))
            *blocks, text = (text + chunk.decode()).split("\n\n")
            for block in blocks:
                self._receive(block, fresh)
                fresh = fresh and self.parts is None

    def _refused(self, exchange: Exchange) -> None:
        self.world.tell(self.name, f"is refused a stream by {self.process.name}: {exchange.status}")
        self.world.expect(exchange.status != 500, f"{self.process.name} failed to open a stream")
        if exchange.status in (403, 404):
            self.is_allowed = self.may_follow()

    def may_follow(self) -> bool:
        rows = self.world.database.seats(self.match)
        return self.seat is None or (bool(rows) and rows[self.seat].guest == self.player.guest)

    def _receive(self, block: str, fresh: bool) -> None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "id" not in fields:
            return
        seq, message = int(fields["id"]), json.loads(fields["data"])
        self.world.counts["readers: messages"] += 1
        self.world.tell(self.name, f"hears {_brief(message)} from {self.process.name}")
        self.table.ledgers.expect_committed(self.name, self.match, seq)
        self.world.expect(seq == message["seq"], f"{self.name}: message {seq} says {message['seq']}")
        self.world.expect(seq >= self.seen, f"{self.name} at {self.seen} is sent back to {seq}")
        if fresh:
            self.parts = dict(message["parts"])
        else:
            self._take(message)
        self.seen = seq

    def _take(self, message: dict[str, Any]) -> None:
        numbers = [step["seq"] for step in message["steps"]]
        expected = list(range(self.seen + 1, message["seq"] + 1))
        self.world.expect(numbers == expected, f"{self.name} at {self.seen} got steps {numbers}, not {expected}")
        if self.parts is not None:
            self.parts.update(message["parts"])
        else:
            self.steps.update({step["seq"]: step for step in message["steps"]})


def _brief(message: dict[str, Any]) -> str:
    steps = " ".join(str(step["seq"]) for step in message["steps"])
    return f"{message['seq']} (steps {steps or 'none'}, parts {len(message.get('parts', ()))})"
