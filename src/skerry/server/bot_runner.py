"""The bot runner: plays the bots' seats and what goes by itself, and gives advice, in threads beside the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from prometheus_client import Counter

from skerry import bots
from skerry.bots.advice import Advice, advise
from skerry.bots.expert import Expert
from skerry.bots.illegal_choice import IllegalChoice, Report
from skerry.bots.interrupts import moves_a_persons_piece
from skerry.engine.errors import Illegal, Refusal
from skerry.engine.game import Game
from skerry.server.decision_clocks import DecisionClocks
from skerry.server.errors import MatchNotFound, MatchUnreadable, Stale, TooEarly
from skerry.server.game_stages import Stage, stage_of_bot
from skerry.server.hub import RUN, RUN_WATCHED
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.moments import automatic_step, held_until
from skerry.server.partition import ALL, Partition
from skerry.server.recovery import OrphanRecovery
from skerry.server.settings import Settings
from skerry.server.store import StoreDown
from skerry.server.tutorial import on_tutorial_line, scripted_action
from skerry.server.warm_up import WarmUp

logger = logging.getLogger(__name__)
ILLEGAL_CHOICES = Counter(
    "skerry_illegal_choices", "Decisions in which a bot chose no legal action, and played another", ["game", "bot"]
)

INTERRUPT_TIME = 0.25  # share of a bot's time for a decision that it takes to decide about an interruption
ADVISED_ACTIONS = 8  # at most, in a piece of advice
STORE_RETRY = 1.0  # seconds until a bot tries again when the store was down
WATCHED_FOR = 30.0  # seconds for which it counts that another worker has a watcher
WATCHED_MATCHES = 1000  # beyond that, those that are no longer watched are dropped
BOT_RETRY = 10.0  # seconds until a bot that failed tries again


def illegal_choice_report(game: Game, bot: str) -> Report:
    """For one decision of a bot: the first time it chooses no legal action is counted, and logged with its cause.

    The bot plays something legal then: the match goes on, and the host learns that a bot has to be mended.
    """
    told: list[IllegalChoice] = []

    def report(choice: IllegalChoice) -> None:
        if not told:
            ILLEGAL_CHOICES.labels(game.name, bot).inc()
            logger.error("a bot plays something else, because %s", choice)
        told.append(choice)

    return report


class GivenAdvice(NamedTuple):
    """Advice, and the log number of the position that it is about."""

    seq: int
    advice: Advice


class NextStep(NamedTuple):
    """What this server does next in a match, and when."""

    at: float
    seat: int
    bot: str | None  # that decides; None for a step that goes by itself


class BotRunner:
    """One task plays all bots of a match, and what goes by itself at the seats of people. Kernels release the GIL, so
    the server goes on while a bot thinks."""

    def __init__(
        self,
        matches: MatchService,
        settings: Settings,
        secret: str,
        is_watched: Callable[[MatchSession], bool],
        warm_up: WarmUp,
        partition: Partition = ALL,
    ) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.pace = settings.pace
        self.secret = secret
        self.is_watched_here = is_watched
        self.partition = partition
        self.warm_up = warm_up
        self.seconds = settings.bot_seconds
        self.threads = settings.bot_threads or max(1, ((os.cpu_count() or 2) - 1) // partition.count)
        self.clocks = DecisionClocks(self.sessions, self.play_decision)
        self._recovery = OrphanRecovery(matches, self.match_changed, partition)
        self._pool = ThreadPoolExecutor(self.threads, "bot")
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by match
        self._changes: dict[str, asyncio.Event] = {}  # by match: set when the task shall look at it again
        self._watched_elsewhere: dict[str, float] = {}  # by match: when another worker last said so

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
        """Start the clock of a match and, if something is to be played, the task that does it; or ask the worker that
        owns the match to do so."""
        if not self.partition.owns(session.id):
            if session.ended is None and (session.header.clock is not None or self._has_next_step(session)):
                self.matches.hub.publish(session.id, RUN_WATCHED if self.is_watched_here(session) else RUN)
            return
        if session.header.clock is not None:
            self.clocks.restart(session)
        if self.is_playing(session.id):
            self._changes[session.id].set()
        elif self._has_next_step(session):
            self._changes[session.id] = asyncio.Event()
            task = asyncio.create_task(self._play_on(session.id))
            self._tasks[session.id] = task
            task.add_done_callback(lambda _: self._task_done(session.id))

    async def run_on_request(self, match: str, is_watched: bool) -> None:
        """Run the bots and the clock of a match that another worker has changed, if this worker owns it."""
        if not self.partition.owns(match):
            return
        if is_watched:
            self._note_watched(match)
        with contextlib.suppress(Refusal):  # it was deleted meanwhile, or the store is down: the recovery will find it
            session = await self.sessions.get(match)
            async with session.lock:
                await self.sessions.catch_up(session)
            self.match_changed(session)

    def is_watched(self, session: MatchSession) -> bool:
        """Whether somebody watches a match, at this worker or another."""
        elsewhere = self._watched_elsewhere.get(session.id)
        return self.is_watched_here(session) or (elsewhere is not None and elsewhere > time.monotonic() - WATCHED_FOR)

    def _note_watched(self, match: str) -> None:
        now = time.monotonic()
        self._watched_elsewhere[match] = now
        if len(self._watched_elsewhere) > WATCHED_MATCHES:
            recent = {match: at for match, at in self._watched_elsewhere.items() if at > now - WATCHED_FOR}
            self._watched_elsewhere = recent

    def is_playing(self, match: str) -> bool:
        return match in self._tasks

    def _task_done(self, match: str) -> None:
        self._tasks.pop(match, None)
        self._changes.pop(match, None)
        session = self.sessions.in_memory.get(match)
        if session is not None and self.match_changed in self.sessions.observers:
            self.match_changed(session)  # it may have changed while the task was ending

    def _has_next_step(self, session: MatchSession) -> bool:
        return self._next_step(session, 0.0) is not None

    def _next_step(self, session: MatchSession, since: float) -> NextStep | None:
        """What this server does next in a match that stands as it does since some time; None if it waits for a person.
        Bots are asked first whether they interrupt."""
        if session.ended is not None:
            return None
        asked = session.bots_to_ask
        if asked:
            bot = str(session.seats[asked[0]].bot)
            if asked[0] not in session.match.waiting:
                return NextStep(0.0, asked[0], bot)
            pace = since + self.pace if self.is_watched(session) else 0.0
            return NextStep(max(pace, held_until(session)), asked[0], bot)
        moment = automatic_step(session)
        if moment is None:
            return None
        held = held_until(session)
        resumed = session.loaded_at + session.moment_seconds if held else 0.0  # so that who comes back finds the moment
        return NextStep(max(held, resumed), moment.due.seat, None)

    async def _play_on(self, match: str) -> None:
        """Play the bots of a match, and what goes by itself, until it waits for a person."""
        seq, since = -1, 0.0
        while True:
            try:
                session = await self.sessions.get(match)
                if session.seq != seq:
                    seq, since = session.seq, time.time()
                self._changes[match].clear()
                step = self._next_step(session, since)
                if step is None:
                    return
                await self._play_when_due(session, step)
            except Stale:
                continue
            except TooEarly as early:  # somebody has asked the table to wait meanwhile
                await self._wait_for_change(match, early.wait)
            except StoreDown:
                await asyncio.sleep(STORE_RETRY)
            except (MatchNotFound, MatchUnreadable):
                return
            except Exception as error:  # the bot is at fault; meanwhile somebody may take over its seat
                logger.error("a bot could not play", exc_info=error)
                await asyncio.sleep(BOT_RETRY)

    async def _play_when_due(self, session: MatchSession, step: NextStep) -> None:
        """Play a step if it is time for it; otherwise wait until it is, or until something else happens."""
        left = step.at - time.time()
        if left > 0:
            await self._wait_for_change(session.id, left)
        elif step.bot is not None:
            await self.play_decision(session, step.seat, step.bot)
        else:
            await self.matches.play_due(session)

    async def _wait_for_change(self, match: str, seconds: float) -> None:
        """Wait until something has happened in a match, or until so many seconds have passed."""
        changed = self._changes[match]
        timer = asyncio.get_running_loop().call_later(seconds, changed.set)
        try:
            await changed.wait()
        finally:
            timer.cancel()

    async def play_decision(self, session: MatchSession, seat: int, name: str) -> None:
        """Let a bot make one decision for a seat, knowing what the seat knows. Out of turn it may decline to act."""
        seq = session.seq
        name = await self._available_bot(session, seat, name)
        match = session.match.copy()
        in_turn = seat in match.waiting
        seconds = self.seconds if in_turn else INTERRUPT_TIME * self.seconds
        bot = bots.find(session.game, name).with_time_limit(seconds, self.threads)
        bot = bot.reporting(illegal_choice_report(session.game, name))
        action = scripted_action(session, seat)
        if action is None and (in_turn or not on_tutorial_line(session)):
            think = bot.choose if in_turn else bot.interrupt
            seed = self._seed(session, seq, seat)
            action = await asyncio.get_running_loop().run_in_executor(self._pool, think, match, seat, seed)
        if action is None or (not in_turn and moves_a_persons_piece(session.game, action, session.human_seats)):
            if session.seq == seq:
                session.turn_order.passed(seat)
            return
        await self.matches.act(session, seat, action, seq)

    async def _available_bot(self, session: MatchSession, seat: int, name: str) -> str:
        """The bot itself or, until it is compiled, a quicker one that sits in for it. The seats say so."""
        game, stage = session.game, stage_of_bot(session.game, name)
        if self.warm_up.is_ready(game, stage):
            self._set_stand_in(session, seat, None)
            return name
        stand_in = bots.default_bot(game)
        self.warm_up.want(game, stage)
        if stage is not Stage.EXPERT or not self.warm_up.is_ready(game, Stage.BOTS):
            self._set_stand_in(session, seat, "")
            await self.warm_up.wait(game, min(stage, Stage.BOTS))
        if self.warm_up.is_ready(game, stage):
            self._set_stand_in(session, seat, None)
            return name
        self._set_stand_in(session, seat, stand_in)
        return stand_in

    def _set_stand_in(self, session: MatchSession, seat: int, stand_in: str | None) -> None:
        if session.stand_ins.get(seat) != stand_in:
            session.stand_ins[seat] = stand_in
            self.sessions.notify(session)

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
        await self.warm_up.wait(session.game, Stage.EXPERT)
        expert = Expert.of(session.game).with_time_limit(self.seconds, self.threads)
        expert = expert.reporting(illegal_choice_report(session.game, expert.name))
        seed = self._seed(session, seq, seat)
        loop = asyncio.get_running_loop()
        advice = await loop.run_in_executor(self._pool, advise, match, seat, expert, seed, ADVISED_ACTIONS)
        return GivenAdvice(seq, advice)
