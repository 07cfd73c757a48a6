"""The events: numbers for the kernels, texts for the log. Endings, too."""

from __future__ import annotations

from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending
from skerry.engine.notation import One, Subset
from skerry.games.forbidden_desert.rules.actions import GEAR, PART, PAWN, PLACE
from skerry.games.forbidden_desert.rules.components import SEATS, STORM_KINDS, TILES

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
    EventKind("turn", "{pawn}'s turn begins", (_PAWN,)),
    EventKind("moved", "{pawn} moves to {place}", (_PAWN, _PLACE)),
    EventKind("carried", "{pawn} moves to {place} with {other}", (_PAWN, _PLACE, _OTHER)),
    EventKind("guided", "{pawn} guides {other} to {place}", (_PAWN, _OTHER, _PLACE)),
    EventKind(
        "guided-carrying",
        "{pawn} guides {other} to {place}, with {passenger}",
        (_PAWN, _OTHER, _PLACE, Argument("passenger", PAWN)),
    ),
    EventKind("cleared", "{pawn} removes {count} sand from {place}", (_PAWN, _PLACE, _COUNT)),
    EventKind("excavated", "{pawn} excavates {place}: {tile}", (_PAWN, _PLACE, Argument("tile", _TILE))),
    EventKind("found", "{pawn} finds a {gear}", (_PAWN, _GEAR)),
    EventKind("refreshed", "{pawn} gains {count} water", (_PAWN, _COUNT)),
    EventKind("located", "the {part} is at {place}", (_PART, _PLACE)),
    EventKind("took", "{pawn} picks up the {part}", (_PAWN, _PART)),
    EventKind("calmed", "{pawn} holds off a storm card ({count} this turn)", (_PAWN, _COUNT)),
    EventKind("looked-ahead", "{pawn} looks at the next {count} storm cards", (_PAWN, _COUNT)),
    EventKind(
        "foresaw",
        "card {position} is {card}",
        (_PAWN, Argument("position"), Argument("card", _CARD, secret=True)),
        veiled="{pawn} sees card {position}",
    ),
    EventKind("kept", "{pawn} leaves the storm cards as they are", (_PAWN,)),
    EventKind("put-under", "{pawn} puts card {position} at the bottom", (_PAWN, Argument("position"))),
    EventKind("gave-water", "{pawn} gives {count} water to {other}", (_PAWN, _COUNT, _OTHER)),
    EventKind("gave", "{pawn} gives a {gear} to {other}", (_PAWN, _GEAR, _OTHER)),
    EventKind("blasted", "{pawn} plays a Dune Blaster on {place}: {count} sand gone", (_PAWN, _PLACE, _COUNT)),
    EventKind("flew", "{pawn} plays a Jet Pack and flies to {place}", (_PAWN, _PLACE)),
    EventKind("flew-with", "{pawn} plays a Jet Pack and flies to {place} with {other}", (_PAWN, _PLACE, _OTHER)),
    EventKind("shielded", "{pawn} plays a Solar Shield", (_PAWN,)),
    EventKind(
        "scoped",
        "{pawn} plays a Terrascope on {place}: {tile}",
        (_PAWN, _PLACE, Argument("tile", _TILE, secret=True)),
        veiled="{pawn} plays a Terrascope on {place}",
    ),
    EventKind("opened-reserve", "{pawn} opens the Secret Water Reserve", (_PAWN,)),
    EventKind("throttled", "{pawn} plays the Time Throttle: two more actions", (_PAWN,)),
    EventKind("shown", "storm card: {card}", (Argument("card", _CARD),)),
    EventKind("blew", "{place} moves to {to}", (_PLACE, Argument("to", PLACE))),
    EventKind("landed", "the {part} lands on the tile at {place}", (_PART, _PLACE)),
    EventKind("picked-up", "the storm picks up: {count} cards a turn from the next turn on", (_COUNT,)),
    EventKind("drank", "{pawn} drinks; {count} water left", (_PAWN, _COUNT)),
    EventKind("renewed", "the storm discards are shuffled into a new deck"),
    EventKind("won", "the flying machine takes off with everybody on board: you win!"),
    EventKind("buried", "no sand marker is left: the desert buries you, you lose"),
    EventKind("swept", "the storm reaches the skull and sweeps you away: you lose"),
    EventKind("died", "{pawns} died of thirst: you lose", (Argument("pawns", Subset("pawn", SEATS)),)),
)

ENDINGS = (
    Ending("escaped", "everybody flew away in the machine", "FD-70", won=True),
    Ending("buried", "no sand marker was left", "FD-35", won=False),
    Ending("swept", "the storm reached the skull", "FD-37", won=False),
    Ending("thirst", "somebody died of thirst", "FD-39", won=False),
)
