"""The prompt: one line that tells a reader what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, Msgid, format_list, say
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.legal import next_swimmer
from skerry.games.forbidden_island.rules.state import (
    ACTIONS,
    DRAWING,
    DROWNED,
    ESCAPED,
    LANDING_LOST,
    TREASURE_LOST,
    State,
)

ACTIONS_LEFT = (  # for the player and for others, by the number of actions left
    ("No actions left: end your actions", "the {pawn} has no actions left"),
    ("Your turn, one action left: move, shore up, give, capture, or end", "the {pawn}'s turn, one action left"),
    *[
        (
            "Your turn, {left} actions left: move, shore up, give, capture, or end",
            "the {pawn}'s turn, {left} actions left",
        )
    ]
    * 2,
)


TEXTS = tuple(text for pair in ACTIONS_LEFT for text in pair)


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, as the player at a seat (None: a spectator) reads it."""
    if state.ending:
        return _outcome(state)
    if state.stranded:
        return say("A pawn cannot reach land. Only a Helicopter Lift can save it: who plays one?")
    if state.swimming:
        swimmer = next_swimmer(state)
        return _addressed(
            seat, swimmer, state, "You are in the water: swim to land", "the {pawn} is in the water and must swim"
        )
    if state.over:
        over_limit = next(s for s in range(state.players) if state.over >> s & 1)
        return _addressed(
            seat,
            over_limit,
            state,
            "You hold more than five cards: discard, or play a special card",
            "the {pawn} holds more than five cards and must discard",
        )
    if state.phase == ACTIONS:
        return _addressed(seat, state.turn, state, *ACTIONS_LEFT[state.left])
    if state.phase == DRAWING:
        return _addressed(
            seat,
            state.turn,
            state,
            "Draw treasure cards: {left} to come",
            "the {pawn} draws treasure cards: {left} to come",
        )
    return _addressed(
        seat, state.turn, state, "Draw flood cards: {left} to come", "the {pawn} draws flood cards: {left} to come"
    )


def _outcome(state: State) -> Message:
    """How the game was won or lost, and by what."""
    if state.ending == ESCAPED:
        return say("You won: everybody escaped with the four treasures")
    if state.ending == TREASURE_LOST:
        tile = int(state.flood_deck[state.flood_left])  # the card that was drawn last
        return say(
            "You lost: the {treasure} sank with the {tile}",
            treasure=say(components.TREASURE_TITLES[tile // 2]),
            tile=say(components.TILE_TITLES[tile]),
        )
    if state.ending == LANDING_LOST:
        return say("You lost: Fools' Landing sank, and nobody can leave the island")
    if state.ending == DROWNED:
        drowned = [say(components.ROLES[state.role[s]].title) for s in range(state.players) if state.stranded >> s & 1]
        return say("You lost: the {pawns} could not reach land", pawns=format_list(drowned))
    return say("You lost: the water level reached the skull")


def _addressed(seat: int | None, actor: int, state: State, to_you: Msgid, of_other: Msgid) -> Message:
    """The text for the acting player if that is the reader, else the text for others."""
    pawn = say(components.ROLES[state.role[actor]].title)
    return Message(to_you if seat == actor else of_other, {"pawn": pawn, "left": int(state.left)})
