"""The presenter: the data that pages and programs get of a match, as one seat may know it."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import Message, say
from skerry.engine.notation import Verb
from skerry.engine.scene import PartFamily, Scene
from skerry.engine.struct import StructBuffer
from skerry.server.labels import CONFIRM, ActionLabel
from skerry.server.match_log import LogEntry
from skerry.server.match_session import MatchSession
from skerry.server.renderer import Part, Parts, Renderer, parts_by_id, words_of
from skerry.server.tutorial import tutorial_comment

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Snapshot:
    """A match at one moment. What several subscribers share is made once, when the first of them needs it."""

    def __init__(self, session: MatchSession, present: frozenset[int], version: int = 0) -> None:
        self.session = session
        self.present = present  # the seats whose page is open
        self.version = version  # counts the snapshots of a match
        self._common: dict[str, Parts] = {}
        self._steps_json: dict[tuple[str, bool, int], str] = {}

    @functools.cached_property
    def waiting(self) -> tuple[int, ...]:
        return self.session.match.waiting

    @functools.cached_property
    def people_to_move(self) -> tuple[int, ...]:
        return self.session.people_to_move

    @functools.cached_property
    def _common_scene(self) -> Scene:
        return self.session.game.page.shared_parts(self.session.match.view(None))

    def common_parts(self, words: Translations) -> Parts:
        """The parts that look the same to everybody who reads this language."""
        if words.language not in self._common:
            self._common[words.language] = Parts({**self._common_scene, "table-seat": self.seats(words)})
        return self._common[words.language]

    def own_parts(self, seat: int | None, words: Translations) -> Parts:
        """The parts that depend on the seat they are seen from."""
        view = self.session.match.view(seat)
        return Parts({**self.session.game.page.personal_parts(view), **self.controls(seat, words)})

    def scene(self, seat: int | None, renderer: Renderer) -> Scene:
        """All parts of a page that can change: the game's, and those that every game's page has."""
        game = renderer.scene(self.session.match.view(seat))
        return {**game, "table-seat": self.seats(renderer.words), **self.controls(seat, renderer.words)}

    def controls(self, seat: int | None, words: Translations) -> Scene:
        """The prompt, the actions on offer, the seats that can be taken and, after the end, the result."""
        session = self.session
        turn = session.ended is None and seat in self.people_to_move
        mine = () if seat is None or turn else session.seats_of(session.seats[seat].guest)
        other = next((number for number in mine if number in self.people_to_move), None)
        acting = None if seat is None or session.seats[seat].bot else seat  # a seat that a bot plays only watches
        return {
            **({"table-guide": tutorial_comment(session, words)} if session.header.guide else {}),
            "table-prompt": {"text": session.match.prompt(acting).render(words), "turn": turn, "other": other},
            "table-chair": self.takeable_seats(seat, words),
            "table-actions": action_menu(session, acting, words),
            "table-result": None if session.ended is None else outcome(session, words),
        }

    def takeable_seats(self, seat: int | None, words: Translations) -> dict[str, Any]:
        """The seats that the visitor can take: open ones, or their own from the bot that plays it."""
        session = self.session
        bot: str | None = None
        if seat is None:
            takeable = [number for number, holder in enumerate(session.seats) if holder.open]
        else:
            bot = session.seats[seat].bot
            takeable = [seat] if bot else []
        titles = session.labels(words).titles
        return {"bot": bot, "seats": [] if session.ended else [(number, titles[number]) for number in takeable]}

    def seats(self, words: Translations) -> PartFamily:
        """Who holds each seat, whether it is to move, and whether its page is open."""
        titles = self.session.labels(words).titles
        return PartFamily(
            {
                str(number): {
                    "title": titles[number],
                    "name": holder.name,
                    "bot": holder.bot,
                    "open": holder.open,
                    "waiting": number in self.waiting,
                    "here": number in self.present,
                }
                for number, holder in enumerate(self.session.seats)
            }
        )

    def steps_json(self, seat: int | None, words: Translations, entries: list[LogEntry]) -> str:
        """Log entries as JSON. If nothing in them is secret, all subscribers of a language share the text."""
        if any(entry.step.seat == seat or entry.has_secrets for entry in entries):
            return to_json(describe_steps(self.session, seat, words, entries))
        key = words.language, seat is None, len(entries)
        if key not in self._steps_json:
            self._steps_json[key] = to_json(describe_steps(self.session, seat, words, entries))
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


def choices(session: MatchSession, seat: int | None, words: Translations) -> Choices:
    if seat is None or session.ended is not None:
        return Choices(False, [])
    last = session.match.steps[-1] if session.match.steps else None
    undo = last is not None and last.seat == seat and not last.sealed
    actions = [action_label(session, seat, action, words) for action in session.match.legal_ids(seat)]
    return Choices(undo, actions)


def action_menu(session: MatchSession, seat: int | None, words: Translations) -> dict[str, Any]:
    """The data of the part ``table-actions``: the actions by verb. It holds plain tuples, since it is marshalled."""
    undo, actions = choices(session, seat, words)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for action in actions:
        verb = action.touches.partition("|")[0]
        groups.setdefault(verb, []).append(tuple(action))
    headings = _verb_headings(session.game, words)
    return {
        "undo": undo,
        "count": len(actions),
        "groups": [{"verb": verb, "heading": headings[verb], "actions": group} for verb, group in groups.items()],
    }


@functools.cache
def _verb_headings(game: Game, words: Translations) -> dict[str, str]:
    return {f"verb:{verb.name}": verb_heading(verb, words) for verb in reversed(game.actions.verbs)}


def verb_heading(verb: Verb, words: Translations) -> str:
    """A verb's label without the entities that it is used with: ``Move to …``."""
    text = Message(verb.label, dict.fromkeys(verb.placeholders, "…")).render(words)
    plain = text.strip(" …:")
    return plain[:1].upper() + plain[1:] + (" …" if text.endswith("…") else "")


