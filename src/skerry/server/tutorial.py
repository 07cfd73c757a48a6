"""The comments beside a first game: which one holds at a position, what it points at, and what bots do in it."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.i18n.translations import Translations
from skerry.engine.tutorial import TutorialPosition, tutorial_positions
from skerry.server.match_session import MatchSession

line_of = functools.cache(tutorial_positions)


def scripted(session: MatchSession, seat: int) -> int | None:
    """What a bot does at a first game, as long as the reader follows the line."""
    spot = line_of(session.game).get(session.match.content) if session.head.guide else None
    return spot.action if spot is not None and spot.seat == seat else None


def on_the_line(session: MatchSession) -> bool:
    """Whether the reader of a first game follows the line: then nobody interrupts."""
    return bool(session.head.guide) and session.match.content in line_of(session.game)


def guided(session: MatchSession, words: Translations) -> dict[str, Any]:
    """What the guide says now, to the guest at seat 0."""
    spot = line_of(session.game).get(session.match.content)
    said = _off_the_line(session, words) if spot is None else _on_the_line(session, spot, words)
    return {"game": session.game.name, "count": len(session.game.tutorial.steps), **said}


def _on_the_line(session: MatchSession, spot: TutorialPosition, words: Translations) -> dict[str, Any]:
    comment = session.game.tutorial.steps[spot.step]
    mine = spot.action is not None and spot.seat == 0
    return {
        "number": spot.step + 1,
        "text": words(comment.text),
        "do": session.match.label(spot.action).render(words) if mine and spot.action is not None else None,
        "points": " ".join([*comment.highlights, *(touched(session, spot.action) if mine else ())]),
        "waits": spot.action is not None and not mine,
        "off": None,
    }


def touched(session: MatchSession, action: int | None) -> list[str]:
    """What an action is done with."""
    return [] if action is None else [f"{kind}:{slug}" for kind, slug in session.match.action(action).entities]


def _off_the_line(session: MatchSession, words: Translations) -> dict[str, Any]:
    """The reader went another way: kindly said, with the way back if there is one and what can be done now."""
    steps = session.match.steps
    last = steps[-1] if steps and steps[-1].seat == 0 and not steps[-1].sealed else None
    left = line_of(session.game).get(last.before) if last is not None else None
    meant = None if left is None or left.action is None else session.match.label(left.action).render(words)
    verbs = dict.fromkeys(session.game.actions.decode(action)[0] for action in session.match.legal_ids(0))
    return {
        "number": None,
        "text": None,
        "do": None,
        "points": "",
        "waits": False,
        "off": {"meant": meant, "over": session.ended is not None, "may": [words(verb.help) for verb in verbs]},
    }
