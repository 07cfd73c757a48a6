"""What a player asks the table: why not this, and what would a good player do. The answers are pieces of the page."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse

from skerry.bots.advice import Advised
from skerry.engine.errors import Refusal, say
from skerry.engine.i18n.translations import Words
from skerry.server.errors import TooMuch
from skerry.server.labels import ASKS
from skerry.server.match_session import Live
from skerry.server.presenter import choice, heading_of
from skerry.server.renderer import artist
from skerry.server.routes.pages.common import Asking, Here, form_of, new_router, number, render_of
from skerry.server.services import Room, match_of, own_seat

router = new_router()

MOST = 3  # reasons at once


class Reason(NamedTuple):
    heading: str  # of what was meant
    text: str
    rule: str | None


@router.post("/m/{match}/why")
async def why(request: Request, match: str, reader: Asking) -> HTMLResponse:
    """Why nothing can be done with a thing that was touched."""
    live = await match_of(request, match)
    form = await form_of(request)
    seat = own_seat(live, reader, number(form, "seat"))
    art = artist(live.game, reader.language)
    reasons = why_not(live, seat, form.get("touches", "").split("|"), art.words)
    return render_of(request, "why.html", reader, live.game, reasons=reasons[:MOST])


def why_not(live: Live, seat: int, touched: list[str], words: Words) -> list[Reason]:
    """What the rules say to each action that the touched things could have meant."""
    kind = live.game.seat_kind
    if touched == [f"{kind}:{live.match.names[kind][seat].slug}"] and live.match.legal_ids(seat):
        return [Reason("", say("That is you: touch what glows, or press a button.").render(words), None)]
    headings = {verb.name: heading_of(verb, words) for verb in live.game.actions.verbs}
    found: dict[str, Reason] = {}
    for verb, text in meant(live, seat, touched).items():
        try:
            live.match.consider(seat, text)
        except Refusal as refusal:
            said = refusal.message.render(words)
            found.setdefault(said, Reason(headings[verb], said, refusal.rule))
    return list(found.values())


def meant(live: Live, seat: int, touched: list[str]) -> dict[str, str]:
    """By verb: something like a legal action, but with the last thing that was touched; else what is done with such a
    thing alone."""
    *chosen, last = touched
    kind, _, slug = last.partition(":")
    if kind == "verb":
        return {slug: slug} if any(verb.name == slug for verb in live.game.actions.verbs) else {}
    found: dict[str, str] = {}
    for action in map(live.match.action, live.match.legal_ids(seat)):
        like = [other for also, other in action.entities if also == kind]
        touches = {f"verb:{action.verb}", *(f"{also}:{other}" for also, other in action.entities)}
        if len(like) == 1 and touches >= set(chosen):
            found.setdefault(action.verb, " ".join(slug if word == like[0] else word for word in action.text.split()))
    alone = (verb.name for verb in live.game.actions.verbs if [slot.kind for slot in verb.slots] == [kind])
    return found or {name: f"{name} {slug}" for name in alone}


class Idea(NamedTuple):
    """An action, whether it is asked about first, and why: what it promises."""

    action: str
    label: str
    reveals: bool
    why: str


@router.post("/m/{match}/advice")
async def advice(request: Request, match: str, reader: Asking, room: Here) -> HTMLResponse:
    """What a good player would do now, from what the seat knows."""
    live = await match_of(request, match)
    seat = own_seat(live, reader, number(await form_of(request), "seat"))
    words = artist(live.game, reader.language).words
    ideas: list[Idea] = []
    problem = ""
    if live.ended is None and live.match.legal_ids(seat):
        try:
            room.advice.take(reader.known().id)
            ideas = await ideas_of(room, live, seat, words)
        except TooMuch as refusal:
            problem = refusal.message.render(words)
    return render_of(request, "advice.html", reader, live.game, ideas=ideas, problem=problem)


async def ideas_of(room: Room, live: Live, seat: int, words: Words) -> list[Idea]:
    """The best first."""
    _, thought = await room.thinking.advise(live, seat)
    return [_idea(live, seat, one, words) for one in thought.actions]


def _idea(live: Live, seat: int, one: Advised, words: Words) -> Idea:
    text, label, _, stands_out = choice(live, seat, one.action, words)
    return Idea(text, label, stands_out == ASKS, one.why.render(words))
