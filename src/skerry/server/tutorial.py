"""The guided first game: which comment applies to a position, what it points at, and what the bots play in it."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.i18n.translations import Translations
from skerry.engine.tutorial import TutorialPosition, tutorial_positions
from skerry.server.match_session import MatchSession

tutorial_line = functools.cache(tutorial_positions)


def scripted_action(session: MatchSession, seat: int) -> int | None:
    """The action that a bot plays in a guided game, as long as the guest follows the tutorial's line."""
    position = tutorial_line(session.game).get(session.match.content) if session.header.guide else None
    return position.action if position is not None and position.seat == seat else None


def on_tutorial_line(session: MatchSession) -> bool:
    """Whether a guided game is on the tutorial's line. Bots do not interrupt there."""
    return bool(session.header.guide) and session.match.content in tutorial_line(session.game)


def tutorial_comment(session: MatchSession, translations: Translations) -> dict[str, Any]:
    """The data of the template ``guide.html``: what the guide says now, to the guest at seat 0."""
    position = tutorial_line(session.game).get(session.match.content)
    comment = _off_line(session, translations) if position is None else _on_line(session, position, translations)
    return {"game": session.game.name, "match": session.id, "count": len(session.game.tutorial.steps), **comment}


def _on_line(session: MatchSession, position: TutorialPosition, translations: Translations) -> dict[str, Any]:
    comment = session.game.tutorial.steps[position.step]
    mine = position.action is not None and position.seat == 0
    return {
        "number": position.step + 1,
        "text": translations(comment.text),
        "do": session.match.label_now(0, position.action).render(translations)
        if mine and position.action is not None
        else None,
        "action": session.match.action(position.action).text if mine and position.action is not None else None,
        "points": " ".join(comment.highlights),
        "means": session.labels(translations).action(position.action).touches
        if mine and position.action is not None
        else "",
        "waits": position.action is not None and not mine,
        "off": None,
    }


def _off_line(session: MatchSession, translations: Translations) -> dict[str, Any]:
    """The guest left the line: what the guide had in mind, if that can still be undone to, and what can be done now."""
    steps = session.match.steps
    last = steps[-1] if steps and steps[-1].seat == 0 and not steps[-1].sealed else None
    left = tutorial_line(session.game).get(last.before) if last is not None else None
    meant = None if left is None or left.action is None else session.match.label(left.action).render(translations)
    verbs = dict.fromkeys(session.game.actions.decode(action)[0] for action in session.match.legal_ids(0))
    return {
        "number": None,
        "text": None,
        "do": None,
        "action": None,
        "points": "",
        "means": "",
        "waits": False,
        "off": {"meant": meant, "over": session.ended is not None, "may": [translations(verb.help) for verb in verbs]},
    }
