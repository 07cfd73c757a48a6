"""Everything a player can say, in the order of the ids."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Verb
from skerry.games.hashi.facts import ISLANDS, LINES, STARTS

ISLAND = One("island", ISLANDS)
LINE = One("line", LINES)
START_NUMBER = One("number", STARTS)

VERBS = Actions(
    Verb("confirm", help="say that your round is done"),
    Verb("erase", help="take this round's number back"),
    Verb("start", START_NUMBER, ISLAND, help="write a 3 or a 4 for your left neighbour to begin with"),
    Verb("write", ISLAND, help="write the card's number on an island, or move it there"),
    Verb("bridge", LINE, help="draw a bridge"),
    Verb("remove", LINE, help="take a bridge of this round back"),
)

CONFIRM, ERASE, START, WRITE, BRIDGE, REMOVE = (VERBS.first(verb.name) for verb in VERBS.verbs)
