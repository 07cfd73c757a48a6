"""Analyses of finished matches as jobs: asked for, run one after another in a process of low priority, and kept.

An analysis is the same for all who look. It depends on the match, the effort and the version of Skerry only; one of an
earlier version is shown as such until somebody asks for it again. What a process leaves behind when it ends is begun
again, by itself when it comes back or by another one that shares the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from base64 import b64decode
from importlib.metadata import version

from skerry.analysis.viewpoint import Viewpoint, hides_hands, viewpoint_of
from skerry.engine.errors import BadOption, Illegal
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.server.analysis.analyst import AnalyseMatch
from skerry.server.analysis.analyst_process import AnalystDied, AnalystProcess
from skerry.server.analysis.job_store import DONE, FAILED, QUEUED, UNFINISHED, JobStore
from skerry.server.errors import Conflict, Forbidden, MatchNotFinished, NotAnalysed, RateLimited
from skerry.server.faults import contain
from skerry.server.finished_matches import FinishedMatchService
from skerry.server.game_stages import Stage
from skerry.server.match_session import MatchSession
from skerry.server.replay import replay_of
from skerry.server.settings import Limits
from skerry.server.store import Row, StoreDown
from skerry.server.warm_up import WarmUp

EFFORT = 200  # of an analysis, by default
SEARCH_INTERVAL = 5.0  # seconds between two looks for what another process has left behind
BEAT = 4.0  # seconds between two signs of life
WRITE_INTERVAL = 0.7  # seconds between two stages that are stored
STORE_RETRY = 2.0  # seconds until it goes on after the store was down
VERSION = version("skerry")
SEAT = "seat-"  # and its number: the viewpoint of a seat


class AnalysisJobs:
    def __init__(self, finished: FinishedMatchService, warm_up: WarmUp, limits: Limits) -> None:
        self.finished = finished
        self.sessions = finished.sessions
        self.hub = finished.matches.hub
        self.warm_up = warm_up
        self.limits = limits
        self.jobs = JobStore(finished.store.database, secrets.token_urlsafe(12))
        self.analyst = AnalystProcess()
        self._asked = asyncio.Event()
        self._running: Row | None = None  # the analysis that this process runs
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop. What is running goes back to where it waited, as if it had not been begun."""
        left, self._running = self._running, None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.analyst.close()
        if left is not None:
            await self._update(left, state=QUEUED, attempts=left.attempts)

    # Asking

    async def request(self, session: MatchSession, guest: str, viewpoint: str, effort: int) -> Row:
        """Ask for an analysis. It is begun unless there is one already, of this version and at least this effort."""
        check_can_be_analysed(session)
        if not 1 <= effort <= self.limits.analysis_effort:
            raise BadOption(say("the effort is a number from 1 to {most}", most=self.limits.analysis_effort))
        found = await self.jobs.find(session.id, viewpoint)
        if found is not None and (found.state in UNFINISHED or _is_good_enough(found, effort)):
            return found
        if await self.jobs.count_unfinished(guest) >= self.limits.analyses:
            raise RateLimited(
                say("{count} analyses that you asked for are not finished yet", count=self.limits.analyses), 10
            )
        if await self.jobs.count_unfinished() >= self.limits.all_analyses:
            raise RateLimited("too many analyses are waiting on this server; try again later", 60)
        await self.jobs.enqueue(session.id, viewpoint, guest, VERSION, effort)
        self._asked.set()
        return await self.find(session, viewpoint)

    async def find(self, session: MatchSession, viewpoint: str) -> Row:
        """An analysis, or a refusal if nobody has asked for it."""
        check_can_be_analysed(session)
        found = await self.jobs.find(session.id, viewpoint)
        if found is None:
            raise NotAnalysed("this match has not been analysed yet")
        return found

    async def cancel(self, session: MatchSession, guest: str, viewpoint: str) -> None:
        """Cancel an analysis that is not finished."""
        found = await self.find(session, viewpoint)
        if guest not in (found.guest, session.header.owner) and not session.seats_of(guest):
            raise Forbidden("only the players of this match and who asked for the analysis can cancel it")
        if not await self.jobs.remove_unfinished(session.id, viewpoint):
            raise Conflict("the analysis is finished already")
        if self._running is not None and _key(self._running) == (session.id, viewpoint):
            self.analyst.kill()

    # Running

    async def _run(self) -> None:
        alone = not self.hub.shared  # what is left over is this server's own, of its last life
        while True:
            try:
                job = await self.jobs.claim(self.limits.running_analyses, alone)
                if job is None:
                    await self._wait()
                else:
                    await self._perform(job)
            except StoreDown:
                await asyncio.sleep(STORE_RETRY)

    async def _wait(self) -> None:
        """Wait until somebody asks for an analysis, here or in another process."""
        self._asked.clear()
        others = self.hub.shared or await self.jobs.count_unfinished() > 0
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._asked.wait(), SEARCH_INTERVAL if others else None)

    async def _perform(self, job: Row) -> None:
        self._running = job
        beating = asyncio.create_task(self._beat(job))
        try:
            await self._analyse(job)
        except StoreDown:
            raise
        except AnalystDied:
            await self._settle(job, state=QUEUED)
        except Exception as error:  # the match or its game is at fault: others must not wait for it
            contain("analysis", error, match=job.match)
            await self._settle(job, state=FAILED)
        finally:
            self._running = None
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)

    async def _analyse(self, job: Row) -> None:
        session = await self.sessions.get(job.match)
        replay = await replay_of(self.finished, session)
        await self.warm_up.wait(session.game, Stage.EXPERT)
        viewpoint = parsed_viewpoint(replay.full, job.viewpoint)
        seat = viewpoint.seat if viewpoint.mode == "seat" else None
        task = AnalyseMatch(replay.full, job.effort, seat, viewpoint.mode == "open")
        stage, written = {}, 0.0
        async with contextlib.aclosing(self.analyst.ask(task)) as replies:
            async for reply in replies:
                stage = {"done": reply["done"], "total": reply["total"], "result": b64decode(reply["result"])}
                if time.monotonic() - written >= WRITE_INTERVAL:
                    written = time.monotonic()
                    if not await self._update(job, **stage):
                        return
        await self._settle(job, state=DONE, version=VERSION, **stage)

    async def _beat(self, job: Row) -> None:
        """Say again and again that this process runs an analysis, and end it when it was cancelled elsewhere."""
        while True:
            await asyncio.sleep(BEAT)
            if not await self._update(job):
                self.analyst.kill()
                return

    async def _update(self, job: Row, **columns: object) -> bool:
        """Store how far an analysis is. False if it was cancelled. It goes on while the store is down."""
        try:
            return await self.jobs.update(job, **columns)
        except StoreDown:
            return True

    async def _settle(self, job: Row, **columns: object) -> None:
        """Store how an analysis ended, as soon as the store answers."""
        while True:
            try:
                await self.jobs.update(job, **columns)
                return
            except StoreDown:
                await asyncio.sleep(STORE_RETRY)


