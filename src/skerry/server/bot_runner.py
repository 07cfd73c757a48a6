"""Who plays when no person does: bots at their seats, and for whoever lets the clock run out."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from skerry import bots
from skerry.bots.advice import Advice, advise
from skerry.bots.expert import Expert
from skerry.bots.interrupts import imposes
from skerry.engine.errors import Illegal, Refusal
from skerry.server.errors import NoMatch, Stale
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.settings import Settings
from skerry.server.store import StoreDown
from skerry.server.tutorial import on_the_line, scripted

log = logging.getLogger(__name__)

BRIEFLY = 0.25  # of a bot's time, for whether to interrupt
ADVISED = 8  # actions that advice names
LOOK_AROUND = 10.0  # seconds between two looks for matches whose process died
BOT_FAILED = 10.0  # seconds until a bot that failed tries again
LEFT_ALONE = (12.0, 600.0)  # a bot that has not played for so long has no process any more


class BotRunner:
    """Bots think in threads: kernels let go of the interpreter, so the table goes on meanwhile."""

    def __init__(
        self, matches: MatchService, settings: Settings, secret: str, watched: Callable[[MatchSession], bool]
    ) -> None:
        self.matches = matches
        self.pace = settings.pace
        self.secret = secret
        self.watched = watched
        self.seconds = settings.think
        self.threads = settings.thinkers or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(self.threads, "bot")
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.matches.watchers.append(self.watch)
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        self.matches.watchers.remove(self.watch)
        for handle in self._clocks.values():
            handle.cancel()
        tasks = [task for task in (*self._playing.values(), self._sweeper) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def watch(self, session: MatchSession) -> None:
        """Something happened to a match: is a bot to play, or does a clock run?"""
        if session.head.clock is not None:
            self._set_clock(session)
        if session.ended is None and session.id not in self._playing and session.bots:
            task = asyncio.create_task(self._play(session.id))
            self._playing[session.id] = task
            task.add_done_callback(lambda _: self._done(session.id))

    def _done(self, match: str) -> None:
        self._playing.pop(match, None)
        session = self.matches.sessions.get(match)
        if session is not None and self.watch in self.matches.watchers:
            self.watch(session)  # it may have gone on just now

    async def _play(self, match: str) -> None:
        """Play for the bots of a match until it waits for a person."""
        while True:
            try:
                session = await self.matches.get(match)
                if session.ended is not None or not session.bots:
                    return
                if self.watched(session) and session.bots[0] in session.match.waiting:
                    await asyncio.sleep(self.pace)
                seat = session.bots[0] if session.bots else None
                if seat is not None:
                    await self.play_for(session, seat, str(session.seats[seat].bot))
            except Stale:
                continue
            except StoreDown:
                await asyncio.sleep(1)
            except NoMatch:
                return
            except Exception as error:  # a fault of the bot's; perhaps somebody takes the seat meanwhile
                log.error("a bot could not play", exc_info=error)
                await asyncio.sleep(BOT_FAILED)

    async def play_for(self, session: MatchSession, seat: int, name: str) -> None:
        """One decision of a bot, from what the seat knows; who could only interrupt may let it be."""
        seq, match = session.seq, session.match.copy()
        waits, chance = seat in match.waiting, self._chance(session, seq, seat)
        bot = bots.find(session.game, name).with_time_limit(
            self.seconds if waits else BRIEFLY * self.seconds, self.threads
        )
        action = scripted(session, seat)
        if action is None and (waits or not on_the_line(session)):
            think, loop = bot.choose if waits else bot.interrupt, asyncio.get_running_loop()
            action = await loop.run_in_executor(self._pool, think, match, seat, chance)
        if action is None or (not waits and imposes(session.game, action, session.people)):
            if session.seq == seq:
                session.turn_order.passed(seat)
        else:
            await self.matches.act(session, seat, action, seq)

    def _chance(self, session: MatchSession, seq: int, seat: int) -> int:
        """After a crash the same bot does the same."""
        mark = hashlib.sha256(f"{self.secret} {session.id} {seq} {seat}".encode()).digest()
        return int.from_bytes(mark[:8], "big")

    async def advise(self, session: MatchSession, seat: int) -> tuple[int, Advice]:
        """What an expert would do at a seat, from what the seat knows; and at which number of the log."""
        if session.ended is not None:
            raise Illegal("the game is over")
        seq, match = session.seq, session.match.copy()
        expert = Expert.of(session.game).with_time_limit(self.seconds, self.threads)
        loop = asyncio.get_running_loop()
        chance = self._chance(session, seq, seat)
        return seq, await loop.run_in_executor(self._pool, advise, match, seat, expert, chance, ADVISED)

    # The clock

    def _set_clock(self, session: MatchSession) -> None:
        running = self._clocks.pop(session.id, None)
        if running is not None:
            running.cancel()
        if session.ended is None:
            left = max(0.05, session.at + session.head.clock - time.time())
            loop = asyncio.get_running_loop()
            self._clocks[session.id] = loop.call_later(left, self._ring, session.id, session.seq)

    def _ring(self, match: str, seq: int) -> None:
        task = asyncio.create_task(self._time_is_up(match, seq))
        task.add_done_callback(lambda done: done.exception())

    async def _time_is_up(self, match: str, seq: int) -> None:
        """The house plays one decision for a person who is late; the seat stays theirs."""
        try:
            session = await self.matches.get(match)
            late = session.awaited
            if session.seq == seq and late:
                await self.play_for(session, late[0], bots.default_bot(session.game))
            else:
                self._set_clock(session)
        except (Stale, NoMatch):
            pass
        except Refusal as refusal:
            log.error("the clock could not play", extra={"error": str(refusal)})
            asyncio.get_running_loop().call_later(5, self._ring, match, seq)

    # What a process that died left behind

    async def _sweep(self) -> None:
        """First whatever waits for a bot or runs on a clock; later, beside other processes, what nobody plays."""
        since, until, looked = 0.0, float("inf"), False
        while True:
            try:
                await self._adopt(await self.matches.store.with_bots(since, until))
                if not self.matches.hub.remote:
                    return
                looked = True
            except StoreDown:
                pass
            await asyncio.sleep(LOOK_AROUND)
            if looked:
                since, until = time.time() - LEFT_ALONE[1], time.time() - LEFT_ALONE[0]

    async def _adopt(self, ids: list[str]) -> None:
        for match in ids:
            try:
                session = await self.matches.get(match)
            except StoreDown:
                raise
            except Refusal:  # deleted meanwhile, or of rules that are not here any more
                continue
            async with session.lock:
                await self.matches.catch_up(session)
            self.watch(session)
            await asyncio.sleep(0)
