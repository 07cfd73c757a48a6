"""What a player cares about. Only the proportions matter; the loss of the game is of the order of a thousand."""

from __future__ import annotations

from typing import NamedTuple


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


# Found by an evolution strategy (separable CMA-ES): 30 generations of 14 trials, each 40 games with 2, 3, 4 and 5
# players on Novice, judged by wins and parts taken. By hand are ``take`` (a part underfoot is picked up) and ``rest``.
SKILLED = Weights(
    ahead=4,
    death=847,
    dry=155,
    one=30,
    two=22,
    three=4,
    four=4,
    rest=10,
    clue=674,
    pad=497,
    tunnel=235,
    gear=166,
    uncover=93,
    well_keep=52,
    well_wait=12,
    spring=319,
    drill=98,
    take=700,
    brush=33,
    unblock=8,
    open=41,
    free=62,
    plenty=20,
    scarce=4,
    dig_pull=23,
    part_pull=61,
    aid_pull=4,
    well_pull=18,
    share_pull=6,
    spring_pull=34,
    refill_pull=12,
    gather_pull=24,
    home_pull=1119,
    shelter_pull=5,
    sandy=5,
    deep=57,
    calm=211,
    picks_up=50,
    wind=11,
    fill=159,
    guide=60,
    lend=14,
    blast=75,
    jet=176,
    shield=179,
    reserve=196,
    throttle=69,
    scope=57,
)

# Thinks two actions ahead, forgets to meet at wells, and lets the storm come.
NOVICE = SKILLED._replace(ahead=2, well_pull=0, share_pull=0, calm=20)
SLIP = 8  # one in so many of a novice's actions is anything
