"""The pages of challenges: making one, playing it, its results, and the deals of the day."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import say
from skerry.server import dependencies
from skerry.server.challenges import (
    DAYS_BACK,
    DIFFICULTY,
    BoardEntry,
    Challenge,
    levels_of,
    seats_for,
    streak,
    today,
)
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor, get_visitor, services_of, translations_for
from skerry.server.errors import DealHidden
from skerry.server.history import game_texts
from skerry.server.match_service import ME, OPEN
from skerry.server.match_summaries import MatchSummary
from skerry.server.outcomes import final_words, outcome_words, seats_of, table_words
from skerry.server.problems import status_of
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import (
    Form,
    ensure_guest,
    new_router,
    read_form,
    redirect,
    render,
    render_for_game,
)
from skerry.server.routes.pages.getting_ready import get_session, require_ready
from skerry.server.services import Services
from skerry.server.store import Row

router = new_router()

LONGEST_OPTION = 60  # characters of an option's value on a challenge's page
SHOWN_DAYS = 28  # of the calendar
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
TEXTS = (*MONTH_NAMES, *WEEKDAYS, "somebody")


# One challenge


@router.post("/c")
async def make(request: Request, visitor: CurrentVisitor) -> Response:
    """Make a finished match a challenge, and show its page."""
    session = await get_session(request, (await read_form(request)).get("match", ""))
    guest = visitor.require_guest()
    challenge = await services_of(request).challenges.of_match(session, guest.id)
    return redirect(request, f"/c/{challenge.id}")


@router.get("/c/{challenge}", name="challenge_page")
async def challenge_page(
    request: Request, challenge: str, visitor: CurrentVisitor, services: AppServices
) -> HTMLResponse:
    return await _render_challenge(request, await services.challenges.get(challenge), visitor, {}, None)


async def _render_challenge(
    request: Request, challenge: Challenge, visitor: Visitor, form: Form, problem: Refusal | None
) -> HTMLResponse:
    services = services_of(request)
    game = services.find(challenge.game)
    request.state.game = game
    texts = game_texts(game, visitor.language)
    board = await services.challenges.board(challenge, visitor.id)
    running = await services.challenges.store.running(challenge.id, visitor.id) if visitor.id else None
    owner = await services.store.guest(challenge.owner) if challenge.owner else None
    players = int(challenge.options["players"])
    return render_for_game(
        request,
        "challenge.html",
        visitor,
        game,
        status_of(problem)[0] if problem else 200,
        challenge=challenge,
        name=day_title(challenge, game, texts) if challenge.day else "",
        owner=None if owner is None or owner.id == visitor.id else owner.name,
        options=[] if challenge.day else _option_titles(game, challenge.options, texts),
        begun=await services.challenges.store.count_begun(challenge.id),
        board=None if board is None else _board_rows(board, game, texts, visitor),
        line=await _line(services, challenge, game, texts, visitor),
        running=running,
        seats=range(players),
        bots=bots.names(game),
        default_bot=bots.default_bot(game),
        given=form,
        problem=None if problem is None else problem.message.render(translations_for(request)),
        link=str(request.url_for("challenge_page", challenge=challenge.id)),
        cover=renderer_for(game, visitor.language).macro("cover"),
    )


def _option_titles(game: Game, options: dict[str, Any], texts: Translations) -> list[str]:
    """What was chosen at the set-up: the number of players, and what is not the default."""
    titles = [say("{players} players", players=options["players"]).render(texts)]
    for option in game.options:
        value = options[option.name]
        title = option.title(value).render(texts)
        is_short = len(title) <= LONGEST_OPTION
        if option.name != "players" and (value != option.default or option.name == DIFFICULTY) and is_short:
            titles.append(title)
    return titles


def _board_rows(board: Sequence[BoardEntry], game: Game, texts: Translations, visitor: Visitor) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for entry in board:
        summary = entry.summary
        names = [holder.display_name(texts) or texts("somebody") for holder in summary.seats]
        final = final_words(game, _version(summary), entry.final_state)
        better = [row for row in rows if row["first_try"] and row["key"] < entry.rank_key]
        rows.append(
            {
                "key": entry.rank_key,
                "rank": len(better) + 1,
                "first_try": entry.first_try,
                "names": list(dict.fromkeys(names)),
                "words": table_words(summary, names, final).render(texts),
                "steps": entry.steps,
                "day": datetime.datetime.fromtimestamp(summary.last_activity, datetime.UTC).date().isoformat(),
                "match": summary.id,
                "mine": bool(visitor.id and seats_of(summary, visitor.id)),
            }
        )
    return rows


def _version(summary: MatchSummary) -> int:
    return int(summary.header.version)


@router.post("/c/{challenge}/play")
async def play(request: Request, challenge: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a table with the deal, or go on with one's game of it."""
    found = await services.challenges.get(challenge)
    game = services.find(found.game)
    await require_ready(request, game)
    form = await read_form(request)
    players = [form.get(f"seat-{seat}", ME if seat == 0 else OPEN) for seat in range(int(found.options["players"]))]
    try:
        guest = await ensure_guest(request, visitor, form.get("name", ""))
        session = await services.challenges.begin(found, guest.id, players)
    except Refusal as refusal:
        return await _render_challenge(request, found, visitor, form, refusal)
    return redirect(request, f"/m/{session.id}")


