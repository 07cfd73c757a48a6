"""The prompt: one line that says what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules import state as phase
from skerry.games.cartagena.rules.state import State

# By phase: the prompt for the player who decides, and the one for everybody else.
PROMPTS = {
    phase.PARROTS_LAID: (
        "Play your two parrots as any other card, for a move or a power",
        "{pirate} chooses what two parrots stand for",
    ),
    phase.HOOK_LAID: (
        "Play a second card with the hook: it moves two of your pirates from one space",
        "{pirate} plays a second card with the hook",
    ),
    phase.HOOK_PARROTS_LAID: (
        "Choose which card the two parrots stand for and which two pirates the hook moves",
        "{pirate} chooses what two parrots stand for",
    ),
    phase.PISTOL_LOOK: ("Whose hand do you look into?", "{pirate} chooses whose hand to look into"),
    phase.PISTOL_TAKE: ("Take one of {other}'s cards", "{pirate} takes one of {other}'s cards"),
    phase.RUM_KEEP: (
        "Rum for everybody: choose cards to keep, {keeps} more",
        "{pirate} drew rum cards and must choose which to keep",
    ),
    phase.RUM_GIVE: ("Give {other} one of the cards", "{pirate} gives {other} a card"),
    phase.LANTERN_KEEP: ("Keep one of the drawn cards", "{pirate} keeps one of the drawn cards"),
    phase.LANTERN_PUT: (
        "Put the cards on the deck one by one; the last will be on top",
        "{pirate} puts cards back on the deck",
    ),
    phase.CHEST_OPEN: ("Which chest do you open?", "{pirate} chooses a chest to open"),
    phase.DISCARDING: (
        "Caught! Discard down to seven cards: {surplus} more",
        "{pirate} was caught with too many cards and must discard",
    ),
}

YOUR_TURN = {
    0: "You have used your three actions: end your turn",
    1: "Your turn, one action left; you may also end it",
    2: "Your turn, {left} actions left; you may also end it",
    3: "Your turn, {left} actions: play a card or fetch cards",
}
NO_CARDS = "Your turn, but you have no cards: act without them, or pass and draw one"
THEIR_TURN = {
    0: "{pirate} ends the turn",
    1: "{pirate}'s turn, one action left",
    2: "{pirate}'s turn, {left} actions left",
    3: "{pirate}'s turn, {left} actions left",
}
OUTCOMES = {  # by ending and reader
    phase.ALL_ABOARD: {
        "winner": "You won: all your pirates are aboard the sloop",
        "loser": "You lost: all of {pirate}'s pirates are aboard the sloop",
        "spectator": "{pirate} won: all of {pirate}'s pirates are aboard the sloop",
    },
    phase.ALL_HIDDEN: {
        "winner": "You won: all your pirates are in the hideout",
        "loser": "You lost: all of {pirate}'s pirates are in the hideout",
        "spectator": "{pirate} won: all of {pirate}'s pirates are in the hideout",
    },
}
TEXTS = (*(text for pair in PROMPTS.values() for text in pair), *YOUR_TURN.values(), NO_CARDS, *THEIR_TURN.values())
TEXTS += tuple(text for by_reader in OUTCOMES.values() for text in by_reader.values())


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, addressed to a seat or a spectator."""
    if state.ending:
        return _outcome(state, seat)
    actor = state.other if state.phase == phase.DISCARDING else state.turn
    to_you, of_other = PROMPTS.get(state.phase) or _acting(state)
    words = {
        "pirate": _colour(actor),
        "other": _colour(state.other),
        "left": int(state.left),
        "keeps": int(min(state.keeps, state.pooled)),
        "surplus": int(state.held[actor]) - components.HAND_LIMIT,
    }
    return Message(to_you if seat == actor else of_other, words)


def _outcome(state: State, seat: int | None) -> Message:
    """CA-17: who brought all pirates to the goal first."""
    reader = "spectator" if seat is None else "winner" if seat == state.winner else "loser"
    return Message(OUTCOMES[int(state.ending)][reader], {"pirate": _colour(state.winner)})


def _acting(state: State) -> tuple[str, str]:
    left = int(state.left)
    stuck = left == components.ACTIONS_A_TURN and not state.held[state.turn]
    return NO_CARDS if stuck else YOUR_TURN[left], THEIR_TURN[left]


def _colour(seat: int) -> Message:
    return say(components.COLOUR_TITLES[seat])
