"""What a player cares about. Only the proportions matter; the loss of the game is of the order of a thousand."""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.policy import weights_by_players


class Weights(NamedTuple):
    ahead: int  # how many of its actions a player thinks through
    # Having no more than so much water
    death: int
    dry: int
    one: int
    two: int
    three: int
    four: int
    rest: int  # how much that counts at the end, in sixteenths; tiles and parts to be found add to it
    # What may lie under the sand
    clue: int
    pad: int
    tunnel: int
    gear: int
    uncover: int  # more where a part lies
    well_keep: int  # what a well is kept for, at least
    well_wait: int  # how much those count who are not there, per cent
    spring: int  # the first well for the Water Carrier
    drill: int  # what a water tile must be worth to be gone for
    take: int  # picking up a part
    # Removing a marker
    brush: int  # from a tile to be excavated
    unblock: int  # from a blocked tile
    open: int  # more if it is a tunnel, the launch pad, or holds a part
    free: int  # more if somebody is buried there
    plenty: int  # markers in supply below which every one removed counts
    scarce: int  # so much for each that is missing
    # What a step further away from a goal costs
    dig_pull: int
    part_pull: int  # for the pawn that is nearest to a part
    aid_pull: int  # for the others
    well_pull: int  # per cent of what its water is worth
    share_pull: int  # per cent of what could be gained by giving water
    spring_pull: int  # the Water Carrier's to the first well
    refill_pull: int  # the Water Carrier's to a well, for each water missing
    gather_pull: int  # the launch pad, once all parts are found
    home_pull: int  # the launch pad, once all are taken
    shelter_pull: int  # per cent of what standing in the sun costs
    sandy: int  # standing on a marker
    deep: int  # being buried
    # Roles
    calm: int  # one storm card fewer, but for the sun
    picks_up: int  # the storm getting stronger
    wind: int  # a tile moved
    fill: int  # per cent of what the thirstiest gets from two more water
    guide: int  # what moving another pawn must bring, at least
    lend: int  # what giving a water must bring, at least
    # Gear, and what it must bring, at least
    blast: int
    jet: int
    shield: int
    reserve: int
    throttle: int
    scope: int  # per cent of the unknown dunes that hold nothing needed


# For two to five players, found by evolution (``skerry train evolution``): some 100 generations of 24 trials, each of
# 250 to 800 games of every difficulty that is ever won.
MIN_PLAYERS = 2  # players, in the first column
SKILLED = weights_by_players(
    Weights,
    ahead=(4, 4, 4, 4),
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

# Thinks two actions ahead, forgets to meet at wells, and lets the storm come.
NOVICE = tuple(one._replace(ahead=2, well_pull=0, share_pull=0, calm=20) for one in SKILLED)
SLIP = 8  # one in so many of a novice's actions is anything
