"""What one reader is shown of a match: the parts of the page, and what happened in words."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import Message, say
from skerry.engine.notation import Verb
from skerry.engine.scene import PartFamily, Scene
from skerry.engine.struct import StructBuffer
from skerry.server.labels import ASKS, Chosen
from skerry.server.match_session import LogEntry, MatchSession
from skerry.server.renderer import Part, Parts, Renderer, parts_by_id, words_of
from skerry.server.tutorial import guided

Group = tuple[str, list[Chosen]]  # actions of one kind, and what they have in common in words

Pieces = dict[str, Part]


class Snapshot:
    """A match as it stands: what all readers share is made once, when the first of them asks."""

    def __init__(self, session: MatchSession, present: frozenset[int], version: int = 0) -> None:
        self.session = session
        self.present = present
        self.version = version  # of what its readers have been shown
        self._common: dict[str, Parts] = {}
        self._told: dict[tuple[str, bool, int], str] = {}

    @functools.cached_property
    def waiting(self) -> tuple[int, ...]:
        return self.session.match.waiting

    @functools.cached_property
    def awaited(self) -> tuple[int, ...]:
        return self.session.awaited

    @functools.cached_property
    def _board(self) -> Scene:
        return self.session.game.page.shared_parts(self.session.match.view(None))

    def common(self, words: Translations) -> Parts:
        """What looks the same to all who read this language."""
        if words.language not in self._common:
            self._common[words.language] = Parts({**self._board, "table-seat": self.sitting(words)})
        return self._common[words.language]

    def own(self, seat: int | None, words: Translations) -> Parts:
        """What depends on the reader."""
        return Parts(
            {**self.session.game.page.personal_parts(self.session.match.view(seat)), **self.offer(seat, words)}
        )

    def scene(self, seat: int | None, renderer: Renderer) -> Scene:
        """All of a page that can change: the game's parts and those that every table has."""
        game = renderer.scene(self.session.match.view(seat))
        return {**game, "table-seat": self.sitting(renderer.words), **self.offer(seat, renderer.words)}

    def offer(self, seat: int | None, words: Translations) -> Scene:
        """What the game waits for, what the reader may do, how it ended."""
        session = self.session
        turn = session.ended is None and seat in self.awaited
        mine = () if seat is None or turn else session.seats_of(session.seats[seat].guest)
        other = next((number for number in mine if number in self.awaited), None)
        acting = None if seat is None or session.seats[seat].bot else seat  # who is played for looks on
        return {
            **({"table-guide": guided(session, words)} if session.head.guide else {}),
            "table-prompt": {"text": session.match.prompt(acting).render(words), "turn": turn, "other": other},
            "table-chair": self.chair(seat, words),
            "table-actions": offered(session, acting, words),
            "table-result": None if session.ended is None else outcome(session, words),
        }

    def chair(self, seat: int | None, words: Translations) -> dict[str, Any]:
        """The seats that the reader can take: the free ones, or the own one again from the bot that plays it."""
        session = self.session
        if seat is None:
            bot, takes = None, [number for number, who in enumerate(session.seats) if who.open]
        else:
            bot = session.seats[seat].bot
            takes = [seat] if bot else []
        titles = session.speech(words).titles
        return {"bot": bot, "seats": [] if session.ended else [(number, titles[number]) for number in takes]}

    def sitting(self, words: Translations) -> PartFamily:
        """Who sits where."""
        titles = self.session.speech(words).titles
        return PartFamily(
            {
                str(number): {
                    "title": titles[number],
                    "name": who.name,
                    "bot": who.bot,
                    "open": who.open,
                    "waiting": number in self.waiting,
                    "here": number in self.present,
                }
                for number, who in enumerate(self.session.seats)
            }
        )

    def told(self, seat: int | None, words: Translations, steps: list[LogEntry]) -> str:
        """What happened, as JSON. Where nothing of it is secret, all readers of a language share it."""
        if any(one.step.seat == seat or one.secret for one in steps):
            return _json(steps_told(self.session, seat, words, steps))
        key = words.language, seat is None, len(steps)
        if key not in self._told:
            self._told[key] = _json(steps_told(self.session, seat, words, steps))
        return self._told[key]


def parts_at(session: MatchSession, seat: int | None, renderer: Renderer, content: bytes) -> Pieces:
    """The game's parts as they were at another state of the match."""
    state = StructBuffer(session.game.state_struct, content).struct
    return parts_by_id(renderer.scene(session.game.ui.view(state, seat)))


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def choices(session: MatchSession, seat: int | None, words: Translations) -> tuple[bool, list[Chosen]]:
    """Whether the seat may take its last step back, and what it may do."""
    if seat is None or session.ended is not None:
        return False, []
    last = session.match.steps[-1] if session.match.steps else None
    undo = last is not None and last.seat == seat and not last.sealed
    return undo, [choice(session, seat, action, words) for action in session.match.legal_ids(seat)]


