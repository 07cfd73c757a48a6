"""Everything that a running table has, and the guest at the door."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Words, words
from skerry.server.bot_runner import Thinking
from skerry.server.broadcast import Telling
from skerry.server.errors import NotKnown, NotYours
from skerry.server.hub import Hub, hub_of
from skerry.server.identity import COOKIE, Guest, Guests, preferred
from skerry.server.match_service import Matches
from skerry.server.match_session import Live
from skerry.server.rate_limit import Buckets
from skerry.server.settings import Settings
from skerry.server.store import Store

log = logging.getLogger(__name__)


class Room:
    def __init__(self, settings: Settings, games: Callable[[], list[Game]], find: Callable[[str], Game]) -> None:
        self.settings = settings
        self.games = games
        self.find = find
        self.store = Store(settings.database_url)
        self.hub: Hub = hub_of(settings.redis)
        self.matches = Matches(self.store, self.hub, find, settings.limits)
        limits = settings.limits
        self.telling = Telling(self.matches, settings.heartbeat, limits.all_streams, limits.streams)
        self.requests = Buckets(limits.requests, limits.burst)
        self.advice = Buckets(limits.advice, limits.advice_burst)
        self.newcomers = Buckets(limits.newcomers, limits.newcomers_burst)
        self.guests: Guests
        self.thinking: Thinking

    async def open(self) -> None:
        await self.store.open()
        secret = self.settings.secret or await self.store.secret()
        self.guests = Guests(self.store, secret)
        self.thinking = Thinking(self.matches, self.settings, secret, self.telling.watched)
        await self.telling.open()
        await self.thinking.open()
        await self.hub.open(self.matches.hear)

    async def close(self) -> None:
        await self.hub.close()
        await self.thinking.close()
        await self.telling.close()
        await self.store.close()


@dataclass(frozen=True)
class Reader:
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


def room_of(request: Request) -> Room:
    return cast(Room, request.app.state.room)


async def here(request: Request) -> Room:
    """``room_of`` for what is injected: what is not async would be run in a thread."""
    return room_of(request)


async def reader_of(request: Request) -> Reader:
    """The guest behind a request. A mark that is not valid is none at all, except that a program is told."""
    room = room_of(request)
    address = request.client.host if request.client else "?"
    bearer = request.headers.get("authorization", "")
    token = bearer[7:] if bearer[:7].lower() == "bearer " else request.cookies.get(COOKIE, "")
    guest = None
    try:
        guest = await room.guests.known(token) if token else None
    except NotKnown:
        if bearer:
            raise
    room.requests.take(guest.id if guest else address)
    asked = request.headers.get("accept-language", "")
    language = guest.language if guest and not (bearer and asked) else _preferred(asked)
    request.state.reader = Reader(guest, language, address)
    return request.state.reader


_preferred = functools.lru_cache(1000)(preferred)


def own_seat(live: Live, reader: Reader, seat: int) -> int:
    """A seat that the reader may act for and look from, or a refusal."""
    live.match.check_seat(seat)
    if live.seats[seat].guest is None or live.seats[seat].guest != reader.id:
        raise NotYours("this seat is not yours")
    return seat


def seen_from(live: Live, reader: Reader, seat: int | None) -> int | None:
    """The seat to look from: the one asked for if it is the reader's; nobody's (None) sees what all may see."""
    return None if seat is None else own_seat(live, reader, seat)


async def match_of(request: Request, match: str) -> Live:
    """A match by its id; what is refused from here on is said in its game's words."""
    live = await room_of(request).matches.get(match)
    request.state.game = live.game
    return live


def words_for(request: Request) -> Words:
    """The reader's language, with the words of the game that the request is about."""
    reader: Reader | None = getattr(request.state, "reader", None)
    language = reader.language if reader else _preferred(request.headers.get("accept-language", ""))
    game: Game | None = getattr(request.state, "game", None)
    return words(language, *([game.package] if game else []), "skerry.engine.i18n", "skerry.server")
