"""Where bridges can be drawn, by a small exact search over the open lines.

A card demands all of its bridges or none (HA-13), so a line is drawable only if the remaining bridges of the card fit
after it. The order of bridges does not matter: a set that can be drawn in one order can be drawn in any. Since a card
has at most three bridges, the search looks at most two bridges ahead.
"""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit, members_if
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.components import CARD_BRIDGES, ISLANDS
from skerry.games.hashi.rules.state import State


@kernel
def bridges_due(state: State, seat: int) -> int:
    """The number of bridges on this round's card that the seat has not drafted yet."""
    return CARD_BRIDGES[state.deck[state.turns - 1]] - state.drafted[seat]


@kernel
def open_lines(state: State, seat: int) -> int:
    """HA-14 to HA-18: the lines that can take a bridge, whatever comes after it."""
    reached = 0
    for island in range(ISLANDS):
        reached |= members_if(state.number[seat, island] > 0, state.at[island])
    return reached & ~(state.double[seat] | state.blocked[seat] | lines_without_room(state, seat, 1))


@kernel
def lines_without_room(state: State, seat: int, bridges: int) -> int:
    """The lines with an end that cannot take this many bridges."""
    lines = 0
    for island in range(ISLANDS):
        lines |= members_if(state.room[seat, island] < bridges, state.at[island])
    return lines


@kernel
def lines_closed_by(state: State, seat: int, line: int, before: int) -> int:
    """The lines that can take no bridge any more once one is drawn on ``line``.

    ``before`` is the line of a bridge that is assumed to be drawn before it, or -1.
    """
    lines = state.cross[line]
    if line == before or state.built[seat] >> line & 1:
        lines |= 1 << line
    for side in range(2):
        island = state.end[line, side]
        room = state.room[seat, island]
        if before >= 0 and (state.end[before, 0] == island or state.end[before, 1] == island):
            room -= 1
        if room == 1:
            lines |= state.at[island]
    return lines


@kernel
def can_complete(state: State, seat: int, lines: int, line: int, more: int) -> bool:
    """Whether ``more`` bridges (0 to 2) can be drawn after one on ``line``. ``lines`` are the open lines."""
    if not more:
        return True
    rest = lines & ~lines_closed_by(state, seat, line, -1)
    if more == 1:
        return rest != 0
    while rest:
        second = lowest_bit(rest)
        if rest & ~lines_closed_by(state, seat, second, line):
            return True
        rest &= rest - 1
    return False


@kernel
def drawable_lines(state: State, seat: int) -> int:
    """HA-13: the lines whose bridge leaves room for all remaining bridges of the card."""
    more = bridges_due(state, seat) - 1
    if more < 0:
        return 0
    lines = open_lines(state, seat)
    if not more:
        return lines
    # A shortcut: usually an "ample" line has room for the remaining bridges even after a bridge elsewhere. A bridge on
    # any other line that does not cross it is then fine without a search.
    ample = lines & ~lines_without_room(state, seat, more + 1)
    if more > 1:
        ample &= ~state.built[seat]
    drawable = doubtful = lines
    while ample and doubtful:
        doubtful &= state.cross[lowest_bit(ample)] | ample & -ample
        ample &= ample - 1
    while doubtful:
        if not can_complete(state, seat, lines, lowest_bit(doubtful), more):
            drawable &= ~(doubtful & -doubtful)
        doubtful &= doubtful - 1
    return drawable
