"""A commented first game: what to do next and why, along one line of play.

A guide is a seed, options and comments, in a game's module ``page.guide``. The reader sits at seat 0; the other seats
play what the guide says too. A comment holds as long as its actions last; who does something else is off the line, and
is on it again as soon as the position is one of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.match import Match


@dataclass(frozen=True)
class TutorialStep:
    """What is said, what leads on to the next comment, and what to look at meanwhile (as pages name things)."""

    text: str
    actions: tuple[str, ...] = ()
    highlights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tutorial:
    seed: int
    steps: tuple[TutorialStep, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


class TutorialPosition(NamedTuple):
    """A position of the line: which comment holds, who does what next (None at the end)."""

    step: int
    seat: int | None
    action: int | None


def tutorial_positions(game: Game) -> dict[bytes, TutorialPosition]:
    """The positions of a guide's line, by the bytes of their state."""
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    spots: dict[bytes, TutorialPosition] = {}
    for number, comment in enumerate(game.tutorial.steps):
        for text in comment.actions:
            _play(match, spots, number, *_who(match, text))
            for seat, action in _forced(match):
                _play(match, spots, number, seat, action)
        if not comment.actions:
            spots[match.content] = TutorialPosition(number, None, None)
    return spots


def _play(match: Match, spots: dict[bytes, TutorialPosition], comment: int, seat: int, action: int) -> None:
    spots[match.content] = TutorialPosition(comment, seat, action)
    match.play(seat, action)


def _who(match: Match, text: str) -> tuple[int, int]:
    """The seat that an action of the line is for: the one the game waits for, else one that may interrupt."""
    action = match.action(text).id
    others = (seat for seat in range(match.variant.players) if seat not in match.waiting)
    return next((seat for seat in (*match.waiting, *others) if action in match.legal_ids(seat)), 0), action


def _forced(match: Match) -> Iterator[tuple[int, int]]:
    """What follows by itself, as at a table: the rest of a row of draws."""
    while match.steps[-1].sealed and match.result is None:
        forced = match.forced_action()
        if forced is None:
            return
        yield forced[0], forced[1].id
