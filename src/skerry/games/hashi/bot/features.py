"""How a paper looks to one who plays alone and judges it: numbers about its islands, flags and lines and the whole.

Of the cards only those that can still come are looked at, never their order.
"""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.bitset import lowest_bit, popcount
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

SIZES = MAX_ISLAND_BRIDGES + 1  # of numbers, none included
# Of an island: that it is there, then one of each of these
NUMBER = 1
LACKS = NUMBER + SIZES  # bridges, if it has a number
HAS = LACKS + SIZES  # bridges, if it has none
SPARE = HAS + SIZES  # bridges that its lines can take beyond what it lacks: too few, or none to three
MOST = SPARE + 5  # the largest number that it can still come to, if it has none
# Neighbours that it can be joined to, by sort and by how many bridges
BESIDE = MOST + SIZES
SORTS = 6  # without a number and flag, without a number, one bridge lacks, two, three, more
FLAG = BESIDE + MAX_LINE_BRIDGES * SORTS  # red, blue; while its bonus is not had
EARLY, FITTING, LEFT, GROUP, NEAR, OWED, WANTED = range(FLAG + 2, FLAG + 9)
OF_ISLAND = FLAG + 9
# Of a line that can take a bridge: that it is there, then
BEGUN, CROSSES, PAIR = 1, 2, 3  # the sorts of its ends, as a pair
KINDS = 5  # without a number, one bridge lacks, two, three, more
LINE_FLAG = PAIR + KINDS * (KINDS + 1) // 2  # of its ends
LINE_LEFT = LINE_FLAG + 2
OF_LINE = LINE_LEFT + 1
# Of the whole: that it is there, then
TIME = 1  # rounds to come
NUMBERS = TIME + ROUNDS + 1  # on cards to come
COUNTS = NUMBERS + MAX_ISLAND_BRIDGES  # of bridges on them
HAD = COUNTS + MAX_CARD_BRIDGES  # bonuses
REDS_LEFT = HAD + N_BONUSES
BLUES_LEFT = REDS_LEFT + N_RED_FLAGS + 1
LARGEST = BLUES_LEFT + N_BLUE_FLAGS + 1  # group of finished islands
ALL_OWED = LARGEST + SIX_ISLANDS + 1
ALL_EARLY = ALL_OWED + MAX_CARD_BRIDGES + 1
RED_LOST, BLUE_LOST, SUPPLY, BLANK, BEGAN, ROOMS, LOST, DONE, EXCESS = range(ALL_EARLY + 2, ALL_EARLY + 11)
# Cards to come with at least (at most) each number, less the islands without one that could still take it
TOO_HIGH = ALL_EARLY + 11
TOO_LOW = TOO_HIGH + MAX_ISLAND_BRIDGES
OF_ALL = TOO_LOW + MAX_ISLAND_BRIDGES

FLAGGED = N_RED_FLAGS + N_BLUE_FLAGS
ENTITY_GROUPS = (
    EntityGroup(ISLANDS, OF_ISLAND, 40),
    EntityGroup(FLAGGED, OF_ISLAND, 24),
    EntityGroup(LINES, OF_LINE, 20),
    EntityGroup(1, OF_ALL, 32),
)
FLAGS_START = ISLANDS * OF_ISLAND
LINES_START = FLAGS_START + FLAGGED * OF_ISLAND
ALL_START = LINES_START + LINES * OF_LINE
END = ALL_START + OF_ALL
# Noted behind: of each island the bridges its lines can take, and the finished islands joined to it; the cards to come
# with numbers up to each.
REACH, JOINED_TO, UPTO = END, END + ISLANDS, END + 2 * ISLANDS
NOTED = UPTO + SIZES


