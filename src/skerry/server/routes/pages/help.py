"""What a player asks the table: why not this, and what would a good player do. The answers are pieces of the page."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse

from skerry.bots.advice import AdvisedAction
from skerry.engine.errors import Refusal
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import say
from skerry.server.errors import TooMuch
from skerry.server.labels import ASKS
from skerry.server.match_session import MatchSession
from skerry.server.presenter import choice, heading_of
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import AppServices, CurrentVisitor, form_of, new_router, number, render_of
from skerry.server.services import Services, get_session, require_own_seat

router = new_router()

MOST = 3  # reasons at once


class Reason(NamedTuple):
    heading: str  # of what was meant
    text: str
    rule: str | None


@router.post("/m/{match}/why")
async def why(request: Request, match: str, visitor: CurrentVisitor) -> HTMLResponse:
    """Why nothing can be done with a thing that was touched."""
    session = await get_session(request, match)
    form = await form_of(request)
    seat = require_own_seat(session, visitor, number(form, "seat"))
    renderer = renderer_for(session.game, visitor.language)
    reasons = why_not(session, seat, form.get("touches", "").split("|"), renderer.words)
    return render_of(request, "why.html", visitor, session.game, reasons=reasons[:MOST])


def why_not(session: MatchSession, seat: int, touched: list[str], words: Translations) -> list[Reason]:
    """What the rules say to each action that the touched things could have meant."""
    kind = session.game.seat_kind
    if touched == [f"{kind}:{session.match.names[kind][seat].slug}"] and session.match.legal_ids(seat):
        return [Reason("", say("That is you: touch what glows, or press a button.").render(words), None)]
    headings = {verb.name: heading_of(verb, words) for verb in session.game.actions.verbs}
    found: dict[str, Reason] = {}
    for verb, text in meant(session, seat, touched).items():
        try:
            session.match.prepare(seat, text)
        except Refusal as refusal:
            said = refusal.message.render(words)
            found.setdefault(said, Reason(headings[verb], said, refusal.rule))
    return list(found.values())


def meant(session: MatchSession, seat: int, touched: list[str]) -> dict[str, str]:
    """By verb: something like a legal action, but with the last thing that was touched; else what is done with such a
    thing alone."""
    *chosen, last = touched
    kind, _, slug = last.partition(":")
    if kind == "verb":
        return {slug: slug} if any(verb.name == slug for verb in session.game.actions.verbs) else {}
    found: dict[str, str] = {}
    for action in map(session.match.action, session.match.legal_ids(seat)):
        like = [other for also, other in action.entities if also == kind]
        touches = {f"verb:{action.verb}", *(f"{also}:{other}" for also, other in action.entities)}
        if len(like) == 1 and touches >= set(chosen):
            found.setdefault(action.verb, " ".join(slug if word == like[0] else word for word in action.text.split()))
    alone = (verb.name for verb in session.game.actions.verbs if [slot.kind for slot in verb.slots] == [kind])
    return found or {name: f"{name} {slug}" for name in alone}


class Idea(NamedTuple):
    """An action, whether it is asked about first, and why: what it promises."""

    action: str
    label: str
    reveals: bool
    why: str


@router.post("/m/{match}/advice")
async def advice(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """What a good player would do now, from what the seat knows."""
    session = await get_session(request, match)
    seat = require_own_seat(session, visitor, number(await form_of(request), "seat"))
    words = renderer_for(session.game, visitor.language).words
    ideas: list[Idea] = []
    problem = ""
    if session.ended is None and session.match.legal_ids(seat):
        try:
            services.advice.take(visitor.known().id)
            ideas = await ideas_of(services, session, seat, words)
        except TooMuch as refusal:
            problem = refusal.message.render(words)
    return render_of(request, "advice.html", visitor, session.game, ideas=ideas, problem=problem)


async def ideas_of(services: Services, session: MatchSession, seat: int, words: Translations) -> list[Idea]:
    """The best first."""
    _, thought = await services.bot_runner.advise(session, seat)
    return [_idea(session, seat, one, words) for one in thought.actions]


def _idea(session: MatchSession, seat: int, one: AdvisedAction, words: Translations) -> Idea:
    text, label, _, stands_out = choice(session, seat, one.action, words)
    return Idea(text, label, stands_out == ASKS, one.why.render(words))
