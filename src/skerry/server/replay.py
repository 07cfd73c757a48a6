"""Replays: any step of a finished match, seen from any seat, rendered as its page was."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match
from skerry.engine.scene import Scene
from skerry.engine.struct import StructBuffer
from skerry.server.finished_matches import FinishedMatchService
from skerry.server.labels import labels_of
from skerry.server.match_session import MatchSession
from skerry.server.renderer import Part, Renderer, parts_by_id

_replays: WeakKeyDictionary[MatchSession, Replay] = WeakKeyDictionary()  # finished matches do not change any more


class Replay:
    """A finished match with the states after each of its steps. Step 0 is the setup."""

    def __init__(self, full: Match, start: bytes) -> None:
        self.full = full
        self._states = [start, *(step.after for step in full.steps)]

    @property
    def last(self) -> int:
        return len(self._states) - 1

    def clamp(self, at: int | None) -> int:
        """The nearest existing step; the last one if none is given."""
        return self.last if at is None else max(0, min(at, self.last))

    def content(self, at: int) -> bytes:
        """The bytes of the state after a step."""
        return self._states[at]

    def _state(self, at: int) -> Any:
        return StructBuffer(self.full.game.state_struct, self._states[at]).struct

    def scene(self, at: int, seat: int | None) -> Scene:
        return self.full.game.scene(self.full.game.ui.view(self._state(at), seat))

    def prompt(self, at: int, seat: int | None, translations: Translations) -> str:
        """What the game waited for; at the last step, how it ended."""
        result = self.full.result if at == self.last else None
        if result is None:
            return self.full.game.ui.prompt(self._state(at), seat).render(translations)
        labels = labels_of(self.full, translations)
        points = (f"{title}: {score}" for title, score in labels.scores(result))
        return " · ".join([self.full.outcome().render(translations), *points])

    def sentences(self, at: int, seat: int | None, translations: Translations) -> list[str]:
        """What happened in a step."""
        if at == 0:
            return []
        return [event.message.render(translations) for event in self.full.step_events(self.full.steps[at - 1], seat)]

    def changed_parts(self, was: int, at: int, seat: int | None) -> dict[str, Part]:
        """The parts that look different at one step than at another."""
        old = parts_by_id(self.scene(was, seat))
        new = parts_by_id(self.scene(at, seat))
        return {element_id: part for element_id, part in new.items() if old.get(element_id) != part}


async def replay_of(finished: FinishedMatchService, session: MatchSession) -> Replay:
    """The replay of a match that is over, or a refusal."""
    if session not in _replays:
        _replays[session] = Replay(await finished.full_match(session), session.initial_state)
    return _replays[session]


def frame(replay: Replay, renderer: Renderer, was: int, at: int, seat: int | None) -> dict[str, Any]:
    """What leads an open page from one step to another, as JSON."""
    changed = replay.changed_parts(was, at, seat)
    return {
        "at": at,
        "prompt": replay.prompt(at, seat, renderer.translations),
        "words": replay.sentences(at, seat, renderer.translations),
        "parts": {element_id: renderer.render_part(part) for element_id, part in changed.items()},
    }
