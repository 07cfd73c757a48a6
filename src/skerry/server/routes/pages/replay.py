"""Replays: a finished match at any of its steps, and playing on from there."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from skerry.server.renderer import artist
from skerry.server.replay import Film, film_of, frame
from skerry.server.routes.pages.common import Asking, Here, form_of, go, new_router, number, render_of, seated
from skerry.server.services import match_of

router = new_router()

TOLD = 12  # steps before the one that is shown


@router.get("/m/{match}/replay")
async def replay(
    request: Request, match: str, reader: Asking, room: Here, at: int | None = None, seat: str = ""
) -> HTMLResponse:
    """A finished match at any of its steps, seen from any seat."""
    live = await match_of(request, match)
    film = await film_of(room.matches, live)
    art = artist(live.game, reader.language)
    by, at = _seat(film, seat), film.clamp(at)
    return render_of(
        request,
        "replay.html",
        reader,
        live.game,
        live=live,
        scene=film.scene(at, by),
        at=at,
        last=film.last,
        seat=by,
        told=[(step, film.told(step, by, art.words)) for step in range(max(1, at - TOLD), at + 1)],
        prompt=film.prompt(at, by, art.words),
        titles=live.speech(art.words).titles,
        people=[who.called(art.words) for who in live.seats],
    )


@router.get("/m/{match}/replay/frame")
async def replay_frame(
    request: Request, match: str, reader: Asking, room: Here, at: int, was: int, seat: str = ""
) -> Response:
    """What leads an open replay from one step to another."""
    live = await match_of(request, match)
    film = await film_of(room.matches, live)
    shown: dict[str, Any] = frame(
        film, artist(live.game, reader.language), film.clamp(was), film.clamp(at), _seat(film, seat)
    )
    return JSONResponse(shown)


def _seat(film: Film, given: str) -> int | None:
    """Whose eyes: a seat's, or (empty) a spectator's."""
    if not given.isdecimal() or len(given) > 3:
        return None
    film.full.check_seat(int(given))
    return int(given)


@router.post("/m/{match}/play-on")
async def play_on(request: Request, match: str, reader: Asking, room: Here) -> Response:
    """What if …: a new match from a step of this one, against bots."""
    live = await match_of(request, match)
    form = await form_of(request)
    guest = await seated(request, room, reader)
    again = await room.matches.play_on(live, guest.id, number(form, "at"), number(form, "seat"))
    return go(request, f"/m/{again.id}")
