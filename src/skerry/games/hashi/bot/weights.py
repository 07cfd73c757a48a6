"""What a player believes of an island that is not finished: chances, in 1024ths."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    # An island with a number: what takes from its chance
    room: int  # each bridge that it still needs
    hurry: int  # the same, divided by the rounds that are left
    tight: int  # its lines can take just as many
    roomy: int  # or two more
    friend: int  # less loss for each bridge that a neighbour waits for too
    # An island without one
    blank: int  # its chance to begin with
    load: int  # less for each bridge beyond the first
    unreached: int  # less for one with a flag that no bridge reaches
    wanted: int  # more for each bridge that its neighbours wait for
    slow: int  # less, divided by the rounds that are left
    # The six, in 1024ths of a point
    link: int  # a bridge between two finished islands
    flags: int  # how much the chance of a flags' bonus counts, per cent
    banner: int  # and how much the average of its islands' chances


# Found by evolution (``skerry train evolution``), alone on sides A and B and three other boards.
SKILLED = Weights(
    room=51,
    hurry=404,
    tight=47,
    roomy=-49,
    friend=9,
    blank=417,
    load=-95,
    unreached=169,
    wanted=24,
    slow=74,
    link=293,
    flags=287,
    banner=49,
)

# Sees what is finished and what is nearly so, not which cards are still to come, nor that flags have their time.
NOVICE = SKILLED._replace(hurry=0, flags=40, banner=0)
SLIP = 8  # one in so many of a novice's numbers and bridges is anything
