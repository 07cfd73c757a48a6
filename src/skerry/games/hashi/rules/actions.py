"""The verbs of the game; an action's id follows from their order."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Verb
from skerry.games.hashi.rules.components import ISLANDS, LINES, N_START_NUMBERS

ISLAND = One("island", ISLANDS)
LINE = One("line", LINES)
START_NUMBER = One("number", N_START_NUMBERS)

VERBS = Actions(
    Verb("confirm", help="say that your round is done", reveals=True, confirm=False),
    Verb("erase", label="Erase the number", help="take this round's number back"),
    Verb(
        "start",
        *(START_NUMBER, ISLAND),
        label="Write {number} on {island}",
        help="write a 3 or a 4 for your left neighbour to begin with",
    ),
    Verb("write", ISLAND, label="Write on {island}", help="write the card's number on an island, or move it there"),
    Verb("bridge", LINE, label="Draw a bridge: {line}", help="draw a bridge"),
    Verb("remove", LINE, label="Remove a bridge: {line}", help="take a bridge of this round back"),
)

CONFIRM, ERASE, START, WRITE, BRIDGE, REMOVE = (VERBS.first_id(verb.name) for verb in VERBS.verbs)
