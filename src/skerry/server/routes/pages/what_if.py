"""The what-if board: trying actions from any step of a finished match. It works without a script, too."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from skerry.engine.i18n.translations import Translations
from skerry.server.analysis.what_if import Board, Tried, board_after, line_text, read_line
from skerry.server.dependencies import AppServices, CurrentVisitor, services_of
from skerry.server.labels import ActionLabel, labels_of
from skerry.server.presenter import verb_heading
from skerry.server.renderer import renderer_for
from skerry.server.replay import replay_of
from skerry.server.routes.pages.common import new_router, render_for_game
from skerry.server.routes.pages.getting_ready import get_session

router = new_router()


class Offer(NamedTuple):
    """An action that can be tried, and the line with it."""

    label: ActionLabel
    line: str


class VerbOffers(NamedTuple):
    """The actions of one verb at one seat."""

    heading: str
    offers: list[Offer]


class SeatOffers(NamedTuple):
    """What can be tried at one seat."""

    title: str
    waits: bool  # whether the game waits for it; otherwise it may interrupt
    verbs: list[VerbOffers]


async def _board(request: Request, match: str, at: int, line: str) -> tuple[Any, int, Board]:
    session = await get_session(request, match)
    replay = await replay_of(services_of(request).finished, session)
    at = replay.clamp(at)
    return session, at, board_after(replay, at, read_line(line))


@router.get("/m/{match}/what-if")
async def what_if(request: Request, match: str, visitor: CurrentVisitor, at: int = 0, line: str = "") -> HTMLResponse:
    """The board after a line of actions, and the actions that can follow."""
    session, at, board = await _board(request, match, at, line)
    renderer = renderer_for(session.game, visitor.language)
    translations = renderer.translations
    return render_for_game(
        request,
        "what_if.html",
        visitor,
        session.game,
        session=session,
        at=at,
        line=line_text(board.line),
        before=line_text(board.line[:-1]),
        played=len(board.line),
        scene=session.game.scene(board.match.view(board.viewer)),
        titles=session.labels(translations).titles,
        prompt=board.match.prompt(board.viewer).render(translations),
        words=_words(board, translations),
        seats=[] if board.is_over else _offers(board, translations),
    )


def _words(board: Board, translations: Translations) -> list[str]:
    """What the last action of the line brought."""
    match = board.match
    latest = match.steps[board.latest :]
    return [event.message.render(translations) for step in latest for event in match.step_events(step, step.seat)]


def _offers(board: Board, translations: Translations) -> list[SeatOffers]:
    """What can be tried: first at the seats that the game waits for."""
    waiting = board.match.waiting
    others = [seat for seat in range(board.match.variant.players) if seat not in waiting]
    found = [_seat_offers(board, seat, seat in waiting, translations) for seat in (*waiting, *others)]
    return [one for one in found if one.verbs]


def _seat_offers(board: Board, seat: int, waits: bool, translations: Translations) -> SeatOffers:
    labels = labels_of(board.match, translations)
    verbs: dict[str, VerbOffers] = {}
    for action in board.match.legal_ids(seat):
        verb, _ = board.match.game.actions.decode(action)
        group = verbs.setdefault(verb.name, VerbOffers(verb_heading(verb, translations), []))
        group.offers.append(Offer(labels.action(action), line_text([*board.line, Tried(seat, action)])))
    return SeatOffers(labels.titles[seat], waits, list(verbs.values()))


@router.get("/m/{match}/what-if/value")
async def value(
    request: Request, match: str, visitor: CurrentVisitor, services: AppServices, at: int = 0, line: str = ""
) -> Response:
    """What the position after a line is worth, and how that differs from the position that it began from."""
    services.what_if_limit.take(visitor.id or visitor.address)
    session, at, board = await _board(request, match, at, line)
    values = await services.what_if.value(board.match)
    start = await services.what_if.value((await _board(request, match, at, ""))[2].match)
    is_shared = session.game.cooperative or len(values) == 1
    titles = session.labels(renderer_for(session.game, visitor.language).translations).titles
    shown = [0] if is_shared else range(len(values))
    return JSONResponse(
        {
            "values": [
                {
                    "title": "" if is_shared else titles[seat],
                    "text": _text(values[seat], len(values)),
                    "change": _change(values[seat] - start[seat], len(values)),
                }
                for seat in shown
            ]
        }
    )


def _text(value: float, players: int) -> str:
    return f"{value:.1f}" if players == 1 else f"{100 * value:.0f} %"


def _change(change: float, players: int) -> str:
    """A difference with its sign; empty if it is too small to be shown."""
    text = f"{change:+.1f}" if players == 1 else f"{100 * change:+.0f}"
    return "" if float(text) == 0 else text
