"""A twin: a process that serves one world after another and answers the requests of a script.

Two of them get worlds that differ only in what the asker may not know. Each has caches of its own, so that what one
has rendered cannot hide what the other would have rendered. The server's code is real, from the outermost middleware to
the statements on SQLite. The clock is virtual, so that a script does not wait for anything, and identifiers are drawn
from a seed, so that they are the same in both processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import os
import pickle
import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from unittest import mock

import anyio.to_thread
import sqlalchemy as sa
from starlette.types import Message

from skerry.bots.expert import Expert
from skerry.games import all_games, find_game
from skerry.server import challenges, schema
from skerry.server import services as server_services
from skerry.server import store as server_store
from skerry.server.app import fastapi_of, make_app
from skerry.server.bot_runner import BotRunner
from skerry.server.routes.pages import challenges as challenge_pages
from skerry.server.routes.pages import lobby
from skerry.server.settings import Settings
from tests.server.secrecy.leaks import LEAKS
from tests.server.secrecy.requests import Answer, Request
from tests.server.secrecy.worlds import StoredWorld
from tests.server.server_main import FREE
from tests.server.simulation.database import DatabaseServer, SimulatedDatabase
from tests.server.simulation.event_loop import SimulatedLoop
from tests.server.simulation.process import ReadyWarmUp
from tests.server.simulation.world import EPOCH, World

ROOT = Path(__file__).resolve().parents[3]
SECRET = "of both twins"
ROLLOUTS = 32  # of the expert for a piece of advice, instead of a time limit
MOMENT = 2.0  # virtual seconds in which everything happens that a request has caused
TODAY = datetime.datetime.fromtimestamp(EPOCH, datetime.UTC).date()
SETTINGS = Settings(
    database="sqlite://",
    data=Path("/nonexistent"),
    secret=SECRET,
    bot_threads=1,
    heartbeat=1e6,
    limits=FREE,
)


@dataclass(frozen=True)
class Ask:
    """Send a request and wait for its answer. An event stream is left after a moment."""

    request: Request
    told: bool = True  # whether the asker gets the answer; otherwise somebody else has sent the request


@dataclass(frozen=True)
class Listen:
    """Open an event stream and keep it open."""

    name: str
    request: Request


@dataclass(frozen=True)
class Read:
    """Read what has come on all open streams since they were last read."""


Step = Ask | Listen | Read


@dataclass(frozen=True)
class Job:
    world: StoredWorld
    script: Sequence[Step]
    leak: str = ""  # what the server of this job tells although it must not


# The process that starts twins


class Twin:
    """A twin, as the process that started it sees it."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},  # sets have the same order in both
        )

    def start(self, job: Job) -> None:
        assert self._process.stdin is not None
        pickle.dump(job, self._process.stdin)
        self._process.stdin.flush()

    def answers(self) -> list[Answer] | str:
        """The answers to the job that was started last, or why there are none."""
        assert self._process.stdout is not None
        try:
            return cast("list[Answer] | str", pickle.load(self._process.stdout))
        except EOFError:
            return "a twin has ended; its error output says why"

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


# The twin itself


class NoChance(random.Random):
    """Draws zeros: nothing takes time."""

    def random(self) -> float:
        return 0.0


class Waiting:
    """Waits as the selector of an event loop does, but on its virtual clock."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop

    def select(self, seconds: float | None) -> list[Any]:
        assert seconds is not None, "nothing is left that could happen"
        self._loop.now += seconds
        return []


class QuietLoop(SimulatedLoop):
    """Tasks run in asyncio's own order."""

    def __init__(self) -> None:
        super().__init__(NoChance())
        self._selector = Waiting(self)

    def _run_once(self) -> None:
        asyncio.BaseEventLoop._run_once(self)  # type: ignore[attr-defined]


class QuietWorld(World):
    """The surroundings of a server in which there is neither chance nor fault."""

    def __init__(self, database: DatabaseServer) -> None:
        super().__init__(0, database)
        self.chance = NoChance()
        self.loop = QuietLoop()


async def think_for_ever(*arguments: Any) -> None:
    """What bots do here: their decisions depend on what their seats know, so that they would tell of it."""
    await asyncio.Event().wait()


def with_fixed_rollouts(expert: Expert, seconds: float, threads: int = 0) -> Expert:
    """An expert whose search takes a number of rollouts instead of some time."""
    return replace(expert, rollouts=ROLLOUTS, threads=1)


