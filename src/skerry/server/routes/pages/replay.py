"""Replays: a finished match at any of its steps, and playing on from there."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from skerry.server.renderer import renderer_for
from skerry.server.replay import Replay, frame, replay_of
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
from skerry.server.services import get_session

router = new_router()

TOLD = 12  # steps before the one that is shown


@router.get("/m/{match}/replay")
async def replay(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, at: int | None = None, seat: str = ""
) -> HTMLResponse:
    """A finished match at any of its steps, seen from any seat."""
    session = await get_session(request, match)
    film = await replay_of(services.matches, session)
    renderer = renderer_for(session.game, visitor.language)
    by, at = _seat(film, seat), film.clamp(at)
    return render_of(
        request,
        "replay.html",
        visitor,
        session.game,
        session=session,
        scene=film.scene(at, by),
        at=at,
        last=film.last,
        seat=by,
        told=[(step, film.told(step, by, renderer.words)) for step in range(max(1, at - TOLD), at + 1)],
        prompt=film.prompt(at, by, renderer.words),
        titles=session.speech(renderer.words).titles,
        people=[who.called(renderer.words) for who in session.seats],
    )


@router.get("/m/{match}/replay/frame")
async def replay_frame(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, at: int, was: int, seat: str = ""
) -> Response:
    """What leads an open replay from one step to another."""
    session = await get_session(request, match)
    film = await replay_of(services.matches, session)
    shown: dict[str, Any] = frame(
        film, renderer_for(session.game, visitor.language), film.clamp(was), film.clamp(at), _seat(film, seat)
    )
    return JSONResponse(shown)


def _seat(film: Replay, given: str) -> int | None:
    """Whose eyes: a seat's, or (empty) a spectator's."""
    if not given.isdecimal() or len(given) > 3:
        return None
    film.full.check_seat(int(given))
    return int(given)


@router.post("/m/{match}/play-on")
async def play_on(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """What if …: a new match from a step of this one, against bots."""
    session = await get_session(request, match)
    form = await form_of(request)
    guest = await seated(request, services, visitor)
    again = await services.matches.play_on(session, guest.id, number(form, "at"), number(form, "seat"))
    return go(request, f"/m/{again.id}")