def check_can_be_analysed(session: MatchSession) -> None:
    """Refuse matches that run, and those that ended because their rules have changed."""
    if session.ended is None:
        raise MatchNotFinished("a match can be analysed only after its end")
    if session.closed is not None:
        raise Illegal(session.closed)


def default_viewpoint(match: Match) -> str:
    """What a finished match is analysed from, unless somebody wants something else: with open cards."""
    return "open" if hides_hands(match) else "table"


def parsed_viewpoint(match: Match, name: str) -> Viewpoint:
    """The viewpoint of a name, or a refusal if a match has none of this name."""
    if name.startswith(SEAT) and name.removeprefix(SEAT).isdecimal():
        return viewpoint_of(match, seat=int(name.removeprefix(SEAT)))
    if name == "open":
        return viewpoint_of(match, open_cards=True)
    found = viewpoint_of(match)
    if found.mode != name:
        raise BadOption(say("this match has no analysis from the viewpoint {name!r}", name=name))
    return found


def is_current(job: Row) -> bool:
    """Whether an analysis was made by the installed version."""
    return bool(job.version == VERSION)


def _is_good_enough(job: Row, effort: int) -> bool:
    return job.state == DONE and is_current(job) and job.effort >= effort


def _key(job: Row) -> tuple[str, str]:
    return job.match, job.viewpoint
