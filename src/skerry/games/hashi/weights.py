"""What a player believes of an island that is not finished: chances, in 1024ths."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    # An island with a number: what takes from its chance
    room: int  # each bridge that it still needs
    hurry: int  # the same, divided by the rounds that are left
    tight: int  # its lines can take just as many
    narrow: int  # or one more
    roomy: int  # or two more
    friend: int  # less loss for each of them that a neighbour waits for too
    # An island without one
    blank: int  # its chance to begin with
    fit: int  # more, for the part of the coming cards whose number it could take
    exact: int  # more, for the part whose number would finish it at once
    load: int  # less for each bridge beyond the first
    unreached: int  # less for one with a flag that no bridge reaches
    wanted: int  # more for each bridge that its neighbours wait for
    slow: int  # less, divided by the rounds that are left
    # The six, in 1024ths of a point
    link: int  # a bridge between two finished islands
    half_link: int  # between a finished one and one with a number that is not
    flags: int  # how much the chance of a flags' bonus counts, per cent
    banner: int  # and how much the average of its islands' chances


# Found by an evolution strategy on sides A and B and ten other boards, alone; the banner was added by hand.
SKILLED = Weights(
    room=85,
    hurry=213,
    tight=18,
    narrow=10,
    roomy=-64,
    friend=17,
    blank=260,
    fit=96,
    exact=89,
    load=-51,
    unreached=110,
    wanted=26,
    slow=30,
    link=381,
    half_link=199,
    flags=285,
    banner=60,
)

# Sees what is finished and what is nearly so, not which cards are still to come, nor that flags have their time.
NOVICE = SKILLED._replace(hurry=0, narrow=0, fit=0, exact=0, flags=40, banner=0)
SLIP = 8  # one in so many of a novice's numbers and bridges is anything
