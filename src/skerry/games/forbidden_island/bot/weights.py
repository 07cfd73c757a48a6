"""What a player cares about. Only the proportions matter; the loss of the game is of the order of a thousand."""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.policy import weights_by_players


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


# For two, three and four players, found by evolution (``skerry train evolution``): some 250 generations of 24 trials,
# each of 200 games of every difficulty.
MIN_PLAYERS = 2  # players, in the first column
SKILLED = weights_by_players(
    Weights,
    ahead=(3, 3, 3),
    landing=(501, 1175, 1300),
    vital=(332, 784, 742),
    twin=(134, 276, 208),
    shaky=(287, 484, 528),
    plain=(111, 164, 133),
    near=(36, 74, 68),
    at_once=(124, 0, 34),
    later=(108, 91, 46),
    foresight=(3, 3, 3),
    capture=(1043, 957, 3114),
    give=(225, 271, 454),
    complete=(187, 387, 239),
    set_pull=(115, 238, 135),
    third_pull=(13, 38, 30),
    meet_pull=(23, 42, 30),
    fetch_pull=(18, 45, 37),
    guard_pull=(13, 14, 6),
    landing_pull=(1, 19, 5),
    gather_pull=(8, 18, 17),
    ready_pull=(97, 248, 105),
    home_pull=(172, 260, 163),
    soaked=(1, 10, 4),
    marooned=(193, 405, 152),
    held=(7, 5, 17),
    messenger=(8, 9, 16),
    pilot=(6, 0, 12),
    load=(21, 17, 19),
    bags=(180, 245, 107),
    lift=(196, 327, 275),
    last_lift=(183, 289, 155),
    end_lift=(55, 90, 49),
    keep_own=(43, 170, 49),
    keep_other=(81, 109, 135),
    keep_more=(47, 10, 114),
    keep_rare=(18, 61, 22),
    keep_lift=(91, 57, 62),
    keep_last_lift=(82, 107, 115),
    keep_bags=(49, 42, 35),
)

# Sees what floods now, not what is on its way, and thinks one action ahead.
NOVICE = tuple(one._replace(ahead=1, at_once=100, later=0, near=0, load=2, keep_rare=0) for one in SKILLED)
SLIP = 6  # one in so many of a novice's actions is anything
