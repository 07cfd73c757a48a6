"""The actions: every verb with its arguments, in the order of the action ids."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Pair, Subset, Verb, pair_table
from skerry.games.forbidden_island.rules.components import HAND_CARD_KINDS, N_TREASURES, SEATS, TILES

PLACE = One("place", TILES)
PAWN = One("pawn", SEATS)
TREASURE = One("treasure", N_TREASURES)

VERBS = Actions(
    Verb(
        "end",
        label="End your actions",
        help="end your actions and go on to the treasure cards",
        ends_turn=True,
        automatic=True,
    ),
    Verb(
        "draw",
        label="Draw a treasure card",
        help="turn over the next treasure card",
        primary=True,
        reveals=True,
        automatic=True,
    ),
    Verb(
        "flood",
        label="Draw a flood card",
        help="turn over the next flood card",
        primary=True,
        reveals=True,
        automatic=True,
    ),
    Verb("move", PLACE, label="Move to {place}", help="move your pawn"),
    Verb(
        "navigate",
        *(PAWN, PLACE),
        label="Guide {pawn} to {place}",
        help="Navigator: move another pawn up to two tiles",
        moves_others=True,
    ),
    Verb("shore", PLACE, label="Shore up {place}", help="shore up a flooded tile", aliases=("shore up",)),
    Verb(
        "shore",
        Pair("place", TILES),
        label="Shore up {place}",
        help="Engineer: shore up two tiles as one action",
        aliases=("shore up",),
    ),
    Verb("give", TREASURE, PAWN, label="Give {treasure} to {pawn}", help="give a treasure card"),
    Verb("capture", TREASURE, label="Capture: {treasure}", help="discard four cards and take the treasure"),
    Verb("swim", PLACE, label="Swim to {place}", help="swim from a tile that sank"),
    Verb("discard", One("card", HAND_CARD_KINDS), help="discard down to five cards"),
    Verb("sandbags", PLACE, label="Sandbags on {place}", help="play Sandbags: shore up any tile"),
    Verb(
        "lift",
        *(Subset("pawn", SEATS), PLACE),
        label="Helicopter Lift: {pawn} to {place}",
        help="play a Helicopter Lift: fly pawns of one tile to another",
        moves_others=True,
    ),
    Verb("lift off", label="Lift off and win", help="play a Helicopter Lift on Fools' Landing and win"),
)

END, DRAW, FLOOD = (VERBS.first_id(name) for name in ("end", "draw", "flood"))
MOVE, NAVIGATE, SHORE, SHORE_TWO = (
    VERBS.first_id("move"),
    VERBS.first_id("navigate"),
    VERBS.first_id("shore"),
    VERBS.first_id("shore", 1),
)
GIVE, CAPTURE, SWIM, DISCARD = (VERBS.first_id(name) for name in ("give", "capture", "swim", "discard"))
PLAY_SANDBAGS, LIFT, LIFT_OFF = (VERBS.first_id(name) for name in ("sandbags", "lift", "lift off"))

PAIRS = pair_table(TILES)
