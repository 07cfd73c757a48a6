"""What routes depend on: the services, the visitor behind a request, the match that it is about."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import Request

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.server.errors import Forbidden, Unauthenticated
from skerry.server.identity import COOKIE, Guest, preferred_language
from skerry.server.match_session import MatchSession
from skerry.server.services import Services

BEARER = "bearer "


def services_of(request: Request) -> Services:
    return cast(Services, request.app.state.services)


async def get_services(request: Request) -> Services:
    """``services_of`` as a dependency. It is async because FastAPI would run a plain function in a thread."""
    return services_of(request)


AppServices = Annotated[Services, Depends(get_services)]


@dataclass(frozen=True)
class Visitor:
    """Who sent a request: a guest or a stranger, their language and their address."""

    guest: Guest | None
    language: str
    address: str

    @property
    def id(self) -> str | None:
        return None if self.guest is None else self.guest.id

    def require_guest(self) -> Guest:
        if self.guest is None:
            raise Unauthenticated("not signed in: send the cookie or the token of a guest")
        return self.guest


async def get_visitor(request: Request) -> Visitor:
    """The visitor behind a request. An invalid cookie counts as none; an invalid bearer token is refused."""
    services = services_of(request)
    address = request.client.host if request.client else "?"
    authorization = request.headers.get("authorization", "")
    is_bearer = authorization[: len(BEARER)].lower() == BEARER
    token = authorization[len(BEARER) :] if is_bearer else request.cookies.get(COOKIE, "")
    guest = None
    try:
        guest = await services.guests.authenticate(token) if token else None
    except Unauthenticated:
        if authorization:
            raise
    services.request_limit.take(guest.id if guest else address)
    accepted = request.headers.get("accept-language", "")
    language = guest.language if guest and not (authorization and accepted) else _preferred_language(accepted)
    visitor = Visitor(guest, language, address)
    request.state.visitor = visitor
    return visitor


CurrentVisitor = Annotated[Visitor, Depends(get_visitor)]

_preferred_language = functools.lru_cache(1000)(preferred_language)


async def get_session(request: Request, match: str) -> MatchSession:
    """The session of a match that the visitor may see. Refusals from here on are worded with its game's vocabulary."""
    session = await get_session_unseen(request, match)
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    await services_of(request).challenges.check_visible(session, None if visitor is None else visitor.id)
    return session


async def get_session_unseen(request: Request, match: str) -> MatchSession:
    """The session of a match for a visitor who is shown nothing of its deal, such as one who takes a seat."""
    session = await services_of(request).sessions.get(match)
    request.state.game = session.game
    return session


async def refresh_seats(request: Request, session: MatchSession, visitor: Visitor) -> None:
    """Read again who holds the seats, if another process may just have given one to this visitor."""
    services = services_of(request)
    if services.hub.shared and visitor.guest is not None:
        await services.sessions.reload_seats(session)


async def require_own_seat(request: Request, session: MatchSession, visitor: Visitor, seat: int) -> int:
    """A seat that the visitor holds, or a refusal."""
    session.match.check_seat(seat)
    if not _holds(visitor, session, seat):
        await refresh_seats(request, session, visitor)
    if not _holds(visitor, session, seat):
        raise Forbidden("this seat is not yours")
    return seat


def _holds(visitor: Visitor, session: MatchSession, seat: int) -> bool:
    return visitor.id is not None and session.seats[seat].guest == visitor.id


async def viewing_seat(request: Request, session: MatchSession, visitor: Visitor, seat: int | None) -> int | None:
    """The seat to look from: one of the visitor's, or none (None) for what everybody may see."""
    return None if seat is None else await require_own_seat(request, session, visitor, seat)


def translations_for(request: Request) -> Translations:
    """The translations in the visitor's language, with those of the game that the request is about."""
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    language = visitor.language if visitor else _preferred_language(request.headers.get("accept-language", ""))
    game: Game | None = getattr(request.state, "game", None)
    return translations(language, *(game.packages if game else ()), "skerry.engine.i18n", "skerry.server")
