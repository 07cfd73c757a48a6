"""Labels: the actions, events and results of a match as text in one language, cached.

Matches whose entities have the same names share one ``Labels`` and its cache.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from skerry.engine.events import EVERYBODY, read_events
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match, Result

# Over all matches: about 10 MiB each. In most games an entry belongs to one match, because names differ.
ACTION_LABELS = 16_000
EVENT_LABELS = 8_000

# Values of ``ActionLabel.emphasis``
PRIMARY = "primary"  # a step that has to be taken sooner or later: its button is highlighted
CONFIRM = "confirm"  # an action that is confirmed first, because it cannot be undone


class ActionLabel(NamedTuple):
    """An action as a page or a program offers it."""

    text: str  # the action's notation, which is sent back to play it
    label: str
    touches: str  # its verb and the entities it names, separated by "|"
    emphasis: str  # PRIMARY, CONFIRM or ""
    question: str = ""  # what is asked before it now; empty for nothing


class EventLabel(NamedTuple):
    """An event as one seat may know it."""

    data: dict[str, Any]
    sentence: str


class Labels:
    """The names of a match in one language, and the texts made of them."""

    def __init__(self, match: Match, translations: Translations) -> None:
        self.game: Game = match.game
        self.names = match.names
        self.translations = translations
        seats = self.names[self.game.seat_kind][: match.variant.players]
        self.titles = tuple(name.title.render(translations) for name in seats)  # by seat

    def action(self, action: int) -> ActionLabel:
        return _action_label(self, action)

    def event(self, row: Sequence[int], seat: int | None) -> EventLabel:
        """An event as a seat (or, with None, a spectator) may know it."""
        return _event_label(self, row, None if row[1] == EVERYBODY else seat)

    def scores(self, result: Result) -> list[tuple[str, str]]:
        """Titles and points, the highest first; empty if the points say no more than who won."""
        if len(result.scores) > 1 and max(result.scores) <= 1:
            return []
        ranked = sorted(zip(self.titles, result.scores, strict=True), key=lambda pair: -pair[1])
        return [(title, f"{score:g}") for title, score in ranked]


_LABELS: WeakValueDictionary[tuple[int, str], Labels] = WeakValueDictionary()


def labels_of(match: Match, translations: Translations) -> Labels:
    """The labels of all matches with the same ``names`` object. They hold on to it, so that its id stays unique."""
    key = id(match.names), translations.language
    found = _LABELS.get(key)
    if found is None:
        found = _LABELS[key] = Labels(match, translations)
    return found


@functools.lru_cache(ACTION_LABELS)
def _action_label(labels: Labels, number: int) -> ActionLabel:
    actions = labels.game.actions
    action = actions.action(number, labels.names)
    verb, _ = actions.decode(number)
    return ActionLabel(
        text=action.text,
        label=actions.label(number, labels.names).render(labels.translations),
        touches="|".join([f"verb:{action.verb}", *(f"{kind}:{slug}" for kind, slug in action.entities)]),
        emphasis=PRIMARY if verb.primary else CONFIRM if verb.confirm else "",
    )


@functools.lru_cache(EVENT_LABELS)
def _event_label(labels: Labels, row: Sequence[int], seat: int | None) -> EventLabel:
    (event,) = read_events(labels.game.events, (row,), labels.names, seat)
    return EventLabel(event.as_dict(), event.message.render(labels.translations))
