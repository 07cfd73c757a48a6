"""The lobby: what can be played, what is being played, and the puzzle of the day."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.options import Option, option_title
from skerry.server.match_service import ME, configured
from skerry.server.match_session import MatchSession
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import AppServices, CurrentVisitor, form_of, go, new_router, render, seated
from skerry.server.services import Services, Visitor

router = new_router()

QUICK = 2  # options that can be chosen in place; the first are those that matter most


@router.get("/")
async def lobby(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    mine = await services.store.of_guest(visitor.guest.id) if visitor.guest else []
    taken = {row.id for row in mine}
    listed = [row for row in await services.store.listed() if row.id not in taken]
    return render(
        request,
        "lobby.html",
        visitor,
        games=[_shown(game, visitor) for game in services.games()],
        days=[await _puzzle(game, visitor, services) for game in services.games() if game.daily_text],
        mine=[summary(await services.matches.get(row.id), visitor) for row in mine],
        listed=[summary(await services.matches.get(row.id), visitor) for row in listed],
    )


def _shown(game: Game, visitor: Visitor) -> dict[str, Any]:
    """A game in the lobby: its picture, its line, and what can be chosen in place."""
    renderer = renderer_for(game, visitor.language)
    return {
        "game": game,
        "summary": renderer.words(game.summary),
        "cover": renderer.macro("cover"),
        "quick": [_quick(option, renderer.words) for option in game.options[:QUICK] if _values(option)],
    }


def _quick(option: Option, words: Translations) -> dict[str, Any]:
    values = [(value, option.title(value).render(words)) for value in _values(option)]
    return {
        "name": option.name,
        "title": option_title(option).render(words),
        "values": values,
        "default": option.default,
    }


def _values(option: Option) -> list[Any]:
    """What an option may be, where that is a short list."""
    shape = option.describe()
    if shape["type"] == "number":
        return list(range(shape["low"], shape["high"] + 1))
    return list(shape["choices"]) if shape["type"] == "choice" else []


def summary(session: MatchSession, visitor: Visitor) -> dict[str, Any]:
    """A match in one line."""
    mine = session.seats_of(visitor.id)
    words = renderer_for(session.game, visitor.language).words
    return {
        "id": session.id,
        "title": session.game.title,
        "ended": session.ended,
        "turn": session.ended is None and any(seat in session.awaited for seat in mine),
        "people": _people(session, words),
        "free": sum(who.open for who in session.seats),
        "at": session.at,
        "guide": session.head.guide,
        "origin": session.head.origin,
    }


def _people(session: MatchSession, words: Translations) -> list[str]:
    """Who sits there; with how many seats, where it is more than one."""
    seats = Counter((who.guest, who.called(words)) for who in session.seats)
    return [name if number == 1 else f"{name} × {number}" for (_, name), number in seats.items() if name]


@router.post("/play/{game}")
async def play_now(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """A table against bots, at once; what is not chosen in place is as usual."""
    found = services.find(game)
    form = await form_of(request)
    options = {option.name: form[option.name] for option in found.options[:QUICK] if form.get(option.name)}
    players = configured(found, options).players
    guest = await seated(request, services, visitor)
    session = await services.matches.open(
        guest.id, found.name, options, [ME, *[bots.default_bot(found)] * (players - 1)]
    )
    return go(request, f"/m/{session.id}")


# The puzzle of the day


async def _puzzle(game: Game, visitor: Visitor, services: Services) -> dict[str, Any]:
    """Today's puzzle of a game, and how the visitor stands with it."""
    today = datetime.datetime.now(datetime.UTC).date()
    renderer = renderer_for(game, visitor.language)
    session = await _begun(game, today, visitor.id, services)
    result = session.match.result if session else None
    return {
        "game": game,
        "day": today,
        "line": renderer.words(game.daily_text),
        "board": renderer.macro("board", game.scene(game.daily_match(today).view(None))),
        "match": session,
        "score": None if result is None else f"{result.scores[0]:g}",
    }


async def _begun(game: Game, day: datetime.date, guest: str | None, services: Services) -> MatchSession | None:
    """The guest's own match of a day's puzzle, if there is one."""
    row = await services.store.with_seed(guest, game.name, str(game.daily_match(day).seed)) if guest else None
    return None if row is None else await services.matches.get(row.id)


@router.post("/daily/{game}")
async def daily(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Today's puzzle, alone; who began it already goes on with it. (Its seed follows from the date: no secret.)"""
    found = services.find(game)
    today = datetime.datetime.now(datetime.UTC).date()
    guest = await seated(request, services, visitor)
    session = await _begun(found, today, guest.id, services)
    if session is None:
        puzzle = found.daily_match(today)
        session = await services.matches.open(guest.id, found.name, puzzle.variant.options, [ME], seed=puzzle.seed)
    return go(request, f"/m/{session.id}")
