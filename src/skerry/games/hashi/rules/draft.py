"""A seat's draft of the round: writing, drawing, and changing one's mind."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit, members_if
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.bridges import bridges_due, can_complete, lines_closed_by, open_lines
from skerry.games.hashi.rules.components import CARD_NUMBERS, ISLANDS, MAX_CARD_BRIDGES, MAX_ISLAND_BRIDGES
from skerry.games.hashi.rules.state import NOWHERE, State


@kernel
def bridges_at(state: State, seat: int, island: int) -> int:
    """Bridges at an island, this round's draft included."""
    number = state.number[seat, island]
    return (number if number else MAX_ISLAND_BRIDGES) - state.room[seat, island]


@kernel
def drafted_bridges_at(state: State, seat: int, island: int) -> int:
    """Bridges that this round's draft leads to an island."""
    count = 0
    for i in range(state.drafted[seat]):
        line = state.draft_line[seat, i]
        if state.end[line, 0] == island or state.end[line, 1] == island:
            count += 1
    return count


@kernel
def _packed_drafted_bridges(state: State, seat: int) -> int:
    """The same for all islands at once, two bits each: a card has three bridges at most."""
    counts = 0
    for i in range(state.drafted[seat]):
        line = state.draft_line[seat, i]
        counts += (1 << 2 * state.end[line, 0]) + (1 << 2 * state.end[line, 1])
    return counts


@kernel
def writable_islands(state: State, seat: int) -> int:
    """HA-11, HA-12: the islands that can take the card's number, judged before this round's bridges."""
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
    """Write a number, or with 0 take it off; the island keeps its bridges."""
    there = bridges_at(state, seat, island)
    state.number[seat, island] = number
    state.room[seat, island] = (number if number else MAX_ISLAND_BRIDGES) - there


@kernel
def draw_bridge(state: State, seat: int, line: int) -> None:
    """Draw a bridge into the draft."""
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
    """Take a bridge off a line."""
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
    """Take the last drafted bridge of a line back; the others keep their order."""
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
    """HA-20: the number moves (or goes), and the bridges are drawn again in their order as far as offered."""
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
    """An empty draft; what was drafted is taken off the paper."""
    for i in range(state.drafted[seat]):
        _erase_bridge(state, seat, state.draft_line[seat, i])
    if state.draft_island[seat] != NOWHERE and state.turns:
        put_number(state, seat, state.draft_island[seat], 0)
    begin_draft(state, seat)


@kernel
def begin_draft(state: State, seat: int) -> None:
    """An empty draft; what was drafted stays on the paper for good."""
    state.draft_island[seat] = NOWHERE
    state.draft_start[seat] = 0
    state.drafted[seat] = 0
    for i in range(MAX_CARD_BRIDGES):
        state.draft_line[seat, i] = 0
