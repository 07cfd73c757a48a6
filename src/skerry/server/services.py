"""The services of a running server, wired together, opened and closed in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from skerry.engine.game import Game
from skerry.server.analysis.jobs import AnalysisJobs
from skerry.server.analysis.what_if import WhatIfValues
from skerry.server.bot_runner import BotRunner
from skerry.server.broadcast import Broadcaster
from skerry.server.challenges import ChallengeService
from skerry.server.finished_matches import FinishedMatchService
from skerry.server.history_service import HistoryService
from skerry.server.hub import RUN, RUN_WATCHED, Hub, make_hub
from skerry.server.identity import GuestService
from skerry.server.match_service import MatchService
from skerry.server.match_summaries import MatchSummaries
from skerry.server.partition import ALL, Partition
from skerry.server.rate_limit import RateLimiter
from skerry.server.seat_service import SeatService
from skerry.server.sessions import FindGame, SessionRegistry
from skerry.server.settings import Settings
from skerry.server.store import Store
from skerry.server.summary_backfill import SummaryBackfill
from skerry.server.warm_up import WarmUp


class ListGames(Protocol):
    """Returns all games that can be played on this server."""

    def __call__(self) -> list[Game]: ...


class Services:
    def __init__(
        self, settings: Settings, games: ListGames, find: FindGame, hub: Hub | None = None, partition: Partition = ALL
    ) -> None:
        self.settings = settings
        self.games = games
        self.find = find
        self.store = Store(settings.database_url)
        self.hub: Hub = hub or make_hub(settings.redis)
        self.partition = partition
        self.warm_up = WarmUp(games)
        self.sessions = SessionRegistry(self.store, find, self.warm_up.wait_for_rules, settings.moment)
        self.summaries = MatchSummaries(self.store, find)
        self.backfill = SummaryBackfill(self.store, find, self.warm_up.wait_for_rules)
        limits = settings.limits
        self.matches = MatchService(self.sessions, self.hub, limits)
        self.challenges = ChallengeService(self.matches, self.summaries)
        self.history = HistoryService(self.sessions, self.summaries)
        self.seats = SeatService(self.matches, self.challenges)
        self.finished = FinishedMatchService(self.matches, self.challenges)
        self.analyses = AnalysisJobs(self.finished, self.warm_up, limits)
        self.what_if = WhatIfValues()
        self.broadcaster = Broadcaster(self.matches, settings.heartbeat, limits.all_streams, limits.streams)
        self.request_limit = RateLimiter(limits.requests, limits.requests_burst)
        self.advice_limit = RateLimiter(limits.advice, limits.advice_burst)
        self.what_if_limit = RateLimiter(limits.what_if, limits.what_if_burst)
        self.new_guest_limit = RateLimiter(limits.new_guests, limits.new_guests_burst)
        self.guests: GuestService
        self.bot_runner: BotRunner

    async def open(self) -> None:
        await open_store(self.store, self.games())
        await self.warm_up.open()
        secret = self.settings.secret or await self.store.secret()
        self.guests = GuestService(self.store, secret)
        self.challenges.secret = secret
        self.bot_runner = BotRunner(
            self.matches, self.settings, secret, self.broadcaster.is_watched, self.warm_up, self.partition
        )
        await self.broadcaster.open()
        await self.bot_runner.open()
        self.backfill.open()
        self.analyses.open()
        await self.hub.open(self._handle_hint)

    async def _handle_hint(self, match: str, seq: int, /) -> None:
        if seq in (RUN, RUN_WATCHED):
            await self.bot_runner.run_on_request(match, is_watched=seq == RUN_WATCHED)
        else:
            await self.matches.handle_change_elsewhere(match, seq)

    async def close(self) -> None:
        await self.hub.close()
        await self.analyses.close()
        await self.what_if.close()
        await self.backfill.close()
        await self.bot_runner.close()
        await self.broadcaster.close()
        await self.warm_up.close()
        await self.store.close()


async def open_store(store: Store, games: Sequence[Game]) -> None:
    """Open a store whose matches these games can read, or refuse it untouched."""
    try:
        await store.open()
        await store.note_rules({game.name: game.version for game in games})
    except BaseException:
        await store.close()
        raise
