"""The lobby: the games, the visitor's matches, the listed matches, and the puzzle of the day."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.engine.options import Option, option_title
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor
from skerry.server.faults import contain
from skerry.server.game_stages import Stage
from skerry.server.match_service import ME, configured
from skerry.server.match_session import SeatHolder
from skerry.server.match_summaries import MatchSummary
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import ensure_guest, new_router, read_form, redirect, render
from skerry.server.routes.pages.getting_ready import require_ready
from skerry.server.services import Services

router = new_router()

QUICK_OPTIONS = 2  # options that can be chosen in the lobby; a game lists the most important ones first


@router.get("/")
async def lobby(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    mine = await _own_matches(visitor, services)
    return render(
        request,
        "lobby.html",
        visitor,
        games=[_game_card(game, visitor) for game in services.games()],
        days=[await _puzzle_card(game, visitor, services) for game in services.games() if game.daily_text],
        mine=_match_cards(mine, visitor),
        listed=await _open_tables(mine, visitor, services),
    )


@router.get("/lobby/open-tables")
async def open_tables(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """The open tables as a fragment of the lobby, for its script."""
    mine = await _own_matches(visitor, services)
    listed = await _open_tables(mine, visitor, services)
    return render(request, "open_tables.html", visitor, listed=listed)


async def _own_matches(visitor: Visitor, services: Services) -> list[MatchSummary]:
    return await services.summaries.of_guest(visitor.guest.id) if visitor.guest else []


async def _open_tables(mine: list[MatchSummary], visitor: Visitor, services: Services) -> list[dict[str, Any]]:
    """The cards of the listed matches in which the visitor has no seat."""
    my_ids = {summary.id for summary in mine}
    listed = [summary for summary in await services.summaries.listed() if summary.id not in my_ids]
    return _match_cards(listed, visitor)


def _game_card(game: Game, visitor: Visitor) -> dict[str, Any]:
    """A game in the lobby: its cover, its summary, and the options that can be chosen there."""
    renderer = renderer_for(game, visitor.language)
    quick = [option for option in game.options[:QUICK_OPTIONS] if len(_values(option)) > 1]
    return {
        "game": game,
        "summary": renderer.translations(game.summary),
        "cover": renderer.macro("cover"),
        "quick": [_option_field(option, renderer.translations) for option in quick],
    }


def _option_field(option: Option, translations: Translations) -> dict[str, Any]:
    values = [(value, option.title(value).render(translations)) for value in _values(option)]
    return {
        "name": option.name,
        "title": option_title(option).render(translations),
        "values": values,
        "default": option.default,
    }


def _values(option: Option) -> list[Any]:
    """The values of an option, if they are a short list."""
    shape = option.describe()
    if shape["type"] == "number":
        return list(range(shape["low"], shape["high"] + 1))
    return list(shape["choices"]) if shape["type"] == "choice" else []


def _match_cards(summaries: Sequence[MatchSummary], visitor: Visitor) -> list[dict[str, Any]]:
    """The cards of matches. One that cannot be shown does not fail the others."""
    cards = []
    for summary in summaries:
        try:
            cards.append(_match_card(summary, visitor))
        except Exception as error:
            contain("card", error, match=summary.id)
    return cards


def _match_card(summary: MatchSummary, visitor: Visitor) -> dict[str, Any]:
    game = summary.game
    packages = () if game is None else game.packages
    texts = translations(visitor.language, *packages, "skerry.engine.i18n", "skerry.server")
    return {
        "id": summary.id,
        "title": summary.title,
        "ended": summary.ended,
        "problem": None if summary.problem is None else summary.problem.render(texts),
        "turn": summary.waits_for(visitor.id),
        "people": _players(summary.seats, texts),
        "free": 0 if summary.ended else sum(holder.open for holder in summary.seats),
        "at": summary.last_activity,
        "guide": summary.header.guide,
        "origin": summary.header.origin,
    }


def _players(holders: Sequence[SeatHolder], translations: Translations) -> list[str]:
    """The names of the players, and how many seats they hold if more than one."""
    seats = Counter((holder.guest, holder.display_name(translations)) for holder in holders)
    return [name if count == 1 else f"{name} × {count}" for (_, name), count in seats.items() if name]


@router.post("/play/{game}")
async def play_now(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a match with bots, in a first one with those for beginners. Options that the lobby does not show have their
    defaults."""
    found = services.find(game)
    form = await read_form(request)
    await require_ready(request, found)
    options = {option.name: form[option.name] for option in found.options[:QUICK_OPTIONS] if form.get(option.name)}
    players = configured(found, options).players
    guest = await ensure_guest(request, visitor)
    has_finished_one = any(row.game == found.name and row.ended for row in await services.store.of_guest(guest.id))
    opponents = [(bots.default_bot if has_finished_one else bots.opponent_of_beginner)(found)] * (players - 1)
    session = await services.matches.open(guest.id, found.name, options, [ME, *opponents])
    return redirect(request, f"/m/{session.id}")


# The puzzle of the day


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


async def _puzzle_card(game: Game, visitor: Visitor, services: Services) -> dict[str, Any]:
    """Today's puzzle of a game, and the visitor's match of it."""
    today = _today()
    renderer = renderer_for(game, visitor.language)
    if not services.warm_up.is_ready(game, Stage.RULES):
        cover, line = renderer.macro("cover"), renderer.translations(game.daily_text)
        return {"game": game, "day": today, "line": line, "board": cover, "match": None, "score": None}
    summary = await _puzzle_summary(game, today, visitor.id, services)
    result = summary.result if summary else None
    return {
        "game": game,
        "day": today,
        "line": renderer.translations(game.daily_text),
        "board": renderer.macro("board", game.scene(game.daily_match(today).view(None))),
        "match": summary,
        "score": None if result is None else f"{result['scores'][0]:g}",
    }


async def _puzzle_summary(game: Game, day: datetime.date, guest: str | None, services: Services) -> MatchSummary | None:
    """The guest's match of a day's puzzle, if there is one."""
    return await services.summaries.with_seed(guest, game, game.daily_match(day).seed) if guest else None
