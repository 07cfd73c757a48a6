"""The events: numbers for the kernels, texts for the log. Endings, too."""

from __future__ import annotations

from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending
from skerry.engine.notation import One
from skerry.games.cartagena.rules.actions import CARD, COLOUR, PLACE
from skerry.games.cartagena.rules.components import HARBOURS, SEATS

(
    TURN,
    PLAYED,
    PLAYED_TWO,
    MOVED_BACK,
    MOVED_ON,
    DREW,
    SHUFFLED,
    SAILED,
    SAILED_FREE,
    PASSED,
    PARROTS,
    MAGIC,
    LOOKED,
    TOOK,
    KEPT,
    GAVE,
    PUT,
    CHEST,
    SNAKE,
    DISCARDED,
    WON,
) = range(21)

_PIRATE, _OTHER = Argument("pirate", COLOUR), Argument("other", COLOUR)
_FROM, _TO = Argument("place", PLACE), Argument("target", PLACE)
_CARD, _SECRET = Argument("card", CARD), Argument("card", CARD, secret=True)
_HARBOUR = Argument("harbour", One("harbour", len(HARBOURS)))

EVENTS = (
    EventKind("turn", "{pirate}'s turn begins", (_PIRATE,)),
    EventKind("played", "{pirate} plays {card}: from {place} to {target}", (_PIRATE, _CARD, _FROM, _TO)),
    EventKind("played-two", "{pirate} plays {card}: two from {place} to {target}", (_PIRATE, _CARD, _FROM, _TO)),
    EventKind("moved-back", "{pirate} moves back from {place} to {target}", (_PIRATE, _FROM, _TO)),
    EventKind("moved-on", "{pirate} moves {other} on from {place} to {target}", (_PIRATE, _OTHER, _FROM, _TO)),
    EventKind("drew", "{pirate} draws {card}", (_PIRATE, _SECRET), "{pirate} draws a card"),
    EventKind("shuffled", "the discards are shuffled into a new deck"),
    EventKind("sailed", "{pirate} sails the sloop to {harbour}", (_PIRATE, _HARBOUR)),
    EventKind("sailed-free", "Captain {pirate} sails the sloop to {harbour}", (_PIRATE, _HARBOUR)),
    EventKind("passed", "{pirate} has no cards and passes", (_PIRATE,)),
    EventKind("parrots", "{pirate} lays down two parrots", (_PIRATE,)),
    EventKind("magic", "{pirate} says “Black Magic Woman” and plays {card}", (_PIRATE, _CARD)),
    EventKind("looked", "{pirate} looks into {other}'s hand", (_PIRATE, _OTHER)),
    EventKind(
        "took", "{pirate} takes {card} from {other}", (_PIRATE, _OTHER, _SECRET), "{pirate} takes a card from {other}"
    ),
    EventKind("kept", "{pirate} keeps {card}", (_PIRATE, _SECRET), "{pirate} keeps a card"),
    EventKind("gave", "{pirate} gives {card} to {other}", (_PIRATE, _OTHER, _SECRET), "{pirate} gives {other} a card"),
    EventKind("put", "{pirate} puts {card} on the deck", (_PIRATE, _SECRET), "{pirate} puts a card on the deck"),
    EventKind(
        "chest", "{pirate} opens the chest on {place}; cards in it: {cards}", (_PIRATE, _FROM, Argument("cards"))
    ),
    EventKind(
        "snake", "a snake! {pirate} flees from {place} to {target}; the chests are laid anew", (_PIRATE, _FROM, _TO)
    ),
    EventKind("discarded", "{pirate} is caught and discards {card}", (_PIRATE, _CARD)),
    EventKind("won", "all of {pirate}'s pirates have arrived: {pirate} wins!", (_PIRATE,)),
)

# A rum: the power, a card for each player and one more, and once a new deck, since all discards are in it then.
MAX_EVENTS = 1 + (SEATS + 1) + 1

ENDINGS = (
    Ending("aboard", "all pirates of one colour are aboard the sloop", "CA-17", won=True),
    Ending("hidden", "all pirates of one colour are in the hideout", "CA-17", won=True),
)