@kernel
def sketch_paper(state: State, out: Any, played: int, owed: int) -> float:
    """After so many rounds, with so many bridges of the last one still to draw; the points that are sure."""
    for i in range(NOTED):
        out[i] = 0.0
    done = finished_islands(state, 0)
    largest = _note_groups(state, out, done)
    had, points = _bonuses(state, done, largest)
    _cards(state, out, played)
    for line in range(state.lines):
        _line(state, line, out, done, had, played)
    lost, flags = 0, 0
    for island in range(ISLANDS):
        mine = out[island * OF_ISLAND : (island + 1) * OF_ISLAND]
        lost |= _island(state, island, mine, out, done, played) << island
        _island_in_time(state, island, mine, out, done, had, played, owed)
        if (state.red | state.blue) >> island & 1:
            flag = out[FLAGS_START + flags * OF_ISLAND :]
            for i in range(OF_ISLAND):
                flag[i] = mine[i]
            flags += 1
    _whole(state, out[ALL_START:], done, had, lost, largest, played, owed)
    return float(points)


@kernel
def _note_groups(state: State, out: Any, done: int) -> int:
    """Finished islands that hang together; the size of the largest group."""
    most, left = 0, done
    while left:
        group = connected_group(state, 0, done, lowest_bit(left))
        left &= ~group
        size = popcount(group)
        most = max(most, size)
        while group:
            out[JOINED_TO + lowest_bit(group)] = size
            group &= group - 1
    return most


@kernel
def _bonuses(state: State, done: int, largest: int) -> Any:
    """The bonuses that are had, a draft's included, and all points that are sure."""
    had, points = 0, ISLAND_POINTS * popcount(done)
    for bonus in range(N_BONUSES):
        reached = largest >= SIX_ISLANDS
        if bonus != SIX:
            reached = not (state.red if bonus == RED else state.blue) & ~done
        if state.bonus[0, bonus]:
            points += state.bonus[0, bonus]
            had |= 1 << bonus
        elif reached:
            points += LATE_POINTS_TABLE[bonus] if state.turns > SOLO_DEADLINE_TABLE[bonus] else FULL_POINTS_TABLE[bonus]
            had |= 1 << bonus
    return had, points


@kernel
def _cards(state: State, out: Any, played: int) -> None:
    """What can still come. Counted first: the same cards in another order are the same to the last bit."""
    whole, bridges = out[ALL_START:], 0
    for position in range(played, N_CARDS):
        out[UPTO + CARD_NUMBERS[state.deck[position]]] += 1.0
        whole[COUNTS + CARD_BRIDGES[state.deck[position]] - 1] += 1.0
    for size in range(MAX_CARD_BRIDGES):
        bridges += (size + 1) * int(whole[COUNTS + size])
        whole[COUNTS + size] /= 6
    whole[SUPPLY] = bridges / 36
    for number in range(1, SIZES):
        whole[NUMBERS + number - 1] = out[UPTO + number] / 3
        whole[TOO_HIGH + number - 1] = (N_CARDS - played - out[UPTO + number - 1]) / 6
        out[UPTO + number] += out[UPTO + number - 1]
        whole[TOO_LOW + number - 1] = out[UPTO + number] / 6


@kernel
def _kind(state: State, island: int) -> int:
    return min(state.room[0, island], KINDS - 1) if state.number[0, island] else 0


