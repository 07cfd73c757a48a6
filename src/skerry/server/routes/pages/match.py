"""A match: the table itself, sitting down, inviting others."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import segno
from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.server.errors import NotYours, Stale
from skerry.server.match_service import ME
from skerry.server.match_session import MatchSession, happened
from skerry.server.presenter import steps_told
from skerry.server.renderer import Renderer, parts_by_id, renderer_for
from skerry.server.routes.pages.common import (
    AppServices,
    CurrentVisitor,
    form_of,
    go,
    new_router,
    number,
    render_of,
    seated,
)
from skerry.server.schema import UNDO
from skerry.server.services import Visitor, get_session, require_own_seat, services_of

router = new_router()

LOG_SHOWN = 60  # steps; the rest is a click away


@router.get("/m/{match}", name="match_page")
async def match_page(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, seat: int | None = None
) -> HTMLResponse:
    session = await get_session(request, match)
    renderer = renderer_for(session.game, visitor.language)
    mine = session.seats_of(visitor.id)
    if seat is not None:
        require_own_seat(session, visitor, seat)
    elif mine:
        seat = next((place for place in mine if place in session.awaited), mine[0])
    rows = await services.store.tail(session.id, LOG_SHOWN)
    steps = [happened(session.match, row) for row in rows if row.seq <= session.seq]
    read = steps[-1].seq if steps else 0
    steps += [one for one in session.recent if one.seq > read]  # it may have gone on while the log was read
    return _page(request, session, visitor, renderer, seat, steps_told(session, seat, renderer.words, steps))


def _page(
    request: Request,
    session: MatchSession,
    visitor: Visitor,
    renderer: Renderer,
    seat: int | None,
    told: list[dict[str, Any]],
) -> HTMLResponse:
    services = services_of(request)
    scene = services.broadcaster.snapshot(session).scene(seat, renderer)
    return render_of(
        request,
        "guided.html" if session.head.guide else "match.html",
        visitor,
        session.game,
        session=session,
        scene=scene,
        drawn={
            name: renderer.render_part(piece) for name, piece in parts_by_id(scene).items() if name.startswith("table-")
        },
        seat=seat,
        mine=session.seats_of(visitor.id),
        host=_host(session, visitor),
        bots=bots.names(session.game),
        told=told,
        seat_links=[services.guests.seat_link(session.id, place) for place in range(len(session.seats))],
        link=_link(request, session),
    )


def _host(session: MatchSession, visitor: Visitor) -> bool:
    return visitor.id is not None and session.head.owner == visitor.id


def _link(request: Request, session: MatchSession) -> str:
    return str(request.url_for("match_page", match=session.id))


@router.post("/m/{match}/act")
async def act(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """The way without a script."""
    session = await get_session(request, match)
    form = await form_of(request)
    seat = require_own_seat(session, visitor, number(form, "seat"))
    given = UNDO if "undo" in form else form.get("action", "")
    with contextlib.suppress(Stale):  # the page that comes now shows how it went on
        await services.matches.act(session, seat, given, number(form, "seq"))
    return go(request, f"/m/{session.id}?seat={seat}")


@router.post("/m/{match}/sit")
async def sit(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    session = await get_session(request, match)
    form = await form_of(request)
    guest = await seated(request, services, visitor, form.get("name", ""))
    await services.matches.sit(session, number(form, "seat"), guest.id, form.get("who", ME))
    return go(request, f"/m/{session.id}")


# Inviting


@router.get("/m/{match}/invite")
async def invite(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """The links to hand on: to the table, and (for the host) to each free seat."""
    session = await get_session(request, match)
    renderer = renderer_for(session.game, visitor.language)
    free = [(seat, session.speech(renderer.words).titles[seat]) for seat, who in enumerate(session.seats) if who.open]
    return render_of(
        request,
        "invite.html",
        visitor,
        session.game,
        session=session,
        link=_link(request, session),
        seats=[(seat, title, _seat_link(request, session, seat)) for seat, title in free]
        if _host(session, visitor)
        else [],
        free=len(free),
        cover=renderer.macro("cover"),
    )


def _seat_link(request: Request, session: MatchSession, seat: int) -> str:
    mark = services_of(request).guests.seat_link(session.id, seat)
    return str(request.url_for("invitation", match=session.id, seat=seat, mark=mark))


@router.get("/m/{match}/qr.svg")
async def qr_code(request: Request, match: str, visitor: CurrentVisitor, seat: int | None = None) -> Response:
    """The link to a match as a picture for the camera of a phone; for its host, that to one seat too."""
    session = await get_session(request, match)
    if seat is not None and not _host(session, visitor):
        raise NotYours("only the host invites to a seat")
    if seat is not None:
        session.match.check_seat(seat)
    link = _link(request, session) if seat is None else _seat_link(request, session, seat)
    return Response(qr_svg(link), media_type="image/svg+xml", headers={"cache-control": "private, max-age=300"})


def qr_svg(text: str) -> bytes:
    """Dark on light in any theme: cameras want it so."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return out.getvalue()


@router.get("/m/{match}/seat/{seat}/{mark}", name="invitation")
async def invitation(
    request: Request, match: str, seat: int, mark: str, visitor: CurrentVisitor, services: AppServices
) -> HTMLResponse:
    """Somebody is invited to one seat."""
    session = await get_session(request, match)
    if not services.guests.is_seat_link(session.id, seat, mark) or not 0 <= seat < len(session.seats):
        raise NotYours("this invitation is not valid")
    renderer = renderer_for(session.game, visitor.language)
    return render_of(
        request,
        "invitation.html",
        visitor,
        session.game,
        session=session,
        seat=seat,
        title=session.speech(renderer.words).titles[seat],
        free=session.seats[seat].open,
        people=list({who.guest: who.name for who in session.seats if who.name}.values()),  # who has two seats, once
        summary=renderer.words(session.game.summary),
        cover=renderer.macro("cover"),
    )


@router.post("/m/{match}/rematch")
async def rematch(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    session = await get_session(request, match)
    again = await services.matches.rematch(session, (await seated(request, services, visitor)).id)
    return go(request, f"/m/{again.id}")
