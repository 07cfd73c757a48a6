"""The JSON API of matches: opening and finding them, their seats, their rematches and records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.responses import PlainTextResponse

from skerry.engine.i18n.translations import translations
from skerry.server.dependencies import (
    AppServices,
    CurrentVisitor,
    Visitor,
    get_session,
    get_session_unseen,
    services_of,
    translations_for,
)
from skerry.server.match_session import MatchSession, SeatHolder
from skerry.server.match_summaries import MatchSummary, seat_titles
from skerry.server.presenter import match_status
from skerry.server.routes.api import models
from skerry.server.routes.api.common import new_router
from skerry.server.routes.api.models import MatchId, SeatNumber
from skerry.server.store import Row

router = new_router("matches")


def match_out(request: Request, session: MatchSession, visitor: Visitor) -> models.MatchOut:
    translations = translations_for(request)
    return models.MatchOut(
        seats=_seats_out(request, session.id, session.seats, session.labels(translations).titles, visitor),
        seq=session.seq,
        problem=None if session.closed is None else session.closed.render(translations),
        **_header_out(request, session.header),
        **match_status(session),
    )


def summary_out(
    request: Request, summary: MatchSummary, first_state: bytes | None, visitor: Visitor
) -> models.MatchOut:
    """A match in a list, from its summary."""
    packages = () if summary.game is None else summary.game.packages
    texts = translations(translations_for(request).language, *packages, "skerry.engine.i18n", "skerry.server")
    return models.MatchOut(
        seats=_seats_out(request, summary.id, summary.seats, seat_titles(summary, first_state, texts), visitor),
        seq=summary.header.seq,
        problem=None if summary.problem is None else summary.problem.render(texts),
        waiting=list(summary.waiting),
        result=summary.result,
        **_header_out(request, summary.header),
    )


def _header_out(request: Request, header: Row) -> dict[str, Any]:
    return {
        "id": header.id,
        "game": header.game,
        "options": _options_of(header),
        "listed": header.listed,
        "clock": header.clock,
        "link": str(request.url_for("match_page", match=header.id)),
        "rematch": header.next,
        "challenge": header.challenge,
    }


def _options_of(header: Row) -> dict[str, Any]:
    try:
        return dict(json.loads(header.options))
    except ValueError:  # opening the match says that it is damaged; a list shows the rest of it
        return {}


def _seats_out(
    request: Request, match: str, seats: Sequence[SeatHolder], titles: Sequence[str], visitor: Visitor
) -> list[models.SeatOut]:
    present = services_of(request).broadcaster.present_at(match)
    return [
        models.SeatOut(
            seat=seat,
            title=titles[seat],
            name=holder.name or None,
            bot=holder.bot,
            open=holder.open,
            mine=holder.guest is not None and holder.guest == visitor.id,
            here=seat in present,
        )
        for seat, holder in enumerate(seats)
    ]


@router.post("/matches", status_code=201)
async def open_match(
    request: Request, given: models.MatchIn, visitor: CurrentVisitor, services: AppServices
) -> models.MatchOut:
    """Open a match."""
    guest = visitor.require_guest()
    session = await services.matches.open(
        guest.id, given.game, given.options, given.seats, given.listed, given.clock, hints=given.hints
    )
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
    summaries = services.summaries
    found = await (summaries.of_guest(visitor.require_guest().id) if mine else summaries.listed())
    first_states = await services.store.first_states([summary.id for summary in found]) if found else {}
    return [summary_out(request, summary, first_states.get(summary.id), visitor) for summary in found]


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
    session = await get_session_unseen(request, match)
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
