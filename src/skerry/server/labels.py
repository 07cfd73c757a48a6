"""Putting matches into words: matches whose entities have the same names are spoken of alike, and it is made once."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

from skerry.engine.events import EVERYBODY, read_events
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match, Result
from skerry.engine.messages import say

KEPT = 30_000  # labels, and as many events, over all matches

Chosen = tuple[str, str, str, str]  # an action's text, its label, what it touches, and how it stands out, if at all:
ONWARD, ASKS = "onward", "asks"  # the thing to do sooner or later; what is better asked about


class Labels:
    """The names of a match, in one language."""

    def __init__(self, match: Match, words: Translations) -> None:
        self.game: Game = match.game
        self.names = match.names
        self.words = words
        seats = self.names[self.game.seat_kind][: match.variant.players]
        self.titles = tuple(name.title.render(words) for name in seats)  # of the seats

    def choice(self, action: int) -> Chosen:
        """An action in words."""
        return _choice(self, action)

    def event(self, row: Sequence[int], seat: int | None) -> tuple[dict[str, Any], str]:
        """An event as a seat (or a spectator) may know it: for programs, and as a sentence."""
        return _event(self, row, None if row[1] == EVERYBODY else seat)

    def verdict(self, result: Result) -> str:
        """Who won."""
        if not self.game.cooperative:
            names = ", ".join(self.titles[seat] for seat in result.winners)
            return say("Winner: {names}", names=names).render(self.words)
        return (say("You win!") if result.ending.won else say("The game has won.")).render(self.words)

    def scores(self, result: Result) -> list[tuple[str, str]]:
        """The points of each, the most first; none where they say no more than who won."""
        if len(result.scores) > 1 and max(result.scores) <= 1:
            return []
        ranked = sorted(zip(self.titles, result.scores, strict=True), key=lambda one: -one[1])
        return [(title, f"{score:g}") for title, score in ranked]


_SPOKEN: WeakValueDictionary[tuple[int, str], Labels] = WeakValueDictionary()


def labels_of(match: Match, words: Translations) -> Labels:
    """The one that all have whose names are the same object: it keeps them, so nothing else gets their id."""
    key = id(match.names), words.language
    found = _SPOKEN.get(key)
    if found is None:
        found = _SPOKEN[key] = Labels(match, words)
    return found


@functools.lru_cache(KEPT)
def _choice(speech: Labels, number: int) -> Chosen:
    actions = speech.game.actions
    action = actions.action(number, speech.names)
    verb, _ = actions.decode(number)
    touches = "|".join([f"verb:{action.verb}", *(f"{kind}:{slug}" for kind, slug in action.entities)])
    stands_out = ONWARD if verb.primary else ASKS if verb.confirm else ""
    return action.text, actions.label(number, speech.names).render(speech.words), touches, stands_out


@functools.lru_cache(KEPT)
def _event(speech: Labels, row: Sequence[int], seat: int | None) -> tuple[dict[str, Any], str]:
    (event,) = read_events(speech.game.events, (row,), speech.names, seat)
    return event.as_dict(), event.message.render(speech.words)
