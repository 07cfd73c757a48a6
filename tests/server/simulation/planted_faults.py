"""Known faults that can be planted into the server's code, to see whether the simulation finds them."""

from __future__ import annotations

import contextlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from unittest import mock

from skerry.server.broadcast import Broadcaster
from skerry.server.decision_clocks import DecisionClocks
from skerry.server.log_writer import LogWriter
from skerry.server.match_service import MatchService
from skerry.server.recovery import OrphanRecovery
from skerry.server.sessions import SessionRegistry
from skerry.server.subscriptions import Subscription
from skerry.server.topics import Topic


@dataclass(frozen=True)
class PlantedFault:
    """A method whose source is changed in one place."""

    what: str
    owner: type
    method: str
    old: str
    new: str

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        original = inspect.getattr_static(self.owner, self.method)
        source = textwrap.dedent(inspect.getsource(original))
        assert source.count(self.old) == 1, f"{self.what}: {self.method} does not contain {self.old!r} once any more"
        names = dict(vars(sys.modules[self.owner.__module__]))
        exec("from __future__ import annotations\n" + source.replace(self.old, self.new), names)  # of our own source
        with mock.patch.object(self.owner, self.method, names[self.method]):
            yield


PLANTED_FAULTS = (
    PlantedFault(
        "an action is announced before it is committed",
        MatchService,
        "_commit",
        "    try:\n        written",
        "    self.announce(session, session.seq) if session.apply_row(row) is None else None\n"
        "    session.apply_row = lambda row: vars(session).pop('apply_row')\n"
        "    try:\n        written",
    ),
    PlantedFault(
        "an action is acknowledged before it is on disk",
        LogWriter,
        "append",
        "return await row.written",
        "row.written.add_done_callback(lambda done: done.exception())\n    return True",
    ),
    PlantedFault(
        "another process's row with the same number is ignored",
        MatchService,
        "_commit",
        "if not written:",
        "if False:",
    ),
    PlantedFault(
        "the key of a repeated request is not looked up",
        MatchService,
        "_played_before",
        "if key is not None else None",
        "if False else None",
    ),
    PlantedFault(
        "a failed write is taken for a success",
        MatchService,
        "_commit",
        "        raise\n",
        "        written = True\n",
    ),
    PlantedFault(
        "the log is not read again after a hint was lost",
        MatchService,
        "refresh",
        "if session is not None and seq > session.seq:",
        "if False:",
    ),
    PlantedFault(
        "seats are not read again after a hint was lost",
        MatchService,
        "refresh",
        "await self.sessions.refresh_seats(some)",
        "pass",
    ),
    PlantedFault(
        "a reconnecting client gets the step again that it saw last",
        Broadcaster,
        "_missed",
        "read_missed(self.sessions, session, since)",
        "read_missed(self.sessions, session, max(0, since - 1))",
    ),
    PlantedFault(
        "a slow client skips what is no longer kept for it",
        Topic,
        "messages_since",
        "return None",
        'return b""',
    ),
    PlantedFault(
        "a stream that was closed is still counted",
        Broadcaster,
        "unsubscribe",
        "self._uncount_stream(subscription.guest)",
        "pass",
    ),
    PlantedFault(
        "a stream that was closed stays subscribed",
        Subscription,
        "run",
        "self.broadcaster.unsubscribe(self)",
        "pass",
    ),
    PlantedFault(
        "idle sessions stay in memory",
        SessionRegistry,
        "drop_idle",
        "self.forget(session.id)",
        "pass",
    ),
    PlantedFault(
        "nobody takes over the bots of a process that has died",
        OrphanRecovery,
        "_resume_matches",
        "for match in filter(self.partition.owns, ids):",
        "for match in ():",
    ),
    PlantedFault(
        "a clock is not set again after a step",
        DecisionClocks,
        "restart",
        "if session.ended is None:",
        "if session.ended is None and not session.seq:",
    ),
    PlantedFault(
        "the lock of a match is not released when the store fails",
        MatchService,
        "act",
        "async with session.lock:",
        "await session.lock.acquire()\n    if True:",
    ),
)
