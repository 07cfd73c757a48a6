"""Recovery: finds matches whose bots or clocks nobody runs, because the process that ran them has died."""

from __future__ import annotations

import asyncio
import time

from skerry.engine.errors import Refusal
from skerry.server.faults import contain
from skerry.server.match_service import MatchService
from skerry.server.partition import ALL, Partition
from skerry.server.sessions import Observer
from skerry.server.store import StoreDown

INTERVAL = 10.0  # seconds between two searches
ABANDONED_MIN = 12.0  # seconds without a move after which a bot's process is taken to be dead
ABANDONED_MAX = 600.0  # seconds without a move, at a search, after which an earlier one has found the match


class OrphanRecovery:
    """Searches the store once at the start and, if there are other processes, regularly from then on."""

    def __init__(self, matches: MatchService, resume: Observer, partition: Partition = ALL) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.partition = partition
        self.resume = resume  # called with each session found
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        """First find all matches with a bot or a clock, then only those that no other process plays."""
        since, until = 0.0, float("inf")
        searched: float | None = None  # when the last search began that found all
        while True:
            began = time.time()
            try:
                await self._resume_matches(await self.matches.store.with_bots(since, until))
                if not self.matches.hub.shared:
                    return
                searched = began
            except StoreDown:
                pass
            await asyncio.sleep(INTERVAL)
            if searched is not None:  # not the last interval: the store may have been away for longer
                since, until = searched - ABANDONED_MAX, time.time() - ABANDONED_MIN

    async def _resume_matches(self, ids: list[str]) -> None:
        for match in filter(self.partition.owns, ids):
            try:
                session = await self.sessions.get(match)
                async with session.lock:
                    await self.sessions.catch_up(session)
                self.resume(session)
            except StoreDown:
                raise
            except Refusal:  # it was deleted meanwhile, or it cannot be opened here
                pass
            except Exception as error:
                contain("recovery", error, match=match)
            await asyncio.sleep(0)
