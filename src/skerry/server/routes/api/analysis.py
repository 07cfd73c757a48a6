"""The JSON API of analyses: what decided a finished match."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from skerry.analysis.match_analysis import as_data
from skerry.server.analysis.job_store import QUEUED
from skerry.server.analysis.jobs import default_viewpoint, parsed_viewpoint
from skerry.server.analysis.presentation import Presented, is_outdated, present
from skerry.server.dependencies import AppServices, CurrentVisitor, get_session, services_of, translations_for
from skerry.server.match_session import MatchSession
from skerry.server.replay import replay_of
from skerry.server.routes.api.analysis_models import (
    VIEWPOINT,
    AnalysedStepOut,
    AnalysisIn,
    AnalysisOut,
    CourseOut,
    MomentOut,
    ProgressOut,
)
from skerry.server.routes.api.common import new_router
from skerry.server.routes.api.models import MatchId
from skerry.server.store import Row

router = new_router("analysis")

Viewpoint = Annotated[
    str | None,
    Query(
        pattern=VIEWPOINT,
        description="from whose knowledge: `table` (what the players knew) or, where players hide cards from each "
        "other, `open` (all hands), `spectator` or `seat-0`; by default `table` or `open`",
    ),
]


def _named(session: MatchSession, viewpoint: str | None) -> str:
    """The viewpoint that is asked for, or a refusal if this match has no such one."""
    name = viewpoint or default_viewpoint(session.match)
    parsed_viewpoint(session.match, name)
    return name


async def analysis_out(request: Request, session: MatchSession, job: Row) -> AnalysisOut:
    services = services_of(request)
    full = (await replay_of(services.finished, session)).full
    presented = present(job, full, translations_for(request))
    return AnalysisOut(
        match=session.id,
        viewpoint=job.viewpoint,
        state=job.state,
        effort=job.effort,
        version=job.version,
        outdated=is_outdated(job),
        ahead=await services.analyses.jobs.count_before(job) if job.state == QUEUED else 0,
        progress=ProgressOut(done=job.done, total=job.total),
        course=None if presented is None else _course_out(presented),
    )


def _course_out(presented: Presented) -> CourseOut:
    data = as_data(presented.analysis)
    texts = {line.step: line for line in presented.steps}
    steps = [AnalysedStepOut(**step, words=texts[step["step"]].words) for step in data["steps"]]
    moments = [
        MomentOut(
            step=one.step,
            turn=one.turn,
            seat=one.seat,
            kind=one.kind,
            headline=one.headline,
            words=one.words,
            why=one.why,
            better=one.better_action,
        )
        for one in presented.moments
    ]
    names = ("unit", "complete", "initial", "final", "luck", "luck_error", "decisions", "seats")
    fields = {name: data[name] for name in names}
    return CourseOut(verdict=presented.verdict, notes=presented.notes, moments=moments, steps=steps, **fields)


@router.post("/matches/{match}/analysis", status_code=202)
async def ask_for_analysis(
    request: Request, match: MatchId, given: AnalysisIn, visitor: CurrentVisitor, services: AppServices
) -> AnalysisOut:
    """Ask for the analysis of a finished match. It is made once, and the same for all who look."""
    session = await get_session(request, match)
    guest = visitor.require_guest()
    viewpoint = _named(session, given.viewpoint) if session.ended is not None else ""
    job = await services.analyses.request(session, guest.id, viewpoint, given.effort)
    return await analysis_out(request, session, job)


@router.get("/matches/{match}/analysis")
async def read_analysis(
    request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices, viewpoint: Viewpoint = None
) -> AnalysisOut:
    """The analysis of a finished match as far as it is: first a coarse course, then the whole, then the decisions."""
    session = await get_session(request, match)
    named = _named(session, viewpoint) if session.ended is not None else ""
    return await analysis_out(request, session, await services.analyses.find(session, named))


@router.delete("/matches/{match}/analysis", status_code=204)
async def cancel_analysis(
    request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices, viewpoint: Viewpoint = None
) -> Response:
    """Cancel an analysis that is not finished: for who asked for it, and for the players of the match."""
    session = await get_session(request, match)
    guest = visitor.require_guest()
    named = _named(session, viewpoint) if session.ended is not None else ""
    await services.analyses.cancel(session, guest.id, named)
    return Response(status_code=204)
