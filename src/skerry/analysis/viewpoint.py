"""Viewpoints: from whose knowledge the values of an analysis are drawn.

- In most games nothing stays hidden to the end. Each value is drawn from what the seat to act knew then. Where seats
  play at the same time, what they have written so far counts, because the end of the round reveals it.
- Where opponents hide cards from each other (``hides_hands``), an analysis is made for a spectator or for one seat.
  It uses nothing that this viewer did not know at the time: not even the actions that were open to the others, which
  depend on their cards. Therefore only the viewer's own decisions are graded.
- Open cards is another mode, for after the end: the values know all hands, and every decision is graded by what the
  seat that made it knew.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from skerry.engine.errors import BadGame, BadOption, Illegal
from skerry.engine.game import Game
from skerry.engine.game_package import find_module
from skerry.engine.kernel import kernel
from skerry.engine.match import Match, Step
from skerry.engine.messages import Message, say
from skerry.engine.protocols import Rules

SPECTATOR = -1  # as the one whose knowledge is used
ALL_HANDS = -2  # the knowledge of all seats together

Mode = Literal["table", "spectator", "seat", "open"]


class Reshuffle(Hashable, Protocol):
    """Resample only what no seat knows: the order of the cards to come. What seats hold or have written stays."""

    def __call__(self, state: Any, seed: Any, /) -> None: ...


class Resample(Hashable, Protocol):
    """Resample what somebody does not know: a seat, ``SPECTATOR``, or ``ALL_HANDS``."""

    def __call__(self, state: Any, knower: int, seed: Any, /) -> None: ...


@dataclass(frozen=True)
class Viewpoint:
    """Whose knowledge an analysis uses."""

    mode: Mode
    seat: int = SPECTATOR  # the viewer's, in the mode ``seat``

    def knower(self, game: Game, actor: int) -> int:
        """Whose knowledge the value of a position is drawn from, in which ``actor`` acts."""
        if self.mode == "table":
            return ALL_HANDS if reshuffle_of(game) is not None and not game.cooperative else actor
        return ALL_HANDS if self.mode == "open" else self.seat

    def knows_choices(self, actor: int) -> bool:
        """Whether the viewer knows what a seat could have done."""
        return self.mode in ("table", "open") or actor == self.seat

    def describe(self) -> Message:
        """What the values know, in words."""
        match self.mode:
            case "table":
                return say("Each value uses only what the players knew then.")
            case "spectator":
                return say("The values use only what a spectator knew then.")
            case "seat":
                return say("The values use only what seat {seat} knew then.", seat=self.seat)
            case "open":
                return say("Open cards: the values know all hands, but not the order of the cards to come.")


def hides_hands(match: Match) -> bool:
    """Whether seats of a match hide cards from each other that the end does not reveal."""
    return match.variant.players > 1 and match.game.hides_hands


def viewpoint_of(match: Match, seat: int | None = None, open_cards: bool = False) -> Viewpoint:
    """The viewpoint of an analysis. A seat or open cards can be chosen only where seats keep cards from each other."""
    game = match.game
    if not hides_hands(match):
        if seat is not None or open_cards:
            text = "in {title} nothing stays hidden to the end: there is only one analysis, for all"
            raise BadOption(say(text, title=game.title))
        return Viewpoint("table")
    if open_cards:
        if seat is not None:
            raise BadOption("choose a seat or open cards, not both")
        if match.result is None:
            raise Illegal("cards are opened only after the end of the game")
        if reshuffle_of(game) is None:
            raise BadGame(f"an analysis of {game.name} with open cards needs the kernel reshuffle in rules.knowledge")
        return Viewpoint("open")
    if seat is None:
        return Viewpoint("spectator")
    match.check_seat(seat)
    return Viewpoint("seat", seat)


def shown_action(viewpoint: Viewpoint, step: Step) -> str | None:
    """The text of a step's action, if the viewer knows it for certain. Its public events are told in any case."""
    return step.action.text if viewpoint.knows_choices(step.seat) else None


def reshuffle_of(game: Game) -> Reshuffle | None:
    """The kernel ``reshuffle`` of a game's ``rules.knowledge``, which games in which seats compete may have."""
    module = find_module(game.packages, "rules.knowledge")
    return cast("Reshuffle | None", getattr(module, "reshuffle", None))


@functools.cache
def resample_kernel(rules: Rules, reshuffle: Reshuffle | None) -> Resample:
    """Make the kernel that resamples what somebody does not know."""
    determinize = rules.determinize
    if reshuffle is None:
        return determinize
    shuffle = reshuffle

    @kernel
    def resample(state: Any, knower: int, seed: Any) -> None:
        if knower == ALL_HANDS:
            shuffle(state, seed)
        else:
            determinize(state, knower, seed)

    return resample
