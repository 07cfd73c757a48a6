"""A seat's draft of the round: writing its number, drawing its bridges, and taking either back."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit, members_if
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.bridges import bridges_due, can_complete, lines_closed_by, open_lines
from skerry.games.hashi.rules.components import CARD_NUMBERS, ISLANDS, MAX_CARD_BRIDGES, MAX_ISLAND_BRIDGES
from skerry.games.hashi.rules.state import NOWHERE, State


@kernel
def bridges_at(state: State, seat: int, island: int) -> int:
    """The number of bridges at an island, including those of this round's draft."""
    number = state.number[seat, island]
    return (number if number else MAX_ISLAND_BRIDGES) - state.room[seat, island]


@kernel
def drafted_bridges_at(state: State, seat: int, island: int) -> int:
    """The number of bridges at an island that were drawn in this round's draft."""
    count = 0
    for i in range(state.drafted[seat]):
        line = state.draft_line[seat, i]
        if state.end[line, 0] == island or state.end[line, 1] == island:
            count += 1
    return count


@kernel
def _packed_drafted_bridges(state: State, seat: int) -> int:
    """``drafted_bridges_at`` for all islands at once, in two bits each: a card has at most three bridges."""
    counts = 0
    for i in range(state.drafted[seat]):
        line = state.draft_line[seat, i]
        counts += (1 << 2 * state.end[line, 0]) + (1 << 2 * state.end[line, 1])
    return counts


@kernel
def writable_islands(state: State, seat: int) -> int:
    """HA-11, HA-12: the islands that can take the card's number. Bridges of this round's draft do not count."""
    number = CARD_NUMBERS[state.deck[state.turns - 1]]
    drafted = _packed_drafted_bridges(state, seat)
    empty, reached, crowded = 0, 0, 0
    for island in range(ISLANDS):
        bit = 1 << island
        room = state.room[seat, island] + (drafted >> 2 * island & 3)
        empty |= members_if(not state.number[seat, island], bit)
        reached |= members_if(room < MAX_ISLAND_BRIDGES, bit)
        crowded |= members_if(room < MAX_ISLAND_BRIDGES - number, bit)
    return empty & ~crowded & (reached | ~(state.red | state.blue))


@kernel
def put_number(state: State, seat: int, island: int, number: int) -> None:
    """Write a number on an island, or erase it with 0. The island keeps its bridges."""
    bridges = bridges_at(state, seat, island)
    state.number[seat, island] = number
    state.room[seat, island] = (number if number else MAX_ISLAND_BRIDGES) - bridges


@kernel
def draw_bridge(state: State, seat: int, line: int) -> None:
    """Draw a bridge on a line and add it to the draft."""
    bit = 1 << line
    if state.built[seat] & bit:
        state.double[seat] |= bit
    state.built[seat] |= bit
    state.blocked[seat] |= state.cross[line]
    state.room[seat, state.end[line, 0]] -= 1
    state.room[seat, state.end[line, 1]] -= 1
    state.draft_line[seat, state.drafted[seat]] = line
    state.drafted[seat] += 1


@kernel
def _erase_bridge(state: State, seat: int, line: int) -> None:
    """Take one bridge off a line of the paper; the list of drafted bridges stays as it is."""
    bit = 1 << line
    state.room[seat, state.end[line, 0]] += 1
    state.room[seat, state.end[line, 1]] += 1
    if state.double[seat] & bit:
        state.double[seat] &= ~bit
        return
    state.built[seat] &= ~bit
    freed = state.cross[line]
    while freed:
        if not state.cross[lowest_bit(freed)] & state.built[seat]:
            state.blocked[seat] &= ~(freed & -freed)
        freed &= freed - 1


@kernel
def remove_bridge(state: State, seat: int, line: int) -> None:
    """Take back the last drafted bridge on a line; the others keep their order."""
    _erase_bridge(state, seat, line)
    i = state.drafted[seat] - 1
    later = line
    while True:
        drawn = state.draft_line[seat, i]
        state.draft_line[seat, i] = later
        if drawn == line:
            break
        later = drawn
        i -= 1
    state.drafted[seat] -= 1
    state.draft_line[seat, state.drafted[seat]] = 0


@kernel
def move_number(state: State, seat: int, island: int) -> None:
    """HA-20: move the drafted number to an island, or erase it with NOWHERE.

    Whether a bridge is allowed depends on the numbers, so the drafted bridges are drawn again in their order, except
    those that are no longer drawable.
    """
    drawn = state.drafted[seat]
    for i in range(drawn):
        _erase_bridge(state, seat, state.draft_line[seat, i])
    if state.draft_island[seat] != NOWHERE:
        put_number(state, seat, state.draft_island[seat], 0)
    state.draft_island[seat] = island
    if island != NOWHERE:
        put_number(state, seat, island, CARD_NUMBERS[state.deck[state.turns - 1]])
    state.drafted[seat] = 0
    lines = open_lines(state, seat) if drawn else 0
    for i in range(drawn):
        line = state.draft_line[seat, i]
        state.draft_line[seat, i] = 0
        if lines >> line & 1 and can_complete(state, seat, lines, line, bridges_due(state, seat) - 1):
            lines &= ~lines_closed_by(state, seat, line, -1)
            draw_bridge(state, seat, line)


@kernel
def discard_draft(state: State, seat: int) -> None:
    """Begin an empty draft and take the old one off the paper."""
    for i in range(state.drafted[seat]):
        _erase_bridge(state, seat, state.draft_line[seat, i])
    if state.draft_island[seat] != NOWHERE and state.turns:
        put_number(state, seat, state.draft_island[seat], 0)
    begin_draft(state, seat)


@kernel
def begin_draft(state: State, seat: int) -> None:
    """Begin an empty draft; what was drafted before stays on the paper for good."""
    state.draft_island[seat] = NOWHERE
    state.draft_start[seat] = 0
    state.drafted[seat] = 0
    for i in range(MAX_CARD_BRIDGES):
        state.draft_line[seat, i] = 0
