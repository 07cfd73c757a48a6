"""The analysis beside a replay, and the verdict on the page of a match that is over."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from skerry.engine.i18n.translations import Translations
from skerry.server.analysis.job_store import DONE, QUEUED, UNFINISHED
from skerry.server.analysis.jobs import EFFORT, default_viewpoint
from skerry.server.analysis.presentation import Presented, course_data, final_verdict, is_outdated, present
from skerry.server.dependencies import AppServices, CurrentVisitor, services_of
from skerry.server.errors import NotAnalysed
from skerry.server.match_session import MatchSession
from skerry.server.renderer import Renderer, renderer_for
from skerry.server.replay import replay_of
from skerry.server.routes.pages.common import ensure_guest, new_router, redirect
from skerry.server.routes.pages.getting_ready import get_session
from skerry.server.store import Row

router = new_router()


async def find_job(request: Request, session: MatchSession) -> Row | None:
    """The analysis that pages show, if somebody has asked for it."""
    try:
        return await services_of(request).analyses.find(session, default_viewpoint(session.match))
    except NotAnalysed:
        return None


async def _presented(
    request: Request, session: MatchSession, job: Row | None, translations: Translations
) -> Presented | None:
    if job is None:
        return None
    return present(job, (await replay_of(services_of(request).finished, session)).full, translations)


async def analysis_context(request: Request, session: MatchSession, renderer: Renderer) -> dict[str, Any]:
    """What the template ``analysis.html`` needs."""
    if session.closed is not None:
        return {"analysed": None, "found": None, "ahead": 0, "can_be_analysed": False}
    job = await find_job(request, session)
    is_waiting = job is not None and job.state == QUEUED
    return {
        "analysed": job,
        "found": await _presented(request, session, job, renderer.translations),
        "ahead": await services_of(request).analyses.jobs.count_before(job) if is_waiting else 0,
        "outdated": job is not None and is_outdated(job),
        "can_be_analysed": True,
    }


@router.post("/m/{match}/analysis")
async def analyse(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Ask for the analysis of a match that is over."""
    session = await get_session(request, match)
    guest = await ensure_guest(request, visitor)
    viewpoint = default_viewpoint(session.match) if session.ended is not None else ""
    await services.analyses.request(session, guest.id, viewpoint, EFFORT)
    return redirect(request, f"/m/{session.id}/replay")


@router.post("/m/{match}/analysis/cancel")
async def cancel(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    session = await get_session(request, match)
    viewpoint = default_viewpoint(session.match) if session.ended is not None else ""
    await services.analyses.cancel(session, visitor.require_guest().id, viewpoint)
    return redirect(request, f"/m/{session.id}/replay")


@router.get("/m/{match}/analysis")
async def analysis(request: Request, match: str, visitor: CurrentVisitor) -> Response:
    """The analysis as far as it is, for an open replay: its rendered part, and what the curve is drawn from."""
    session = await get_session(request, match)
    await replay_of(services_of(request).finished, session)  # refuses matches that run
    renderer = renderer_for(session.game, visitor.language)
    context = await analysis_context(request, session, renderer)
    job, found = context["analysed"], context["found"]
    part = renderer.render("analysis.html", session=session, **context)
    return JSONResponse(
        {
            "unfinished": job is not None and job.state in UNFINISHED,
            "parts": {"analysis": part},
            "course": None if found is None else course_data(found),
        }
    )


@router.get("/m/{match}/verdict")
async def verdict(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, seat: int | None = None
) -> Response:
    """What decided a match that is over, in sentences for one who played it; none if it is not analysed."""
    session = await get_session(request, match)
    await replay_of(services.finished, session)
    renderer = renderer_for(session.game, visitor.language)
    job = None if session.closed is not None else await find_job(request, session)
    found = await _presented(request, session, job, renderer.translations)
    is_done = job is not None and job.state == DONE and found is not None
    sentences = final_verdict(found, seat, renderer.translations) if is_done and found is not None else []
    return JSONResponse({"sentences": sentences})
