"""The prompt: one line that tells a reader what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, Msgid, format_list, say
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import is_buried
from skerry.games.forbidden_desert.rules.state import BURIED, ESCAPED, FORECAST, STORM, SWEPT, State
from skerry.games.forbidden_desert.rules.storm import is_sheltered


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, as the player at a seat (None: a spectator) reads it."""
    if state.ending:
        return _outcome(state)
    if state.phase == FORECAST:
        return _addressed(
            seat,
            state,
            "The next {cards} storm {cards:card|cards}: put one at the bottom, or leave them as they are",
            "the {pawn} is looking at the next {cards} storm {cards:card|cards}",
        )
    if state.phase == STORM:
        return _addressed(
            seat, state, "Draw storm cards: {left} to come", "the {pawn} draws storm cards: {left} to come"
        )
    if state.steps:
        return _addressed(
            seat,
            state,
            "You can guide the {guided} {steps} more {steps:step|steps}, until you do something else. "
            "Actions left: {left}",
            "the {pawn} guides the {guided}; steps left: {steps}",
        )
    if state.left and is_buried(state, state.turn):
        return _addressed(
            seat,
            state,
            "You are buried: clear the sand from your tile, or end. Actions left: {left}",
            "the {pawn} is buried; actions left: {left}",
        )
    return _addressed(seat, state, "Your turn; actions left: {left}", "the {pawn}'s turn; actions left: {left}")


def _outcome(state: State) -> Message:
    """How the game was won or lost, and by what."""
    if state.ending == ESCAPED:
        return say("You won: everybody flew away in the machine")
    if state.ending == BURIED:
        return say("You lost: no sand marker was left, and the desert buried everything")
    if state.ending == SWEPT:
        return say("You lost: the storm reached the skull and swept everybody away")
    return _thirst(state)


def _thirst(state: State) -> Message:
    """Who died of thirst. A pawn that drank its last water of the same sun looks like one that had none left."""
    thirsty = [s for s in range(state.players) if not state.water[s] and not is_sheltered(state, s)]
    pawns = format_list([say(components.ROLES[state.role[s]].title) for s in thirsty])
    if len(thirsty) == 1:
        return say("You lost: the {pawn} died of thirst", pawn=pawns)
    return say("You lost to thirst: the canteens of the {pawns} were empty", pawns=pawns)


def _addressed(seat: int | None, state: State, to_you: Msgid, of_other: Msgid) -> Message:
    """The text for the player whose turn it is if that is the reader, else the text for others."""
    guided = state.guided if state.guided >= 0 else state.turn
    arguments = {
        "pawn": say(components.ROLES[state.role[state.turn]].title),
        "left": int(state.left),
        "cards": cards_in_sight(state),
        "guided": say(components.ROLES[state.role[guided]].title),
        "steps": int(state.steps),
    }
    return Message(to_you if seat == state.turn else of_other, arguments)
