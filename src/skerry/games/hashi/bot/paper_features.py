"""The features of a solo player's paper: entities for its islands, its flagged islands, its lines, and the whole.

Of the cards only the set that is still to come counts, never its order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.blocks import Block, Blocks
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.components import (
    BLUE,
    CARD_BRIDGES,
    CARD_NUMBERS,
    FULL_POINTS_TABLE,
    ISLAND_POINTS,
    ISLANDS,
    LATE_POINTS_TABLE,
    LINES,
    MAX_CARD_BRIDGES,
    MAX_ISLAND_BRIDGES,
    MAX_ISLAND_LINES,
    MAX_LINE_BRIDGES,
    N_BLUE_FLAGS,
    N_BONUSES,
    N_CARDS,
    N_RED_FLAGS,
    RED,
    ROUNDS,
    SIX,
    SIX_ISLANDS,
    SOLO_DEADLINE_TABLE,
)
from skerry.games.hashi.rules.scoring import connected_group, finished_islands
from skerry.games.hashi.rules.state import State

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
    Block("card_numbers", MAX_ISLAND_BRIDGES, "cards to come with each number"),
    Block("card_bridges", MAX_CARD_BRIDGES, "cards to come with each count of bridges"),
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
# What the kernels note behind the features while they compute them.
NOTES = Blocks(
    Block("open_bridges", ISLANDS, "bridges that the lines of each island can take"),
    Block("group_size", ISLANDS, "size of each finished island's group"),
    Block("cards_up_to", N_NUMBERS, "cards to come with a number up to each"),
)

I_NUMBER = ISLAND_FEATURES.offset("number")
I_MISSING_BRIDGES = ISLAND_FEATURES.offset("missing_bridges")
I_BRIDGES = ISLAND_FEATURES.offset("bridges")
I_SPARE_BRIDGES = ISLAND_FEATURES.offset("spare_bridges")
I_HIGHEST_NUMBER = ISLAND_FEATURES.offset("highest_number")
I_NEIGHBOURS = ISLAND_FEATURES.offset("neighbours")
I_FLAG = ISLAND_FEATURES.offset("flag")
I_FULL_POINTS_TIME = ISLAND_FEATURES.offset("full_points_time")
I_FITTING_CARDS = ISLAND_FEATURES.offset("fitting_cards")
I_ROUNDS_LEFT = ISLAND_FEATURES.offset("rounds_left")
I_GROUP_SIZE = ISLAND_FEATURES.offset("group_size")
I_ADJACENT_GROUP_SIZE = ISLAND_FEATURES.offset("adjacent_group_size")
I_BRIDGES_DUE = ISLAND_FEATURES.offset("bridges_due")
I_WANTED_BRIDGES = ISLAND_FEATURES.offset("wanted_bridges")

L_HAS_BRIDGE = LINE_FEATURES.offset("has_bridge")
L_OPEN_CROSSINGS = LINE_FEATURES.offset("open_crossings")
L_END_NEEDS = LINE_FEATURES.offset("end_needs")
L_END_FLAGS = LINE_FEATURES.offset("end_flags")
L_ROUNDS_LEFT = LINE_FEATURES.offset("rounds_left")

G_ROUNDS_LEFT = GLOBAL_FEATURES.offset("rounds_left")
G_CARD_NUMBERS = GLOBAL_FEATURES.offset("card_numbers")
G_CARD_BRIDGES = GLOBAL_FEATURES.offset("card_bridges")
G_BONUS_EARNED = GLOBAL_FEATURES.offset("bonus_earned")
G_RED_UNFINISHED = GLOBAL_FEATURES.offset("red_unfinished")
G_BLUE_UNFINISHED = GLOBAL_FEATURES.offset("blue_unfinished")
G_LARGEST_GROUP = GLOBAL_FEATURES.offset("largest_group")
G_BRIDGES_DUE = GLOBAL_FEATURES.offset("bridges_due")
G_FULL_POINTS_TIME = GLOBAL_FEATURES.offset("full_points_time")
G_RED_LOST = GLOBAL_FEATURES.offset("red_lost")
G_BLUE_LOST = GLOBAL_FEATURES.offset("blue_lost")
G_BRIDGE_SUPPLY = GLOBAL_FEATURES.offset("bridge_supply")
G_ISLANDS_WITHOUT_NUMBER = GLOBAL_FEATURES.offset("islands_without_number")
G_ISLANDS_IN_PROGRESS = GLOBAL_FEATURES.offset("islands_in_progress")
G_BRIDGES_NEEDED = GLOBAL_FEATURES.offset("bridges_needed")
G_ISLANDS_LOST = GLOBAL_FEATURES.offset("islands_lost")
G_ISLANDS_FINISHED = GLOBAL_FEATURES.offset("islands_finished")
G_SURPLUS_ISLANDS = GLOBAL_FEATURES.offset("surplus_islands")
G_SURPLUS_HIGH_CARDS = GLOBAL_FEATURES.offset("surplus_high_cards")
G_SURPLUS_LOW_CARDS = GLOBAL_FEATURES.offset("surplus_low_cards")

EXISTS = 0  # the first feature of every entity
N_ISLAND_FEATURES = ISLAND_FEATURES.size
N_LINE_FEATURES = LINE_FEATURES.size
N_GLOBAL_FEATURES = GLOBAL_FEATURES.size
N_FLAGS = N_RED_FLAGS + N_BLUE_FLAGS
ENTITY_GROUPS = (
    EntityGroup(ISLANDS, N_ISLAND_FEATURES, 40),
    EntityGroup(N_FLAGS, N_ISLAND_FEATURES, 24),  # the islands with a flag once more
    EntityGroup(LINES, N_LINE_FEATURES, 20),
    EntityGroup(1, N_GLOBAL_FEATURES, 32),
)
FLAGGED_START = ISLANDS * N_ISLAND_FEATURES
LINES_START = FLAGGED_START + N_FLAGS * N_ISLAND_FEATURES
GLOBAL_START = LINES_START + LINES * N_LINE_FEATURES
N_FEATURES = GLOBAL_START + N_GLOBAL_FEATURES

NOTE_OPEN_BRIDGES = N_FEATURES + NOTES.offset("open_bridges")
NOTE_GROUP_SIZE = N_FEATURES + NOTES.offset("group_size")
NOTE_CARDS_UP_TO = N_FEATURES + NOTES.offset("cards_up_to")
WORKSPACE_SIZE = N_FEATURES + NOTES.size


class Progress(NamedTuple):
    """How far a paper has come."""

    played: int  # rounds
    due: int  # bridges of the last of those rounds still to draw
    finished: int  # islands, a bit set
    largest_group: int  # of finished islands
    earned: int  # bonuses, a bit set; including those that the draft earns
    points: int  # that are certain


@kernel
def write_paper_features(state: State, out: Any, played: int, due: int) -> float:
    """Write the features of seat 0's paper after ``played`` rounds; returns the points that are certain.

    ``due`` is how many bridges of the last of those rounds are still to be drawn.
    """
    for i in range(WORKSPACE_SIZE):
        out[i] = 0.0
    finished = finished_islands(state, 0)
    largest_group = _note_group_sizes(state, out, finished)
    earned, points = _earned_bonuses(state, finished, largest_group)
    progress = Progress(played, due, finished, largest_group, earned, points)
    _write_cards(state, out, played)
    for line in range(state.lines):
        _write_line(state, line, out, progress)
    lost, flags = 0, 0
    for island in range(ISLANDS):
        features = out[island * N_ISLAND_FEATURES : (island + 1) * N_ISLAND_FEATURES]
        lost |= _write_island(state, island, features, out, progress) << island
        _write_island_bonuses(state, island, features, out, progress)
        if (state.red | state.blue) >> island & 1:
            flagged = out[FLAGGED_START + flags * N_ISLAND_FEATURES :]
            for i in range(N_ISLAND_FEATURES):
                flagged[i] = features[i]
            flags += 1
    _write_islands_as_a_whole(state, out[GLOBAL_START:], lost, progress)
    _write_bonuses(state, out[GLOBAL_START:], lost, progress)
    return float(points)


@kernel
def _note_group_sizes(state: State, out: Any, finished: int) -> int:
    """Note the size of each finished island's group; returns the largest size."""
    largest, left = 0, finished
    while left:
        group = connected_group(state, 0, finished, lowest_bit(left))
        left &= ~group
        size = popcount(group)
        largest = max(largest, size)
        while group:
            out[NOTE_GROUP_SIZE + lowest_bit(group)] = size
            group &= group - 1
    return largest


