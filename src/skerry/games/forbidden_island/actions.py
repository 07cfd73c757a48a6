"""Everything a player can say, in the order of the ids."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Some, Two, Verb, pair_table
from skerry.games.forbidden_island.facts import HELD, N_TREASURES, SEATS, TILES

PLACE = One("place", TILES)
PAWN = One("pawn", SEATS)
TREASURE = One("treasure", N_TREASURES)

VERBS = Actions(
    Verb("end", help="end your actions and go on to the treasure cards"),
    Verb("draw", help="turn over the next treasure card", onward=True),
    Verb("flood", help="turn over the next flood card", onward=True),
    Verb("move", PLACE, help="move your pawn"),
    Verb("navigate", PAWN, PLACE, help="Navigator: move another pawn up to two tiles"),
    Verb("shore", PLACE, help="shore up a flooded tile", also=("shore up",)),
    Verb("shore", Two("place", TILES), help="Engineer: shore up two tiles as one action", also=("shore up",)),
    Verb("give", TREASURE, PAWN, help="give a treasure card"),
    Verb("capture", TREASURE, help="discard four cards and take the treasure"),
    Verb("swim", PLACE, help="swim from a tile that sank"),
    Verb("discard", One("card", HELD), help="discard down to five cards"),
    Verb("sandbags", PLACE, help="play Sandbags: shore up any tile"),
    Verb("lift", Some("pawn", SEATS), PLACE, help="play a Helicopter Lift: fly pawns of one tile to another"),
    Verb("lift off", help="play a Helicopter Lift on Fools' Landing and win"),
)

END, DRAW, FLOOD = (VERBS.first(name) for name in ("end", "draw", "flood"))
MOVE, NAVIGATE, SHORE, SHORE_TWO = (
    VERBS.first("move"),
    VERBS.first("navigate"),
    VERBS.first("shore"),
    VERBS.first("shore", 1),
)
GIVE, CAPTURE, SWIM, DISCARD = (VERBS.first(name) for name in ("give", "capture", "swim", "discard"))
BAGS, LIFT, LIFT_OFF = (VERBS.first(name) for name in ("sandbags", "lift", "lift off"))

PAIRS = pair_table(TILES)
