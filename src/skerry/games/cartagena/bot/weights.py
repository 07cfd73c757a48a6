"""The weights of the policies. Only their proportions matter; a space of the path is worth 16."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    # Moving pirates
    space: int  # for each space forward
    straggler: int  # for each space still ahead of the pirate, so that stragglers move first
    goal: int  # for reaching the goal
    morgan_help: int  # the cost of each space that Morgan's move helps an opponent, in per cent of ``space``
    # Cards
    card: int  # for one more card in the hand
    scarce: int  # added for each card that the hand has less than ``plenty``
    plenty: int
    spaces_per_card: int  # spaces that a card moves a pirate, to estimate how many cards are useful
    opponent_pace: int  # the useful cards before an opponent finishes, in per cent of the cards it needs
    surplus_card: int  # for a card that will not be useful
    duplicate: int  # subtracted from the cost of playing a card for each other of its symbol in the hand
    # The spaces that a move leaves and enters
    leave_one: int  # for leaving a space empty
    leave_two: int  # for leaving one pirate
    leave_three: int  # for leaving two pirates
    join_one: int  # for moving back to one pirate
    join_two: int  # for moving back to two pirates
    opponent_jump: int  # subtracted for each place with opponents behind a space that is taken: they jump over it
    own_jump: int  # added for each such place with own pirates
    # Sailing and black magic
    sail: int  # for sailing the sloop to where it is needed
    pistol: int  # the value of each power, in per cent of a card
    rum: int
    lantern: int
    chest: int
    # Search
    follow_up: int  # weight of the best next action in the turn, in per cent
    margin: int  # next actions are only searched for actions that gain at most this much less than the best


# Found by an evolution strategy: 40 generations of 12 candidates against their mean, each in 400 games with 2 and 400
# with 4 players of the basic game. Weights that matter in variants only (Morgan's move, sailing, powers) were tuned by
# hand.
SKILLED = Weights(
    space=16,
    straggler=3,
    goal=131,
    morgan_help=220,
    card=167,
    scarce=11,
    plenty=6,
    spaces_per_card=6,
    opponent_pace=102,
    surplus_card=-13,
    duplicate=54,
    leave_one=16,
    leave_two=-12,
    leave_three=-11,
    join_one=-5,
    join_two=55,
    opponent_jump=23,
    own_jump=5,
    sail=1000,
    pistol=120,
    rum=220,
    lantern=140,
    chest=80,
    follow_up=101,
    margin=200,
)

# Does not search next actions, and ignores what a move leaves for others.
NOVICE = SKILLED._replace(follow_up=0, opponent_jump=0, own_jump=0, duplicate=0, straggler=0)
SLIP = 6  # a novice plays a random action one time in this many
