"""The verbs of the game; an action's id follows from their order."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Verb
from skerry.games.cartagena.rules.components import KINDS, PLACES, SEATS

PLACE = One("place", PLACES)
CARD = One("card", KINDS)
COLOUR = One("colour", SEATS)

VERBS = Actions(
    Verb("end", label="End your turn", help="end your turn", ends_turn=True, automatic=True),
    Verb(
        "pass",
        label="Pass and draw a card",
        help="without cards: give up the whole turn and draw a card",
        reveals=True,
        ends_turn=True,
    ),
    Verb("sail", label="Sail the sloop", help="move the sloop to the other harbour, one action"),
    Verb("sail free", label="Sail as captain, for free", help="captain: move the sloop before your actions"),
    Verb(
        "play",
        CARD,
        PLACE,
        label="Move on with {card} from {place}",
        help="play a card for a pirate of yours on that place",
    ),
    Verb("back", PLACE, label="Move back from {place}", help="move a pirate of yours back and draw", reveals=True),
    Verb(
        "morgan",
        COLOUR,
        PLACE,
        label="Move {colour} on from {place}",
        help="move an opponent's pirate forward and draw",
        reveals=True,
    ),
    Verb("parrots", label="Lay down two parrots", help="black magic: lay down two parrots for any other card"),
    Verb(
        "parrots mixed",
        label="Lay down a light and a dark parrot",
        help="black magic: lay down a light and a dark parrot for any other card",
    ),
    Verb(
        "parrots dark",
        label="Lay down two dark parrots",
        help="black magic: lay down two dark parrots for any other card",
    ),
    Verb("magic", CARD, label="Black magic: {card}", help="black magic: play a card for its power", reveals=True),
    Verb("look", COLOUR, label="Look into {colour}'s hand", help="pistol: look into that player's hand", reveals=True),
    Verb("take", CARD, help="pistol: take that card", reveals=True),
    Verb("keep", CARD, help="rum or lantern: keep a drawn card"),
    Verb("give", CARD, help="rum: give a drawn card to the next player", reveals=True),
    Verb("put", CARD, label="Put {card} on the deck", help="lantern: put a drawn card on top of the deck"),
    Verb("open", PLACE, label="Open the chest on {place}", help="chest: open the chest there", reveals=True),
    Verb("discard", CARD, help="discard down to seven cards"),
)

END, PASS_TURN, SAIL, SAIL_FREE = (VERBS.first_id(name) for name in ("end", "pass", "sail", "sail free"))
PLAY, BACK, MORGAN = (VERBS.first_id(name) for name in ("play", "back", "morgan"))
PARROTS, MAGIC, LOOK, TAKE = (VERBS.first_id(name) for name in ("parrots", "magic", "look", "take"))
KEEP, GIVE, PUT, OPEN, DISCARD = (VERBS.first_id(name) for name in ("keep", "give", "put", "open", "discard"))
