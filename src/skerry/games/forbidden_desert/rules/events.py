"""The events: numbers for the kernels, texts for the log. Endings, too."""

from __future__ import annotations

from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending
from skerry.engine.notation import One, Subset
from skerry.games.forbidden_desert.rules.actions import GEAR, PART, PAWN, PLACE
from skerry.games.forbidden_desert.rules.components import MAX_WIND, N_PARTS, SEATS, STORM_KINDS, TILES

(
    TURN,
    MOVED,
    CARRIED,
    GUIDED,
    GUIDED_CARRYING,
    CLEARED,
    EXCAVATED,
    FOUND,
    REFRESHED,
    LOCATED,
    TOOK,
    CALMED,
    LOOKED_AHEAD,
    FORESAW,
    KEPT,
    PUT_UNDER,
    GAVE_WATER,
    GAVE,
    BLASTED,
    FLEW,
    FLEW_WITH,
    SHIELDED,
    SCOPED,
    OPENED_RESERVE,
    THROTTLED,
    SHOWN,
    BLEW,
    LANDED,
    PICKED_UP,
    DRANK,
    RENEWED,
    WON,
    BURIED,
    SWEPT,
    DIED,
) = range(35)

_PAWN, _PLACE, _OTHER = Argument("pawn", PAWN), Argument("place", PLACE), Argument("other", PAWN)
_GEAR, _PART, _COUNT = Argument("gear", GEAR), Argument("part", PART), Argument("count")
_TILE, _CARD = One("tile", TILES), One("card", STORM_KINDS)

EVENTS = (
    EventKind("turn", "the {pawn}'s turn begins", (_PAWN,)),
    EventKind("moved", "the {pawn} moves to {place}", (_PAWN, _PLACE)),
    EventKind("carried", "the {pawn} moves to {place} with the {other}", (_PAWN, _PLACE, _OTHER)),
    EventKind("guided", "the {pawn} guides the {other} to {place}", (_PAWN, _OTHER, _PLACE)),
    EventKind(
        "guided-carrying",
        "the {pawn} guides the {other} to {place}, with the {passenger}",
        (_PAWN, _OTHER, _PLACE, Argument("passenger", PAWN)),
    ),
    EventKind("cleared", "the {pawn} removes {count} sand from {place}", (_PAWN, _PLACE, _COUNT)),
    EventKind("excavated", "the {pawn} excavates {place}: {tile}", (_PAWN, _PLACE, Argument("tile", _TILE))),
    EventKind("found", "the {pawn} finds a {gear}", (_PAWN, _GEAR)),
    EventKind("refreshed", "the {pawn} gains {count} water", (_PAWN, _COUNT)),
    EventKind("located", "the {part} is at {place}", (_PART, _PLACE)),
    EventKind("took", "the {pawn} picks up the {part}", (_PAWN, _PART)),
    EventKind("calmed", "the {pawn} holds off a storm card ({count} this turn)", (_PAWN, _COUNT)),
    EventKind("looked-ahead", "the {pawn} looks at the next {count} storm cards", (_PAWN, _COUNT)),
    EventKind(
        "foresaw",
        "card {position}: {card}",
        (_PAWN, Argument("position"), Argument("card", _CARD, secret=True)),
        veiled="the {pawn} sees card {position}",
    ),
    EventKind("kept", "the {pawn} leaves the storm cards as they are", (_PAWN,)),
    EventKind("put-under", "the {pawn} puts card {position} at the bottom", (_PAWN, Argument("position"))),
    EventKind("gave-water", "the {pawn} gives {count} water to the {other}", (_PAWN, _COUNT, _OTHER)),
    EventKind("gave", "the {pawn} gives a {gear} to the {other}", (_PAWN, _GEAR, _OTHER)),
    EventKind("blasted", "the {pawn} plays a Dune Blaster on {place}: {count} sand gone", (_PAWN, _PLACE, _COUNT)),
    EventKind("flew", "the {pawn} plays a Jet Pack and flies to {place}", (_PAWN, _PLACE)),
    EventKind(
        "flew-with", "the {pawn} plays a Jet Pack and flies to {place} with the {other}", (_PAWN, _PLACE, _OTHER)
    ),
    EventKind("shielded", "the {pawn} plays a Solar Shield", (_PAWN,)),
    EventKind(
        "scoped",
        "the {pawn} plays a Terrascope on {place}: {tile}",
        (_PAWN, _PLACE, Argument("tile", _TILE, secret=True)),
        veiled="the {pawn} plays a Terrascope on {place}",
    ),
    EventKind("opened-reserve", "the {pawn} opens the Secret Water Reserve", (_PAWN,)),
    EventKind("throttled", "the {pawn} plays the Time Throttle: two more actions", (_PAWN,)),
    EventKind("shown", "storm card: {card}", (Argument("card", _CARD),)),
    EventKind("blew", "the tile at {place} moves to {to}", (_PLACE, Argument("to", PLACE))),
    EventKind("landed", "the {part} lands on the tile at {place}", (_PART, _PLACE)),
    EventKind("picked-up", "the storm picks up: {count} cards a turn from the next turn on", (_COUNT,)),
    EventKind("drank", "the {pawn} drinks; {count} water left", (_PAWN, _COUNT)),
    EventKind("renewed", "the storm discards are shuffled into a new deck"),
    EventKind("won", "the flying machine takes off with everybody on board: you win!"),
    EventKind("buried", "no sand marker is left and the desert buries everything: you lose"),
    EventKind("swept", "the storm reaches the skull and sweeps you away: you lose"),
    EventKind("died", "the {pawns} died of thirst: you lose", (Argument("pawns", Subset("pawn", SEATS)),)),
)

# The strongest wind, as the last storm card of a turn and of the deck: the card, the tiles that move, all four parts
# landing (they can wait at the same place in the storm), a new deck, the next turn. A lost game ends before these two.
MAX_EVENTS = 1 + MAX_WIND + N_PARTS + 2

ENDINGS = (
    Ending("escaped", "everybody flew away in the machine", "FD-70", won=True),
    Ending("buried", "no sand marker was left", "FD-35", won=False),
    Ending("swept", "the storm reached the skull", "FD-37", won=False),
    Ending("thirst", "somebody died of thirst", "FD-39", won=False),
)
