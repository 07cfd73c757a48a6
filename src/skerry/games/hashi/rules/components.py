"""What is in the box: the cards, the points, the ranks."""

from __future__ import annotations

from skerry.engine.kernel import lookup_table

SEATS = 4
ISLANDS = 18
# 18 points in r rows and c columns have 36 - r - c neighbours, and 18 points need r + c >= 9.
LINES = 27
REDS, BLUES = 4, 3
ISLAND_LINES = 4  # the most at one island
LINE_BRIDGES = 2  # the most on one line
ISLAND_BRIDGES = 6  # the most at an island without a number

# Every number with every count of bridges, once.
CARDS = tuple((number, bridges) for number in range(1, 7) for bridges in range(1, 4))
DECK = len(CARDS)
ROUNDS = DECK - 1  # one card is set aside
NUMBER_OF = lookup_table([number for number, _ in CARDS])
BRIDGES_OF = lookup_table([bridges for _, bridges in CARDS])
CARD_BRIDGES = 3  # the most on one card

START_NUMBERS = (3, 4)
STARTS = len(START_NUMBERS)
START_NUMBER = lookup_table(START_NUMBERS)

# The bonuses: points for the first, points for those later, the last card of a solo player's full points.
RED, BLUE, SIX = range(3)
BONUSES = ("red", "blue", "six")
N_BONUSES = len(BONUSES)
BONUS_TITLES = ("Red", "Blue", "Six")
FULL, LATE = (9, 7, 8), (5, 3, 4)
FULL_POINTS, LATE_POINTS = lookup_table(FULL), lookup_table(LATE)
DEADLINES = (12, 7, 12)
SOLO_DEADLINE = lookup_table(DEADLINES)
JOINED = 6  # finished islands that make the third bonus
ISLAND_POINTS = 2
BEST = ISLAND_POINTS * ISLANDS + sum(FULL)

# The least points of each rank.
RANKS = (0, 41, 43, 45, 47, 49, 51, 52, 54, 56, 58, 60)
N_RANKS = len(RANKS)
RANK_POINTS = lookup_table(RANKS)
RANK_TITLES = (
    *("Dogsbody", "Water Carrier", "Bamboo Binder", "Bolt Turner", "Cement Caster", "Project Manager"),
    *("Bridge Keeper", "Planning Specialist", "Statics Expert", "Ace of Architects", "Building Genius"),
    "God of the Islands",
)
RANK_NAMES = tuple(title.lower().replace(" ", "-") for title in RANK_TITLES)

PENS = ("green", "orange", "purple", "brown")  # red and blue are the flags
PEN_TITLES = ("Green", "Orange", "Purple", "Brown")

TEXTS = (*BONUS_TITLES, *RANK_TITLES, *PEN_TITLES)  # what catalogues translate
