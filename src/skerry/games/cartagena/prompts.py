"""One line that says what the game waits for."""

from __future__ import annotations

from skerry.engine.refusal import Message, say
from skerry.games.cartagena import facts
from skerry.games.cartagena import state as phase
from skerry.games.cartagena.state import State

# What is said to the one who decides, and of that one to all others.
PROMPTS = {
    phase.WILD: (
        "Two parrots lie there: play them as any other card, for a move or a power",
        "{pirate} chooses what two parrots stand for",
    ),
    phase.HOOKED: (
        "The hook waits: play a second card for two pirates of yours on one space",
        "{pirate} plays a second card to the hook",
    ),
    phase.HOOKED_WILD: (
        "The hook waits: choose what the two parrots stand for and which two pirates go",
        "{pirate} chooses what two parrots stand for",
    ),
    phase.AIMING: ("Whose hand do you look into?", "{pirate} chooses whose hand to look into"),
    phase.TAKING: ("Take one of {other}'s cards", "{pirate} takes one of {other}'s cards"),
    phase.SHARING: ("Rum for everybody: choose cards to keep, {keeps} more", "{pirate} drew rum cards and keeps two"),
    phase.GIVING: ("Give {other} one of the cards", "{pirate} gives {other} a card"),
    phase.SCOUTING: ("Keep one of the drawn cards", "{pirate} keeps one of the drawn cards"),
    phase.STACKING: (
        "Put the cards on the deck one by one; the last will be on top",
        "{pirate} puts cards back on the deck",
    ),
    phase.OPENING: ("Which chest do you open?", "{pirate} chooses a chest to open"),
    phase.DISCARDING: (
        "Caught! Discard down to seven cards: {surplus} more",
        "{pirate} was caught with too many cards and must discard",
    ),
}


def prompt(state: State, seat: int | None) -> Message:
    if state.ending:
        winner = _colour(state.winner)
        return say("The game is over: you win!") if seat == state.winner else say("{pirate} wins", pirate=winner)
    actor = state.other if state.phase == phase.DISCARDING else state.turn
    to_you, of_other = PROMPTS.get(state.phase) or _acting(state)
    words = {
        "pirate": _colour(actor),
        "other": _colour(state.other),
        "left": int(state.left),
        "keeps": int(state.keeps),
        "surplus": int(state.held[actor]) - facts.HAND_LIMIT,
    }
    return Message(to_you if seat == actor else of_other, words)


def _acting(state: State) -> tuple[str, str]:
    of_other = "{pirate}'s turn, one action left" if state.left == 1 else "{pirate}'s turn, {left} actions left"
    if not state.left:
        return "Your three actions are done: end your turn", "{pirate} ends the turn"
    if state.left < facts.ACTIONS_A_TURN:
        left = "one action" if state.left == 1 else "{left} actions"
        return f"Your turn, {left} left; or end it", of_other
    if not state.held[state.turn]:
        return "Your turn, and you have no cards: act without, or pass and draw one", of_other
    return "Your turn, {left} actions: play a card or fetch cards", of_other


def _colour(seat: int) -> Message:
    return say(facts.COLOUR_TITLES[seat])
