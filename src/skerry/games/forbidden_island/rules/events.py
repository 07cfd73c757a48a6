"""The events: numbers for the kernels, texts for the log. Endings, too."""

from __future__ import annotations

from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending
from skerry.engine.notation import One, Subset
from skerry.games.forbidden_island.rules.actions import PAWN, PLACE, TREASURE
from skerry.games.forbidden_island.rules.components import CARDS, SEATS

(
    TURN,
    MOVED,
    FLEW,
    NAVIGATED,
    SHORED,
    GAVE,
    CAPTURED,
    DREW,
    ROSE,
    RESTACKED,
    RENEWED,
    FLOODED,
    SANK,
    FLOOD_RENEWED,
    SWAM,
    DISCARDED,
    BAGGED,
    LIFTED,
    WON,
    TREASURE_LOST,
    LANDING_LOST,
    DROWNED,
    SKULL_REACHED,
) = range(23)

_PAWN, _PLACE = Argument("pawn", PAWN), Argument("place", PLACE)
_CARD = Argument("card", One("card", len(CARDS)))
_PAWNS = Argument("pawns", Subset("pawn", SEATS))
_TREASURE = Argument("treasure", TREASURE)

EVENTS = (
    EventKind("turn", "the {pawn}'s turn begins", (_PAWN,)),
    EventKind("moved", "the {pawn} moves to {place}", (_PAWN, _PLACE)),
    EventKind("flew", "the {pawn} flies to {place}", (_PAWN, _PLACE)),
    EventKind("navigated", "the {pawn} guides the {other} to {place}", (_PAWN, Argument("other", PAWN), _PLACE)),
    EventKind("shored", "the {pawn} shores up {place}", (_PAWN, _PLACE)),
    EventKind("gave", "the {pawn} gives {card} to the {other}", (_PAWN, _CARD, Argument("other", PAWN))),
    EventKind("captured", "the {pawn} captures the {treasure}", (_PAWN, _TREASURE)),
    EventKind("drew", "the {pawn} draws {card}", (_PAWN, _CARD)),
    EventKind("rose", "Waters Rise! Now {cards} flood cards a turn", (Argument("tick"), Argument("cards"))),
    EventKind("restacked", "{count} flood discards are shuffled onto the flood deck", (Argument("count"),)),
    EventKind("renewed", "the treasure discards are shuffled into a new deck"),
    EventKind("flooded", "{place} floods", (_PLACE,)),
    EventKind("sank", "{place} sinks for ever", (_PLACE,)),
    EventKind("flood-renewed", "the flood discards are shuffled into a new deck"),
    EventKind("swam", "the {pawn} swims to {place}", (_PAWN, _PLACE)),
    EventKind("discarded", "the {pawn} discards {card}", (_PAWN, _CARD)),
    EventKind("sandbagged", "the {pawn} plays Sandbags on {place}", (_PAWN, _PLACE)),
    EventKind("lifted", "the {pawn} plays a Helicopter Lift: the {pawns} to {place}", (_PAWN, _PAWNS, _PLACE)),
    EventKind("won", "the {pawn} lifts everybody off the island: you win!", (_PAWN,)),
    EventKind("treasure-lost", "the {treasure} sinks with it: you lose", (_TREASURE,)),
    EventKind("landing-lost", "Fools' Landing has sunk and nobody can leave the island: you lose"),
    EventKind("drowned", "the {pawns} cannot reach land: you lose", (_PAWNS,)),
    EventKind("skull", "Waters Rise! The water reaches the skull: you lose"),
)

# The last flood card of a turn and of the deck: a tile sinks, a new deck, the next turn. Or Waters Rise! as the last
# treasure card: the meter rises, the flood discards are restacked, a new deck.
MAX_EVENTS = 3

ENDINGS = (
    Ending("escaped", "everybody escaped with the four treasures", "FI-60", won=True),
    Ending("treasure-lost", "both tiles of a treasure sank", "FI-61", won=False),
    Ending("landing-lost", "Fools' Landing sank", "FI-62", won=False),
    Ending("drowned", "a pawn could not reach land", "FI-63", won=False),
    Ending("skull", "the water reached the skull", "FI-64", won=False),
)
