"""Tutorials: a first game with comments that say what to do next and why.

A tutorial is a seed, options and steps, in a game's module ``ui.tutorial``. The reader sits at seat 0, and the other
seats play the tutorial's actions too. A reader who plays something else leaves the line of the tutorial, and is back on
it as soon as the position is one of the line again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from skerry.engine.messages import Msgid

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.match import Match


@dataclass(frozen=True)
class TutorialStep:
    """A comment, the actions after which the next comment follows, and what the page highlights meanwhile.

    A highlight is an entity as buttons name it (``place:B2``), or the id of an element (``#board``).
    """

    text: Msgid
    actions: tuple[str, ...] = ()
    highlights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tutorial:
    """A first game with comments. The last step has no actions."""

    seed: int
    steps: tuple[TutorialStep, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


class TutorialPosition(NamedTuple):
    """A position on the line of a tutorial: the index of its step, and the next action (None at the end)."""

    step: int
    seat: int | None
    action: int | None


def tutorial_positions(game: Game) -> dict[bytes, TutorialPosition]:
    """The positions of a tutorial's line, by the bytes of their states."""
    positions: dict[bytes, TutorialPosition] = {}
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    for number, step in enumerate(game.tutorial.steps):
        for text in step.actions:
            _play(match, positions, number, *_seat_and_action(match, text))
            for seat, action in _forced_draws(match):
                _play(match, positions, number, seat, action)
        if not step.actions:
            positions[match.content] = TutorialPosition(number, None, None)
    return positions


def _play(match: Match, positions: dict[bytes, TutorialPosition], step: int, seat: int, action: int) -> None:
    positions[match.content] = TutorialPosition(step, seat, action)
    match.play(seat, action)


def _seat_and_action(match: Match, text: str) -> tuple[int, int]:
    """An action of the line and the seat that plays it: one the game waits for, otherwise one that may interrupt."""
    action = match.action(text).id
    others = (seat for seat in range(match.variant.players) if seat not in match.waiting)
    return next((seat for seat in (*match.waiting, *others) if action in match.legal_ids(seat)), 0), action


def _forced_draws(match: Match) -> Iterator[tuple[int, int]]:
    """The rest of a series of draws, which the server plays automatically too."""
    while match.steps[-1].sealed and match.result is None:
        forced = match.forced_action()
        if forced is None:
            return
        yield forced[0], forced[1].id
