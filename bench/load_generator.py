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

End = TypeVar("End", bound=asyncio.Protocol)  # of a connection
ACTION = re.compile(r'name="action" value="([^"]*)"')


class Line(asyncio.Protocol):
    """One kept connection for requests, one at a time."""

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
            self.answer.set_exception(ConnectionError("the line was cut"))

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: table\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(head.encode() + b"\r\n" + sent)
        status, answer = await self.answer
        return status, json.loads(answer)


class Ear(asyncio.Protocol):
    """One open page: its stream of events."""

    def __init__(self, match: Match, seat: int, request: bytes) -> None:
        self.match, self.seat, self.request = match, seat, request
        self.buffer = b""
        self.transport: asyncio.Transport
        self.leaving = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self.request)

    def leave(self) -> None:
        self.leaving = True
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.leaving:
            return
        self.buffer += data
        while b"\n\n" in self.buffer:
            event, _, self.buffer = self.buffer.partition(b"\n\n")
            start = event.find(b"id: ")
            if start >= 0:
                number, _, rest = event[start + 4 :].partition(b"\n")
                self.match.heard(self.seat, int(number), rest)

    def connection_lost(self, error: Exception | None) -> None:
        self.match.crowd.lost += not self.leaving


@dataclass(eq=False)
class Match:
    crowd: Crowd
    id: str
    tokens: list[str]
    lines: list[Line]
    ears: list[Ear] = field(default_factory=list)
    seq: int = 0
    told: list[int] = field(default_factory=lambda: [0] * 4)
    choices: list[list[str]] = field(default_factory=lambda: [[] for _ in range(4)])
    posted: dict[int, tuple[float, int]] = field(default_factory=dict)

    async def ask(self, seat: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        if self.lines[seat].transport.is_closing():  # a server hangs up on who is silent for long, as on browsers
            self.lines[seat] = await self.crowd.connect(Line())
        return await self.lines[seat].ask(method, f"/api/v1/matches/{self.id}{path}", self.tokens[seat], body)

    async def listen(self) -> None:
        """Open the four pages."""
        for seat in range(4):
            _, view = await self.ask(seat, "GET", f"/view?seat={seat}")
            self.choices[seat] = [choice["action"] for choice in view["legal"]]
            path = f"/api/v1/matches/{self.id}/stream?page=true&seat={seat}"
            request = f"GET {path} HTTP/1.1\r\nHost: table\r\nAuthorization: Bearer {self.tokens[seat]}\r\n\r\n"
            self.ears.append(await self.crowd.connect(Ear(self, seat, request.encode())))

    async def again(self) -> None:
        """The same four once more, if it is over."""
        _, standing = await self.ask(0, "GET", "")
        if standing["result"] is None:
            return
        for ear in self.ears:
            ear.leave()
        _, match = await self.ask(0, "POST", "/rematch")
        self.id, self.seq, self.told, self.ears = match["id"], 0, [0] * 4, []
        self.posted.clear()
        await self.listen()
        self.crowd.rematches += 1

    def heard(self, seat: int, seq: int, data: bytes) -> None:
        now = time.perf_counter()
        crowd = self.crowd
        crowd.messages += 1
        crowd.bytes += len(data)
        for number in range(self.told[seat] + 1, seq + 1):
            sent = self.posted.get(number)
            if sent is not None and sent[1] != seat:
                crowd.delays.append(now - sent[0])
        self.told[seat] = max(self.told[seat], seq)
        if b'"table-actions"' in data:
            parts = json.loads(data[data.index(b"{") :])["parts"]
            self.choices[seat] = ACTION.findall(parts["table-actions"])
        self.seq = max(self.seq, seq)
        crowd.waiting[self].set()

    async def act(self, chance: random.Random) -> bool:
        """One action of whoever may; False if nobody has heard of a choice yet."""
        able = [seat for seat in range(4) if self.choices[seat] and self.told[seat] == self.seq]
        if not able:
            if not any(self.choices) and min(self.told) == self.seq:
                await self.again()
            return False
        seat = chance.choice(able)
        action = chance.choice(self.choices[seat])
        seq, began = self.seq, time.perf_counter()
        self.posted[seq + 1] = (began, seat)
        body = {"seat": seat, "action": action, "seq": seq}
        status, answer = await self.ask(seat, "POST", "/actions", body)
        if status == 200:
            self.crowd.accepted += 1
            self.crowd.answers.append(time.perf_counter() - began)
            self.seq = max(self.seq, answer["seq"])
            return True
        self.posted.pop(seq + 1, None)
        if answer["error"]["code"] == "stale":
            self.crowd.overtaken += 1  # what was forced happened by itself meanwhile
        else:
            self.crowd.errors.append(answer["error"])
        return False


class Crowd:
    def __init__(self, host: str, port: int, game: str) -> None:
        self.host, self.port, self.game = host, port, game
        self.chance = random.Random(7)
        self.waiting: dict[Match, asyncio.Event] = {}
        self.reset()
        self.lost = 0

    def reset(self) -> None:
        self.accepted = self.messages = self.bytes = self.rematches = self.overtaken = 0
        self.delays: list[float] = []
        self.answers: list[float] = []
        self.errors: list[Any] = []

    async def connect(self, end: End) -> End:
        await asyncio.get_running_loop().create_connection(lambda: end, self.host, self.port)
        return end

    async def come(self, matches: int) -> None:
        gate = asyncio.Semaphore(16)
        await asyncio.gather(*(self._sit(gate) for _ in range(matches)))

    async def _sit(self, gate: asyncio.Semaphore) -> None:
        async with gate:
            lines = [await self.connect(Line()) for _ in range(4)]
            tokens = []
            for seat, line in enumerate(lines):
                _, guest = await line.ask("POST", "/api/v1/guests", body={"name": f"Guest {seat}"})
                tokens.append(guest["token"])
            body = {"game": self.game, "options": {"players": 4}, "seats": ["me", "open", "open", "open"]}
            _, opened = await lines[0].ask("POST", "/api/v1/matches", tokens[0], body)
            match = Match(self, opened["id"], tokens, lines)
            for seat in (1, 2, 3):
                await match.ask(seat, "PUT", f"/seats/{seat}", {"who": "me"})
            self.waiting[match] = asyncio.Event()
            await match.listen()

    async def play(self, seconds: float, every: float) -> None:
        await (self.steady(every, seconds) if every else self.flat_out(seconds))

    async def measure(self, seconds: float, every: float = 0, warm: float = 3) -> dict[str, Any]:
        await self.play(warm, every)
        self.reset()
        cpu, began = time.process_time(), time.perf_counter()
        await self.play(seconds, every)
        took = time.perf_counter() - began
        return {**self.report(took), "load_cpu": round((time.process_time() - cpu) / took, 2)}

    async def steady(self, every: float, seconds: float) -> None:
        """Each match acts once in a while."""
        end = time.perf_counter() + seconds
        await asyncio.gather(*(self._now_and_then(match, every, end) for match in self.waiting))

    async def _now_and_then(self, match: Match, every: float, end: float) -> None:
        await asyncio.sleep(self.chance.random() * every)
        while time.perf_counter() < end:
            began = time.perf_counter()
            await match.act(self.chance)
            await asyncio.sleep(max(0, every - (time.perf_counter() - began)))

    async def flat_out(self, seconds: float) -> None:
        """Each match acts again as soon as the actor has heard what came of it."""
        end = time.perf_counter() + seconds
        await asyncio.gather(*(self._at_once(match, end) for match in self.waiting))

    async def _at_once(self, match: Match, end: float) -> None:
        event = self.waiting[match]
        while time.perf_counter() < end:
            event.clear()
            if not await match.act(self.chance):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), 1)

    def report(self, seconds: float) -> dict[str, Any]:
        def part(values: list[float], share: float) -> float | None:
            return round(1000 * sorted(values)[int(share * (len(values) - 1))], 2) if values else None

        return {
            "matches": len(self.waiting),
            "streams": 4 * len(self.waiting),
            "accepted": self.accepted,
            "actions_per_s": round(self.accepted / seconds, 1),
            "messages_per_s": round(self.messages / seconds, 1),
            "bytes_per_message": round(self.bytes / max(1, self.messages)),
            "post_to_event_ms": {
                "p50": part(self.delays, 0.5),
                "p99": part(self.delays, 0.99),
                "max": part(self.delays, 1),
            },
            "post_to_answer_ms": {"p50": part(self.answers, 0.5), "p99": part(self.answers, 0.99)},
            "rematches": self.rematches,
            "overtaken": self.overtaken,
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
            "lost_streams": self.lost,
        }


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--game", default="cartagena")
    parser.add_argument("--matches", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=0, help="seconds between two actions of a match; 0: flat out")
    given = parser.parse_args()
    crowd = Crowd(given.host, given.port, given.game)
    if given.matches:
        tell(await seated(crowd, given.matches))
    while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        if not line.strip():
            tell(await crowd.measure(given.seconds, given.every))
            return
        order = json.loads(line)
        tell(await (seated(crowd, order["come"]) if "come" in order else crowd.measure(**order)))


async def seated(crowd: Crowd, matches: int) -> dict[str, Any]:
    await crowd.come(matches)
    return {"ready": len(crowd.waiting)}


def tell(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
