"""The JSON API: all that the pages can do, for programs."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ValidationError

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.rulebook import read_rulebook
from skerry.server import api_models
from skerry.server.api_models import FromSeat, MatchId, SeatNumber
from skerry.server.match_session import MatchSession, happened
from skerry.server.presenter import choices, standing, steps_told
from skerry.server.schema import UNDO
from skerry.server.services import (
    Services,
    Visitor,
    get_services,
    get_session,
    get_visitor,
    require_own_seat,
    services_of,
    viewing_seat,
    words_for,
)
from skerry.server.topics import TopicKey

WHY = {
    400: "not understood",
    401: "no guest",
    403: "not yours, or not yet",
    404: "no such thing",
    409: "it has gone on",
    413: "too long",
    415: "not JSON",
    422: "not allowed by the rules, or not of this shape",
    429: "too much",
    503: "the store does not answer",
}
router = APIRouter(
    prefix="/api/v1", responses={code: {"model": api_models.Refused, "description": text} for code, text in WHY.items()}
)

ACTION_SHAPE = {"application/json": {"schema": api_models.ActionIn.model_json_schema()}}
Shape = TypeVar("Shape", bound=BaseModel)
CurrentVisitor = Annotated[Visitor, Depends(get_visitor)]
AppServices = Annotated[Services, Depends(get_services)]


# Playing: first, because routes are tried in their order


async def read_body(request: Request, shape: type[Shape]) -> Shape:
    """A body of a shape, for the request that comes most: what FastAPI would do, without its detours."""
    try:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise RequestValidationError([{"loc": ("header", "content-type"), "msg": "it must be application/json"}])
        return shape.model_validate_json(await request.body())
    except ValidationError as error:
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in error.errors()]) from None


@router.post(
    "/matches/{match}/actions",
    tags=["playing"],
    response_model=api_models.Done,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": api_models.ActionIn.model_json_schema()}},
        }
    },
)
async def act(request: Request, match: MatchId) -> Response:
    """Do something at your seat. It is on disk when this is answered."""
    visitor = await get_visitor(request)
    session = await get_session(request, match)
    given = await read_body(request, api_models.ActionIn)
    seat = require_own_seat(session, visitor, given.seat)
    seq = await services_of(request).matches.act(session, seat, given.action, given.seq, given.key)
    return Response(b'{"seq":%d}' % seq, media_type="application/json")


ACT = router.routes[-1]


@router.post("/matches/{match}/undo", tags=["playing"])
async def undo(
    request: Request, match: MatchId, given: api_models.UndoIn, visitor: CurrentVisitor, services: AppServices
) -> api_models.Done:
    """Take your last step back, as long as nothing hidden came to light by it."""
    session = await get_session(request, match)
    seat = require_own_seat(session, visitor, given.seat)
    return api_models.Done(seq=await services.matches.act(session, seat, UNDO, given.seq, given.key))


@router.post("/matches/{match}/advice", tags=["playing"])
async def advice(
    request: Request, match: MatchId, given: api_models.AdviceIn, visitor: CurrentVisitor, services: AppServices
) -> api_models.AdviceOut:
    """What an expert would do at your seat, knowing what you know; it thinks for about a second."""
    session = await get_session(request, match)
    seat = require_own_seat(session, visitor, given.seat)
    services.advice.take(visitor.known().id)
    seq, thought = await services.bot_runner.advise(session, seat)
    words = words_for(request)
    return api_models.AdviceOut(
        seat=seat,
        seq=seq,
        unit=thought.unit,
        wait=thought.wait,
        actions=[
            api_models.Advised(
                action=session.match.action(one.action).text,
                label=session.match.label(one.action).render(words),
                value=one.value,
                low=one.low,
                high=one.high,
                why=one.why.render(words),
            )
            for one in thought.actions
        ],
    )


@router.get(
    "/matches/{match}/stream",
    tags=["playing"],
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
    page: Annotated[bool, Query(description="with the parts of the page that change")] = False,
    last_event_id: Annotated[str | None, Header(description="as browsers send it when they come back")] = None,
) -> Any:
    """What happens from now on, as it happens, and first what was missed after `since`."""
    session = await get_session(request, match)
    seat = viewing_seat(session, visitor, seat)
    if last_event_id and last_event_id.isdecimal() and len(last_event_id) < 10:
        since = int(last_event_id)
    key = TopicKey(session.id, seat, visitor.language, page)
    return await services.broadcaster.join(session, key, since, visitor.id or visitor.address)


@router.get("/matches/{match}/view", tags=["playing"])
async def view(request: Request, match: MatchId, visitor: CurrentVisitor, seat: FromSeat = None) -> api_models.ViewOut:
    """What a seat of yours (or a spectator) sees, and what it may do."""
    session = await get_session(request, match)
    seat = viewing_seat(session, visitor, seat)
    words = words_for(request)
    undo, chosen = choices(session, seat, words)
    return api_models.ViewOut(
        seq=session.seq,
        seat=seat,
        view=session.match.view(seat),
        prompt=session.match.prompt(seat).render(words),
        legal=[
            api_models.Choice(action=text, label=label, touches=touches.split("|"))
            for text, label, touches, _ in chosen
        ],
        undo=undo,
        **standing(session),
    )


@router.get("/matches/{match}/steps", tags=["playing"])
async def steps(
    request: Request,
    match: MatchId,
    visitor: CurrentVisitor,
    services: AppServices,
    seat: FromSeat = None,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> list[api_models.StepOut]:
    """What happened after a number, as a seat of yours (or a spectator) may know it."""
    session = await get_session(request, match)
    seat = viewing_seat(session, visitor, seat)
    rows = await services.store.log(session.id, since)
    told = steps_told(
        session, seat, words_for(request), (happened(session.match, row) for row in rows if row.seq <= session.seq)
    )
    return [api_models.StepOut(**step) for step in told]


# Guests


@router.post("/guests", status_code=201, tags=["guests"])
async def become_a_guest(
    given: api_models.GuestIn, visitor: CurrentVisitor, services: AppServices
) -> api_models.NewGuest:
    """Become a guest; the token is what you send from then on."""
    services.newcomers.take(visitor.address)
    guest = await services.guests.add(given.name, given.language)
    return api_models.NewGuest(
        id=guest.id, name=guest.name, language=guest.language, token=services.guests.token(guest)
    )


@router.get("/me", tags=["guests"])
async def who_am_i(visitor: CurrentVisitor) -> api_models.GuestOut:
    guest = visitor.known()
    return api_models.GuestOut(id=guest.id, name=guest.name, language=guest.language)


@router.patch("/me", tags=["guests"])
async def change_me(
    given: api_models.GuestChange, visitor: CurrentVisitor, services: AppServices
) -> api_models.GuestOut:
    """Another name, another language."""
    guest = await services.guests.change(visitor.known(), given.name, given.language)
    await services.matches.renamed(guest.id)
    return api_models.GuestOut(id=guest.id, name=guest.name, language=guest.language)


@router.delete("/me", status_code=204, tags=["guests"])
async def forget_me(visitor: CurrentVisitor, services: AppServices) -> None:
    """Delete your name, your mark and the matches that nobody else sits at; others' matches stay whole."""
    guest = visitor.known()
    await services.matches.forget_guest(guest.id)
    services.guests.forget(guest)