async def show_hidden_deal(request: Request, error: Exception) -> Response:
    """The exception handler: a match of a challenge, for somebody who has yet to play it. Its free seats can be taken;
    they have no names, since roles are part of the deal."""
    assert isinstance(error, DealHidden)
    visitor: Visitor = getattr(request.state, "visitor", None) or await get_visitor(request)
    session = await dependencies.get_session_unseen(request, error.match)
    free = [seat for seat, holder in enumerate(session.seats) if holder.open] if session.ended is None else []
    people = list({holder.guest: holder.name for holder in session.seats if holder.name}.values())
    return render_for_game(
        request,
        "deal_hidden.html",
        visitor,
        session.game,
        status_of(error)[0],
        match=error.match,
        challenge=error.challenge,
        free=free,
        people=people,
        cover=renderer_for(session.game, visitor.language).macro("cover"),
    )


# The line to share


async def _line(
    services: Services, challenge: Challenge, game: Game, texts: Translations, visitor: Visitor
) -> str | None:
    """The result of the visitor's first try in a line that gives nothing of the deal away."""
    match = await services.challenges.store.first_match(challenge.id, visitor.id) if visitor.id else None
    summary = await services.summaries.of_match(match) if match else None
    if summary is None or summary.ended is None or visitor.id is None:
        return None
    states = await services.challenges.store.last_states([summary.id])
    final = final_words(game, _version(summary), states.get(summary.id, (0, None))[1])
    parts = ["Skerry", day_title(challenge, game, texts), outcome_words(summary, visitor.id, final).phrase(texts)]
    days = streak(_played_days(await services.challenges.store.days_of(visitor.id), game.name), today())
    if challenge.day is not None and days > 1:
        parts.append(say("{days} days running", days=days).phrase(texts))
    return " · ".join(parts)


def day_title(challenge: Challenge, game: Game, texts: Translations) -> str:
    """The name of a deal: its game and, of a deal of the day, day and difficulty."""
    parts = [game.title]
    if challenge.day is not None:
        parts.append(_short_day(datetime.date.fromisoformat(challenge.day), texts))
    if challenge.level:
        parts.append(level_title(game, challenge.level, texts))
    return " · ".join(parts)


def _short_day(day: datetime.date, texts: Translations) -> str:
    return f"{day.day} {texts(MONTH_NAMES[day.month - 1])}"


