"""The presenter: the data that pages and programs get of a match, as one seat may know it."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import DueStep
from skerry.engine.messages import Message, format_list, say
from skerry.engine.notation import Verb
from skerry.engine.scene import PartFamily, Scene
from skerry.engine.struct import StructBuffer
from skerry.server.labels import CONFIRM, ActionLabel
from skerry.server.match_log import LogEntry
from skerry.server.match_session import MatchSession
from skerry.server.moments import held_until, may_wait, moment_of, seats_asking
from skerry.server.renderer import Part, Renderer, parts_by_id, translations_of
from skerry.server.tutorial import tutorial_comment

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Snapshot:
    """A match at one moment. What several subscribers share is made once, when the first of them needs it."""

    def __init__(self, session: MatchSession, present: frozenset[int], version: int = 0) -> None:
        self.session = session
        self.present = present  # the seats whose page is open
        self.version = version  # counts the snapshots of a match
        self._shared_parts: dict[str, Scene] = {}
        self._steps_json: dict[tuple[str, bool, int], bytes] = {}

    @functools.cached_property
    def waiting(self) -> tuple[int, ...]:
        return self.session.match.waiting

    @functools.cached_property
    def people_to_move(self) -> tuple[int, ...]:
        return self.session.people_to_move

    @functools.cached_property
    def _shared_scene(self) -> Scene:
        return self.session.game.page.shared_parts(self.session.match.view(None))

    def shared_parts(self, translations: Translations) -> Scene:
        """The parts that look the same to everybody who reads this language."""
        found = self._shared_parts.get(translations.language)
        if found is None:
            found = {**self._shared_scene, "table-seat": self.seats(translations)}
            self._shared_parts[translations.language] = found
        return found

    def personal_parts(self, seat: int | None, translations: Translations) -> Scene:
        """The parts that depend on the seat they are seen from."""
        view = self.session.match.view(seat)
        return {**self.session.game.page.personal_parts(view), **self.controls(seat, translations)}

    def scene(self, seat: int | None, renderer: Renderer) -> Scene:
        """All parts of a page that can change: the game's, and those that every game's page has."""
        game = renderer.scene(self.session.match.view(seat))
        return {**game, "table-seat": self.seats(renderer.translations), **self.controls(seat, renderer.translations)}

    def controls(self, seat: int | None, translations: Translations) -> Scene:
        """The prompt, the actions on offer, the seats that can be taken and, after the end, the result."""
        session = self.session
        turn = session.ended is None and seat in self.people_to_move
        mine = () if seat is None or turn else session.seats_of(session.seats[seat].guest)
        other = next((number for number in mine if number in self.people_to_move), None)
        acting = None if seat is None or session.seats[seat].bot else seat  # a seat that a bot plays only watches
        return {
            **({"table-guide": tutorial_comment(session, translations)} if session.header.guide else {}),
            "table-prompt": {
                "text": prompt(session, acting).render(translations),
                "turn": turn,
                "other": other,
                "hints": session.allows_hints,
                "bot_getting_ready": self.waits_for_bot_getting_ready,
            },
            "table-moment": moment_part(session, acting, translations),
            "table-seat-offer": self.takeable_seats(seat, translations),
            "table-actions": action_menu(session, acting, translations),
            "table-result": None if session.ended is None else outcome(session, acting, translations),
        }

    @property
    def waits_for_bot_getting_ready(self) -> bool:
        """Whether the match waits for a bot that is being compiled, and nobody sits in for it."""
        session = self.session
        return any(session.seats[seat].bot and session.stand_ins.get(seat) == "" for seat in self.waiting)

    def takeable_seats(self, seat: int | None, translations: Translations) -> dict[str, Any]:
        """The seats that the visitor can take: open ones, or their own from the bot that plays it."""
        session = self.session
        bot: str | None = None
        if seat is None:
            takeable = [number for number, holder in enumerate(session.seats) if holder.open]
        else:
            bot = session.seats[seat].bot
            takeable = [seat] if bot else []
        titles = session.labels(translations).titles
        return {"bot": bot, "seats": [] if session.ended else [(number, titles[number]) for number in takeable]}

    def seats(self, translations: Translations) -> PartFamily:
        """Who holds each seat, whether it is to move, and whether its page is open."""
        titles = self.session.labels(translations).titles
        return PartFamily(
            {
                str(number): {
                    "title": titles[number],
                    "name": holder.name,
                    "bot": holder.bot,
                    "open": holder.open,
                    "stand_in": self.session.stand_ins.get(number) if holder.bot else None,
                    "waiting": number in self.waiting,
                    "here": number in self.present,
                }
                for number, holder in enumerate(self.session.seats)
            }
        )

    def steps_json(self, seat: int | None, translations: Translations, entries: list[LogEntry]) -> bytes:
        """Log entries as JSON. If nothing in them is secret, all subscribers of a language share the text."""
        if any(entry.step.seat == seat or entry.has_secrets for entry in entries):
            return to_json(describe_steps(self.session, seat, translations, entries)).encode()
        key = translations.language, seat is None, len(entries)
        if key not in self._steps_json:
            self._steps_json[key] = to_json(describe_steps(self.session, seat, translations, entries)).encode()
        return self._steps_json[key]


def parts_at(session: MatchSession, seat: int | None, renderer: Renderer, content: bytes) -> dict[str, Part]:
    """The game's parts as they were in another state of the match."""
    state = StructBuffer(session.game.state_struct, content).struct
    return parts_by_id(renderer.scene(session.game.ui.view(state, seat)))


