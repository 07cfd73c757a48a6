"""The prompt: one line that tells a reader what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, Msgid, say
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.legal import next_swimmer
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, ESCAPED, State

ACTIONS_LEFT = (  # for the player and for others, by the number of actions left
    ("Your actions are spent: end them", "{pawn} has spent all actions"),
    ("Your turn, one action left: move, shore up, give, capture, or end", "{pawn}'s turn, one action left"),
    *[("Your turn, {left} actions left: move, shore up, give, capture, or end", "{pawn}'s turn, {left} actions left")]
    * 2,
)


TEXTS = tuple(text for pair in ACTIONS_LEFT for text in pair)


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, as the player at a seat (None: a spectator) reads it."""
    if state.ending:
        return (
            say("The game is over: you win!")
            if state.ending == ESCAPED
            else say("The game is over: the island has won.")
        )
    if state.stranded:
        return say("A pawn cannot reach land. Only a Helicopter Lift can save it: who plays one?")
    if state.swimming:
        swimmer = next_swimmer(state)
        return _addressed(
            seat, swimmer, state, "You are in the water: swim to land", "{pawn} is in the water and must swim"
        )
    if state.over:
        over_limit = next(s for s in range(state.players) if state.over >> s & 1)
        return _addressed(
            seat,
            over_limit,
            state,
            "You hold more than five cards: discard, or play a special card",
            "{pawn} holds more than five cards and must discard",
        )
    if state.phase == ACTIONS:
        return _addressed(seat, state.turn, state, *ACTIONS_LEFT[state.left])
    if state.phase == DRAWING:
        return _addressed(
            seat,
            state.turn,
            state,
            "Draw treasure cards: {left} to come",
            "{pawn} draws treasure cards: {left} to come",
        )
    return _addressed(
        seat, state.turn, state, "Draw flood cards: {left} to come", "{pawn} draws flood cards: {left} to come"
    )


def _addressed(seat: int | None, actor: int, state: State, to_you: Msgid, of_other: Msgid) -> Message:
    """The text for the acting player if that is the reader, else the text for others."""
    pawn = say(components.ROLE_TITLES[state.role[actor]])
    return Message(to_you if seat == actor else of_other, {"pawn": pawn, "left": int(state.left)})
