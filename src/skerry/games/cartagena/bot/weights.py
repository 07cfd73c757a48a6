"""What a player cares about. Only the proportions matter; a space of the path is worth sixteen."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    # Pirates
    space: int  # a space forward
    rear: int  # more for each space that lies before the pirate
    home: int  # more for the end of the path
    help: int  # how much the spaces of a pirate that Morgan moves count, per cent
    # Cards
    card: int  # one more in the hand
    scarce: int  # more for each card that the hand has less than plenty
    plenty: int
    stride: int  # spaces that a card brings: tells how many cards the way home needs
    rush: int  # how many of as many as an opponent needs can be used until that one is home, per cent
    spare: int  # a card beyond what is needed
    copy: int  # less for a card of which the hand has another, for each
    # The spaces that a move leaves and comes to
    leave_one: int  # the last pirate leaves a space
    leave_two: int  # one of two does
    leave_three: int
    join_one: int  # a pirate moves back to one other
    join_two: int
    pave: int  # an empty space is taken: for each place behind it where others stand, who jump farther now
    pave_own: int  # and where own pirates do
    # Sailing and black magic
    sail: int  # the sloop goes where it is needed
    pistol: int  # what a power finds, in per cent of a card
    rum: int
    lantern: int
    chest: int
    # What comes after
    follow: int  # how much the best next action of the turn counts, per cent
    margin: int  # how much less than the best an action may bring for that to be looked at


# Found by an evolution strategy: 40 generations of 12 trials against their mean, each 400 games with 2 and 400 with 4
# players of the basic game. What only variants know (Morgan's help, sailing, powers) was tried out value by value.
SKILLED = Weights(
    space=16,
    rear=3,
    home=131,
    help=220,
    card=167,
    scarce=11,
    plenty=6,
    stride=6,
    rush=102,
    spare=-13,
    copy=54,
    leave_one=16,
    leave_two=-12,
    leave_three=-11,
    join_one=-5,
    join_two=55,
    pave=23,
    pave_own=5,
    sail=1000,
    pistol=120,
    rum=220,
    lantern=140,
    chest=80,
    follow=101,
    margin=200,
)

# Takes what is best at the moment, without a thought for what comes after it or what it leaves to others.
NOVICE = SKILLED._replace(follow=0, pave=0, pave_own=0, copy=0, rear=0)
SLIP = 6  # one in so many of a novice's actions is anything
