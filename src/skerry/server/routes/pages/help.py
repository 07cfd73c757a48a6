"""Help during a match: why an action is not possible, and what a good player would do. The responses are fragments."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse

from skerry.bots.advice import AdvisedAction
from skerry.engine.errors import Refusal
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import say
from skerry.server.dependencies import AppServices, CurrentVisitor, require_own_seat
from skerry.server.errors import RateLimited
from skerry.server.labels import CONFIRM
from skerry.server.match_session import MatchSession
from skerry.server.presenter import action_label, verb_heading
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import new_router, number_field, read_form, render_for_game
from skerry.server.routes.pages.getting_ready import get_session
from skerry.server.services import Services

router = new_router()

MAX_REASONS = 3


class Reason(NamedTuple):
    """Why something that was meant cannot be done."""

    heading: str  # the action that was meant
    text: str
    rule: str | None


@router.post("/m/{match}/why")
async def why(request: Request, match: str, visitor: CurrentVisitor) -> HTMLResponse:
    """Why nothing can be done with what the player has touched."""
    session = await get_session(request, match)
    form = await read_form(request)
    seat = await require_own_seat(request, session, visitor, number_field(form, "seat"))
    translations = renderer_for(session.game, visitor.language).translations
    reasons = why_not(session, seat, form.get("touches", "").split("|"), translations)
    return render_for_game(request, "why.html", visitor, session.game, reasons=reasons[:MAX_REASONS])


def why_not(session: MatchSession, seat: int, touched: list[str], translations: Translations) -> list[Reason]:
    """The rules' refusals of all actions that the touched things could have meant."""
    kind = session.game.seat_kind
    if touched == [f"{kind}:{session.match.names[kind][seat].slug}"] and session.match.legal_ids(seat):
        return [
            Reason("", say("That's you. Touch something highlighted, or press a button.").render(translations), None)
        ]
    headings = {verb.name: verb_heading(verb, translations) for verb in session.game.actions.verbs}
    reasons: dict[str, Reason] = {}  # by text
    for verb, text in meant_actions(session, seat, touched).items():
        try:
            session.match.prepare(seat, text)
        except Refusal as refusal:
            sentence = refusal.message.render(translations)
            reasons.setdefault(sentence, Reason(headings[verb], sentence, refusal.rule))
    if not reasons and any(touched[-1] in _touches(session, action) for action in session.match.legal_ids(seat)):
        return [Reason("", say("First choose something that glows, then this.").render(translations), None)]
    return list(reasons.values())


def _touches(session: MatchSession, action: int) -> list[str]:
    """The things that an action names."""
    return [f"{kind}:{slug}" for kind, slug in session.match.action(action).entities]


def meant_actions(session: MatchSession, seat: int, touched: list[str]) -> dict[str, str]:
    """The actions that touching these things could have meant, by verb.

    Each is like a legal action, but with the thing that was touched last. If there is none, the verbs that are used
    with such a thing alone.
    """
    *chosen, last = touched
    kind, _, slug = last.partition(":")
    verbs = session.game.actions.verbs
    if kind == "verb":
        return {slug: slug} if any(verb.name == slug for verb in verbs) else {}
    return _like_legal_actions(session, seat, set(chosen), kind, slug) or {
        verb.name: f"{verb.name} {slug}" for verb in verbs if [slot.kind for slot in verb.slots] == [kind]
    }


def _like_legal_actions(session: MatchSession, seat: int, chosen: set[str], kind: str, slug: str) -> dict[str, str]:
    """By verb, a legal action that names everything chosen, with ``slug`` instead of its only entity of this kind."""
    found: dict[str, str] = {}
    for action in map(session.match.action, session.match.legal_ids(seat)):
        same_kind = [entity for entity_kind, entity in action.entities if entity_kind == kind]
        touches = {f"verb:{action.verb}", *(f"{entity_kind}:{entity}" for entity_kind, entity in action.entities)}
        if len(same_kind) == 1 and touches >= chosen:
            words = [slug if word == same_kind[0] else word for word in action.text.split()]
            found.setdefault(action.verb, " ".join(words))
    return found


class Idea(NamedTuple):
    """An action that the expert recommends."""

    action: str
    label: str
    reveals: bool  # it is confirmed first
    why: str


@router.post("/m/{match}/advice")
async def advice(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """What a good player would do now, knowing what the seat knows."""
    session = await get_session(request, match)
    seat = await require_own_seat(request, session, visitor, number_field(await read_form(request), "seat"))
    translations = renderer_for(session.game, visitor.language).translations
    ideas: list[Idea] = []
    problem = ""
    if not session.allows_hints:
        problem = say("Hints are off: several people play, and the host has not allowed them.").render(translations)
    elif session.ended is None and session.match.legal_ids(seat):
        try:
            services.advice_limit.take(visitor.require_guest().id)
            ideas = await ideas_for(services, session, seat, translations)
        except RateLimited as refusal:
            problem = refusal.message.render(translations)
    return render_for_game(request, "advice.html", visitor, session.game, ideas=ideas, problem=problem)


async def ideas_for(services: Services, session: MatchSession, seat: int, translations: Translations) -> list[Idea]:
    """The recommended actions, the best first."""
    given = await services.bot_runner.advise(session, seat)
    return [_idea(session, seat, advised, translations) for advised in given.advice.actions]


def _idea(session: MatchSession, seat: int, advised: AdvisedAction, translations: Translations) -> Idea:
    action = action_label(session, seat, advised.action, translations)
    return Idea(action.text, action.label, action.emphasis == CONFIRM, advised.why.render(translations))