def offered(session: MatchSession, seat: int | None, words: Translations) -> tuple[bool, int, list[Group]]:
    """What the page offers: whether to take the last step back, how many actions, and these by their verbs."""
    undo, chosen = choices(session, seat, words)
    groups: dict[str, list[Chosen]] = {}
    for one in chosen:
        groups.setdefault(one[2].partition("|")[0], []).append(one)
    return undo, len(chosen), [(_headings(session.game, words)[verb], some) for verb, some in groups.items()]


@functools.cache
def _headings(game: Game, words: Translations) -> dict[str, str]:
    """A verb's label without what it is done with: ``Move to …``."""
    return {f"verb:{verb.name}": heading_of(verb, words) for verb in reversed(game.actions.verbs)}


def heading_of(verb: Verb, words: Translations) -> str:
    text = Message(verb.label, dict.fromkeys(verb.placeholders, "…")).render(words)
    plain = text.strip(" …:")
    return plain[:1].upper() + plain[1:] + (" …" if text.endswith("…") else "")


def choice(session: MatchSession, seat: int, action: int, words: Translations) -> Chosen:
    """A legal action as it is offered. What is better asked about stands out where it brings something to light now."""
    text, label, touches, stands_out = session.speech(words).choice(action)
    quiet = stands_out == ASKS and not session.match.reveals(seat, action)
    return text, label, touches, "" if quiet else stands_out


def outcome(session: MatchSession, words: Translations) -> dict[str, Any] | None:
    """How the match ended, and the rematch if there is one."""
    result = session.match.result
    if result is None:
        return None
    speech = session.speech(words)
    return {
        "verdict": speech.verdict(result),
        "text": say(result.ending.text).render(words),
        "rule": result.ending.rule,
        "game": session.game.name,
        "scores": speech.scores(result),
        "match": session.id,
        "next": session.head.next,
    }


# What happened


def steps_told(
    session: MatchSession, seat: int | None, words: Translations, steps: Iterable[LogEntry]
) -> list[dict[str, Any]]:
    """Steps as a reader may know them: what another seat chose is told by its events alone."""
    return [_step_told(session, seat, words, one) for one in steps]


def _step_told(session: MatchSession, seat: int | None, words: Translations, one: LogEntry) -> dict[str, Any]:
    step = one.step
    told: dict[str, Any] = {"seq": one.seq, "seat": step.seat}
    knows = step.seat == seat or session.ended is not None
    if one.undone:
        told["undone"] = step.action.text if knows else None
        told["words"] = [taken_back(session, one, words, step.seat == seat)]  # the same before and after the end
        return told
    if knows:
        told["action"] = step.action.text
    speech = session.speech(words)
    events = [speech.event(row, seat) for row in step.log_rows]
    told["events"], told["words"] = [event for event, _ in events], [sentence for _, sentence in events]
    return told


def taken_back(session: MatchSession, one: LogEntry, words: Translations, knows: bool) -> str:
    who = session.match.names[session.game.seat_kind][one.step.seat].title
    what = session.game.actions.label(one.step.action.id, session.match.names)
    message: Message = (
        say("{who} takes back: {what}", who=who, what=what) if knows else say("{who} takes a step back", who=who)
    )
    return message.render(words)


def page_message(seq: int, told: str, parts: list[str]) -> str:
    """What an open page gets, as JSON: what happened, and the parts that changed by it."""
    drawn = ",".join([*parts, _seq_part(seq)])
    return f'{{"seq":{seq},"steps":{told},"parts":{{{drawn}}}}}'


def _seq_part(seq: int) -> str:
    """The one part that is another every time: as the page has it, without the detour of drawing."""
    return f'"table-seq":"<input id=\\"table-seq\\" type=\\"hidden\\" name=\\"seq\\" value=\\"{seq}\\">"'


def data_message(session: MatchSession, seat: int | None, language: str, steps: Iterable[LogEntry]) -> str:
    """What a program gets, as JSON."""
    words = words_of(session.game, language)
    told = {"seq": session.seq, "steps": steps_told(session, seat, words, steps), **standing(session)}
    return _json(told)


def standing(session: MatchSession) -> dict[str, Any]:
    """How a match stands, for anybody."""
    result = session.match.result
    return {
        "waiting": list(session.match.waiting),
        "result": None
        if result is None
        else {"ending": result.reason, "winners": list(result.winners), "scores": list(result.scores)},
    }
