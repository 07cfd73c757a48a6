"""Several server processes on one machine: one port, one database, no Redis.

The parent listens and forks. It keeps each worker's listening socket open, so that no connection is refused while a
worker is started again. The workers tell each other through pipes what has changed, and write to the same database,
whose primary key orders the log of each match. The bots and clocks of a match are run by one worker, which its id
determines. A worker that dies is started again; its connections are lost, and pages reconnect to whichever worker
answers. When the parent is told to stop, all stop; when it dies, too.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn, Protocol

from skerry.engine.errors import Refusal
from skerry.server.hub import Hub
from skerry.server.partition import Partition
from skerry.server.worker_hub import WorkerHub

if sys.platform == "linux":
    import fcntl

logger = logging.getLogger(__name__)

PIPE_SIZE = 1 << 20  # bytes of hints that a busy worker may have waiting
STOP_TIMEOUT = 15  # seconds until workers that have not stopped are killed
SHORT_LIFE = 5.0  # seconds: a worker that died earlier is started again after a pause of this length
SIGNALS = (
    {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGALRM, signal.SIGUSR1} if os.name == "posix" else set()
)


Mask = set[int | signal.Signals]  # the signals that are blocked


class Worker(NamedTuple):
    """What a worker process gets from its parent. It calls ``ready`` once it can be reached."""

    listening: socket.socket
    partition: Partition
    hub: Hub
    parent: int
    ready: Callable[[], None]


class Serve(Protocol):
    """Serves as one of the workers, until told to stop."""

    def __call__(self, worker: Worker, /) -> None: ...


class OnDeath(Protocol):
    """Called in the parent with the process id of a worker that has ended."""

    def __call__(self, process: int, /) -> None: ...


def _ignore(process: int, /) -> None:
    pass


class _Pipe(NamedTuple):
    read: int
    write: int


class _Running(NamedTuple):
    """A worker process: its number and when it was started."""

    number: int
    since: float


class Workers:
    """The parent of the workers."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        serve: Serve,
        on_ready: Callable[[], None],
        count: int,
        on_death: OnDeath = _ignore,
    ) -> None:
        self.count = count
        self.sockets = sockets
        self.serve = serve
        self.on_ready = on_ready
        self.on_death = on_death
        self._inboxes = [_new_pipe() for _ in range(count)]
        self._ready = _new_pipe()
        self._started: set[int] = set()  # the workers that could be reached once
        self._running: dict[int, _Running] = {}  # by process id
        self._stopped_by: signal.Signals | None = None
        self._failed = False

    def run(self) -> None:
        """Run the workers until a signal stops them. Ctrl-C is raised as KeyboardInterrupt, as without workers."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            for index in range(self.count):
                self._start(index, mask)
            while self._running:
                self._handle(signal.Signals(signal.sigwait(SIGNALS)), mask)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if self._failed:
            raise SystemExit(1)
        if self._stopped_by is signal.SIGINT:
            raise KeyboardInterrupt

    def _handle(self, received: signal.Signals, mask: Mask) -> None:
        if received is signal.SIGCHLD:
            self._reap(mask)
        elif received is signal.SIGUSR1:
            self._note_ready()
        elif received is signal.SIGALRM or self._stopped_by is not None:
            self._send(signal.SIGKILL)
        else:
            self._stop(received)

    def _stop(self, received: signal.Signals) -> None:
        """Tell all workers to stop. The terminal has sent them Ctrl-C, too; a second one would not let them finish."""
        self._stopped_by = received
        self._send(signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, STOP_TIMEOUT)

    def _send(self, number: signal.Signals) -> None:
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def _note_ready(self) -> None:
        before = len(self._started)
        with contextlib.suppress(BlockingIOError):
            self._started.update(os.read(self._ready.read, 1024))
        if before < self.count == len(self._started):
            self.on_ready()

    def _reap(self, mask: Mask) -> None:
        """Start the workers that have died again. One that could never be reached is the end of all: its next life
        would be no longer."""
        self._note_ready()
        while self._running:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            index, since = self._running.pop(process)
            self.on_death(process)
            if self._stopped_by is not None:
                continue
            if index not in self._started:
                self._failed = True
                self._stop(signal.SIGTERM)
                continue
            logger.error("a worker has died and is started again", extra={"error": f"status {status}"})
            self._start(index, mask, SHORT_LIFE if time.monotonic() - since < SHORT_LIFE else 0.0)

    def _start(self, index: int, mask: Mask, pause: float = 0.0) -> None:
        process = os.fork()
        if not process:
            self._be_worker(index, mask, pause)
        self._running[process] = _Running(index, time.monotonic())

    def _be_worker(self, index: int, mask: Mask, pause: float) -> NoReturn:
        """Serve, in the child process. Whatever happens, it must not go on as a second parent."""
        status = 1
        parent = os.getppid()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            time.sleep(pause)

            def ready() -> None:
                os.write(self._ready.write, bytes([index]))
                os.kill(parent, signal.SIGUSR1)

            others = [pipe.write for number, pipe in enumerate(self._inboxes) if number != index]
            hub = WorkerHub(self._inboxes[index].read, others)
            self.serve(Worker(self.sockets[index], Partition(index, self.count), hub, parent, ready))
            status = 0
        except KeyboardInterrupt:
            status = 0
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
        except Exception as error:
            logger.error("a worker failed", exc_info=error)
        finally:
            os._exit(status)


def listen(host: str, port: int, count: int, backlog: int) -> list[socket.socket]:
    """A listening socket for each worker, all on one port. Linux spreads the connections over them; elsewhere workers
    share one."""
    if os.name != "posix":
        raise Refusal("several workers need Linux or macOS")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    spread = sys.platform == "linux"
    first = socket.create_server((host, port), family=family, backlog=backlog, reuse_port=spread)
    if not spread:
        return [first] * count
    address = host, first.getsockname()[1]
    others = (socket.create_server(address, family=family, backlog=backlog, reuse_port=True) for _ in range(count - 1))
    return [first, *others]


def _new_pipe() -> _Pipe:
    pipe = _Pipe(*os.pipe())
    for end in pipe:
        os.set_blocking(end, False)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a host may allow less
            fcntl.fcntl(pipe.write, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return pipe
