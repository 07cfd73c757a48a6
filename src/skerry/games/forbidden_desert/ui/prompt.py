"""The prompt: one line that tells a reader what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, Msgid, say
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import is_buried
from skerry.games.forbidden_desert.rules.state import ESCAPED, FORECAST, STORM, State


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, as the player at a seat (None: a spectator) reads it."""
    if state.ending:
        won = state.ending == ESCAPED
        return say("The game is over: you win!") if won else say("The game is over: the desert has won.")
    if state.phase == FORECAST:
        return _addressed(
            seat,
            state,
            "You look at the next storm cards, {cards} of them: put one at the bottom, or keep them",
            "{pawn} is looking at the next storm cards, {cards} of them",
        )
    if state.phase == STORM:
        return _addressed(seat, state, "Draw storm cards: {left} to come", "{pawn} draws storm cards: {left} to come")
    if state.steps:
        return _addressed(
            seat,
            state,
            "Steps left to guide {guided}: {steps}; another action gives them up. Actions left: {left}",
            "{pawn} guides {guided}; steps left: {steps}",
        )
    if state.left and is_buried(state, state.turn):
        return _addressed(
            seat,
            state,
            "You are buried: clear the sand from your tile, or end. Actions left: {left}",
            "{pawn} is buried; actions left: {left}",
        )
    return _addressed(seat, state, "Your turn; actions left: {left}", "{pawn}'s turn; actions left: {left}")


def _addressed(seat: int | None, state: State, to_you: Msgid, of_other: Msgid) -> Message:
    """The text for the player whose turn it is if that is the reader, else the text for others."""
    guided = state.guided if state.guided >= 0 else state.turn
    arguments = {
        "pawn": say(components.ROLE_TITLES[state.role[state.turn]]),
        "left": int(state.left),
        "cards": cards_in_sight(state),
        "guided": say(components.ROLE_TITLES[state.role[guided]]),
        "steps": int(state.steps),
    }
    return Message(to_you if seat == state.turn else of_other, arguments)