def action_label(session: MatchSession, seat: int, action: int, words: Translations) -> ActionLabel:
    """A legal action as it is offered. A confirmation is asked only if the action would reveal something now."""
    label = session.labels(words).action(action)
    if label.emphasis == CONFIRM and not session.match.reveals(seat, action):
        return label._replace(emphasis="")
    return label


# The state of the match


def outcome(session: MatchSession, words: Translations) -> dict[str, Any] | None:
    """The data of the part ``table-result``: how the match ended, and its rematch if there is one."""
    result = session.match.result
    if result is None:
        return None
    labels = session.labels(words)
    return {
        "verdict": labels.verdict(result),
        "text": say(result.ending.text).render(words),
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
        "waiting": list(session.match.waiting),
        "result": None
        if result is None
        else {"ending": result.reason, "winners": list(result.winners), "scores": list(result.scores)},
    }


# What happened


def describe_steps(
    session: MatchSession, seat: int | None, words: Translations, entries: Iterable[LogEntry]
) -> list[dict[str, Any]]:
    """Log entries as a seat may know them. Of another seat's step it knows the events, but not the action."""
    return [_describe_step(session, seat, words, entry) for entry in entries]


def _describe_step(session: MatchSession, seat: int | None, words: Translations, entry: LogEntry) -> dict[str, Any]:
    step = entry.step
    described: dict[str, Any] = {"seq": entry.seq, "seat": step.seat}
    knows_action = step.seat == seat or session.ended is not None
    if entry.undone:
        described["undone"] = step.action.text if knows_action else None
        described["words"] = [undo_sentence(session, entry, words, step.seat == seat)]  # the end does not change it
        return described
    if knows_action:
        described["action"] = step.action.text
    labels = session.labels(words)
    events = [labels.event(row, seat) for row in step.log_rows]
    described["events"] = [event.data for event in events]
    described["words"] = [event.sentence for event in events]
    return described


def undo_sentence(session: MatchSession, entry: LogEntry, words: Translations, knows_action: bool) -> str:
    who = session.match.names[session.game.seat_kind][entry.step.seat].title
    what = session.game.actions.label(entry.step.action.id, session.match.names)
    message: Message = (
        say("{who} takes back: {what}", who=who, what=what) if knows_action else say("{who} takes a step back", who=who)
    )
    return message.render(words)


# Messages to subscribers


def page_message(seq: int, steps: str, parts: list[str]) -> str:
    """The JSON that an open page gets: what happened, and the rendered parts that changed."""
    members = ",".join([*parts, _seq_part(seq)])
    return f'{{"seq":{seq},"steps":{steps},"parts":{{{members}}}}}'


def _seq_part(seq: int) -> str:
    """The part ``table-seq``, written directly: it is different in every message, so caching would not help."""
    return f'"table-seq":"<input id=\\"table-seq\\" type=\\"hidden\\" name=\\"seq\\" value=\\"{seq}\\">"'


def data_message(session: MatchSession, seat: int | None, language: str, entries: Iterable[LogEntry]) -> str:
    """The JSON that a program gets."""
    words = words_of(session.game, language)
    steps = describe_steps(session, seat, words, entries)
    return to_json({"seq": session.seq, "steps": steps, **match_status(session)})
