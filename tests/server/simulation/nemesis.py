"""The nemesis: crashes, restarts and pauses processes, and takes the database and Redis away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tests.server.simulation.process import ServerProcess
from tests.server.simulation.world import World

SHARE_OF_BLOWS = 0.5  # of the kinds of blows that one history has
SOON = 60  # steps of tasks within which a process crashes that is to crash anywhere
DOWN = 20.0  # seconds that a process or a service is away at most
LONG = 300.0  # seconds that an outage lasts at most which is longer than recovery looks back
STOP_LIMIT = 60.0  # seconds after which a process that does not stop is killed


class Nemesis:
    def __init__(self, world: World, processes: Sequence[ServerProcess]) -> None:
        self.world = world
        self.processes = processes
        kinds: list[Callable[[], Awaitable[None]]] = [
            self._crash_anywhere,
            self._crash_after_a_commit,
            self._restart,
            self._pause,
            self._take_the_store_away,
            self._take_redis_away,
        ]
        chance = world.chance
        self._kinds = [kind for kind in kinds if chance.random() < SHARE_OF_BLOWS]
        if chance.random() < 0.04:
            self._kinds.append(self._take_the_store_away_for_long)
        self._interval = 2 + chance.random() * 20
        self._blows: set[asyncio.Task[None]] = set()

    async def live(self, until: float) -> None:
        world = self.world
        while self._kinds:
            await world.sleep(2 * self._interval * world.chance.random())
            if world.loop.now > until:
                break
            self._blows.add(world.loop.create_task(self._strike(world.chance.choice(self._kinds))))
        if self._blows:
            await asyncio.wait(self._blows)

    async def _strike(self, kind: Callable[[], Awaitable[None]]) -> None:
        await kind()

    async def heal(self) -> None:
        """Bring everything back."""
        self.world.tell("nemesis", "heals everything")
        self.world.faults.active = False
        self.world.database.is_up = self.world.redis.is_up = True
        for process in self.processes:
            process.resume()
            if process.life is None:
                await process.start()

    def _somebody(self) -> ServerProcess | None:
        running = [process for process in self.processes if process.answers]
        return self.world.chance.choice(running) if running else None

    # Processes

    async def _crash_anywhere(self) -> None:
        process = self._somebody()
        if process is not None:
            life = process.life
            crashed = asyncio.Event()
            self.world.at_step(self.world.chance.randrange(1, SOON), crashed.set)
            await crashed.wait()
            if process.life is life:
                await self._crash(process, "process: crashed at any step")

    async def _crash_after_a_commit(self) -> None:
        """Let a process die between a commit and its acknowledgement."""
        process = self._somebody()
        if process is not None:
            life = process.life
            assert life is not None
            committed = asyncio.Event()
            life.on_commit = committed.set
            with_patience = self.world.loop.call_later(DOWN, committed.set)
            await committed.wait()
            with_patience.cancel()
            life.on_commit = None
            if process.life is life:
                await self._crash(process, "process: crashed between commit and answer")

    async def _crash(self, process: ServerProcess, kind: str) -> None:
        self.world.faults.count(kind)
        process.crash()
        await self.world.sleep(self.world.draw(DOWN))
        if process.life is None:
            await process.start()

    async def _restart(self) -> None:
        process = self._somebody()
        if process is not None:
            self.world.faults.count("process: stopped and restarted")
            life = process.life
            try:
                async with asyncio.timeout(STOP_LIMIT):
                    await process.stop()
            except TimeoutError:
                if process.life is life:
                    process.crash()
            await self.world.sleep(self.world.draw(DOWN))
            if process.life is None:
                await process.start()

    async def _pause(self) -> None:
        process = self._somebody()
        if process is not None:
            self.world.faults.count("process: paused")
            life = process.life
            process.pause()
            await self.world.sleep(self.world.draw(3 * DOWN))
            if process.life is life:
                process.resume()

    # Services

    async def _take_the_store_away(self, longest: float = DOWN) -> None:
        self.world.faults.count("store: away")
        self.world.tell("nemesis", "takes the database away")
        self.world.database.is_up = False
        await self.world.sleep(self.world.draw(longest))
        self.world.tell("nemesis", "brings the database back")
        self.world.database.is_up = True

    async def _take_the_store_away_for_long(self) -> None:
        await self._take_the_store_away(LONG)

    async def _take_redis_away(self) -> None:
        self.world.faults.count("hub: away")
        self.world.tell("nemesis", "takes Redis away")
        self.world.redis.stop()
        await self.world.sleep(self.world.draw(2 * DOWN))
        self.world.tell("nemesis", "brings Redis back")
        self.world.redis.is_up = True
