"""What a player cares about. Only the proportions matter; the loss of the game is of the order of a thousand."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    ahead: int  # how many of its actions a player thinks through
    # The loss of a tile
    landing: int
    vital: int  # the last tile of a treasure nobody has
    twin: int  # one of two, the other dry
    shaky: int  # one of two, both flooded
    plain: int
    near: int  # more for one beside the landing
    at_once: int  # how much the coming flood counts, per cent
    later: int  # and how much those of the next turns
    foresight: int  # how many turns those are
    # What actions bring
    capture: int
    give: int  # a card handed to its collector
    complete: int  # the card that makes a set
    # What a step further away from a goal costs
    set_pull: int  # the tile of a treasure whose set is in the hand
    third_pull: int  # or all but one card
    meet_pull: int  # the collector of a card in the hand
    fetch_pull: int  # who holds a card that one collects
    guard_pull: int  # a flooded tile that matters
    landing_pull: int  # the landing, while it is flooded
    gather_pull: int  # the landing, once all but one treasure are captured
    ready_pull: int  # the landing, once all sets are complete
    home_pull: int  # the landing, once all are captured
    soaked: int  # standing on a flooded tile
    marooned: int  # standing where no way leads home
    # Whom a treasure's cards are given to
    held: int  # for each card already held
    messenger: int  # against the Messenger, who gives from anywhere
    pilot: int  # for the Pilot, who is everywhere soon
    load: int  # against, for each card of other treasures that a seat collects
    # Special cards
    bags: int  # what Sandbags are kept for, at least
    lift: int  # what a Helicopter Lift is kept for, at least, if there is another
    last_lift: int  # and if there is none
    end_lift: int  # then more for each treasure captured
    # What a card in a full hand is worth
    keep_own: int  # the holder collects its treasure
    keep_other: int  # somebody else does
    keep_more: int  # for each further card of the treasure in the collector's hand
    keep_rare: int  # if one less makes a set impossible before the cards are shuffled
    keep_lift: int
    keep_last_lift: int
    keep_bags: int


# Found by an evolution strategy: the mean of 28 generations of 12 trials, each 250 games a cell with 2, 3 and 4 players
# on Novice and Elite, judged by the mean logarithm of the win rates.
SKILLED = Weights(
    ahead=3,
    landing=746,
    vital=819,
    twin=154,
    shaky=327,
    plain=89,
    near=34,
    at_once=100,
    later=85,
    foresight=3,
    capture=1893,
    give=660,
    complete=122,
    set_pull=145,
    third_pull=10,
    meet_pull=18,
    fetch_pull=22,
    guard_pull=11,
    landing_pull=6,
    gather_pull=11,
    ready_pull=108,
    home_pull=150,
    soaked=3,
    marooned=200,
    held=6,
    messenger=4,
    pilot=2,
    load=11,
    bags=177,
    lift=136,
    last_lift=144,
    end_lift=41,
    keep_own=58,
    keep_other=67,
    keep_more=44,
    keep_rare=30,
    keep_lift=108,
    keep_last_lift=106,
    keep_bags=55,
)

# Sees what floods now, not what is on its way, and thinks one action ahead.
NOVICE = SKILLED._replace(ahead=1, later=0, near=0, load=2, keep_rare=0)
SLIP = 6  # one in so many of a novice's actions is anything
