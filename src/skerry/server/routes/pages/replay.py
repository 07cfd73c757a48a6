"""The pages of a replay: a finished match at any of its steps, and playing on from there."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from skerry.server.dependencies import AppServices, CurrentVisitor
from skerry.server.renderer import renderer_for
from skerry.server.replay import Replay, frame, replay_of
from skerry.server.routes.pages.analysis import analysis_context
from skerry.server.routes.pages.common import (
    ensure_guest,
    new_router,
    number_field,
    read_form,
    redirect,
    render_for_game,
)
from skerry.server.routes.pages.getting_ready import get_session

router = new_router()

LOG_LENGTH = 12  # steps before the one that is shown
LONGEST_SEAT = 3  # digits


@router.get("/m/{match}/replay")
async def replay_page(
    request: Request,
    match: str,
    visitor: CurrentVisitor,
    services: AppServices,
    at: int | None = None,
    seat: str = "",
) -> HTMLResponse:
    """A finished match at any of its steps, seen from any seat."""
    session = await get_session(request, match)
    replay = await replay_of(services.finished, session)
    renderer = renderer_for(session.game, visitor.language)
    translations = renderer.translations
    viewer = _viewing_seat(replay, seat)
    at = replay.clamp(at)
    mine = session.seats_of(visitor.id)
    return render_for_game(
        request,
        "replay.html",
        visitor,
        session.game,
        session=session,
        scene=replay.scene(at, viewer),
        at=at,
        last=replay.last,
        seat=viewer,
        log=[(step, replay.sentences(step, viewer, translations)) for step in range(max(1, at - LOG_LENGTH), at + 1)],
        prompt=replay.prompt(at, viewer, translations),
        titles=session.labels(translations).titles,
        own_seat=mine[0] if viewer is None and mine else viewer,
        people=[holder.display_name(translations) for holder in session.seats],
        **await analysis_context(request, session, renderer),
    )


@router.get("/m/{match}/replay/frame")
async def replay_frame(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, at: int, was: int, seat: str = ""
) -> Response:
    """What leads an open replay from one step to another."""
    session = await get_session(request, match)
    replay = await replay_of(services.finished, session)
    renderer = renderer_for(session.game, visitor.language)
    return JSONResponse(frame(replay, renderer, replay.clamp(was), replay.clamp(at), _viewing_seat(replay, seat)))


def _viewing_seat(replay: Replay, given: str) -> int | None:
    """The seat to look from, or None for a spectator."""
    if not given.isdecimal() or len(given) > LONGEST_SEAT:
        return None
    replay.full.check_seat(int(given))
    return int(given)


@router.post("/m/{match}/play-on")
async def play_on(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a new match from a step of this one, against bots."""
    session = await get_session(request, match)
    form = await read_form(request)
    guest = await ensure_guest(request, visitor)
    again = await services.finished.play_on(session, guest.id, number_field(form, "at"), number_field(form, "seat"))
    return redirect(request, f"/m/{again.id}")