@kernel
def _earned_bonuses(state: State, finished: int, largest_group: int) -> Any:
    """The bonuses that are earned, including those of the draft, and all points that are certain."""
    earned, points = 0, ISLAND_POINTS * popcount(finished)
    for bonus in range(N_BONUSES):
        is_complete = largest_group >= SIX_ISLANDS
        if bonus != SIX:
            is_complete = not (state.red if bonus == RED else state.blue) & ~finished
        if state.bonus[0, bonus]:
            points += state.bonus[0, bonus]
            earned |= 1 << bonus
        elif is_complete:
            points += LATE_POINTS_TABLE[bonus] if state.turns > SOLO_DEADLINE_TABLE[bonus] else FULL_POINTS_TABLE[bonus]
            earned |= 1 << bonus
    return earned, points


@kernel
def _write_cards(state: State, out: Any, played: int) -> None:
    """The cards to come. They are counted before dividing, so that the result does not depend on their order."""
    features, bridges = out[GLOBAL_START:], 0
    for position in range(played, N_CARDS):
        out[NOTE_CARDS_UP_TO + CARD_NUMBERS[state.deck[position]]] += 1.0
        features[G_CARD_BRIDGES + CARD_BRIDGES[state.deck[position]] - 1] += 1.0
    for i in range(MAX_CARD_BRIDGES):
        bridges += (i + 1) * int(features[G_CARD_BRIDGES + i])
        features[G_CARD_BRIDGES + i] /= 6
    features[G_BRIDGE_SUPPLY] = bridges / 36
    for number in range(1, N_NUMBERS):
        features[G_CARD_NUMBERS + number - 1] = out[NOTE_CARDS_UP_TO + number] / 3
        features[G_SURPLUS_HIGH_CARDS + number - 1] = (N_CARDS - played - out[NOTE_CARDS_UP_TO + number - 1]) / 6
        out[NOTE_CARDS_UP_TO + number] += out[NOTE_CARDS_UP_TO + number - 1]
        features[G_SURPLUS_LOW_CARDS + number - 1] = out[NOTE_CARDS_UP_TO + number] / 6


