"""The lobby: the games, the visitor's matches, the listed matches, and the puzzle of the day."""

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
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor
from skerry.server.match_service import ME, configured
from skerry.server.match_session import MatchSession
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import ensure_guest, new_router, read_form, redirect, render
from skerry.server.services import Services

router = new_router()

QUICK_OPTIONS = 2  # options that can be chosen in the lobby; a game lists the most important ones first


@router.get("/")
async def lobby(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    mine = await services.store.of_guest(visitor.guest.id) if visitor.guest else []
    my_ids = {row.id for row in mine}
    listed = [row for row in await services.store.listed() if row.id not in my_ids]
    return render(
        request,
        "lobby.html",
        visitor,
        games=[_game_card(game, visitor) for game in services.games()],
        days=[await _puzzle_card(game, visitor, services) for game in services.games() if game.daily_text],
        mine=[match_card(await services.sessions.get(row.id), visitor) for row in mine],
        listed=[match_card(await services.sessions.get(row.id), visitor) for row in listed],
    )


def _game_card(game: Game, visitor: Visitor) -> dict[str, Any]:
    """A game in the lobby: its cover, its summary, and the options that can be chosen there."""
    renderer = renderer_for(game, visitor.language)
    quick = [option for option in game.options[:QUICK_OPTIONS] if _values(option)]
    return {
        "game": game,
        "summary": renderer.words(game.summary),
        "cover": renderer.macro("cover"),
        "quick": [_option_field(option, renderer.words) for option in quick],
    }


def _option_field(option: Option, words: Translations) -> dict[str, Any]:
    values = [(value, option.title(value).render(words)) for value in _values(option)]
    return {
        "name": option.name,
        "title": option_title(option).render(words),
        "values": values,
        "default": option.default,
    }


def _values(option: Option) -> list[Any]:
    """The values of an option, if they are a short list."""
    shape = option.describe()
    if shape["type"] == "number":
        return list(range(shape["low"], shape["high"] + 1))
    return list(shape["choices"]) if shape["type"] == "choice" else []


def match_card(session: MatchSession, visitor: Visitor) -> dict[str, Any]:
    """A match in the lobby."""
    mine = session.seats_of(visitor.id)
    words = renderer_for(session.game, visitor.language).words
    return {
        "id": session.id,
        "title": session.game.title,
        "ended": session.ended,
        "turn": session.ended is None and any(seat in session.people_to_move for seat in mine),
        "people": _players(session, words),
        "free": sum(holder.open for holder in session.seats),
        "at": session.last_activity,
        "guide": session.header.guide,
        "origin": session.header.origin,
    }


def _players(session: MatchSession, words: Translations) -> list[str]:
    """The names of the players, and how many seats they hold if more than one."""
    seats = Counter((holder.guest, holder.display_name(words)) for holder in session.seats)
    return [name if count == 1 else f"{name} × {count}" for (_, name), count in seats.items() if name]


@router.post("/play/{game}")
async def play_now(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a match against bots. Options that cannot be chosen in the lobby have their defaults."""
    found = services.find(game)
    form = await read_form(request)
    options = {option.name: form[option.name] for option in found.options[:QUICK_OPTIONS] if form.get(option.name)}
    opponents = [bots.default_bot(found)] * (configured(found, options).players - 1)
    guest = await ensure_guest(request, visitor)
    session = await services.matches.open(guest.id, found.name, options, [ME, *opponents])
    return redirect(request, f"/m/{session.id}")


# The puzzle of the day


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


async def _puzzle_card(game: Game, visitor: Visitor, services: Services) -> dict[str, Any]:
    """Today's puzzle of a game, and the visitor's match of it."""
    today = _today()
    renderer = renderer_for(game, visitor.language)
    session = await _puzzle_session(game, today, visitor.id, services)
    result = session.match.result if session else None
    return {
        "game": game,
        "day": today,
        "line": renderer.words(game.daily_text),
        "board": renderer.macro("board", game.scene(game.daily_match(today).view(None))),
        "match": session,
        "score": None if result is None else f"{result.scores[0]:g}",
    }


async def _puzzle_session(game: Game, day: datetime.date, guest: str | None, services: Services) -> MatchSession | None:
    """The guest's match of a day's puzzle, if there is one."""
    row = await services.store.with_seed(guest, game.name, str(game.daily_match(day).seed)) if guest else None
    return None if row is None else await services.sessions.get(row.id)


@router.post("/daily/{game}")
async def daily(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Play today's puzzle alone, or go on with it. Its seed follows from the date, so it is no secret."""
    found = services.find(game)
    today = _today()
    guest = await ensure_guest(request, visitor)
    session = await _puzzle_session(found, today, guest.id, services)
    if session is None:
        puzzle = found.daily_match(today)
        session = await services.matches.open(guest.id, found.name, puzzle.variant.options, [ME], seed=puzzle.seed)
    return redirect(request, f"/m/{session.id}")
