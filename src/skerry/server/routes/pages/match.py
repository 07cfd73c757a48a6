"""The page of a match: playing, sitting down, inviting others, and asking for a rematch."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import time
from typing import Any

import segno
from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.server.dependencies import (
    AppServices,
    CurrentVisitor,
    Visitor,
    refresh_seats,
    require_own_seat,
    services_of,
)
from skerry.server.errors import Forbidden, Stale
from skerry.server.match_log import decode_entry
from skerry.server.match_service import ME
from skerry.server.match_session import MatchSession
from skerry.server.presenter import describe_steps
from skerry.server.renderer import Renderer, parts_by_id, renderer_for
from skerry.server.routes.pages.common import (
    ensure_guest,
    new_router,
    number_field,
    read_form,
    redirect,
    render_for_game,
)
from skerry.server.routes.pages.getting_ready import get_session, get_session_unseen
from skerry.server.schema import UNDO

router = new_router()

LOG_LENGTH = 60  # steps in the page's log


@router.get("/m/{match}", name="match_page")
async def match_page(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, seat: int | None = None
) -> HTMLResponse:
    session = await get_session(request, match)
    renderer = renderer_for(session.game, visitor.language)
    if not session.seats_of(visitor.id):
        await refresh_seats(request, session, visitor)
    if seat is not None:
        await require_own_seat(request, session, visitor, seat)
    seat = _seat_to_show(session, visitor, seat)
    rows = await services.sessions.tail(session, LOG_LENGTH)
    entries = [decode_entry(session.match, row) for row in rows if row.seq <= session.seq]
    last_read = entries[-1].seq if entries else 0
    entries += [entry for entry in session.recent if entry.seq > last_read]  # added while the log was read
    steps = describe_steps(session, seat, renderer.translations, entries)
    return _render_match(request, session, visitor, renderer, seat, steps)


def _seat_to_show(session: MatchSession, visitor: Visitor, asked: int | None) -> int | None:
    """The seat whose page is shown. Where people who share a device hide their hands from each other, it is one that
    was asked for and has something to decide, or none: the page that everybody may see."""
    if _hides_hands(session, visitor):
        return asked if asked is not None and session.may_act(asked) else None
    mine = session.seats_of(visitor.id)
    first = next((place for place in mine if place in session.people_to_move), mine[0]) if mine else None
    return first if asked is None else asked


def _hides_hands(session: MatchSession, visitor: Visitor) -> bool:
    """Whether this visitor's device is passed on among people who must not see each other's hands."""
    is_shared = session.game.hides_hands and bool(session.seats_sharing_a_device(visitor.id))
    return is_shared and session.ended is None


def _render_match(
    request: Request,
    session: MatchSession,
    visitor: Visitor,
    renderer: Renderer,
    seat: int | None,
    steps: list[dict[str, Any]],
) -> HTMLResponse:
    services = services_of(request)
    scene = services.broadcaster.snapshot(session).scene(seat, renderer)
    standard_parts = {
        element_id: renderer.render_part(part)
        for element_id, part in parts_by_id(scene).items()
        if element_id.startswith("table-")
    }
    return render_for_game(
        request,
        "guided.html" if session.header.guide else "match.html",
        visitor,
        session.game,
        session=session,
        scene=scene,
        standard_parts=standard_parts,
        seat=seat,
        mine=session.seats_of(visitor.id),
        sharing=session.seats_sharing_a_device(visitor.id),
        hides_hands=_hides_hands(session, visitor),
        titles=session.labels(renderer.translations).titles,
        host=_is_host(session, visitor),
        bots=bots.names(session.game),
        log=steps,
        now=round(1000 * time.time()),
        seat_links=[services.guests.invitation_token(session.id, place) for place in range(len(session.seats))],
        link=_match_link(request, session),
    )


def _is_host(session: MatchSession, visitor: Visitor) -> bool:
    return visitor.id is not None and session.header.owner == visitor.id


def _match_link(request: Request, session: MatchSession) -> str:
    return str(request.url_for("match_page", match=session.id))


@router.post("/m/{match}/act")
async def act(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Play an action without a script."""
    session = await get_session(request, match)
    form = await read_form(request)
    seat = await require_own_seat(request, session, visitor, number_field(form, "seat"))
    if "time" in form:
        change = services.seats.wait if form["time"] == "wait" else services.seats.go_on
        await change(session, seat, visitor.require_guest().id)
        return redirect(request, f"/m/{session.id}?seat={seat}")
    action = UNDO if "undo" in form else form.get("action", "")
    with contextlib.suppress(Stale):  # the page that is shown next is up to date
        await services.matches.act(session, seat, action, number_field(form, "seq"))
    return redirect(request, f"/m/{session.id}?seat={seat}")


