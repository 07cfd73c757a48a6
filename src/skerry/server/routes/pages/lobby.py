"""The lobby: what can be played, what is being played, and the puzzle of the day."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Words
from skerry.engine.options import Option, heading
from skerry.server.match_service import ME, configured
from skerry.server.match_session import Live
from skerry.server.renderer import artist
from skerry.server.routes.pages.common import Asking, Here, form_of, go, new_router, render, seated
from skerry.server.services import Reader, Room

router = new_router()

QUICK = 2  # options that can be chosen in place; the first are those that matter most


@router.get("/")
async def lobby(request: Request, reader: Asking, room: Here) -> HTMLResponse:
    mine = await room.store.of_guest(reader.guest.id) if reader.guest else []
    taken = {row.id for row in mine}
    listed = [row for row in await room.store.listed() if row.id not in taken]
    return render(
        request,
        "lobby.html",
        reader,
        games=[_shown(game, reader) for game in room.games()],
        days=[await _puzzle(game, reader, room) for game in room.games() if game.daily],
        mine=[summary(await room.matches.get(row.id), reader) for row in mine],
        listed=[summary(await room.matches.get(row.id), reader) for row in listed],
    )


def _shown(game: Game, reader: Reader) -> dict[str, Any]:
    """A game in the lobby: its picture, its line, and what can be chosen in place."""
    art = artist(game, reader.language)
    return {
        "game": game,
        "summary": art.words(game.summary),
        "cover": art.macro("cover"),
        "quick": [_quick(option, art.words) for option in game.options[:QUICK] if _values(option)],
    }


def _quick(option: Option, words: Words) -> dict[str, Any]:
    values = [(value, option.title(value).render(words)) for value in _values(option)]
    return {"name": option.name, "title": heading(option).render(words), "values": values, "default": option.default}


def _values(option: Option) -> list[Any]:
    """What an option may be, where that is a short list."""
    shape = option.describe()
    if shape["type"] == "number":
        return list(range(shape["low"], shape["high"] + 1))
    return list(shape["choices"]) if shape["type"] == "choice" else []


def summary(live: Live, reader: Reader) -> dict[str, Any]:
    """A match in one line."""
    mine = live.seats_of(reader.id)
    words = artist(live.game, reader.language).words
    return {
        "id": live.id,
        "title": live.game.title,
        "ended": live.ended,
        "turn": live.ended is None and any(seat in live.awaited for seat in mine),
        "people": _people(live, words),
        "free": sum(who.open for who in live.seats),
        "at": live.at,
        "guide": live.head.guide,
        "origin": live.head.origin,
    }


def _people(live: Live, words: Words) -> list[str]:
    """Who sits there; with how many seats, where it is more than one."""
    seats = Counter((who.guest, who.called(words)) for who in live.seats)
    return [name if number == 1 else f"{name} × {number}" for (_, name), number in seats.items() if name]


@router.post("/play/{game}")
async def play_now(request: Request, game: str, reader: Asking, room: Here) -> Response:
    """A table against bots, at once; what is not chosen in place is as usual."""
    found = room.find(game)
    form = await form_of(request)
    options = {option.name: form[option.name] for option in found.options[:QUICK] if form.get(option.name)}
    players = configured(found, options).players
    guest = await seated(request, room, reader)
    live = await room.matches.open(guest.id, found.name, options, [ME, *[bots.house(found)] * (players - 1)])
    return go(request, f"/m/{live.id}")


# The puzzle of the day


async def _puzzle(game: Game, reader: Reader, room: Room) -> dict[str, Any]:
    """Today's puzzle of a game, and how the reader stands with it."""
    today = datetime.datetime.now(datetime.UTC).date()
    art = artist(game, reader.language)
    live = await _begun(game, today, reader.id, room)
    result = live.match.result if live else None
    return {
        "game": game,
        "day": today,
        "line": art.words(game.daily),
        "board": art.macro("board", game.scene(game.of_day(today).view(None))),
        "match": live,
        "score": None if result is None else f"{result.scores[0]:g}",
    }


async def _begun(game: Game, day: datetime.date, guest: str | None, room: Room) -> Live | None:
    """The guest's own match of a day's puzzle, if there is one."""
    row = await room.store.with_seed(guest, game.name, str(game.of_day(day).seed)) if guest else None
    return None if row is None else await room.matches.get(row.id)


@router.post("/daily/{game}")
async def daily(request: Request, game: str, reader: Asking, room: Here) -> Response:
    """Today's puzzle, alone; who began it already goes on with it. (Its seed follows from the date: no secret.)"""
    found = room.find(game)
    today = datetime.datetime.now(datetime.UTC).date()
    guest = await seated(request, room, reader)
    live = await _begun(found, today, guest.id, room)
    if live is None:
        puzzle = found.of_day(today)
        live = await room.matches.open(guest.id, found.name, puzzle.variant.options, [ME], seed=puzzle.seed)
    return go(request, f"/m/{live.id}")
