"""The bot runner: plays the bots' seats, and gives advice, in threads beside the event loop."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from skerry import bots
from skerry.bots.advice import Advice, advise
from skerry.bots.expert import Expert
from skerry.bots.interrupts import imposes
from skerry.engine.errors import Illegal
from skerry.server.decision_clocks import DecisionClocks
from skerry.server.errors import NoMatch, Stale
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.recovery import OrphanRecovery
from skerry.server.settings import Settings
from skerry.server.store import StoreDown
from skerry.server.tutorial import on_tutorial_line, scripted_action

log = logging.getLogger(__name__)

INTERRUPT_TIME = 0.25  # share of a bot's time for a decision that it takes to decide about an interruption
ADVISED_ACTIONS = 8  # at most, in a piece of advice
STORE_RETRY = 1.0  # seconds until a bot tries again when the store was down
BOT_RETRY = 10.0  # seconds until a bot that failed tries again


class GivenAdvice(NamedTuple):
    """Advice, and the log number of the position that it is about."""

    seq: int
    advice: Advice


class BotRunner:
    """One task plays all bots of a match. Kernels release the GIL, so the server goes on while a bot thinks."""

    def __init__(
        self, matches: MatchService, settings: Settings, secret: str, is_watched: Callable[[MatchSession], bool]
    ) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.pace = settings.pace
        self.secret = secret
        self.is_watched = is_watched
        self.seconds = settings.bot_seconds
        self.threads = settings.bot_threads or max(1, (os.cpu_count() or 2) - 1)
        self.clocks = DecisionClocks(self.sessions, self.play_decision)
        self._recovery = OrphanRecovery(matches, self.match_changed)
        self._pool = ThreadPoolExecutor(self.threads, "bot")
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by match

    async def open(self) -> None:
        self.sessions.observers.append(self.match_changed)
        self._recovery.open()

    async def close(self) -> None:
        self.sessions.observers.remove(self.match_changed)
        self.clocks.close()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await self._recovery.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def match_changed(self, session: MatchSession) -> None:
        """Start the clock of a match and, if it is a bot's turn, the task that plays its bots."""
        if session.header.clock is not None:
            self.clocks.restart(session)
        if session.ended is None and not self.is_playing(session.id) and session.bots_to_ask:
            task = asyncio.create_task(self._play_bots(session.id))
            self._tasks[session.id] = task
            task.add_done_callback(lambda _: self._task_done(session.id))

    def is_playing(self, match: str) -> bool:
        return match in self._tasks

    def _task_done(self, match: str) -> None:
        self._tasks.pop(match, None)
        session = self.sessions.in_memory.get(match)
        if session is not None and self.match_changed in self.sessions.observers:
            self.match_changed(session)  # it may have changed while the task was ending

    async def _play_bots(self, match: str) -> None:
        """Play the bots of a match until it waits for a person."""
        while True:
            try:
                session = await self.sessions.get(match)
                if session.ended is not None or not session.bots_to_ask:
                    return
                if self.is_watched(session) and session.bots_to_ask[0] in session.match.waiting:
                    await asyncio.sleep(self.pace)
                seat = session.bots_to_ask[0] if session.bots_to_ask else None
                if seat is not None:
                    await self.play_decision(session, seat, str(session.seats[seat].bot))
            except Stale:
                continue
            except StoreDown:
                await asyncio.sleep(STORE_RETRY)
            except NoMatch:
                return
            except Exception as error:  # the bot is at fault; meanwhile somebody may take over its seat
                log.error("a bot could not play", exc_info=error)
                await asyncio.sleep(BOT_RETRY)

    async def play_decision(self, session: MatchSession, seat: int, name: str) -> None:
        """Let a bot make one decision for a seat, knowing what the seat knows. Out of turn it may decline to act."""
        seq = session.seq
        match = session.match.copy()
        in_turn = seat in match.waiting
        seconds = self.seconds if in_turn else INTERRUPT_TIME * self.seconds
        bot = bots.find(session.game, name).with_time_limit(seconds, self.threads)
        action = scripted_action(session, seat)
        if action is None and (in_turn or not on_tutorial_line(session)):
            think = bot.choose if in_turn else bot.interrupt
            seed = self._seed(session, seq, seat)
            action = await asyncio.get_running_loop().run_in_executor(self._pool, think, match, seat, seed)
        if action is None or (not in_turn and imposes(session.game, action, session.human_seats)):
            if session.seq == seq:
                session.turn_order.passed(seat)
            return
        await self.matches.act(session, seat, action, seq)

    def _seed(self, session: MatchSession, seq: int, seat: int) -> int:
        """The seed of a decision: the same after a crash, so that the bot decides the same again."""
        digest = hashlib.sha256(f"{self.secret} {session.id} {seq} {seat}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    async def advise(self, session: MatchSession, seat: int) -> GivenAdvice:
        """What an expert would do at a seat, knowing what the seat knows."""
        if session.ended is not None:
            raise Illegal("the game is over")
        seq = session.seq
        match = session.match.copy()
        expert = Expert.of(session.game).with_time_limit(self.seconds, self.threads)
        seed = self._seed(session, seq, seat)
        loop = asyncio.get_running_loop()
        advice = await loop.run_in_executor(self._pool, advise, match, seat, expert, seed, ADVISED_ACTIONS)
        return GivenAdvice(seq, advice)