@router.post("/m/{match}/sit")
async def sit(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    session = await get_session_unseen(request, match)
    form = await read_form(request)
    guest = await ensure_guest(request, visitor, form.get("name", ""))
    await services.seats.sit(session, number_field(form, "seat"), guest.id, form.get("who", ME))
    return redirect(request, f"/m/{session.id}")


@router.post("/m/{match}/rematch")
async def rematch(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    session = await get_session(request, match)
    guest = await ensure_guest(request, visitor)
    again = await services.finished.rematch(session, guest.id)
    return redirect(request, f"/m/{again.id}")


# Inviting


@router.get("/m/{match}/invite")
async def invite(request: Request, match: str, visitor: CurrentVisitor) -> HTMLResponse:
    """The links to pass on: to the match and, for its host, to each free seat."""
    session = await get_session(request, match)
    renderer = renderer_for(session.game, visitor.language)
    titles = session.labels(renderer.translations).titles
    free = [seat for seat, holder in enumerate(session.seats) if holder.open]
    invited = free if _is_host(session, visitor) else []
    return render_for_game(
        request,
        "invite.html",
        visitor,
        session.game,
        session=session,
        link=_match_link(request, session),
        only_here=is_loopback(request.url.hostname or ""),
        seats=[(seat, titles[seat], _invitation_link(request, session, seat)) for seat in invited],
        free=len(free),
        cover=renderer.macro("cover"),
    )


def is_loopback(host: str) -> bool:
    """Whether an address in a link means, on every device, that device itself."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _invitation_link(request: Request, session: MatchSession, seat: int) -> str:
    token = services_of(request).guests.invitation_token(session.id, seat)
    return str(request.url_for("invitation", match=session.id, seat=seat, token=token))


@router.get("/m/{match}/qr.svg")
async def qr_code(request: Request, match: str, visitor: CurrentVisitor, seat: int | None = None) -> Response:
    """The link to a match as a QR code; for its host, also the invitation to one seat."""
    session = await get_session(request, match)
    if seat is not None and not _is_host(session, visitor):
        raise Forbidden("only the host can invite to a seat")
    if seat is not None:
        session.match.check_seat(seat)
    link = _match_link(request, session) if seat is None else _invitation_link(request, session, seat)
    return Response(qr_svg(link), media_type="image/svg+xml", headers={"cache-control": "private, max-age=300"})


def qr_svg(text: str) -> bytes:
    """A QR code, dark on light in every theme, because some cameras read no other."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return out.getvalue()


@router.get("/m/{match}/seat/{seat}/{token}", name="invitation")
async def invitation(
    request: Request, match: str, seat: int, token: str, visitor: CurrentVisitor, services: AppServices
) -> HTMLResponse:
    """An invitation to one seat. The seats of a challenge have no names until somebody may see its deal."""
    session = await get_session_unseen(request, match)
    if not services.guests.is_invitation_token(session.id, seat, token) or not 0 <= seat < len(session.seats):
        raise Forbidden("this invitation is not valid")
    renderer = renderer_for(session.game, visitor.language)
    visible = await services.challenges.is_visible(session, visitor.id)
    name_by_guest = {holder.guest: holder.name for holder in session.seats if holder.name}
    return render_for_game(
        request,
        "invitation.html",
        visitor,
        session.game,
        session=session,
        seat=seat,
        title=session.labels(renderer.translations).titles[seat] if visible else str(seat + 1),
        free=session.seats[seat].open,
        people=list(name_by_guest.values()),
        summary=renderer.translations(session.game.summary),
        cover=renderer.macro("cover"),
    )
