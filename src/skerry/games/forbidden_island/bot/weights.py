"""The weights of the policies: values and costs on one scale, on which losing the game costs about 1000."""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.policy import weights_by_players


class Weights(NamedTuple):
    search_depth: int  # search depth in actions
    # Costs of losing a tile, by the classes of TilesByLoss
    landing: int
    vital: int
    twin: int
    shaky: int
    plain: int
    near: int  # added for a plain tile next to Fools' Landing
    at_once: int  # weight of the risk in the flood that ends this turn, in per cent
    later: int  # weight of the risk within the next turns, in per cent
    foresight: int  # the number of those turns
    # Values of actions
    capture: int
    give: int  # a card to its collector
    complete: int  # added if the card completes a set
    # Costs of each move that a pawn is away from a goal
    set_pull: int  # a tile of a treasure whose set it holds
    third_pull: int  # the same, if one card is missing
    meet_pull: int  # the collector of each card it holds
    fetch_pull: int  # a seat with a card that it collects
    guard_pull: int  # a flooded precious tile
    landing_pull: int  # Fools' Landing, while it is flooded
    gather_pull: int  # Fools' Landing, once one treasure is left
    ready_pull: int  # Fools' Landing, once all sets are complete
    home_pull: int  # Fools' Landing, once all treasures are captured
    soaked: int  # the cost of being on a flooded tile
    marooned: int  # the cost of being where no way leads to Fools' Landing
    # Choosing the collector of a treasure
    held: int  # for each card of it that the seat holds
    messenger: int  # against the Messenger, who can give from anywhere
    pilot: int  # for the Pilot, who gets everywhere fast
    load: int  # against a seat, for each card of other treasures that it collects
    # Special cards
    bags: int  # the least value for which Sandbags are played
    lift: int  # the least gain for which a Helicopter Lift is played, if there is another
    last_lift: int  # the same, if it is the last one
    end_lift: int  # added to that for each captured treasure
    # Values of keeping a card in a full hand
    keep_own: int  # a card of a treasure that the seat collects
    keep_other: int  # a card of a treasure that another seat collects
    keep_more: int  # added for each card of the treasure in the collector's hand
    keep_rare: int  # added if discarding it makes a set impossible until the deck is renewed
    keep_lift: int
    keep_last_lift: int
    keep_bags: int


# For two, three and four players. Found by evolution (``skerry.train.evolution``) in about 250 generations of 24
# candidates, each evaluated in 200 games of every difficulty.
MIN_PLAYERS = 2  # the number of players of the first column
SKILLED = weights_by_players(
    Weights,
    search_depth=(3, 3, 3),
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

# Sees the flood of this turn only and searches one action deep.
NOVICE = tuple(
    weights._replace(search_depth=1, at_once=100, later=0, near=0, load=2, keep_rare=0) for weights in SKILLED
)
SLIP = 6  # a novice makes a mistake in one of this many actions
