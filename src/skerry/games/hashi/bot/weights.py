"""The weights of the policies, mostly parts of the probability that an island gets finished, in 1024ths."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    # Subtracted for an island with a number
    missing_bridge: int  # for each bridge that it needs
    time_pressure: int  # the same, divided by the number of rounds left
    no_spare: int  # if its lines can take just that many
    two_spare: int  # if its lines can take two more
    shared_need: int  # not subtracted for each bridge that a neighbour needs, too
    # For an island without a number
    no_number: int  # the probability if every card to come fits it
    extra_bridge: int  # subtracted for each bridge beyond the first
    unreached: int  # subtracted if it has a flag and no bridge
    wanted_bridge: int  # added for each bridge that its neighbours need
    few_rounds: int  # subtracted, divided by the number of rounds left
    # Bonuses
    connection: int  # for each bridge between two finished islands, in 1024ths of a point
    flag_bonus: int  # weight of the probability that all islands of a flag get finished, in per cent
    flag_average: int  # weight of the average probability of these islands, in per cent


# Found by evolution (``skerry train evolution``), alone on sides A and B and three other boards.
SKILLED = Weights(
    missing_bridge=51,
    time_pressure=404,
    no_spare=47,
    two_spare=-49,
    shared_need=9,
    no_number=417,
    extra_bridge=-95,
    unreached=169,
    wanted_bridge=24,
    few_rounds=74,
    connection=293,
    flag_bonus=287,
    flag_average=49,
)

# Ignores how many rounds are left, and that flag bonuses need all their islands in time.
NOVICE = SKILLED._replace(time_pressure=0, flag_bonus=40, flag_average=0)
SLIP = 8  # a novice plays a random number or bridge one time in this many
