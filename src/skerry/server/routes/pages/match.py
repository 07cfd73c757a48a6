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
from skerry.server.match_session import Live, happened
from skerry.server.presenter import steps_told
from skerry.server.renderer import Artist, artist, pieces
from skerry.server.routes.pages.common import Asking, Here, form_of, go, new_router, number, render_of, seated
from skerry.server.schema import UNDO
from skerry.server.services import Reader, match_of, own_seat, room_of

router = new_router()

LOG_SHOWN = 60  # steps; the rest is a click away


@router.get("/m/{match}", name="match_page")
async def match_page(request: Request, match: str, reader: Asking, room: Here, seat: int | None = None) -> HTMLResponse:
    live = await match_of(request, match)
    art = artist(live.game, reader.language)
    mine = live.seats_of(reader.id)
    if seat is not None:
        own_seat(live, reader, seat)
    elif mine:
        seat = next((place for place in mine if place in live.awaited), mine[0])
    rows = await room.store.tail(live.id, LOG_SHOWN)
    steps = [happened(live.match, row) for row in rows if row.seq <= live.seq]
    read = steps[-1].seq if steps else 0
    steps += [one for one in live.recent if one.seq > read]  # it may have gone on while the log was read
    return _page(request, live, reader, art, seat, steps_told(live, seat, art.words, steps))


def _page(
    request: Request, live: Live, reader: Reader, art: Artist, seat: int | None, told: list[dict[str, Any]]
) -> HTMLResponse:
    room = room_of(request)
    scene = room.telling.moment(live).scene(seat, art)
    return render_of(
        request,
        "guided.html" if live.head.guide else "match.html",
        reader,
        live.game,
        live=live,
        scene=scene,
        drawn={name: art.draw_piece(piece) for name, piece in pieces(scene).items() if name.startswith("table-")},
        seat=seat,
        mine=live.seats_of(reader.id),
        host=_host(live, reader),
        bots=bots.names(live.game),
        told=told,
        seat_links=[room.guests.seat_link(live.id, place) for place in range(len(live.seats))],
        link=_link(request, live),
    )


def _host(live: Live, reader: Reader) -> bool:
    return reader.id is not None and live.head.owner == reader.id


def _link(request: Request, live: Live) -> str:
    return str(request.url_for("match_page", match=live.id))


@router.post("/m/{match}/act")
async def act(request: Request, match: str, reader: Asking, room: Here) -> Response:
    """The way without a script."""
    live = await match_of(request, match)
    form = await form_of(request)
    seat = own_seat(live, reader, number(form, "seat"))
    given = UNDO if "undo" in form else form.get("action", "")
    with contextlib.suppress(Stale):  # the page that comes now shows how it went on
        await room.matches.act(live, seat, given, number(form, "seq"))
    return go(request, f"/m/{live.id}?seat={seat}")


@router.post("/m/{match}/sit")
async def sit(request: Request, match: str, reader: Asking, room: Here) -> Response:
    live = await match_of(request, match)
    form = await form_of(request)
    guest = await seated(request, room, reader, form.get("name", ""))
    await room.matches.sit(live, number(form, "seat"), guest.id, form.get("who", ME))
    return go(request, f"/m/{live.id}")


# Inviting


@router.get("/m/{match}/invite")
async def invite(request: Request, match: str, reader: Asking, room: Here) -> HTMLResponse:
    """The links to hand on: to the table, and (for the host) to each free seat."""
    live = await match_of(request, match)
    art = artist(live.game, reader.language)
    free = [(seat, live.speech(art.words).titles[seat]) for seat, who in enumerate(live.seats) if who.open]
    return render_of(
        request,
        "invite.html",
        reader,
        live.game,
        live=live,
        link=_link(request, live),
        seats=[(seat, title, _seat_link(request, live, seat)) for seat, title in free] if _host(live, reader) else [],
        free=len(free),
        cover=art.macro("cover"),
    )


def _seat_link(request: Request, live: Live, seat: int) -> str:
    mark = room_of(request).guests.seat_link(live.id, seat)
    return str(request.url_for("invitation", match=live.id, seat=seat, mark=mark))


@router.get("/m/{match}/qr.svg")
async def qr_code(request: Request, match: str, reader: Asking, seat: int | None = None) -> Response:
    """The link to a match as a picture for the camera of a phone; for its host, that to one seat too."""
    live = await match_of(request, match)
    if seat is not None and not _host(live, reader):
        raise NotYours("only the host invites to a seat")
    if seat is not None:
        live.match.check_seat(seat)
    link = _link(request, live) if seat is None else _seat_link(request, live, seat)
    return Response(qr_svg(link), media_type="image/svg+xml", headers={"cache-control": "private, max-age=300"})


def qr_svg(text: str) -> bytes:
    """Dark on light in any theme: cameras want it so."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return out.getvalue()


@router.get("/m/{match}/seat/{seat}/{mark}", name="invitation")
async def invitation(request: Request, match: str, seat: int, mark: str, reader: Asking, room: Here) -> HTMLResponse:
    """Somebody is invited to one seat."""
    live = await match_of(request, match)
    if not room.guests.is_seat_link(live.id, seat, mark) or not 0 <= seat < len(live.seats):
        raise NotYours("this invitation is not valid")
    art = artist(live.game, reader.language)
    return render_of(
        request,
        "invitation.html",
        reader,
        live.game,
        live=live,
        seat=seat,
        title=live.speech(art.words).titles[seat],
        free=live.seats[seat].open,
        people=list({who.guest: who.name for who in live.seats if who.name}.values()),  # who has two seats, once
        summary=art.words(live.game.summary),
        cover=art.macro("cover"),
    )


@router.post("/m/{match}/rematch")
async def rematch(request: Request, match: str, reader: Asking, room: Here) -> Response:
    live = await match_of(request, match)
    again = await room.matches.rematch(live, (await seated(request, room, reader)).id)
    return go(request, f"/m/{again.id}")
