"""Everything that a running table has, and the guest at the door."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.server.bot_runner import BotRunner
from skerry.server.broadcast import Broadcaster
from skerry.server.errors import NotKnown, NotYours
from skerry.server.hub import Hub, hub_of
from skerry.server.identity import COOKIE, Guest, GuestService, preferred
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.rate_limit import RateLimiter
from skerry.server.settings import Settings
from skerry.server.store import Store

log = logging.getLogger(__name__)


class Services:
    def __init__(self, settings: Settings, games: Callable[[], list[Game]], find: Callable[[str], Game]) -> None:
        self.settings = settings
        self.games = games
        self.find = find
        self.store = Store(settings.database_url)
        self.hub: Hub = hub_of(settings.redis)
        self.matches = MatchService(self.store, self.hub, find, settings.limits)
        limits = settings.limits
        self.broadcaster = Broadcaster(self.matches, settings.heartbeat, limits.all_streams, limits.streams)
        self.requests = RateLimiter(limits.requests, limits.burst)
        self.advice = RateLimiter(limits.advice, limits.advice_burst)
        self.newcomers = RateLimiter(limits.newcomers, limits.newcomers_burst)
        self.guests: GuestService
        self.bot_runner: BotRunner

    async def open(self) -> None:
        await self.store.open()
        secret = self.settings.secret or await self.store.secret()
        self.guests = GuestService(self.store, secret)
        self.bot_runner = BotRunner(self.matches, self.settings, secret, self.broadcaster.watched)
        await self.broadcaster.open()
        await self.bot_runner.open()
        await self.hub.open(self.matches.hear)

    async def close(self) -> None:
        await self.hub.close()
        await self.bot_runner.close()
        await self.broadcaster.close()
        await self.store.close()


@dataclass(frozen=True)
class Visitor:
    """Who asks, in which language."""

    guest: Guest | None
    language: str
    address: str

    @property
    def id(self) -> str | None:
        return None if self.guest is None else self.guest.id

    def known(self) -> Guest:
        if self.guest is None:
            raise NotKnown("say who you are first: send the cookie or the token of a guest")
        return self.guest


def services_of(request: Request) -> Services:
    return cast(Services, request.app.state.services)


async def get_services(request: Request) -> Services:
    """``services_of`` for what is injected: what is not async would be run in a thread."""
    return services_of(request)


async def get_visitor(request: Request) -> Visitor:
    """The guest behind a request. A mark that is not valid is none at all, except that a program is told."""
    services = services_of(request)
    address = request.client.host if request.client else "?"
    bearer = request.headers.get("authorization", "")
    token = bearer[7:] if bearer[:7].lower() == "bearer " else request.cookies.get(COOKIE, "")
    guest = None
    try:
        guest = await services.guests.known(token) if token else None
    except NotKnown:
        if bearer:
            raise
    services.requests.take(guest.id if guest else address)
    asked = request.headers.get("accept-language", "")
    language = guest.language if guest and not (bearer and asked) else _preferred(asked)
    request.state.visitor = Visitor(guest, language, address)
    return request.state.visitor


_preferred = functools.lru_cache(1000)(preferred)


def require_own_seat(session: MatchSession, visitor: Visitor, seat: int) -> int:
    """A seat that the visitor may act for and look from, or a refusal."""
    session.match.check_seat(seat)
    if session.seats[seat].guest is None or session.seats[seat].guest != visitor.id:
        raise NotYours("this seat is not yours")
    return seat


def viewing_seat(session: MatchSession, visitor: Visitor, seat: int | None) -> int | None:
    """The seat to look from: the one asked for if it is the visitor's; nobody's (None) sees what all may see."""
    return None if seat is None else require_own_seat(session, visitor, seat)


async def get_session(request: Request, match: str) -> MatchSession:
    """A match by its id; what is refused from here on is said in its game's words."""
    session = await services_of(request).matches.get(match)
    request.state.game = session.game
    return session


def words_for(request: Request) -> Translations:
    """The visitor's language, with the words of the game that the request is about."""
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    language = visitor.language if visitor else _preferred(request.headers.get("accept-language", ""))
    game: Game | None = getattr(request.state, "game", None)
    return translations(language, *([game.package] if game else []), "skerry.engine.i18n", "skerry.server")
