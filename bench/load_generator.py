"""The load of the server benchmark: guests that listen to event streams as browsers do, and post actions.

``bench/server_load.py`` runs this in a process of its own, with plain sockets, so that it takes little of the machine
from what is measured. Commands come as lines of JSON, and each is answered by one line: ``{"come": 100}`` opens that
many more matches, ``{"seconds": 10, "every": 2, "warm": 3}`` plays and reports what was measured. An empty line plays
as the command line's arguments say, and ends the program.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import uvloop

ConnectionProtocol = TypeVar("ConnectionProtocol", bound=asyncio.Protocol)
ACTION = re.compile(r'name="action"\s+value="([^"]*)"')
SEATS = 4
CONCURRENT_OPENINGS = 16  # matches that are opened at the same time
NEWS_TIMEOUT = 1.0  # seconds to wait for an event before trying to act again


class RequestConnection(asyncio.Protocol):
    """A kept connection for requests, one at a time."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.buffer = b""
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, end, body = self.buffer.partition(b"\r\n\r\n")
        if not end:
            return
        length = int(re.search(rb"content-length: (\d+)", head).group(1))  # type: ignore[union-attr]
        if len(body) >= length and self.answer is not None:
            self.buffer = b""
            self.answer.set_result((int(head[9:12]), body[:length]))

    def connection_lost(self, error: Exception | None) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(ConnectionError("the connection was closed"))

    async def request(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        """Send a request; the status and the JSON of the response."""
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: table\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(head.encode() + b"\r\n" + sent)
        status, answer = await self.answer
        return status, json.loads(answer)


class EventStream(asyncio.Protocol):
    """The event stream of one open page."""

    def __init__(self, match: Match, seat: int, request: bytes) -> None:
        self.match, self.seat, self.request = match, seat, request
        self.buffer = b""
        self.transport: asyncio.Transport
        self.closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self.request)

    def close(self) -> None:
        self.closing = True
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.closing:
            return
        self.buffer += data
        while b"\n\n" in self.buffer:
            event, _, self.buffer = self.buffer.partition(b"\n\n")
            start = event.find(b"id: ")
            if start >= 0:
                number, _, rest = event[start + 4 :].partition(b"\n")
                self.match.receive(self.seat, int(number), rest)

    def connection_lost(self, error: Exception | None) -> None:
        self.match.load.lost_streams += not self.closing


@dataclass
class PostedAction:
    """An action on its way: when it was posted, and by which seat."""

    time: float
    seat: int


