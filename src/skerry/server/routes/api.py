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
from skerry.server.match_session import Live, happened
from skerry.server.presenter import choices, standing, steps_told
from skerry.server.schema import UNDO
from skerry.server.services import Reader, Room, here, match_of, own_seat, reader_of, room_of, seen_from, words_for
from skerry.server.topics import Key

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
Asking = Annotated[Reader, Depends(reader_of)]
Here = Annotated[Room, Depends(here)]


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
    reader = await reader_of(request)
    live = await match_of(request, match)
    given = await read_body(request, api_models.ActionIn)
    seat = own_seat(live, reader, given.seat)
    seq = await room_of(request).matches.act(live, seat, given.action, given.seq, given.key)
    return Response(b'{"seq":%d}' % seq, media_type="application/json")


ACT = router.routes[-1]


@router.post("/matches/{match}/undo", tags=["playing"])
async def undo(
    request: Request, match: MatchId, given: api_models.UndoIn, reader: Asking, room: Here
) -> api_models.Done:
    """Take your last step back, as long as nothing hidden came to light by it."""
    live = await match_of(request, match)
    seat = own_seat(live, reader, given.seat)
    return api_models.Done(seq=await room.matches.act(live, seat, UNDO, given.seq, given.key))


@router.post("/matches/{match}/advice", tags=["playing"])
async def advice(
    request: Request, match: MatchId, given: api_models.AdviceIn, reader: Asking, room: Here
) -> api_models.AdviceOut:
    """What an expert would do at your seat, knowing what you know; it thinks for about a second."""
    live = await match_of(request, match)
    seat = own_seat(live, reader, given.seat)
    room.advice.take(reader.known().id)
    seq, thought = await room.thinking.advise(live, seat)
    words = words_for(request)
    return api_models.AdviceOut(
        seat=seat,
        seq=seq,
        unit=thought.unit,
        wait=thought.wait,
        actions=[
            api_models.Advised(
                action=live.match.action(one.action).text,
                label=live.match.label(one.action).render(words),
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
    reader: Asking,
    room: Here,
    seat: FromSeat = None,
    since: Annotated[int | None, Query(ge=0, le=2**31 - 1, description="the last number you have seen")] = None,
    page: Annotated[bool, Query(description="with the parts of the page that change")] = False,
    last_event_id: Annotated[str | None, Header(description="as browsers send it when they come back")] = None,
) -> Any:
    """What happens from now on, as it happens, and first what was missed after `since`."""
    live = await match_of(request, match)
    seat = seen_from(live, reader, seat)
    if last_event_id and last_event_id.isdecimal() and len(last_event_id) < 10:
        since = int(last_event_id)
    key = Key(live.id, seat, reader.language, page)
    return await room.telling.join(live, key, since, reader.id or reader.address)


@router.get("/matches/{match}/view", tags=["playing"])
async def view(request: Request, match: MatchId, reader: Asking, seat: FromSeat = None) -> api_models.ViewOut:
    """What a seat of yours (or a spectator) sees, and what it may do."""
    live = await match_of(request, match)
    seat = seen_from(live, reader, seat)
    words = words_for(request)
    undo, chosen = choices(live, seat, words)
    return api_models.ViewOut(
        seq=live.seq,
        seat=seat,
        view=live.match.view(seat),
        prompt=live.match.prompt(seat).render(words),
        legal=[
            api_models.Choice(action=text, label=label, touches=touches.split("|"))
            for text, label, touches, _ in chosen
        ],
        undo=undo,
        **standing(live),
    )


@router.get("/matches/{match}/steps", tags=["playing"])
async def steps(
    request: Request,
    match: MatchId,
    reader: Asking,
    room: Here,
    seat: FromSeat = None,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> list[api_models.StepOut]:
    """What happened after a number, as a seat of yours (or a spectator) may know it."""
    live = await match_of(request, match)
    seat = seen_from(live, reader, seat)
    rows = await room.store.log(live.id, since)
    told = steps_told(
        live, seat, words_for(request), (happened(live.match, row) for row in rows if row.seq <= live.seq)
    )
    return [api_models.StepOut(**step) for step in told]


# Guests


@router.post("/guests", status_code=201, tags=["guests"])
async def become_a_guest(given: api_models.GuestIn, reader: Asking, room: Here) -> api_models.NewGuest:
    """Become a guest; the token is what you send from then on."""
    room.newcomers.take(reader.address)
    guest = await room.guests.add(given.name, given.language)
    return api_models.NewGuest(id=guest.id, name=guest.name, language=guest.language, token=room.guests.token(guest))


@router.get("/me", tags=["guests"])
async def who_am_i(reader: Asking) -> api_models.GuestOut:
    guest = reader.known()
    return api_models.GuestOut(id=guest.id, name=guest.name, language=guest.language)


@router.patch("/me", tags=["guests"])
async def change_me(given: api_models.GuestChange, reader: Asking, room: Here) -> api_models.GuestOut:
    """Another name, another language."""
    guest = await room.guests.change(reader.known(), given.name, given.language)
    await room.matches.renamed(guest.id)
    return api_models.GuestOut(id=guest.id, name=guest.name, language=guest.language)


@router.delete("/me", status_code=204, tags=["guests"])
async def forget_me(reader: Asking, room: Here) -> None:
    """Delete your name, your mark and the matches that nobody else sits at; others' matches stay whole."""
    guest = reader.known()
    await room.matches.forget_guest(guest.id)
    room.guests.forget(guest)


@router.post("/me/link", tags=["guests"])
async def personal_link(request: Request, reader: Asking, room: Here) -> api_models.Link:
    """A link that makes another device the same guest. It works for a day; keep it secret."""
    return api_models.Link(link=str(request.url_for("enter", mark=room.guests.personal_link(reader.known()))))


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
async def list_games(room: Here) -> list[dict[str, Any]]:
    """The games, their options and their bots."""
    return [game_out(game) for game in room.games()]


@router.get("/games/{game}", tags=["games"])
async def one_game(game: str, room: Here) -> dict[str, Any]:
    return game_out(room.find(game))


@router.get("/games/{game}/rules", tags=["games"])
async def rules_of(game: str, reader: Asking, room: Here) -> list[dict[str, str]]:
    """The rules by their ids, in the reader's language."""
    found = room.find(game)
    return [{"id": rule.id, "text": rule.text} for rule in read_rulebook(found.package, reader.language).rules()]


# Matches


def match_out(request: Request, live: Live, reader: Reader) -> api_models.MatchOut:
    words, room = words_for(request), room_of(request)
    present, titles = room.telling.present(live), live.speech(words).titles
    return api_models.MatchOut(
        id=live.id,
        game=live.game.name,
        options=json.loads(live.head.options),
        seats=[
            api_models.SeatOut(
                seat=seat,
                title=titles[seat],
                name=who.name or None,
                bot=who.bot,
                open=who.open,
                mine=who.guest is not None and who.guest == reader.id,
                here=seat in present,
            )
            for seat, who in enumerate(live.seats)
        ],
        listed=live.head.listed,
        clock=live.head.clock,
        seq=live.seq,
        link=str(request.url_for("match_page", match=live.id)),
        rematch=live.head.next,
        **standing(live),
    )


@router.post("/matches", status_code=201, tags=["matches"])
async def open_match(request: Request, given: api_models.MatchIn, reader: Asking, room: Here) -> api_models.MatchOut:
    """Open a match."""
    guest = reader.known()
    live = await room.matches.open(guest.id, given.game, given.options, given.seats, given.listed, given.clock)
    request.state.game = live.game
    return match_out(request, live, reader)


@router.get("/matches", tags=["matches"])
async def find_matches(
    request: Request,
    reader: Asking,
    room: Here,
    mine: Annotated[bool, Query(description="yours, else the listed")] = False,
) -> list[api_models.MatchOut]:
    """Matches that are listed, or your own."""
    rows = await (room.store.of_guest(reader.known().id) if mine else room.store.listed())
    found = [await room.matches.get(row.id) for row in rows]
    return [match_out(request, live, reader) for live in found]


@router.get("/matches/{match}", tags=["matches"])
async def one_match(request: Request, match: MatchId, reader: Asking) -> api_models.MatchOut:
    return match_out(request, await match_of(request, match), reader)


@router.put("/matches/{match}/seats/{seat}", tags=["matches"])
async def sit(
    request: Request, match: MatchId, seat: SeatNumber, given: api_models.SitIn, reader: Asking, room: Here
) -> api_models.MatchOut:
    """Take a free seat (`me`), leave yours (`open`), or hand it to a bot (its name) and take it again (`me`)."""
    live = await match_of(request, match)
    guest = reader.known()
    await room.matches.sit(live, seat, guest.id, given.who)
    return match_out(request, live, reader)


@router.post("/matches/{match}/rematch", tags=["matches"])
async def rematch(request: Request, match: MatchId, reader: Asking, room: Here) -> api_models.MatchOut:
    """The same once more; who asks second gets what the first opened."""
    live = await match_of(request, match)
    return match_out(request, await room.matches.rematch(live, reader.known().id), reader)


@router.get(
    "/matches/{match}/record",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "a record"}},
)
async def record(request: Request, match: MatchId, reader: Asking, room: Here) -> PlainTextResponse:
    """The record of a finished match, with its seed."""
    live = await match_of(request, match)
    headers = {"content-disposition": f'attachment; filename="{live.game.name}-{live.id[:6]}.skerry"'}
    return PlainTextResponse(await room.matches.record(live), headers=headers)
