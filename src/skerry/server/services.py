"""The services of a running server, wired together, opened and closed in order."""

from __future__ import annotations

from typing import Protocol

from skerry.engine.game import Game
from skerry.server.bot_runner import BotRunner
from skerry.server.broadcast import Broadcaster
from skerry.server.finished_matches import FinishedMatchService
from skerry.server.hub import Hub, make_hub
from skerry.server.identity import GuestService
from skerry.server.match_service import MatchService
from skerry.server.rate_limit import RateLimiter
from skerry.server.seat_service import SeatService
from skerry.server.sessions import FindGame, SessionRegistry
from skerry.server.settings import Settings
from skerry.server.store import Store


class ListGames(Protocol):
    """Returns all games that can be played on this server."""

    def __call__(self) -> list[Game]: ...


class Services:
    def __init__(self, settings: Settings, games: ListGames, find: FindGame) -> None:
        self.settings = settings
        self.games = games
        self.find = find
        self.store = Store(settings.database_url)
        self.hub: Hub = make_hub(settings.redis)
        self.sessions = SessionRegistry(self.store, find)
        limits = settings.limits
        self.matches = MatchService(self.sessions, self.hub, limits)
        self.seats = SeatService(self.matches)
        self.finished = FinishedMatchService(self.matches)
        self.broadcaster = Broadcaster(self.matches, settings.heartbeat, limits.all_streams, limits.streams)
        self.request_limit = RateLimiter(limits.requests, limits.requests_burst)
        self.advice_limit = RateLimiter(limits.advice, limits.advice_burst)
        self.new_guest_limit = RateLimiter(limits.new_guests, limits.new_guests_burst)
        self.guests: GuestService
        self.bot_runner: BotRunner

    async def open(self) -> None:
        await self.store.open()
        secret = self.settings.secret or await self.store.secret()
        self.guests = GuestService(self.store, secret)
        self.bot_runner = BotRunner(self.matches, self.settings, secret, self.broadcaster.is_watched)
        await self.broadcaster.open()
        await self.bot_runner.open()
        await self.hub.open(self.matches.handle_hint)

    async def close(self) -> None:
        await self.hub.close()
        await self.bot_runner.close()
        await self.broadcaster.close()
        await self.store.close()