# Actions on offer


class Choices(NamedTuple):
    """What a seat may do: whether it may undo its last step, and its legal actions."""

    undo: bool
    actions: list[ActionLabel]


def choices(session: MatchSession, seat: int | None, translations: Translations) -> Choices:
    if seat is None or session.ended is not None:
        return Choices(False, [])
    last = session.match.steps[-1] if session.match.steps else None
    undo = last is not None and last.seat == seat and not last.sealed
    actions = [action_label(session, seat, action, translations) for action in session.match.legal_ids(seat)]
    return Choices(undo, actions)


def action_menu(session: MatchSession, seat: int | None, translations: Translations) -> dict[str, Any]:
    """The data of the part ``table-actions``: the actions by verb. It holds plain tuples, since it is marshalled."""
    undo, actions = choices(session, seat, translations)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for action in actions:
        verb = action.touches.partition("|")[0]
        groups.setdefault(verb, []).append(tuple(action))
    headings = _verb_headings(session.game, translations)
    endings = _verbs_that_end_turns(session.game)
    groups = dict(sorted(groups.items(), key=lambda group: group[0] in endings))
    return {
        "undo": undo,
        "count": len(actions),
        "groups": [{"verb": verb, "heading": headings[verb], "actions": group} for verb, group in groups.items()],
    }


@functools.cache
def _verb_headings(game: Game, translations: Translations) -> dict[str, str]:
    return {f"verb:{verb.name}": verb_heading(verb, translations) for verb in reversed(game.actions.verbs)}


@functools.cache
def _verbs_that_end_turns(game: Game) -> frozenset[str]:
    return frozenset(f"verb:{verb.name}" for verb in game.actions.verbs if verb.ends_turn)


def verb_heading(verb: Verb, translations: Translations) -> str:
    """A verb's label without the entities that it is used with: ``Move to …``."""
    text = Message(verb.label, dict.fromkeys(verb.placeholders, "…")).render(translations)
    plain = text.strip(" …:")
    return plain[:1].upper() + plain[1:] + (" …" if text.endswith("…") else "")


def action_label(session: MatchSession, seat: int, action: int, translations: Translations) -> ActionLabel:
    """A legal action as it is offered. A confirmation is asked only if the action would reveal something now, and a
    question only if it would have no effect now."""
    label = session.labels(translations).action(action)
    said = session.game.ui.label(session.match.state, seat, action)
    if said is not None:
        label = label._replace(label=said.render(translations))
    question = session.game.ui.question(session.match.state, seat, action)
    if question is not None:
        label = label._replace(question=question.render(translations))
    if label.emphasis == CONFIRM and not session.match.reveals(seat, action):
        return label._replace(emphasis="")
    return label


# What goes by itself


def moment_part(session: MatchSession, seat: int | None, translations: Translations) -> dict[str, Any] | None:
    """The data of the part ``table-moment``: what goes by itself next, and who has time to do something before it.

    It depends on the match and its seats only, not on the time: the page hides what is over.
    """
    if session.ended is not None or session.header.guide:
        return None
    moment = moment_of(session)
    mine = () if seat is None else session.seats_of(session.seats[seat].guest)
    bots_turn = any(session.seats[other].bot is not None for other in session.match.waiting)
    may = [other for other in mine if may_wait(session, other) and session.seats[other].bot is None]
    asking = seats_asking(session)
    until = held_until(session)
    if not until and not (may and bots_turn):
        return None
    titles = session.labels(translations).titles
    waited_for = () if moment is None else tuple(moment.until_by_seat)
    others = [titles[other] for other in asking or waited_for if other not in mine]
    return {
        "next": None if moment is None else _next_label(session, moment.due, translations),
        "began": round(1000 * session.last_activity),
        "until": round(1000 * until),
        "seat": may[0] if may else None,
        "asked": any(other in mine for other in asking),
        "others": format_list([say("{name}", name=name) for name in others]).render(translations) if others else "",
        "others_ask": bool(others and asking),
    }