@router.post("/me/link", tags=["guests"])
async def personal_link(request: Request, visitor: CurrentVisitor, services: AppServices) -> api_models.Link:
    """A link that makes another device the same guest. It works for a day; keep it secret."""
    return api_models.Link(link=str(request.url_for("enter", mark=services.guests.personal_link(visitor.known()))))


# Games


def game_out(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "minutes": game.minutes,
        "players": [game.seats.start, game.seats.stop - 1],
        "cooperative": game.cooperative,
        "options": [
            {"name": option.name, "help": option.help, "default": option.default, **option.describe()}
            for option in game.options
        ],
        "bots": list(bots.names(game)),
    }


@router.get("/games", tags=["games"])
async def list_games(services: AppServices) -> list[dict[str, Any]]:
    """The games, their options and their bots."""
    return [game_out(game) for game in services.games()]


@router.get("/games/{game}", tags=["games"])
async def one_game(game: str, services: AppServices) -> dict[str, Any]:
    return game_out(services.find(game))


@router.get("/games/{game}/rules", tags=["games"])
async def rules_of(game: str, visitor: CurrentVisitor, services: AppServices) -> list[dict[str, str]]:
    """The rules by their ids, in the visitor's language."""
    found = services.find(game)
    return [{"id": rule.id, "text": rule.text} for rule in read_rulebook(found.package, visitor.language).rules()]


