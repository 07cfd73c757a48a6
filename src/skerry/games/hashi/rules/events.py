"""The events: numbers for the kernels, texts for the log. Endings, too.

Drafting is private and writes no events. The events of a round are written when it ends.
"""

from __future__ import annotations

from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending
from skerry.engine.notation import One
from skerry.games.hashi.rules.actions import ISLAND, LINE
from skerry.games.hashi.rules.components import MAX_CARD_BRIDGES, N_BONUSES, N_CARDS, N_RANKS, SEATS

CONFIRMED, STARTED, WROTE, BRIDGED, FINISHED, SCORED, SHOWN, COUNTED, RANKED = range(9)

_PLAYER = Argument("player", One("player", SEATS))
_ISLAND = Argument("island", ISLAND)
_NUMBER = Argument("number")
_POINTS = Argument("points")

EVENTS = (
    EventKind("confirmed", "{player} confirms", (_PLAYER,)),
    EventKind("started", "{player} gets a {number} on {island}", (_PLAYER, _NUMBER, _ISLAND)),
    EventKind("wrote", "{player} writes {number} on {island}", (_PLAYER, _NUMBER, _ISLAND)),
    EventKind("bridged", "{player} builds {line}", (_PLAYER, Argument("line", LINE))),
    EventKind("finished", "{player} finishes {island}", (_PLAYER, _ISLAND)),
    EventKind(
        "scored",
        "{player} scores {points} points for {bonus}",
        (_PLAYER, Argument("bonus", One("bonus", N_BONUSES)), _POINTS),
    ),
    EventKind("shown", "card {round} is {card}", (Argument("round"), Argument("card", One("card", N_CARDS)))),
    EventKind(
        "counted",
        "{player} has {finished} finished islands and {points} points in all",
        (_PLAYER, Argument("finished"), _POINTS),
    ),
    EventKind("ranked", "{player} is: {rank}", (_PLAYER, Argument("rank", One("rank", N_RANKS)))),
)

# The end of the last round, when the last seat confirms: each seat writes a number, draws the bridges of the card,
# finishes the islands that these touch, scores the bonuses, and counts its points. (Alone, there is a rank as well.)
_TOUCHED = 1 + 2 * MAX_CARD_BRIDGES
MAX_EVENTS = 1 + SEATS * (1 + MAX_CARD_BRIDGES + _TOUCHED + N_BONUSES + 1)

ENDINGS = (
    Ending("counted", "the 17 cards are played and the points are counted", "HA-34", won=True),
    Ending("ranked", "the 17 cards are played and the points give a rank", "HA-41", won=True),
)
