"""The world of a history: its chance, its clock, what has happened in it, and what has gone wrong."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import Context
from typing import TYPE_CHECKING, Any
from unittest import mock

from tests.server.simulation.event_loop import SimulatedLoop
from tests.server.simulation.faults import Faults

if TYPE_CHECKING:
    from tests.server.simulation.database import DatabaseServer
    from tests.server.simulation.redis_server import RedisServer

EPOCH = 1_700_000_000.0  # the wall clock at the beginning of each history
MOST_STEPS = 200_000  # of tasks, in one history
LONGEST = 5_000.0  # seconds that a history may last


class Violation(Exception):
    """The server has broken a promise."""


class World:
    def __init__(self, seed: int, database: DatabaseServer) -> None:
        self.seed = seed
        self.chance = random.Random(f"history {seed}")
        self.loop = SimulatedLoop(random.Random(f"order {seed}"))
        self.counts: Counter[str] = Counter()
        self.faults = Faults(random.Random(f"faults {seed}"), self.counts)
        self.database = database
        self.redis: RedisServer
        self.events: list[tuple[float, str, str]] = []
        self.violations: list[str] = []
        self._outside = Context()  # no owner: what happens outside all processes
        self._at_step: list[tuple[int, Callable[[], None]]] = []
        self.loop.after_step = self._look_at_step

    # Time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def later(self, seconds: float, callback: Callable[..., None], *arguments: Any) -> None:
        """Call a function later, whatever happens to the processes."""
        self.loop.call_later(seconds, callback, *arguments, context=self._outside)

    def at_step(self, steps: int, callback: Callable[[], None]) -> None:
        """Call a function after so many more steps of tasks."""
        self._at_step.append((self.loop.step_count + steps, callback))

    def _look_at_step(self) -> None:
        if self.loop.step_count > MOST_STEPS or self.loop.now > LONGEST:
            raise Violation("the history does not come to its end: something goes round in circles")
        for step, callback in [due for due in self._at_step if due[0] <= self.loop.step_count]:
            self._at_step.remove((step, callback))
            callback()

    def draw(self, highest: float) -> float:
        """A number below this one; small ones are more frequent."""
        return highest * self.chance.random() ** 2

    def wall_clock(self) -> float:
        return EPOCH + self.loop.now

    # Telling

    def tell(self, who: str, text: str) -> None:
        """Add a line to the trace."""
        self.events.append((self.loop.now, who, text))

    def violate(self, text: str) -> None:
        self.tell("VIOLATION", text)
        self.violations.append(text)

    def expect(self, holds: bool, text: str) -> None:
        if not holds:
            self.violate(text)

    def trace(self) -> str:
        return "\n".join(f"{now:10.4f}  {who:<16} {text}" for now, who, text in self.events)

    # What the server's code sees instead of the machine's

    @contextlib.contextmanager
    def replacing_time_and_chance(self) -> Iterator[None]:
        chance = random.Random(f"secrets {self.seed}")
        loop = self.loop
        with (
            mock.patch.multiple(
                time,
                time=self.wall_clock,
                monotonic=self.wall_clock,
                perf_counter=loop.read_clock,
            ),
            mock.patch.multiple(
                secrets,
                token_urlsafe=lambda size=16: f"{chance.getrandbits(8 * size):0{2 * size}x}"[:22],
                token_hex=lambda size=16: f"{chance.getrandbits(8 * size):0{2 * size}x}",
                randbits=chance.getrandbits,
            ),
        ):
            yield
