"""The simulated event loop: a virtual clock, and a seeded order of the tasks that are ready to run."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any

STEP_SECONDS = 0.0004  # of virtual time that one step of a task takes at most
CLOCK_TICK = 0.00002  # seconds by which reading the clock advances it, so that code that only computes takes time too
THINKING_SECONDS = 0.02  # of virtual time that a call in a thread takes at most


class Owner:
    """Whom tasks and timers belong to: a server process, which can be paused and can die."""

    def __init__(self) -> None:
        self.alive = True
        self.paused = False
        self.held: list[asyncio.Handle] = []  # what became ready during the pause
        self.tasks: list[SimulatedTask] = []
        self.on_commit: Callable[[], None] | None = None  # called when a change of its is committed


OWNER: ContextVar[Owner | None] = ContextVar("owner", default=None)


class SimulatedTask(asyncio.Task[Any]):
    """A task with a number, so that a choice among tasks does not depend on memory addresses."""

    serial: int


class Stuck(Exception):
    """Nothing is left that could ever happen, but the history is not over."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs one step of one task at a time. When no task is ready, time jumps to the next timer.

    Tasks race: which of the ready ones goes next is drawn. Plain callbacks keep their order, because asyncio's own
    objects rely on it.
    """

    _ready: Any  # of the base class
    _scheduled: list[asyncio.TimerHandle]
    _stopping: bool

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.now = 0.0
        self.step_count = 0
        self.after_step: Callable[[], None] = lambda: None
        self.task_died: Callable[[asyncio.Task[Any], BaseException], None] = lambda task, error: None
        self._chance = chance
        self._runnable: list[asyncio.Handle] = []
        self._task_count = 0
        self.set_task_factory(self._new_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self.now

    def read_clock(self) -> float:
        """The time for code that measures how long it takes."""
        self.now += CLOCK_TICK
        return self.now

    def _process_events(self, event_list: Any) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """Let go of an abandoned generator: a task that closes it would belong to nobody."""

    def _new_task(self, loop: Any, coro: Coroutine[Any, Any, Any], **more: Any) -> SimulatedTask:
        task = SimulatedTask(coro, loop=loop, **more)
        self._task_count += 1
        task.serial = self._task_count
        owner = task.get_context().get(OWNER) if hasattr(task, "get_context") else _owner_of(more.get("context"))
        if owner is not None:
            owner.tasks.append(task)
            task.add_done_callback(self._look_at_end)
        return task

    def _look_at_end(self, task: asyncio.Task[Any]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.task_died(task, error)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Call a function a moment later instead of in a thread."""
        result: asyncio.Future[Any] = self.create_future()
        self.call_later(self._chance.random() * THINKING_SECONDS, _settle_future, result, func, args)
        return result

    def resume(self, owner: Owner) -> None:
        """End the pause of an owner: what became ready meanwhile runs now."""
        owner.paused = False
        self._ready.extend(owner.held)
        owner.held.clear()

    # Running

    def _run_once(self) -> None:
        self._collect()
        while not self._runnable:
            if self._stopping:
                return
            if not self._scheduled:
                raise Stuck("nothing is left that could happen")
            self.now = max(self.now, self._scheduled[0].when())
            self._collect()
        if len(self._runnable) > 1:
            self._runnable.sort(key=_serial)
        handle = self._runnable.pop(self._chance.randrange(len(self._runnable)))
        if not handle.cancelled() and self._admits(handle):
            self.step_count += 1
            self.now += self._chance.random() * STEP_SECONDS
            handle._run()
            self.after_step()

    def _collect(self) -> None:
        """Run the plain callbacks that are ready, and keep the steps of tasks."""
        while True:
            while self._scheduled and self._scheduled[0].when() <= self.now:
                self._ready.append(heapq.heappop(self._scheduled))
            if not self._ready:
                return
            handle = self._ready.popleft()
            if handle.cancelled() or not self._admits(handle):
                continue
            if _task_of(handle) is not None:
                self._runnable.append(handle)
            else:
                handle._run()

    def _admits(self, handle: asyncio.Handle) -> bool:
        """Whether the owner of a handle can run it now. That of a paused one is kept, that of a dead one is dropped."""
        owner = _owner_of(handle._context)  # type: ignore[attr-defined]
        if owner is None:
            return True
        if owner.alive and owner.paused:
            owner.held.append(handle)
        return owner.alive and not owner.paused


def _settle_future(result: asyncio.Future[Any], func: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if result.done():
        return
    try:
        result.set_result(func(*args))
    except Exception as error:
        result.set_exception(error)


def _owner_of(context: Context | None) -> Owner | None:
    return OWNER.get() if context is None else context.get(OWNER)


def _task_of(handle: asyncio.Handle) -> SimulatedTask | None:
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    return task if isinstance(task, SimulatedTask) else None


def _serial(handle: asyncio.Handle) -> int:
    task = _task_of(handle)
    return 0 if task is None else task.serial
