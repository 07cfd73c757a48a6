"""The actions: every verb with its arguments, in the order of the action ids."""

from __future__ import annotations

from skerry.engine.notation import Actions, One, Verb
from skerry.games.forbidden_desert.rules.components import MAX_STORM_CARDS, MAX_WATER, N_GEARS, N_PARTS, PLACES, SEATS

PLACE = One("place", PLACES)
PAWN = One("pawn", SEATS)
PART = One("part", N_PARTS)
GEAR = One("gear", N_GEARS)

VERBS = Actions(
    Verb("end", label="End your actions", help="end your actions and face the storm", ends_turn=True, automatic=True),
    Verb(
        "draw",
        label="Draw a storm card",
        help="turn over the next storm card",
        primary=True,
        reveals=True,
        automatic=True,
    ),
    Verb(
        "keep",
        label="Leave the storm cards as they are",
        help="Meteorologist: leave the storm cards you looked at as they are",
    ),
    Verb(
        "bottom",
        One("number", MAX_STORM_CARDS),
        label="Put card {number} at the bottom",
        help="Meteorologist: put one of the cards you looked at at the bottom (1 is the top card)",
    ),
    Verb("move", PLACE, label="Move to {place}", help="move your pawn, through a tunnel too"),
    Verb(
        "carry",
        *(PAWN, PLACE),
        label="Climb to {place} with {pawn}",
        help="Climber: move and take a pawn along; Navigator: guide the Climber, who takes a pawn along",
        moves_others=True,
    ),
    Verb(
        "guide",
        *(PAWN, PLACE),
        label="Guide {pawn} to {place}",
        help="Navigator: move another pawn a step, up to three for one action",
        moves_others=True,
    ),
    Verb(
        "clear", PLACE, label="Clear sand from {place}", help="remove one sand marker from your tile or one beside it"
    ),
    Verb(
        "clear two",
        PLACE,
        label="Clear two sand from {place}",
        help="Archeologist: remove two sand markers from one tile",
    ),
    Verb("excavate", help="turn over the tile you are on", reveals=True),
    Verb("take", PART, label="Pick up the {part}", help="pick up a part of the flying machine"),
    Verb("calm", label="Hold off a storm card", help="Meteorologist: one storm card fewer this turn"),
    Verb("forecast", label="Look at the storm deck", help="Meteorologist: look at the next storm cards", reveals=True),
    Verb(
        "fill", label="Draw 2 water from the well", help="Water Carrier: two water from the excavated well you are on"
    ),
    Verb(
        "water",
        *(PAWN, One("amount", MAX_WATER)),
        label="Give {amount} water to {pawn}",
        help="give water to somebody on your tile (free, at any time)",
    ),
    Verb(
        "give",
        *(GEAR, PAWN),
        label="Give {gear} to {pawn}",
        help="give a gear card to somebody on your tile (free, at any time)",
    ),
    Verb("blast", PLACE, label="Dune Blaster on {place}", help="play a Dune Blaster: remove all sand from a tile"),
    Verb("jet", PLACE, label="Jet Pack to {place}", help="play a Jet Pack: fly to any tile that is not blocked"),
    Verb(
        "jet",
        *(PLACE, PAWN),
        label="Jet Pack to {place} with {pawn}",
        help="play a Jet Pack and take a pawn of your tile along",
        moves_others=True,
    ),
    Verb(
        "shield",
        label="Solar Shield",
        help="play a Solar Shield: you and your tile are safe from the sun until your next turn",
    ),
    Verb(
        "scope",
        PLACE,
        label="Terrascope: look under {place}",
        help="play a Terrascope: look under a tile",
        reveals=True,
    ),
    Verb(
        "reserve",
        label="Secret Water Reserve",
        help="play the Secret Water Reserve: two water for everybody on your tile",
    ),
    Verb(
        "throttle",
        label="Time Throttle: two more actions",
        help="play the Time Throttle: two more actions this turn",
    ),
)

END, DRAW, KEEP, BOTTOM = (VERBS.first_id(name) for name in ("end", "draw", "keep", "bottom"))
MOVE, CARRY, GUIDE = (VERBS.first_id(name) for name in ("move", "carry", "guide"))
CLEAR, CLEAR_TWO, EXCAVATE, TAKE = (VERBS.first_id(name) for name in ("clear", "clear two", "excavate", "take"))
HOLD_OFF, LOOK_AHEAD, FILL = (VERBS.first_id(name) for name in ("calm", "forecast", "fill"))
WATER, GIVE = (VERBS.first_id(name) for name in ("water", "give"))
BLAST, JET, JET_WITH = VERBS.first_id("blast"), VERBS.first_id("jet"), VERBS.first_id("jet", 1)
PLAY_SHIELD, SCOPE, PLAY_RESERVE, PLAY_THROTTLE = (
    VERBS.first_id(name) for name in ("shield", "scope", "reserve", "throttle")
)
FIRST_FREE_ACTION = WATER  # this action and those after it cost no action and are legal in other seats' turns
