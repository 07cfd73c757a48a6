"""The JSON API of matches: opening and finding them, their seats, their rematches and records."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import PlainTextResponse

from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor, get_session, services_of, words_for
from skerry.server.match_session import MatchSession
from skerry.server.presenter import match_status
from skerry.server.routes.api import models
from skerry.server.routes.api.common import new_router
from skerry.server.routes.api.models import MatchId, SeatNumber

router = new_router("matches")


def match_out(request: Request, session: MatchSession, visitor: Visitor) -> models.MatchOut:
    present = services_of(request).broadcaster.present(session)
    titles = session.labels(words_for(request)).titles
    return models.MatchOut(
        id=session.id,
        game=session.game.name,
        options=json.loads(session.header.options),
        seats=[
            models.SeatOut(
                seat=seat,
                title=titles[seat],
                name=holder.name or None,
                bot=holder.bot,
                open=holder.open,
                mine=holder.guest is not None and holder.guest == visitor.id,
                here=seat in present,
            )
            for seat, holder in enumerate(session.seats)
        ],
        listed=session.header.listed,
        clock=session.header.clock,
        seq=session.seq,
        link=str(request.url_for("match_page", match=session.id)),
        rematch=session.header.next,
        **match_status(session),
    )


@router.post("/matches", status_code=201)
async def open_match(
    request: Request, given: models.MatchIn, visitor: CurrentVisitor, services: AppServices
) -> models.MatchOut:
    """Open a match."""
    guest = visitor.require_guest()
    session = await services.matches.open(guest.id, given.game, given.options, given.seats, given.listed, given.clock)
    request.state.game = session.game
    return match_out(request, session, visitor)


@router.get("/matches")
async def find_matches(
    request: Request,
    visitor: CurrentVisitor,
    services: AppServices,
    mine: Annotated[bool, Query(description="your own matches instead of the listed ones")] = False,
) -> list[models.MatchOut]:
    """Matches that are listed, or your own."""
    rows = await (services.store.of_guest(visitor.require_guest().id) if mine else services.store.listed())
    found = [await services.sessions.get(row.id) for row in rows]
    return [match_out(request, session, visitor) for session in found]


@router.get("/matches/{match}")
async def one_match(request: Request, match: MatchId, visitor: CurrentVisitor) -> models.MatchOut:
    return match_out(request, await get_session(request, match), visitor)


@router.put("/matches/{match}/seats/{seat}")
async def sit(
    request: Request,
    match: MatchId,
    seat: SeatNumber,
    given: models.SitIn,
    visitor: CurrentVisitor,
    services: AppServices,
) -> models.MatchOut:
    """Take a free seat (`me`), leave yours (`open`), or hand it to a bot (its name) and take it again (`me`)."""
    session = await get_session(request, match)
    guest = visitor.require_guest()
    await services.seats.sit(session, seat, guest.id, given.who)
    return match_out(request, session, visitor)


@router.post("/matches/{match}/rematch")
async def rematch(request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices) -> models.MatchOut:
    """The same game with the same people. The first request opens it; later ones get the match it opened."""
    session = await get_session(request, match)
    return match_out(request, await services.finished.rematch(session, visitor.require_guest().id), visitor)


@router.get(
    "/matches/{match}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "a record"}},
)
async def record(request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices) -> PlainTextResponse:
    """The record of a finished match, with its seed."""
    session = await get_session(request, match)
    headers = {"content-disposition": f'attachment; filename="{session.game.name}-{session.id[:6]}.skerry"'}
    return PlainTextResponse(await services.finished.record(session), headers=headers)