def level_title(game: Game, level: str, texts: Translations) -> str:
    option = next(option for option in game.options if option.name == DIFFICULTY)
    return option.title(level).render(texts)


# The deals of the day


@router.get("/daily")
async def days(request: Request, visitor: CurrentVisitor, services: AppServices, day: str = "") -> HTMLResponse:
    """The deals of a day, today's by default, with a calendar of the last weeks."""
    shown = _read_day(day)
    rows = await services.challenges.store.days_of(visitor.id) if visitor.id else []
    return render(
        request,
        "daily.html",
        visitor,
        day=shown,
        today=today(),
        games=[_daily_card(game, shown, rows, visitor) for game in services.games()],
        weeks=_calendar(rows),
        weekdays=[game_texts(None, visitor.language)(name) for name in WEEKDAYS],
    )


def _read_day(given: str) -> datetime.date:
    try:
        day = datetime.date.fromisoformat(given) if given else today()
    except ValueError:
        raise BadOption(say("a day is written like 2026-11-15, not {date!r}", date=given[:20])) from None
    if not 0 <= (today() - day).days <= DAYS_BACK:
        raise BadOption(say("only the deals of the last {days} days can be played", days=DAYS_BACK))
    return day


def _daily_card(game: Game, day: datetime.date, rows: Sequence[Row], visitor: Visitor) -> dict[str, Any]:
    texts = game_texts(game, visitor.language)
    played = {row.level: row for row in reversed(rows) if row.game == game.name and row.day == day.isoformat()}
    return {
        "game": game,
        "cover": renderer_for(game, visitor.language).macro("cover"),
        "streak": streak(_played_days(rows, game.name), today()),
        "with_friends": not game.daily_text and 2 in game.seats,
        "levels": [
            {
                "name": level,
                "title": level_title(game, level, texts) if level else "",
                "row": played.get(level),
            }
            for level in levels_of(game)
        ],
    }


def _played_days(rows: Sequence[Row], game: str) -> list[datetime.date]:
    """The days whose deal of a game was begun on its day, as a first try, and finished."""
    days = []
    for row in rows:
        begun = datetime.datetime.fromtimestamp(row.created, datetime.UTC).date()
        if row.game == game and row.ended is not None and not row.known and begun.isoformat() == row.day:
            days.append(begun)
    return days


def _calendar(rows: Sequence[Row]) -> list[list[dict[str, Any] | None]]:
    """The last weeks, Monday first, with the number of deals that were finished; None for days that are not shown."""
    finished = defaultdict[str, set[tuple[str, str]]](set)
    for row in rows:
        if row.ended is not None:
            finished[row.day].add((row.game, row.level))
    first = today() - datetime.timedelta(days=SHOWN_DAYS - 1)
    cells: list[dict[str, Any] | None] = [None] * first.weekday()
    for number in range(SHOWN_DAYS):
        day = first + datetime.timedelta(days=number)
        cells.append({"day": day, "finished": len(finished[day.isoformat()])})
    cells += [None] * (-len(cells) % len(WEEKDAYS))
    return [cells[start : start + len(WEEKDAYS)] for start in range(0, len(cells), len(WEEKDAYS))]


@router.post("/daily/{game}")
async def daily(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Play the deal of a day, go on with it, or see its results."""
    found = services.find(game)
    await require_ready(request, found)
    form = await read_form(request)
    day = _read_day(form.get("day", ""))
    challenge = await services.challenges.begin_day(found, day, form.get("level", levels_of(found)[0]))
    guest = await ensure_guest(request, visitor)
    first = await services.challenges.store.first_match(challenge.id, guest.id)
    if first is not None and await services.challenges.has_finished(challenge.id, guest.id):
        return redirect(request, f"/c/{challenge.id}")
    players = seats_for(found, int(challenge.options["players"]), "friends" in form)
    session = await services.challenges.begin(challenge, guest.id, players)
    return redirect(request, f"/m/{session.id}")
