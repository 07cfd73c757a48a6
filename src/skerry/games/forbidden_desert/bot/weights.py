"""The weights of the policies: values and costs on one scale, on which losing the game costs about 1000."""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.policy import weights_by_players


class Weights(NamedTuple):
    search_depth: int  # search depth in actions
    # Costs of having only so much water
    death: int  # less than none
    dry: int  # none
    one: int
    two: int
    three: int
    four: int
    rest: int  # the horizon of these costs at the end of the game, in sixteenths; the work left is added to it
    # Values of excavating
    clue: int
    pad: int
    tunnel: int
    gear: int
    uncover: int  # added where a part lies
    well_keep: int  # what a well is kept for
    well_wait: int  # weight of the pawns that are not there, in per cent
    spring: int  # added for the first well, if the Water Carrier is in the game
    drill: int  # the least value of a water tile to go there
    take: int  # value of picking up a part
    # Values of removing a marker
    brush: int  # from a tile to be excavated
    unblock: int  # from a blocked tile
    open: int  # added for a tunnel, the launch pad, the meeting place, or a tile with a part
    free: int  # added if another pawn is buried there
    plenty: int  # the supply below which every marker removed has a value
    scarce: int  # factor of that value, which grows with the square of the markers missing
    # Costs of each action that a pawn is away from a goal
    dig_pull: int  # a tile to excavate
    part_pull: int  # a part, for the nearest pawn
    aid_pull: int  # a part, for other pawns
    well_pull: int  # the meeting place, in per cent of the value of its water
    share_pull: int  # another pawn, in per cent of the value of giving water
    spring_pull: int  # the first well, for the Water Carrier
    refill_pull: int  # a well, for the Water Carrier, for each water missing
    gather_pull: int  # the launch pad, once all parts are found
    home_pull: int  # the launch pad, once all parts are picked up
    shelter_pull: int  # a tunnel, in per cent of the cost of the sun
    sandy: int  # the cost of being on a tile with sand
    deep: int  # the cost of being buried
    # Roles
    calm: int  # value of holding off a storm card, but for the sun
    picks_up: int  # harm of Storm Picks Up
    wind: int  # harm of each tile that moves
    fill: int  # value of filling up, in per cent of the value of two more water to the thirstiest seat
    guide: int  # the least gain of moving another pawn
    lend: int  # the least gain of giving water
    # The least gains for which gear is played
    blast: int
    jet: int
    shield: int
    reserve: int
    throttle: int
    scope: int  # the least share of unknown dunes that hold nothing needed, in per cent


# For two to five players. Found by evolution (``skerry.train.evolution``) in about 100 generations of 24 candidates,
# each evaluated in 250 to 800 games of every difficulty that is ever won.
MIN_PLAYERS = 2  # the number of players of the first column
SKILLED = weights_by_players(
    Weights,
    search_depth=(4, 4, 4, 4),
    death=(880, 1043, 617, 507),
    dry=(272, 236, 198, 180),
    one=(66, 53, 101, 65),
    two=(13, 5, 20, 6),
    three=(0, 0, 4, 1),
    four=(0, 4, 1, 0),
    rest=(9, 8, 8, 7),
    clue=(376, 631, 477, 564),
    pad=(464, 496, 447, 748),
    tunnel=(195, 306, 355, 237),
    gear=(247, 176, 203, 222),
    uncover=(73, 53, 9, 69),
    well_keep=(59, 64, 63, 102),
    well_wait=(11, 13, 11, 12),
    spring=(203, 232, 165, 186),
    drill=(211, 182, 395, 241),
    take=(318, 316, 330, 299),
    brush=(56, 55, 47, 48),
    unblock=(0, 8, 7, 0),
    open=(54, 43, 54, 39),
    free=(67, 50, 115, 60),
    plenty=(22, 18, 22, 21),
    scarce=(2, 6, 4, 4),
    dig_pull=(31, 34, 32, 35),
    part_pull=(39, 71, 45, 62),
    aid_pull=(2, 0, 1, 3),
    well_pull=(5, 10, 2, 9),
    share_pull=(5, 8, 7, 2),
    spring_pull=(2, 9, 12, 9),
    refill_pull=(0, 12, 4, 8),
    gather_pull=(20, 0, 16, 26),
    home_pull=(767, 1066, 1208, 904),
    shelter_pull=(0, 0, 3, 11),
    sandy=(6, 3, 0, 0),
    deep=(43, 75, 80, 49),
    calm=(171, 236, 261, 227),
    picks_up=(83, 75, 56, 66),
    wind=(18, 2, 0, 21),
    fill=(77, 108, 61, 94),
    guide=(57, 39, 17, 10),
    lend=(8, 15, 27, 12),
    blast=(136, 138, 119, 118),
    jet=(248, 304, 295, 300),
    shield=(68, 67, 116, 88),
    reserve=(228, 191, 432, 207),
    throttle=(93, 170, 184, 83),
    scope=(56, 65, 69, 43),
)

# Searches two actions deep, does not care for meeting at wells or for sharing water, and rarely holds off the storm.
NOVICE = tuple(weights._replace(search_depth=2, well_pull=0, share_pull=0, calm=20) for weights in SKILLED)
SLIP = 8  # a novice makes a mistake in one of this many actions