@kernel
def _need(state: State, island: int) -> int:
    """0 for an island without a number; else the bridges that it needs, at most 4."""
    return min(state.room[0, island], N_NEEDS - 1) if state.number[0, island] else 0


@kernel
def _write_line(state: State, line: int, out: Any, progress: Progress) -> None:
    """A line, and what it means for the islands at its ends."""
    a, b = state.end[line, 0], state.end[line, 1]
    ends, built = 1 << a | 1 << b, state.built[0] >> line & 1
    if ends & progress.finished:
        if built and ends & ~progress.finished:
            _write_adjacent_group(out, a, b, progress.finished)
        return
    closed = state.blocked[0] | state.double[0]
    if closed >> line & 1:
        return
    _write_neighbour(state, a, b, built, out)
    _write_neighbour(state, b, a, built, out)
    features = out[LINES_START + line * N_LINE_FEATURES :]
    features[EXISTS] = 1.0
    features[L_HAS_BRIDGE] = built
    features[L_OPEN_CROSSINGS] = popcount(state.cross[line] & ~closed) / 2
    features[L_END_NEEDS + _need_pair(state, a, b)] = 1.0
    features[L_END_FLAGS] = 0.0 if progress.earned >> RED & 1 else popcount(state.red & ends)
    features[L_END_FLAGS + 1] = 0.0 if progress.earned >> BLUE & 1 else popcount(state.blue & ends)
    features[L_ROUNDS_LEFT] = (ROUNDS - progress.played) / ROUNDS


@kernel
def _write_adjacent_group(out: Any, a: int, b: int, finished: int) -> None:
    """A bridge joins an unfinished island to a group of finished ones."""
    unfinished, member = (a, b) if finished >> b & 1 else (b, a)
    features = out[unfinished * N_ISLAND_FEATURES :]
    size = out[NOTE_GROUP_SIZE + member] / SIX_ISLANDS
    features[I_ADJACENT_GROUP_SIZE] = max(features[I_ADJACENT_GROUP_SIZE], size)


@kernel
def _write_neighbour(state: State, island: int, neighbour: int, built: int, out: Any) -> None:
    """What an open line to a neighbour means for an island."""
    bridges = min(MAX_LINE_BRIDGES - built, state.room[0, neighbour])
    need = _need(state, neighbour)
    kind = need + 1 if need else (state.red | state.blue) >> neighbour & 1
    features = out[island * N_ISLAND_FEATURES :]
    features[I_NEIGHBOURS + (bridges - 1) * N_NEIGHBOUR_KINDS + kind] += 0.5
    if need:
        features[I_WANTED_BRIDGES] += bridges / MAX_ISLAND_LINES
    out[NOTE_OPEN_BRIDGES + island] += bridges


@kernel
def _need_pair(state: State, a: int, b: int) -> int:
    """The index of an unordered pair of needs."""
    low, high = _need(state, a), _need(state, b)
    if low > high:
        low, high = high, low
    return high * (high + 1) // 2 + low


@kernel
def _write_island(state: State, island: int, features: Any, out: Any, progress: Progress) -> int:
    """An island's number and bridges. Returns 1 if it can no longer be finished, else 0."""
    number, room, open_bridges = state.number[0, island], state.room[0, island], int(out[NOTE_OPEN_BRIDGES + island])
    features[EXISTS] = 1.0
    features[I_NUMBER + number] = 1.0
    if progress.finished >> island & 1:
        features[I_MISSING_BRIDGES] = 1.0
        return 0
    if number:
        spare = max(-1, min(open_bridges - room, MAX_SPARE))
        features[I_MISSING_BRIDGES + room] = 1.0
        features[I_SPARE_BRIDGES + 1 + spare] = 1.0
        return 1 if spare < 0 else 0
    return _write_island_without_number(features, out, MAX_ISLAND_BRIDGES - room, open_bridges, progress.played)


