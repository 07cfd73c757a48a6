"""The features of a solo paper: named blocks for each kind of entity, and where they are in the array.

The array has the features of all islands, then of the islands with a flag once more, of all lines, and of the whole
paper. Behind them are notes: intermediate results that several features need and that are no inputs of the network.

The first feature of every entity says whether it exists; if not, all its features are 0.
"""

from __future__ import annotations

from skerry.engine.blocks import Block, Blocks
from skerry.games.hashi.rules.components import (
    ISLANDS,
    LINES,
    MAX_CARD_BRIDGES,
    MAX_ISLAND_BRIDGES,
    MAX_LINE_BRIDGES,
    N_BLUE_FLAGS,
    N_BONUSES,
    N_RED_FLAGS,
    ROUNDS,
    SIX_ISLANDS,
)

N_NUMBERS = MAX_ISLAND_BRIDGES + 1  # 0 (none) to 6
N_FLAG_COLOURS = 2  # red, blue: also the bonuses RED and BLUE
MAX_SPARE = 3
N_SPARES = MAX_SPARE + 2  # too few bridges, then 0 to 3 spare ones
# An island that can take bridges has no number, or needs one, two, three or more bridges; as a neighbour, an island
# without a number counts apart if it has a flag.
N_NEEDS = 5
N_NEIGHBOUR_KINDS = N_NEEDS + 1

ISLAND_FEATURES = Blocks(
    Block("exists", 1, "always 1"),
    Block("number", N_NUMBERS, "number, one-hot; 0 for none"),
    Block("missing_bridges", N_NUMBERS, "bridges it needs, one-hot, if it has a number"),
    Block("bridges", N_NUMBERS, "bridges at it, one-hot, if it has no number"),
    Block("spare_bridges", N_SPARES, "bridges its lines can take beyond what it needs, one-hot: too few, 0 to 3"),
    Block("highest_number", N_NUMBERS, "highest number that it can reach, one-hot, if it has no number"),
    Block(
        "neighbours",
        MAX_LINE_BRIDGES * N_NEIGHBOUR_KINDS,
        "neighbours on open lines, by how many bridges can be drawn to them and by what they need",
    ),
    Block("flag", N_FLAG_COLOURS, "red, blue flag, while the bonus is not earned"),
    Block("full_points_time", 1, "share of the rounds left for the full points of its flag's bonus"),
    Block("fitting_cards", 1, "share of the cards to come with a number that it can take, if it has none"),
    Block("rounds_left", 1, "share of the rounds left"),
    Block("group_size", 1, "size of its group of finished islands, while the bonus for six is not earned"),
    Block("adjacent_group_size", 1, "size of the largest group that a bridge joins it to, if it is not finished"),
    Block("bridges_due", 1, "bridges of the current card still to draw"),
    Block("wanted_bridges", 1, "bridges that neighbours with a number could use"),
)
LINE_FEATURES = Blocks(
    Block("exists", 1, "the line can take a bridge"),
    Block("has_bridge", 1, "it has one bridge"),
    Block("open_crossings", 1, "open lines that it crosses"),
    Block("end_needs", N_NEEDS * (N_NEEDS + 1) // 2, "what its two ends need, as an unordered pair, one-hot"),
    Block("end_flags", N_FLAG_COLOURS, "ends with a red, blue flag, while the bonus is not earned"),
    Block("rounds_left", 1, "share of the rounds left"),
)
GLOBAL_FEATURES = Blocks(
    Block("exists", 1, "always 1"),
    Block("rounds_left", ROUNDS + 1, "rounds left, one-hot"),
    Block("numbers_to_come", MAX_ISLAND_BRIDGES, "cards to come with each number"),
    Block("bridges_to_come", MAX_CARD_BRIDGES, "cards to come with each count of bridges"),
    Block("bonus_earned", N_BONUSES, "bonus is earned"),
    Block("red_unfinished", N_RED_FLAGS + 1, "unfinished islands with a red flag, one-hot, while not earned"),
    Block("blue_unfinished", N_BLUE_FLAGS + 1, "unfinished islands with a blue flag, one-hot, while not earned"),
    Block("largest_group", SIX_ISLANDS + 1, "size of the largest group of finished islands, one-hot, while not earned"),
    Block("bridges_due", MAX_CARD_BRIDGES + 1, "bridges of the current card still to draw, one-hot"),
    Block("full_points_time", N_FLAG_COLOURS, "share of the rounds left for the full points of red, blue"),
    Block("red_lost", 1, "an island with a red flag can no longer be finished"),
    Block("blue_lost", 1, "an island with a blue flag can no longer be finished"),
    Block("bridge_supply", 1, "bridges on the cards to come"),
    Block("islands_without_number", 1, "islands without a number"),
    Block("islands_in_progress", 1, "islands with a number that need bridges"),
    Block("bridges_needed", 1, "bridges that they need"),
    Block("islands_lost", 1, "islands that can no longer be finished"),
    Block("islands_finished", 1, "finished islands"),
    Block("surplus_islands", 1, "islands without a number beyond the rounds left"),
    Block("surplus_high_cards", MAX_ISLAND_BRIDGES, "cards to come with at least each number, less islands for them"),
    Block("surplus_low_cards", MAX_ISLAND_BRIDGES, "cards to come with at most each number, less islands for them"),
)
NOTES = Blocks(
    Block("open_bridges", ISLANDS, "bridges that the lines of each island can take"),
    Block("group_size", ISLANDS, "size of each finished island's group"),
    Block("cards_up_to", N_NUMBERS, "cards to come with a number up to each"),
)

N_ISLAND_FEATURES = ISLAND_FEATURES.size
N_LINE_FEATURES = LINE_FEATURES.size
N_GLOBAL_FEATURES = GLOBAL_FEATURES.size
N_FLAGS = N_RED_FLAGS + N_BLUE_FLAGS

EXISTS = 0  # the first feature of every entity

# Where the entities of each group begin.
FIRST_ISLAND = 0
FIRST_FLAG = FIRST_ISLAND + ISLANDS * N_ISLAND_FEATURES
FIRST_LINE = FIRST_FLAG + N_FLAGS * N_ISLAND_FEATURES
GLOBAL = FIRST_LINE + LINES * N_LINE_FEATURES
FEATURES_END = GLOBAL + N_GLOBAL_FEATURES

OPEN_BRIDGES_NOTE = FEATURES_END + NOTES.offset("open_bridges")
GROUP_SIZE_NOTE = FEATURES_END + NOTES.offset("group_size")
CARDS_UP_TO_NOTE = FEATURES_END + NOTES.offset("cards_up_to")
NOTES_END = FEATURES_END + NOTES.size
