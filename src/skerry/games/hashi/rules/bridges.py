"""Where a bridge can be drawn: a small exact search over the open lines.

The bridges of a round are a set: what can be drawn in one order can be drawn in every order. So a bridge is
offered if the rest of the card's count fits after it, and the search never has to look deeper than two.
"""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit, members_if
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules.components import CARD_BRIDGES, ISLANDS
from skerry.games.hashi.rules.state import State


@kernel
def bridges_due(state: State, seat: int) -> int:
    """Bridges of this round's card that are not drafted yet."""
    return CARD_BRIDGES[state.deck[state.turns - 1]] - state.drafted[seat]


@kernel
def open_lines(state: State, seat: int) -> int:
    """HA-14 to HA-18: the lines that can take one bridge."""
    reached = 0
    for island in range(ISLANDS):
        reached |= members_if(state.number[seat, island] > 0, state.at[island])
    return reached & ~(state.double[seat] | state.blocked[seat] | lines_without_room(state, seat, 1))


@kernel
def lines_without_room(state: State, seat: int, bridges: int) -> int:
    """The lines with an end that cannot take so many bridges."""
    lines = 0
    for island in range(ISLANDS):
        lines |= members_if(state.room[seat, island] < bridges, state.at[island])
    return lines


@kernel
def lines_closed_by(state: State, seat: int, line: int, before: int) -> int:
    """The lines that close when a bridge is drawn on ``line``, after one on the line ``before`` (-1: none)."""
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
    """Whether, after a bridge on one of the open ``lines``, so many more (none, one or two) can be drawn."""
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
    """HA-13: the lines on which a bridge leads on to the card's full count."""
    more = bridges_due(state, seat) - 1
    if more < 0:
        return 0
    lines = open_lines(state, seat)
    if not more:
        return lines
    # Mostly there is an ample line that can take the rest whatever one bridge elsewhere uses up. Then only that line
    # and those that cross it are in doubt: no need to search for the others.
    ample = lines & ~lines_without_room(state, seat, more + 1)
    if more > 1:
        ample &= ~state.built[seat]
    chosen = doubtful = lines
    while ample and doubtful:
        doubtful &= state.cross[lowest_bit(ample)] | ample & -ample
        ample &= ample - 1
    while doubtful:
        if not can_complete(state, seat, lines, lowest_bit(doubtful), more):
            chosen &= ~(doubtful & -doubtful)
        doubtful &= doubtful - 1
    return chosen
