"""The contents of the box: boards, cards, points and ranks, as constants."""

from __future__ import annotations

from typing import NamedTuple

from skerry.engine.kernel import lookup_table

SEATS = 4
ISLANDS = 18
# 18 points in r rows and c columns have 36 - r - c neighbours, and 18 points need r + c >= 9.
LINES = 27
N_RED_FLAGS, N_BLUE_FLAGS = 4, 3
MAX_ISLAND_LINES = 4
MAX_LINE_BRIDGES = 2
MAX_ISLAND_BRIDGES = 6  # at an island without a number


class Card(NamedTuple):
    """A card: the number to write and the bridges to draw."""

    number: int
    bridges: int


# One card for each combination of a number and a count of bridges.
CARDS = tuple(Card(number, bridges) for number in range(1, 7) for bridges in range(1, 4))
N_CARDS = len(CARDS)
ROUNDS = N_CARDS - 1  # one card is set aside unseen
CARD_NUMBERS = lookup_table([card.number for card in CARDS])
CARD_BRIDGES = lookup_table([card.bridges for card in CARDS])
MAX_CARD_BRIDGES = 3

START_NUMBERS = (3, 4)
N_START_NUMBERS = len(START_NUMBERS)
START_NUMBER_TABLE = lookup_table(START_NUMBERS)

# The bonuses: full points for the first players to earn them, late points for everyone after, and the last round in
# which a solo player still gets full points.
RED, BLUE, SIX = range(3)
BONUSES = ("red", "blue", "six")
N_BONUSES = len(BONUSES)
BONUS_TITLES = ("Red", "Blue", "Six")
FULL_POINTS, LATE_POINTS = (9, 7, 8), (5, 3, 4)
FULL_POINTS_TABLE, LATE_POINTS_TABLE = lookup_table(FULL_POINTS), lookup_table(LATE_POINTS)
SOLO_DEADLINES = (12, 7, 12)
SOLO_DEADLINE_TABLE = lookup_table(SOLO_DEADLINES)
SIX_ISLANDS = 6  # connected finished islands that earn the bonus SIX
ISLAND_POINTS = 2
MAX_POINTS = ISLAND_POINTS * ISLANDS + sum(FULL_POINTS)

# The lowest score of each rank.
RANK_POINTS = (0, 41, 43, 45, 47, 49, 51, 52, 54, 56, 58, 60)
N_RANKS = len(RANK_POINTS)
RANK_POINTS_TABLE = lookup_table(RANK_POINTS)
RANK_TITLES = (
    *("Dogsbody", "Water Carrier", "Bamboo Binder", "Bolt Turner", "Cement Caster", "Project Manager"),
    *("Bridge Keeper", "Planning Specialist", "Statics Expert", "Ace of Architects", "Building Genius"),
    "God of the Islands",
)
RANK_NAMES = tuple(title.lower().replace(" ", "-") for title in RANK_TITLES)

PENS = ("green", "orange", "purple", "brown")  # red and blue are taken by the flags
PEN_TITLES = ("Green", "Orange", "Purple", "Brown")

TEXTS = (*BONUS_TITLES, *RANK_TITLES, *PEN_TITLES)  # to be translated
