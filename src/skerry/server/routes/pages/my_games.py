"""The guest's games: history, archive, statistics, export."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

import anyio.to_thread
from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response

from skerry.engine.bot_titles import bot_title
from skerry.engine.game import Game
from skerry.engine.messages import Message, format_list, say
from skerry.server.challenges import today
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor
from skerry.server.errors import MatchNotFound
from skerry.server.faults import contain
from skerry.server.history import (
    PAGE,
    Filter,
    HistoryEntry,
    Statistics,
    Tally,
    first_states_of,
    game_texts,
    partners_of,
    roles_of,
    statistics_of,
)
from skerry.server.outcomes import OUTCOME_TEXTS, Outcome, outcome_words
from skerry.server.routes.pages.common import new_router, read_form, redirect, render
from skerry.server.services import Services

router = new_router()

SHOWN_OPTIONS = 4  # of a match on its card
LONGEST_SEARCH = 60
RESULTS = (Outcome.RUNNING, Outcome.WON, Outcome.LOST, Outcome.POINTS)  # to filter by
Search = Annotated[str, Query(max_length=LONGEST_SEARCH)]


@router.get("/me/games")
async def my_games(
    request: Request,
    visitor: CurrentVisitor,
    services: AppServices,
    game: Search = "",
    result: Search = "",
    partner: Search = "",
    text: Search = "",
    archived: bool = False,
    page: Annotated[int, Query(ge=1, le=1000)] = 1,
) -> HTMLResponse:
    """The history, filtered, a page at a time."""
    entries = await services.history.entries(visitor.guest.id) if visitor.guest else []
    filters = Filter(game, result, partner, text.strip(), archived)
    found = [entry for entry in entries if filters.accepts(entry)]
    shown = found[(page - 1) * PAGE : page * PAGE]
    return render(
        request,
        "my_games.html",
        visitor,
        cards=await _cards(shown, visitor, services),
        found=len(found),
        filters=filters,
        page=page,
        pages=max(1, -(-len(found) // PAGE)),
        query=urlencode({"game": game, "result": result, "partner": partner, "text": text, "archived": archived}),
        games=sorted({(entry.summary.header.game, entry.summary.title) for entry in entries}),
        results=[(outcome.value, OUTCOME_TEXTS[outcome]) for outcome in RESULTS],
        partners=partners_of(entries),
        any_archived=any(entry.archived for entry in entries),
    )


async def _cards(entries: Sequence[HistoryEntry], visitor: Visitor, services: Services) -> list[dict[str, Any]]:
    roles = roles_of(entries, await first_states_of(services.store, entries), visitor.language)
    cards = []
    for entry in entries:
        try:
            cards.append(_card(entry, roles.get(entry.id, ()), visitor))
        except Exception as error:  # one that cannot be shown does not fail the others
            contain("card", error, match=entry.id)
    return cards


def _card(entry: HistoryEntry, roles: tuple[str, ...], visitor: Visitor) -> dict[str, Any]:
    texts = game_texts(entry.game, visitor.language)
    words = outcome_words(entry.summary, visitor.id or "", None)
    return {
        "id": entry.id,
        "game": entry.game.name if entry.game else None,
        "title": entry.summary.title,
        "day": entry.day.isoformat(),
        "outcome": entry.outcome.value,
        "words": words.render(texts),
        "roles": roles,
        "people": [name for _, name in entry.partners],
        "bots": [bot_title(bot).render(texts) for bot in entry.bots],
        "options": _changed_options(entry.game, entry.options, texts),
        "problem": None if entry.summary.problem is None else entry.summary.problem.render(texts),
        "turn": entry.summary.waits_for(visitor.id),
        "archived": entry.archived,
        "challenge": entry.summary.header.challenge,
        "guide": entry.summary.header.guide,
    }


def _changed_options(game: Game | None, given: dict[str, Any], texts: Any) -> list[str]:
    """The titles of the options that are not the default, the most important ones."""
    if game is None:
        return []
    named = [one for one in game.options if one.describe()["type"] == "choice"]
    changed = [one for one in named if given.get(one.name, one.default) != one.default]
    titles = [option.title(given[option.name]).render(texts) for option in changed]
    return [title for title in titles if len(title) <= LONGEST_SEARCH][:SHOWN_OPTIONS]


@router.post("/me/games/{match}")
async def change_my_game(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Archive a match, take it out of the archive, or delete it."""
    guest = visitor.require_guest().id
    form = await read_form(request)
    actions = {
        "archive": services.history.archive,
        "unarchive": services.history.unarchive,
        "delete": services.history.delete,
    }
    action = actions.get(form.get("do", ""))
    if action is None or len(match) > LONGEST_SEARCH:
        raise MatchNotFound("match not found")
    await action(guest, match)
    query = form.get("query", "")
    return redirect(request, f"/me/games?{query}" if query.isprintable() else "/me/games")


@router.get("/me/games/{match}/delete")
async def delete_my_game(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """Ask before a match is deleted."""
    guest = visitor.require_guest().id
    entry = next((one for one in await services.history.entries(guest) if one.id == match), None)
    if entry is None:
        raise MatchNotFound("match not found")
    return render(request, "delete_game.html", visitor, entry=entry)


@router.get("/me/statistics")
async def my_statistics(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    entries = await services.history.entries(visitor.guest.id) if visitor.guest else []
    states = await first_states_of(services.store, entries)
    # Reading the names of hundreds of matches takes a moment: not on the event loop.
    statistics = await anyio.to_thread.run_sync(_statistics, entries, states, visitor.language)
    groups = [(tally, *_group_words(tally, visitor)) for tally in statistics.groups]
    return render(request, "statistics.html", visitor, statistics=statistics, groups=groups)


def _statistics(entries: Sequence[HistoryEntry], states: dict[str, bytes], language: str) -> Statistics:
    return statistics_of(entries, roles_of(entries, states, language), game_texts(None, language), today())


def _group_words(tally: Tally, visitor: Visitor) -> tuple[str, str]:
    """The names of a group with its reader, and the roles with which it has never lost."""
    texts = game_texts(None, visitor.language)
    names = [Message("{name}", {"name": name}) for name in tally.title.split("\n")]
    unbeaten = [Message("{name}", {"name": role}) for role in tally.unbeaten]
    never = say("never lost with: {roles}", roles=format_list(unbeaten)).render(texts) if unbeaten else ""
    return format_list([*names, say("I")]).render(texts), never


@router.get("/me/export")
async def export(request: Request, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Everything that is stored about the guest, as a file."""
    content = json.dumps(await services.history.export(visitor.require_guest()), ensure_ascii=False, indent=2)
    headers = {"content-disposition": 'attachment; filename="skerry.json"'}
    return Response(content, media_type="application/json", headers=headers)