def _next_label(session: MatchSession, due: DueStep, translations: Translations) -> str | None:
    """What goes by itself next, in words. Which card is forced may be a secret of its seat."""
    if session.seats[due.seat].by_hand or not session.game.actions.is_automatic(due.action.id):
        return None
    return session.match.label(due.action.id).render(translations)


# The state of the match


def prompt(session: MatchSession, seat: int | None) -> Message:
    """One line that says what the match waits for, or why it cannot go on."""
    if session.closed is not None:
        return session.closed
    return session.match.prompt(seat) if session.match.result is None else session.outcome_for(seat)


def outcome(session: MatchSession, seat: int | None, translations: Translations) -> dict[str, Any] | None:
    """The data of the part ``table-result``: how the match ended, and its rematch if there is one."""
    result = session.match.result
    if result is None or session.closed is not None:
        return None
    labels = session.labels(translations)
    return {
        "text": session.outcome_for(seat).render(translations),
        "rule": result.ending.rule,
        "game": session.game.name,
        "scores": labels.scores(result),
        "match": session.id,
        "next": session.header.next,
    }


def match_status(session: MatchSession) -> dict[str, Any]:
    """The seats to move, and the result: what everybody may know."""
    result = session.match.result
    return {
        "waiting": [] if session.closed is not None else list(session.match.waiting),
        "result": None
        if result is None
        else {"ending": result.reason, "winners": list(result.winners), "scores": list(result.scores)},
    }


# What happened


def describe_steps(
    session: MatchSession, seat: int | None, translations: Translations, entries: Iterable[LogEntry]
) -> list[dict[str, Any]]:
    """Log entries as a seat may know them. Of another seat's step it knows the events, but not the action."""
    return [_describe_step(session, seat, translations, entry) for entry in entries]


def _describe_step(
    session: MatchSession, seat: int | None, translations: Translations, entry: LogEntry
) -> dict[str, Any]:
    step = entry.step
    if entry.rules is not None:
        return {"seq": entry.seq, "seat": None, "words": [rules_sentence(session, entry, translations)]}
    described: dict[str, Any] = {"seq": entry.seq, "seat": step.seat}
    knows_action = step.seat == seat or session.ended is not None
    if entry.undone:
        described["undone"] = step.action.text if knows_action else None
        described["words"] = [
            undo_sentence(session, entry, translations, step.seat == seat)
        ]  # the end does not change it
        return described
    if knows_action:
        described["action"] = step.action.text
    labels = session.labels(translations)
    events = [labels.event(row, seat) for row in step.log_rows]
    described["events"] = [event.data for event in events]
    described["words"] = [event.sentence for event in events]
    return described


def undo_sentence(session: MatchSession, entry: LogEntry, translations: Translations, knows_action: bool) -> str:
    who = session.match.names[session.game.seat_kind][entry.step.seat].title
    what = session.game.actions.label(entry.step.action.id, session.match.names)
    message: Message = (
        say("{who} undoes: {what}", who=who, what=what) if knows_action else say("{who} undoes a step", who=who)
    )
    return message.render(translations)


def rules_sentence(session: MatchSession, entry: LogEntry, translations: Translations) -> str:
    """What the players of a match are told when it goes on under a later version of the rules."""
    assert entry.rules is not None
    path = session.path_at(entry.seq - 1).until(entry.rules)
    return say("The rules have been corrected since this match began. {changes}", changes=path.changes).render(
        translations
    )


# Messages to subscribers


def page_message(seq: int, steps: bytes, parts: list[bytes]) -> bytes:
    """The JSON that an open page gets: what happened, and the rendered parts that changed."""
    members = b",".join([*parts, _seq_part(seq)])
    return b'{"seq":%d,"steps":%b,"parts":{%b}}' % (seq, steps, members)


def _seq_part(seq: int) -> bytes:
    """The part ``table-seq``, written directly: it is different in every message, so caching would not help."""
    return b'"table-seq":"<input id=\\"table-seq\\" type=\\"hidden\\" name=\\"seq\\" value=\\"%d\\">"' % seq


def data_message(session: MatchSession, seat: int | None, language: str, entries: Iterable[LogEntry]) -> bytes:
    """The JSON that a program gets."""
    translations = translations_of(session.game, language)
    steps = describe_steps(session, seat, translations, entries)
    return to_json({"seq": session.seq, "steps": steps, **match_status(session)}).encode()
