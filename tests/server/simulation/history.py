"""One history: a few people at a table, some faults, and then, once everything is healed, the checks."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
import random
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from skerry.engine.errors import Refusal
from skerry.engine.match import Step
from skerry.games import find_game
from skerry.server import recovery, sessions
from skerry.server.database import StoreDown
from skerry.server.match_session import SeatHolder
from tests.server.simulation.checks import Checks
from tests.server.simulation.database import DatabaseServer
from tests.server.simulation.nemesis import Nemesis
from tests.server.simulation.players import Player, Table
from tests.server.simulation.process import ABANDONED, HEARTBEAT, IDLE, ServerProcess
from tests.server.simulation.readers import Reader
from tests.server.simulation.redis_server import RedisServer
from tests.server.simulation.world import Violation, World

ANSWER_LIMIT = 120.0  # seconds within which everybody must have an answer once everything works
SETTLING = 45.0  # seconds after which everything must have come to rest: recovery takes half a minute
PATIENCE = 60  # times that a check is repeated while bots and clocks still play
STOP_LIMIT = 10.0  # seconds in which a process must stop when nothing is wrong

GAMES: tuple[tuple[str, dict[str, Any], int], ...] = (  # with options and seats
    ("cartagena", {"players": 2, "parts": "4", "pirates": 4}, 2),
    ("cartagena", {"players": 3, "parts": "4", "pirates": 4, "draw": "morgan"}, 3),
    ("hashi", {"players": 1}, 1),
    ("hashi", {"players": 2}, 2),
    ("forbidden-island", {"players": 2}, 2),
)


@dataclass
class Outcome:
    seed: int
    processes: int
    counts: Counter[str]
    violations: list[str] = field(default_factory=list)
    trace: str = ""

    def __str__(self) -> str:
        if not self.violations:
            return f"{self.trace}\n\nIn the history of seed {self.seed} every promise is kept."
        broken = "\n".join(f"  {text}" for text in self.violations)
        again = f"python -m tests.server.simulation --seed {self.seed}" + (
            f" --processes {self.processes}" if self.processes else ""
        )
        return f"{self.trace}\n\nThe history of seed {self.seed} breaks a promise ({again}):\n{broken}"


@functools.cache
def _database() -> DatabaseServer:
    """One for all histories, because making the tables takes as long as a history. Each finds it empty."""
    return DatabaseServer()


def run_history(seed: int, *, processes: int = 0) -> Outcome:
    """Run the history of a seed. ``processes``: how many servers there are; 0: one to three, as the seed says."""
    database = _database()
    database.empty()
    world = World(seed, database)
    world.redis = RedisServer(world)
    history = History(world, processes)
    with _watching_logs(world), world.replacing_time_and_chance(), _without_garbage_collection(), _shorter_waits():
        try:
            world.loop.run_until_complete(history.run())
        except Exception as error:
            world.violate(f"{type(error).__name__}: {error}")
        finally:
            history.clear_away()
    world.counts["histories"] += 1
    world.counts["steps of tasks"] += world.loop.step_count
    return Outcome(seed, processes, world.counts, world.violations, world.trace())


class History:
    def __init__(self, world: World, processes: int) -> None:
        self.world = world
        chance = world.chance
        count = processes or chance.choice([1, 2, 2, 2, 3])
        self.processes = [ServerProcess(world, number + 1, shared=count > 1) for number in range(count)]
        self.table = Table(world, self.processes)
        self.nemesis = Nemesis(world, self.processes)
        self.length = 10 + 40 * chance.random()  # seconds
        self.players: list[Player] = []
        self.readers: list[Reader] = []
        self.checks: Checks
        world.loop.set_exception_handler(self._handle_loop_error)
        world.loop.task_died = self._task_died

    async def run(self) -> None:
        for process in self.processes:
            await process.start()
        await self._sit_down()
        self.checks = Checks(self.table, self.players, self.readers)
        await self._play()
        await self._settle()
        await self._leave()

    # Before

    async def _sit_down(self) -> None:
        chance = self.world.chance
        pace = 0.5 + 2 * chance.random()
        for name in ("Ana", "Ben", "Eve")[: chance.randint(1, 3)]:
            home = chance.choice(self.processes)
            guest = await home.services.guests.add(name, chance.choice(["en", "es"]))
            token = home.services.guests.token(guest)
            self.players.append(Player(self.table, name, guest.id, token, home, pace))
        for _ in range(chance.choice([1, 1, 2])):
            await self._open_match()
        for number in range(chance.randint(1, 4)):
            self._open_reader(number + 1)

    async def _open_match(self) -> None:
        chance = self.world.chance
        game, options, count = chance.choices(GAMES, [5, 2, 3, 1, 2])[0]
        variant = find_game(game).configure(options)
        seats = [SeatHolder(self.players[0].guest)]
        for _ in range(count - 1):
            guest = chance.choice(self.players).guest
            seats.append(chance.choice([SeatHolder(guest), SeatHolder(guest), SeatHolder(bot="random"), SeatHolder()]))
        chance.shuffle(seats)
        if chance.random() < 0.15:  # nobody is needed, nor looks
            seats = [SeatHolder(bot="random")] * count
        seed = chance.getrandbits(64)
        steps = _earlier_steps(variant, seed, chance)
        host = chance.choice(self.processes)
        clock = chance.choice([None, None, None, chance.randint(5, 30)])
        session = await host.services.matches.create(variant, seed, self.players[0].guest, seats, steps, clock=clock)
        self.table.matches.append(session.id)
        self.world.tell("table", f"{session.id} is {game}, {len(steps)} steps old: {session.seats}, clock {clock}")

    def _open_reader(self, number: int) -> None:
        chance = self.world.chance
        player = chance.choice(self.players)
        match = chance.choice(self.table.matches)
        seats = [row.seat for row in self.world.database.seats(match) if row.guest == player.guest]
        seat = chance.choice([None, *seats, *seats])
        slowness = chance.choice([0, 0, 0, 2, 30])
        self.readers.append(Reader(number, player, match, seat, page=chance.random() < 0.6, slowness=slowness))

    # Meanwhile

    async def _play(self) -> None:
        world = self.world
        world.faults.active = True
        until = world.loop.now + self.length
        following = [asyncio.create_task(reader.live()) for reader in self.readers]
        playing = [asyncio.create_task(player.live(until)) for player in self.players]
        await self.nemesis.live(until)
        await world.sleep(max(0.0, until - world.loop.now))
        await self.nemesis.heal()
        for reader in self.readers:
            reader.slowness = 0
        done, waiting = await asyncio.wait(playing, timeout=ANSWER_LIMIT)
        for task in done:
            task.result()
        world.expect(not waiting, "somebody gets no answer")
        for task in following:
            if task.done():
                task.result()

    # Afterwards

    async def _settle(self) -> None:
        await self.world.sleep(SETTLING)
        self._complain(self.checks.log())
        await self._repeat(self._progress)  # first of all: any request loads a match, and with that helps it on
        await self._repeat(self.checks.reading)
        await self._repeat(self.checks.agreement)

    async def _progress(self) -> Iterable[str]:
        return [*self.checks.progress(), *self.checks.locks()]

    async def _repeat(self, check: Callable[[], Awaitable[Iterable[str]]]) -> None:
        """Repeat a check for a while: a bot or a clock may act between two of its questions."""
        complaints: list[str] = []
        for _ in range(PATIENCE):
            complaints = list(await check())
            if not complaints:
                return
            await self.world.sleep(1 + self.world.chance.random())
        self._complain(complaints)

    def _complain(self, complaints: Iterable[str]) -> None:
        for text in complaints:
            self.world.violate(text)

    async def _leave(self) -> None:
        """All leave; after a while nothing is left of them, and the processes stop."""
        for reader in self.readers:
            reader.leave()
        await self.world.sleep(ABANDONED + IDLE + 3 * HEARTBEAT)
        self._complain(self.checks.memory())
        self._complain(self.checks.log())
        for process in self.processes:
            began = self.world.loop.now
            await process.stop()
            took = self.world.loop.now - began
            self.world.expect(took < STOP_LIMIT, f"{process.name} took {took:.1f} seconds to stop")

    def clear_away(self) -> None:
        """Drop all that still runs, so that nothing of this history runs in the next one."""
        for process in self.processes:
            process.crash()
        for task in asyncio.all_tasks(self.world.loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            with contextlib.suppress(Exception):
                task.get_coro().close()
        self.world.loop.close()

    def _task_died(self, task: asyncio.Task[Any], error: BaseException) -> None:
        """Refusals end tasks that somebody waits for; nothing else may end a task of a server."""
        if not isinstance(error, Refusal):
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.world.violate(f"{task.get_coro()} died at {where.filename}:{where.lineno}: {error!r}")

    def _handle_loop_error(self, loop: Any, context: dict[str, Any]) -> None:
        if "handle" in context:
            self.world.violate(f"{context['message']}: {context.get('exception')!r}")


def _earlier_steps(variant: Any, seed: int, chance: random.Random) -> list[Step]:
    """Some steps that were played before; often so many that the end is near."""
    if chance.random() < 0.6:
        return []
    match = variant.new(seed)
    while match.result is None and len(match.steps) < 1000:
        seat = chance.choice(match.waiting)
        match.play(seat, chance.choice(match.legal_ids(seat)))
    return match.steps[: -chance.randint(1, 12)]


# Surroundings


class _LogWatch(logging.Handler):
    """Whatever the server logs as an error must be the fault of what was done to it."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        text = f"{record.getMessage()} {getattr(record, 'error', '') or ''} {error!r}"
        self.world.tell("log", text)
        blamed_on_the_store = isinstance(error, StoreDown) or any(word in text for word in ("store", "database"))
        if record.levelno >= logging.ERROR and not blamed_on_the_store:
            self.world.violate(f"the server logged: {text}")


@contextlib.contextmanager
def _watching_logs(world: World) -> Iterator[None]:
    logger = logging.getLogger("skerry")
    handler = _LogWatch(world)
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield
    finally:
        logger.propagate = propagates
        logger.removeHandler(handler)


@contextlib.contextmanager
def _shorter_waits() -> Iterator[None]:
    with mock.patch.object(sessions, "IDLE", IDLE), mock.patch.object(recovery, "ABANDONED_MAX", ABANDONED):
        yield


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """A collection at an unforeseeable moment would finalize coroutines in the middle of a history."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


__all__ = ["Outcome", "Violation", "run_history"]