@kernel
def _line(state: State, line: int, out: Any, done: int, had: int, played: int) -> None:
    a, b = state.end[line, 0], state.end[line, 1]
    ends, built = 1 << a | 1 << b, state.built[0] >> line & 1
    if ends & done:
        if built and ends & ~done:
            near, far = (a, b) if done >> b & 1 else (b, a)
            mine = out[near * OF_ISLAND :]
            mine[NEAR] = max(mine[NEAR], out[JOINED_TO + far] / SIX_ISLANDS)
        return
    closed = state.blocked[0] | state.double[0]
    if closed >> line & 1:
        return
    flags = state.red | state.blue
    for side in range(2):
        here, there = state.end[line, side], state.end[line, 1 - side]
        bridges = min(MAX_LINE_BRIDGES - built, state.room[0, there])
        kind = _kind(state, there)
        sort = kind + 1 if kind else flags >> there & 1
        mine = out[here * OF_ISLAND :]
        mine[BESIDE + (bridges - 1) * SORTS + sort] += 0.5
        if kind:
            mine[WANTED] += bridges / MAX_ISLAND_LINES
        out[REACH + here] += bridges
    low, high = _kind(state, a), _kind(state, b)
    if low > high:
        low, high = high, low
    mine = out[LINES_START + line * OF_LINE :]
    mine[0] = 1.0
    mine[BEGUN] = built
    mine[CROSSES] = popcount(state.cross[line] & ~closed) / 2
    mine[PAIR + high * (high + 1) // 2 + low] = 1.0
    mine[LINE_FLAG] = 0.0 if had >> RED & 1 else popcount(state.red & ends)
    mine[LINE_FLAG + 1] = 0.0 if had >> BLUE & 1 else popcount(state.blue & ends)
    mine[LINE_LEFT] = (ROUNDS - played) / ROUNDS


@kernel
def _island(state: State, island: int, mine: Any, out: Any, done: int, played: int) -> int:
    """What an island has and lacks; whether it can no longer be finished."""
    number, room, reach = state.number[0, island], state.room[0, island], int(out[REACH + island])
    mine[0] = 1.0
    mine[NUMBER + number] = 1.0
    if done >> island & 1:
        mine[LACKS] = 1.0
        return 0
    if number:
        spare = max(-1, min(reach - room, 3))
        mine[LACKS + room] = 1.0
        mine[SPARE + 1 + spare] = 1.0
        return 1 if spare < 0 else 0
    bridges = MAX_ISLAND_BRIDGES - room
    most = min(bridges + reach, MAX_ISLAND_BRIDGES)
    fitting = out[UPTO + most] - out[UPTO + max(bridges, 1) - 1]
    mine[HAS + bridges] = 1.0
    mine[MOST + most] = 1.0
    whole = out[ALL_START:]
    for number in range(1, most + 1):
        whole[TOO_HIGH + number - 1] -= 1 / 6
    for number in range(max(bridges, 1), SIZES):
        whole[TOO_LOW + number - 1] -= 1 / 6
    mine[FITTING] = fitting / (N_CARDS - played)
    return 1 if fitting <= 0.0 else 0


@kernel
def _island_in_time(
    state: State, island: int, mine: Any, out: Any, done: int, had: int, played: int, owed: int
) -> None:
    for bonus in range(SIX):
        islands = state.red if bonus == RED else state.blue
        if islands >> island & 1 and not had >> bonus & 1:
            mine[FLAG + bonus] = 1.0
            mine[EARLY] = max(SOLO_DEADLINE_TABLE[bonus] - played, 0) / SOLO_DEADLINE_TABLE[bonus]
    mine[LEFT] = (ROUNDS - played) / ROUNDS
    mine[OWED] = owed / MAX_CARD_BRIDGES
    if had >> SIX & 1:
        mine[NEAR] = 0.0
    elif done >> island & 1:
        mine[GROUP] = out[JOINED_TO + island] / SIX_ISLANDS


@kernel
def _whole(state: State, whole: Any, done: int, had: int, lost: int, largest: int, played: int, owed: int) -> None:
    left, blank, began, rooms = ROUNDS - played, 0, 0, 0
    for island in range(ISLANDS):
        if not state.number[0, island]:
            blank += 1
        elif state.room[0, island]:
            began += 1
            rooms += state.room[0, island]
    whole[0] = 1.0
    whole[TIME + left] = 1.0
    whole[BLANK] = blank / ISLANDS
    whole[BEGAN] = began / ISLANDS
    whole[ROOMS] = rooms / 20
    whole[LOST] = popcount(lost) / ISLANDS
    whole[DONE] = popcount(done) / ISLANDS
    whole[EXCESS] = (blank - left) / ISLANDS
    whole[ALL_OWED + owed] = 1.0
    for bonus in range(N_BONUSES):
        whole[HAD + bonus] = had >> bonus & 1
    for bonus in range(SIX):
        whole[ALL_EARLY + bonus] = max(SOLO_DEADLINE_TABLE[bonus] - played, 0) / SOLO_DEADLINE_TABLE[bonus]
    if not had >> RED & 1:
        whole[REDS_LEFT + popcount(state.red & ~done)] = 1.0
        whole[RED_LOST] = 1.0 if state.red & lost else 0.0
    if not had >> BLUE & 1:
        whole[BLUES_LEFT + popcount(state.blue & ~done)] = 1.0
        whole[BLUE_LOST] = 1.0 if state.blue & lost else 0.0
    if not had >> SIX & 1:
        whole[LARGEST + largest] = 1.0
