"""A finished match to be looked at: any step of it, from any seat, drawn as the table was."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.scene import Scene
from skerry.engine.struct import StructBuffer
from skerry.server.labels import labels_of
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.renderer import Part, Renderer, parts_by_id

_films: WeakKeyDictionary[MatchSession, Replay] = WeakKeyDictionary()  # a finished match does not change any more


class Replay:
    def __init__(self, full: Match) -> None:
        self.full = full
        start = full.variant.new(full.seed).content
        self._states = [start, *(step.after for step in full.steps)]

    @property
    def last(self) -> int:
        return len(self._states) - 1

    def clamp(self, at: int | None) -> int:
        """A step that there is; the last one if none is named."""
        return self.last if at is None else max(0, min(at, self.last))

    def _state(self, at: int) -> Any:
        return StructBuffer(self.full.game.state_struct, self._states[at]).struct

    def scene(self, at: int, seat: int | None) -> Scene:
        return self.full.game.scene(self.full.game.ui.view(self._state(at), seat))

    def prompt(self, at: int, seat: int | None, words: Translations) -> str:
        """What the game waited for; at the end, how it ended."""
        result = self.full.result if at == self.last else None
        if result is None:
            return self.full.game.ui.prompt(self._state(at), seat).render(words)
        speech = labels_of(self.full, words)
        points = (f"{title}: {score}" for title, score in speech.scores(result))
        return " · ".join([speech.verdict(result).rstrip("."), say(result.ending.text).render(words), *points])

    def told(self, at: int, seat: int | None, words: Translations) -> list[str]:
        """What happened in the step that led here."""
        if at == 0:
            return []
        return [event.message.render(words) for event in self.full.step_events(self.full.steps[at - 1], seat)]

    def changed(self, was: int, at: int, seat: int | None) -> dict[str, Part]:
        """What looks different at one step than at another."""
        old = parts_by_id(self.scene(was, seat))
        return {name: piece for name, piece in parts_by_id(self.scene(at, seat)).items() if old.get(name) != piece}


async def replay_of(matches: MatchService, session: MatchSession) -> Replay:
    """The film of a match that is over, or a refusal."""
    if session not in _films:
        _films[session] = Replay(await matches.full(session))
    return _films[session]


def frame(film: Replay, renderer: Renderer, was: int, at: int, seat: int | None) -> dict[str, Any]:
    """All that leads an open page from one step to another."""
    return {
        "at": at,
        "prompt": film.prompt(at, seat, renderer.words),
        "words": film.told(at, seat, renderer.words),
        "parts": {name: renderer.render_part(piece) for name, piece in film.changed(was, at, seat).items()},
    }