@kernel
def _write_island_without_number(features: Any, out: Any, bridges: int, open_bridges: int, played: int) -> int:
    """An island that has some bridges and no number. Returns 1 if no card to come fits it, else 0."""
    highest = min(bridges + open_bridges, MAX_ISLAND_BRIDGES)
    fitting = out[NOTE_CARDS_UP_TO + highest] - out[NOTE_CARDS_UP_TO + max(bridges, 1) - 1]
    features[I_BRIDGES + bridges] = 1.0
    features[I_HIGHEST_NUMBER + highest] = 1.0
    global_features = out[GLOBAL_START:]
    for number in range(1, highest + 1):
        global_features[G_SURPLUS_HIGH_CARDS + number - 1] -= 1 / 6
    for number in range(max(bridges, 1), N_NUMBERS):
        global_features[G_SURPLUS_LOW_CARDS + number - 1] -= 1 / 6
    features[I_FITTING_CARDS] = fitting / (N_CARDS - played)
    return 1 if fitting <= 0.0 else 0


@kernel
def _write_island_bonuses(state: State, island: int, features: Any, out: Any, progress: Progress) -> None:
    """What an island means for the bonuses, and the time that is left."""
    for bonus in range(N_FLAG_COLOURS):
        islands = state.red if bonus == RED else state.blue
        if islands >> island & 1 and not progress.earned >> bonus & 1:
            features[I_FLAG + bonus] = 1.0
            features[I_FULL_POINTS_TIME] = _full_points_time(bonus, progress.played)
    features[I_ROUNDS_LEFT] = (ROUNDS - progress.played) / ROUNDS
    features[I_BRIDGES_DUE] = progress.due / MAX_CARD_BRIDGES
    if progress.earned >> SIX & 1:
        features[I_ADJACENT_GROUP_SIZE] = 0.0
    elif progress.finished >> island & 1:
        features[I_GROUP_SIZE] = out[NOTE_GROUP_SIZE + island] / SIX_ISLANDS


@kernel
def _full_points_time(bonus: int, played: int) -> float:
    """The share of the rounds left in which a bonus still gets full points."""
    return max(SOLO_DEADLINE_TABLE[bonus] - played, 0) / SOLO_DEADLINE_TABLE[bonus]


@kernel
def _write_islands_as_a_whole(state: State, features: Any, lost: int, progress: Progress) -> None:
    """How many islands are in which condition, and how many rounds are left for them."""
    rounds_left = ROUNDS - progress.played
    without_number, in_progress, bridges_needed = 0, 0, 0
    for island in range(ISLANDS):
        if not state.number[0, island]:
            without_number += 1
        elif state.room[0, island]:
            in_progress += 1
            bridges_needed += state.room[0, island]
    features[EXISTS] = 1.0
    features[G_ROUNDS_LEFT + rounds_left] = 1.0
    features[G_ISLANDS_WITHOUT_NUMBER] = without_number / ISLANDS
    features[G_ISLANDS_IN_PROGRESS] = in_progress / ISLANDS
    features[G_BRIDGES_NEEDED] = bridges_needed / 20
    features[G_ISLANDS_LOST] = popcount(lost) / ISLANDS
    features[G_ISLANDS_FINISHED] = popcount(progress.finished) / ISLANDS
    features[G_SURPLUS_ISLANDS] = (without_number - rounds_left) / ISLANDS
    features[G_BRIDGES_DUE + progress.due] = 1.0


@kernel
def _write_bonuses(state: State, features: Any, lost: int, progress: Progress) -> None:
    """Which bonuses are earned, and how far the others are."""
    for bonus in range(N_BONUSES):
        features[G_BONUS_EARNED + bonus] = progress.earned >> bonus & 1
    for bonus in range(N_FLAG_COLOURS):
        features[G_FULL_POINTS_TIME + bonus] = _full_points_time(bonus, progress.played)
    if not progress.earned >> RED & 1:
        features[G_RED_UNFINISHED + popcount(state.red & ~progress.finished)] = 1.0
        features[G_RED_LOST] = 1.0 if state.red & lost else 0.0
    if not progress.earned >> BLUE & 1:
        features[G_BLUE_UNFINISHED + popcount(state.blue & ~progress.finished)] = 1.0
        features[G_BLUE_LOST] = 1.0 if state.blue & lost else 0.0
    if not progress.earned >> SIX & 1:
        features[G_LARGEST_GROUP + progress.largest_group] = 1.0