async def call_at_once(function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """What is done in a thread elsewhere: a virtual clock does not wait for threads."""
    return function(*arguments)


@contextlib.contextmanager
def surroundings(world: World) -> Iterator[None]:
    with (
        world.replacing_time_and_chance(),
        mock.patch.object(anyio.to_thread, "run_sync", call_at_once),
        mock.patch.object(server_store, "Database", return_value=SimulatedDatabase(world, world.database)),
        mock.patch.object(server_services, "WarmUp", ReadyWarmUp),
        mock.patch.object(BotRunner, "play_decision", think_for_ever),
        mock.patch.object(Expert, "with_time_limit", with_fixed_rollouts),
        mock.patch.object(lobby, "_today", return_value=TODAY),
        mock.patch.object(challenges, "today", return_value=TODAY),
        mock.patch.object(challenge_pages, "today", return_value=TODAY),
    ):
        yield


def store_world(database: DatabaseServer, world: StoredWorld) -> None:
    """Write a world into an empty database."""
    database.empty()
    guests = [{**vars(guest), "created": EPOCH} for guest in world.guests]
    with database.transaction() as connection:
        connection.execute(sa.insert(schema.guests), guests)
        for match in world.matches:
            holders = [{"match": match.id, "seat": seat, **holder} for seat, holder in enumerate(match.seats)]
            connection.execute(sa.insert(schema.matches), [match.header])
            connection.execute(sa.insert(schema.seats), holders)
            if match.log:
                connection.execute(sa.insert(schema.actions), [vars(row) for row in match.log])


class Connection:
    """One request on its way through the application, and what has come back of its answer."""

    def __init__(self, app: Any, request: Request) -> None:
        self.status = 0
        self.headers: tuple[tuple[str, str], ...] = ()
        self.body = b""
        self._request = request
        self._read = False
        self._left = asyncio.Event()
        self._scope = request.scope()
        self.task = asyncio.get_running_loop().create_task(app(self._scope, self._receive, self._send))

    async def _receive(self) -> Message:
        if not self._read:
            self._read = True
            return {"type": "http.request", "body": self._request.body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = tuple((name.decode(), value.decode()) for name, value in message["headers"])
        self.body += message.get("body", b"")

    async def leave(self) -> None:
        """Disconnect."""
        self._left.set()
        await self.task

    def take(self) -> Answer:
        """The answer so far; the next one begins after it."""
        body, self.body = self.body, b""
        return Answer(getattr(self._scope.get("route"), "path", ""), self.status, self.headers, body)


class Script:
    """Carries out a script and keeps the answers that the asker gets."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.answers: list[Answer] = []
        self.streams: dict[str, Connection] = {}

    async def run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case Ask():
                    answer = await self._ask(step.request)
                    if step.told:
                        self.answers.append(answer)
                case Listen():
                    self.streams[step.name] = Connection(self.app, step.request)
                    await asyncio.sleep(MOMENT)
                case Read():
                    await asyncio.sleep(MOMENT)
                    self.answers += [stream.take() for stream in self.streams.values()]
        for stream in self.streams.values():
            await stream.leave()

    async def _ask(self, request: Request) -> Answer:
        connection = Connection(self.app, request)
        if request.path.endswith("/stream"):
            await asyncio.sleep(MOMENT)
            await connection.leave()
        else:
            await connection.task
        return connection.take()


async def serve(job: Job) -> list[Answer]:
    app = make_app(SETTINGS, all_games, find_game)
    inner = fastapi_of(app)
    async with inner.router.lifespan_context(inner):
        script = Script(app)
        await script.run(job.script)
    return script.answers


def answers_to(job: Job, database: DatabaseServer) -> list[Answer]:
    store_world(database, job.world)
    world = QuietWorld(database)
    leak = LEAKS[job.leak]() if job.leak else contextlib.nullcontext()
    with surroundings(world), leak:
        asyncio.set_event_loop(world.loop)
        answers = world.loop.run_until_complete(serve(job))
        world.loop.close()
    return answers


def main() -> None:
    """What the process does: it reads jobs from its standard input and writes their answers to its standard output."""
    logging.disable(logging.CRITICAL)  # requests that are refused are no news here
    jobs, channel = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing that is printed gets between the answers
    database = DatabaseServer()
    while True:
        try:
            job = pickle.load(jobs)
        except EOFError:
            return
        answers: list[Answer] | str
        try:
            answers = answers_to(job, database)
        except Exception:
            answers = traceback.format_exc()
        pickle.dump(answers, channel)
        channel.flush()