# Matches


def match_out(request: Request, session: MatchSession, visitor: Visitor) -> api_models.MatchOut:
    words, services = words_for(request), services_of(request)
    present, titles = services.broadcaster.present(session), session.speech(words).titles
    return api_models.MatchOut(
        id=session.id,
        game=session.game.name,
        options=json.loads(session.head.options),
        seats=[
            api_models.SeatOut(
                seat=seat,
                title=titles[seat],
                name=who.name or None,
                bot=who.bot,
                open=who.open,
                mine=who.guest is not None and who.guest == visitor.id,
                here=seat in present,
            )
            for seat, who in enumerate(session.seats)
        ],
        listed=session.head.listed,
        clock=session.head.clock,
        seq=session.seq,
        link=str(request.url_for("match_page", match=session.id)),
        rematch=session.head.next,
        **standing(session),
    )


@router.post("/matches", status_code=201, tags=["matches"])
async def open_match(
    request: Request, given: api_models.MatchIn, visitor: CurrentVisitor, services: AppServices
) -> api_models.MatchOut:
    """Open a match."""
    guest = visitor.known()
    session = await services.matches.open(guest.id, given.game, given.options, given.seats, given.listed, given.clock)
    request.state.game = session.game
    return match_out(request, session, visitor)


@router.get("/matches", tags=["matches"])
async def find_matches(
    request: Request,
    visitor: CurrentVisitor,
    services: AppServices,
    mine: Annotated[bool, Query(description="yours, else the listed")] = False,
) -> list[api_models.MatchOut]:
    """Matches that are listed, or your own."""
    rows = await (services.store.of_guest(visitor.known().id) if mine else services.store.listed())
    found = [await services.matches.get(row.id) for row in rows]
    return [match_out(request, session, visitor) for session in found]


@router.get("/matches/{match}", tags=["matches"])
async def one_match(request: Request, match: MatchId, visitor: CurrentVisitor) -> api_models.MatchOut:
    return match_out(request, await get_session(request, match), visitor)


@router.put("/matches/{match}/seats/{seat}", tags=["matches"])
async def sit(
    request: Request,
    match: MatchId,
    seat: SeatNumber,
    given: api_models.SitIn,
    visitor: CurrentVisitor,
    services: AppServices,
) -> api_models.MatchOut:
    """Take a free seat (`me`), leave yours (`open`), or hand it to a bot (its name) and take it again (`me`)."""
    session = await get_session(request, match)
    guest = visitor.known()
    await services.matches.sit(session, seat, guest.id, given.who)
    return match_out(request, session, visitor)


@router.post("/matches/{match}/rematch", tags=["matches"])
async def rematch(
    request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices
) -> api_models.MatchOut:
    """The same once more; who asks second gets what the first opened."""
    session = await get_session(request, match)
    return match_out(request, await services.matches.rematch(session, visitor.known().id), visitor)


@router.get(
    "/matches/{match}/record",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "a record"}},
)
async def record(request: Request, match: MatchId, visitor: CurrentVisitor, services: AppServices) -> PlainTextResponse:
    """The record of a finished match, with its seed."""
    session = await get_session(request, match)
    headers = {"content-disposition": f'attachment; filename="{session.game.name}-{session.id[:6]}.skerry"'}
    return PlainTextResponse(await services.matches.record(session), headers=headers)