@dataclass(eq=False)
class Match:
    """A match with four guests, each with a connection and an event stream."""

    load: LoadGenerator
    id: str
    tokens: list[str]
    connections: list[RequestConnection]
    streams: list[EventStream] = field(default_factory=list)
    seq: int = 0
    seen: list[int] = field(default_factory=lambda: [0] * SEATS)  # the latest seq that each seat has received
    legal_actions: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    posted: dict[int, PostedAction] = field(default_factory=dict)  # by the seq that the action is to get

    async def request(self, seat: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        if self.connections[seat].transport.is_closing():  # servers close connections that are idle for long
            self.connections[seat] = await self.load.connect(RequestConnection())
        path = f"/api/v1/matches/{self.id}{path}"
        return await self.connections[seat].request(method, path, self.tokens[seat], body)

    async def open_pages(self) -> None:
        """Open the event streams of the four pages."""
        for seat in range(SEATS):
            _, view = await self.request(seat, "GET", f"/view?seat={seat}")
            self.legal_actions[seat] = [choice["action"] for choice in view["legal"]]
            path = f"/api/v1/matches/{self.id}/stream?page=true&seat={seat}"
            request = f"GET {path} HTTP/1.1\r\nHost: table\r\nAuthorization: Bearer {self.tokens[seat]}\r\n\r\n"
            self.streams.append(await self.load.connect(EventStream(self, seat, request.encode())))

    async def rematch_if_over(self) -> None:
        _, facts = await self.request(0, "GET", "")
        if facts["result"] is None:
            return
        for stream in self.streams:
            stream.close()
        _, match = await self.request(0, "POST", "/rematch")
        self.id, self.seq, self.seen, self.streams = match["id"], 0, [0] * SEATS, []
        self.posted.clear()
        await self.open_pages()
        self.load.counters.rematches += 1

    def receive(self, seat: int, seq: int, data: bytes) -> None:
        """An event has reached a seat."""
        now, counters = time.perf_counter(), self.load.counters
        counters.messages += 1
        counters.bytes += len(data)
        for number in range(self.seen[seat] + 1, seq + 1):
            action = self.posted.get(number)
            if action is not None and action.seat != seat:
                counters.event_delays.append(now - action.time)
        self.seen[seat] = max(self.seen[seat], seq)
        if b'"table-actions"' in data:
            parts = json.loads(data[data.index(b"{") :])["parts"]
            self.legal_actions[seat] = ACTION.findall(parts["table-actions"])
        self.seq = max(self.seq, seq)
        self.load.news[self].set()

    async def act(self, generator: random.Random) -> bool:
        """Post a random action of a seat that has one; False if none was accepted."""
        able = [seat for seat in range(SEATS) if self.legal_actions[seat] and self.seen[seat] == self.seq]
        if not able:
            if not any(self.legal_actions) and min(self.seen) == self.seq:
                await self.rematch_if_over()
            return False
        seat = generator.choice(able)
        action = generator.choice(self.legal_actions[seat])
        seq, began = self.seq, time.perf_counter()
        self.posted[seq + 1] = PostedAction(began, seat)
        body = {"seat": seat, "action": action, "seq": seq}
        status, answer = await self.request(seat, "POST", "/actions", body)
        counters = self.load.counters
        if status == 200:
            counters.accepted += 1
            counters.answer_delays.append(time.perf_counter() - began)
            self.seq = max(self.seq, answer["seq"])
            return True
        self.posted.pop(seq + 1, None)
        if answer["error"]["code"] == "stale":
            counters.overtaken += 1  # a forced action was played by the server in the meantime
        else:
            counters.errors.append(answer["error"])
        return False


@dataclass
class Counters:
    """What was counted since the last reset."""

    accepted: int = 0
    messages: int = 0
    bytes: int = 0
    rematches: int = 0
    overtaken: int = 0
    event_delays: list[float] = field(default_factory=list)
    answer_delays: list[float] = field(default_factory=list)
    errors: list[Any] = field(default_factory=list)


class LoadGenerator:
    """All matches of the benchmark, and what was measured in them."""

    def __init__(self, host: str, port: int, game: str) -> None:
        self.host, self.port, self.game = host, port, game
        self.generator = random.Random(7)
        self.news: dict[Match, asyncio.Event] = {}  # set when something has happened in a match
        self.counters = Counters()
        self.lost_streams = 0

    async def connect(self, connection: ConnectionProtocol) -> ConnectionProtocol:
        await asyncio.get_running_loop().create_connection(lambda: connection, self.host, self.port)
        return connection

    async def open_matches(self, matches: int) -> dict[str, Any]:
        slots = asyncio.Semaphore(CONCURRENT_OPENINGS)
        await asyncio.gather(*(self._open_match(slots) for _ in range(matches)))
        return {"ready": len(self.news)}

    async def _open_match(self, slots: asyncio.Semaphore) -> None:
        async with slots:
            connections = [await self.connect(RequestConnection()) for _ in range(SEATS)]
            tokens = []
            for seat, connection in enumerate(connections):
                _, guest = await connection.request("POST", "/api/v1/guests", body={"name": f"Guest {seat}"})
                tokens.append(guest["token"])
                await connection.request(
                    "PATCH", "/api/v1/me", tokens[-1], {"by_hand": True}
                )  # every step is a request
            body = {"game": self.game, "options": {"players": SEATS}, "seats": ["me", "open", "open", "open"]}
            _, opened = await connections[0].request("POST", "/api/v1/matches", tokens[0], body)
            match = Match(self, opened["id"], tokens, connections)
            for seat in range(1, SEATS):
                await match.request(seat, "PUT", f"/seats/{seat}", {"who": "me"})
            self.news[match] = asyncio.Event()
            await match.open_pages()

    async def measure(self, seconds: float, every: float = 0, warm: float = 3) -> dict[str, Any]:
        """Play for a while after a warm-up, and report."""
        await self._play(warm, every)
        self.counters = Counters()
        cpu, began = time.process_time(), time.perf_counter()
        await self._play(seconds, every)
        took = time.perf_counter() - began
        return {**self.report(took), "load_cpu": round((time.process_time() - cpu) / took, 2)}

    async def _play(self, seconds: float, every: float) -> None:
        end = time.perf_counter() + seconds
        if every:
            await asyncio.gather(*(self._act_regularly(match, every, end) for match in self.news))
        else:
            await asyncio.gather(*(self._act_continuously(match, end) for match in self.news))

    async def _act_regularly(self, match: Match, every: float, end: float) -> None:
        await asyncio.sleep(self.generator.random() * every)
        while time.perf_counter() < end:
            began = time.perf_counter()
            await match.act(self.generator)
            await asyncio.sleep(max(0, every - (time.perf_counter() - began)))

    async def _act_continuously(self, match: Match, end: float) -> None:
        """Act again as soon as the actor has received the event of its last action."""
        event = self.news[match]
        while time.perf_counter() < end:
            event.clear()
            if not await match.act(self.generator):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), NEWS_TIMEOUT)

    def report(self, seconds: float) -> dict[str, Any]:
        counters = self.counters
        return {
            "matches": len(self.news),
            "streams": SEATS * len(self.news),
            "accepted": counters.accepted,
            "actions_per_s": round(counters.accepted / seconds, 1),
            "messages_per_s": round(counters.messages / seconds, 1),
            "bytes_per_message": round(counters.bytes / max(1, counters.messages)),
            "post_to_event_ms": {
                "p50": quantile_ms(counters.event_delays, 0.5),
                "p99": quantile_ms(counters.event_delays, 0.99),
                "max": quantile_ms(counters.event_delays, 1),
            },
            "post_to_answer_ms": {
                "p50": quantile_ms(counters.answer_delays, 0.5),
                "p99": quantile_ms(counters.answer_delays, 0.99),
            },
            "rematches": counters.rematches,
            "overtaken": counters.overtaken,
            "errors": len(counters.errors),
            "first_errors": counters.errors[:3],
            "lost_streams": self.lost_streams,
        }


def quantile_ms(seconds: list[float], share: float) -> float | None:
    return round(1000 * sorted(seconds)[int(share * (len(seconds) - 1))], 2) if seconds else None


def print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data), flush=True)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--game", default="cartagena")
    parser.add_argument("--matches", type=int, default=0, help="opened at the start")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument(
        "--every", type=float, default=0, help="seconds between two actions of a match; 0: as fast as possible"
    )
    return parser.parse_args()


async def main() -> None:
    arguments = read_arguments()
    load = LoadGenerator(arguments.host, arguments.port, arguments.game)
    if arguments.matches:
        print_json(await load.open_matches(arguments.matches))
    while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        if not line.strip():
            print_json(await load.measure(arguments.seconds, arguments.every))
            return
        command = json.loads(line)
        if "come" in command:
            print_json(await load.open_matches(command["come"]))
        else:
            print_json(await load.measure(**command))


if __name__ == "__main__":
    uvloop.run(main())
