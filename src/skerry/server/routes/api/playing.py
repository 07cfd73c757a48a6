"""The JSON API of a running match: actions, advice, views and the event stream."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from skerry.server.dependencies import (
    AppServices,
    CurrentVisitor,
    get_session,
    get_visitor,
    require_own_seat,
    services_of,
    translations_for,
    viewing_seat,
)
from skerry.server.match_log import decode_entry
from skerry.server.presenter import choices, describe_steps, match_status, prompt
from skerry.server.routes.api import models
from skerry.server.routes.api.common import new_router
from skerry.server.routes.api.models import FromSeat, MatchId
from skerry.server.schema import UNDO
from skerry.server.topics import TopicKey

router = new_router("playing")

LONGEST_EVENT_ID = 9  # digits

Model = TypeVar("Model", bound=BaseModel)


async def read_body(request: Request, model: type[Model]) -> Model:
    """Parse the body of the most frequent request as FastAPI would, but faster."""
    try:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise RequestValidationError([{"loc": ("header", "content-type"), "msg": "it must be application/json"}])
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in error.errors()]) from None


@router.post(
    "/matches/{match}/actions",
    response_model=models.Done,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": models.ActionIn.model_json_schema()}},
        }
    },
)
async def act(request: Request, match: MatchId) -> Response:
    """Play an action at your seat. It is on disk when this is answered."""
    visitor = await get_visitor(request)
    session = await get_session(request, match)
    given = await read_body(request, models.ActionIn)
    seat = await require_own_seat(request, session, visitor, given.seat)
    seq = await services_of(request).matches.act(session, seat, given.action, given.seq, given.key)
    return Response(b'{"seq":%d}' % seq, media_type="application/json")


ACTION_ROUTE = router.routes[-1]


@router.post("/matches/{match}/undo")
async def undo(
    request: Request, match: MatchId, given: models.UndoIn, visitor: CurrentVisitor, services: AppServices
) -> models.Done:
    """Undo your last step, as long as it has revealed nothing hidden."""
    session = await get_session(request, match)
    seat = await require_own_seat(request, session, visitor, given.seat)
    return models.Done(seq=await services.matches.act(session, seat, UNDO, given.seq, given.key))


@router.post("/matches/{match}/time", status_code=204)
async def ask_for_time(
    request: Request, match: MatchId, given: models.TimeIn, visitor: CurrentVisitor, services: AppServices
) -> None:
    """Ask the table to wait before what goes by itself, while you could play something; or let it go on."""
    session = await get_session(request, match)
    seat = await require_own_seat(request, session, visitor, given.seat)
    change = services.seats.wait if given.wait else services.seats.go_on
    await change(session, seat, visitor.require_guest().id)


@router.post("/matches/{match}/advice")
async def advice(
    request: Request, match: MatchId, given: models.AdviceIn, visitor: CurrentVisitor, services: AppServices
) -> models.AdviceOut:
    """What an expert would do at your seat, knowing what you know. It thinks for about a second."""
    session = await get_session(request, match)
    seat = await require_own_seat(request, session, visitor, given.seat)
    services.advice_limit.take(visitor.require_guest().id)
    seq, found = await services.bot_runner.advise(session, seat)
    translations = translations_for(request)
    return models.AdviceOut(
        seat=seat,
        seq=seq,
        unit=found.unit,
        wait=found.wait,
        actions=[
            models.Advised(
                action=session.match.action(advised.action).text,
                label=session.match.label_now(seat, advised.action).render(translations),
                value=advised.value,
                low=advised.low,
                high=advised.high,
                why=advised.why.render(translations),
            )
            for advised in found.actions
        ],
    )


@router.get(
    "/matches/{match}/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "an event stream, numbered by `seq`"}},
)
async def stream(
    request: Request,
    match: MatchId,
    visitor: CurrentVisitor,
    services: AppServices,
    seat: FromSeat = None,
    since: Annotated[int | None, Query(ge=0, le=2**31 - 1, description="the last number you have seen")] = None,
    page: Annotated[bool, Query(description="with the changed parts of the page")] = False,
    last_event_id: Annotated[str | None, Header(description="sent by browsers that reconnect")] = None,
) -> Any:
    """What happens from now on, as it happens; first what you have missed after `since`."""
    session = await get_session(request, match)
    seat = await viewing_seat(request, session, visitor, seat)
    if last_event_id and last_event_id.isdecimal() and len(last_event_id) <= LONGEST_EVENT_ID:
        since = int(last_event_id)
    key = TopicKey(session.id, seat, visitor.language, page)
    return await services.broadcaster.subscribe(session, key, since, visitor.id or visitor.address)


@router.get("/matches/{match}/view")
async def view(request: Request, match: MatchId, visitor: CurrentVisitor, seat: FromSeat = None) -> models.ViewOut:
    """What one of your seats (or a spectator) sees, and what it may do."""
    session = await get_session(request, match)
    seat = await viewing_seat(request, session, visitor, seat)
    translations = translations_for(request)
    undo, actions = choices(session, seat, translations)
    return models.ViewOut(
        seq=session.seq,
        seat=seat,
        view=session.match.view(seat),
        prompt=prompt(session, seat).render(translations),
        legal=[
            models.Choice(action=action.text, label=action.label, touches=action.touches.split("|"))
            for action in actions
        ],
        undo=undo,
        **match_status(session),
    )


@router.get("/matches/{match}/steps")
async def steps(
    request: Request,
    match: MatchId,
    visitor: CurrentVisitor,
    services: AppServices,
    seat: FromSeat = None,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> list[models.StepOut]:
    """What happened after a number, as one of your seats (or a spectator) may know it."""
    session = await get_session(request, match)
    seat = await viewing_seat(request, session, visitor, seat)
    rows = await services.sessions.log(session, since)
    entries = [decode_entry(session.match, row) for row in rows if row.seq <= session.seq]
    described = describe_steps(session, seat, translations_for(request), entries)
    return [models.StepOut(**step) for step in described]
