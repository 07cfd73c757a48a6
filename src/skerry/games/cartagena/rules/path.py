"""Where pirates can go: the spaces ahead and behind, the sloop between the halves, and moving a pirate."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import (
    AT_CARTAGENA,
    AT_TORTUGA,
    BACK_THEN_MORGAN,
    ESCAPE,
    FULL,
    HIDEOUT,
    MORGAN,
    ROOM,
    SLOOP,
    SPACES,
    START,
)
from skerry.games.cartagena.rules.components import BACK as BACK_ONLY
from skerry.games.cartagena.rules.state import State

_LOW = 0xFFFFFFFF


@kernel
def nearest(places: int) -> int:
    """The lowest place of a set that is not empty."""
    if places & _LOW:
        return lowest_bit(places & _LOW)
    return 32 + lowest_bit(places >> 32)


@kernel
def farthest(places: int) -> int:
    """The highest place of a set that is not empty."""
    place = 0
    shift = 32
    while shift:
        if places >> shift:
            places >>= shift
            place += shift
        shift >>= 1
    return place


@kernel
def size(places: int) -> int:
    """How many places a set has: neighbouring bits are added up, then pairs of them, then all bytes at once."""
    places -= places >> 1 & 0x5555555555555555
    places = (places & 0x3333333333333333) + (places >> 2 & 0x3333333333333333)
    places = places + (places >> 4) & 0x0F0F0F0F0F0F0F0F
    return places * 0x0101010101010101 >> 56 & 0xFF


@kernel
def span(after: int, last: int) -> int:
    """The spaces after one, up to and with another."""
    return (2 << last) - (2 << after)


@kernel
def goal(state: State) -> int:
    """CA-17, CA-29: where all pirates must be."""
    return SLOOP if state.story == ESCAPE else HIDEOUT


@kernel
def tunnel(state: State) -> int:
    """Where pirates begin and the spaces of the first half (in the stories of one half, of the whole path)."""
    return (2 << state.shore) - 1


@kernel
def island(state: State) -> int:
    """The spaces of the second half, and the sloop while pirates can leave it onto them."""
    if state.story != FULL:
        return 0
    spaces = span(state.shore, state.spaces)
    return spaces | 1 << SLOOP if state.sloop == AT_TORTUGA else spaces


@kernel
def aboard(state: State, seat: int) -> int:
    count = 0
    for pirate in range(state.crew):
        if state.where[seat, pirate] == SLOOP:
            count += 1
    return count


@kernel
def can_board(state: State, seat: int, pirates: int) -> bool:
    """CA-23: in the full story only at Cartagena, and at most three of a colour."""
    return state.story != FULL or (state.sloop == AT_CARTAGENA and aboard(state, seat) + pirates <= ROOM)


@kernel
def movers(state: State, seat: int, stops: int, pirates: int) -> int:
    """The places from which so many pirates of a colour can go forward, if ``stops`` are the spaces to stop at."""
    ours = state.at[seat]
    in_tunnel = ours & tunnel(state)
    if not can_board(state, seat, pirates):
        stops &= span(START, state.shore)
        in_tunnel = in_tunnel & (1 << farthest(stops)) - 1 if stops else 0
    return in_tunnel | ours & island(state)


@kernel
def ahead(state: State, place: int) -> int:
    """The spaces before a pirate, in its half."""
    if place == SLOOP:
        return span(state.shore, state.spaces)
    return span(place, state.shore if place <= state.shore else state.spaces)


@kernel
def land(state: State, place: int, stops: int) -> int:
    """CA-11, CA-12, CA-25: the first stop ahead of a pirate that can move, else the end of its half."""
    stops &= ahead(state, place)
    if stops:
        return nearest(stops)
    return SLOOP if state.story == FULL and place <= state.shore else goal(state)


@kernel
def empty(state: State, symbol: int) -> int:
    return state.symbols[symbol] & ~state.occupied


@kernel
def sociable(state: State) -> int:
    """CA-13, CA-30: the spaces with one or two pirates."""
    return state.occupied & ~state.crowded


@kernel
def behind(state: State, place: int) -> int:
    """CA-15, CA-28: the spaces behind a pirate, in its half."""
    half = state.shore if state.story == FULL else 0
    if place == HIDEOUT:
        return span(half, state.spaces)
    if place == SLOOP:
        return span(START, state.shore) if state.sloop == AT_CARTAGENA else 0
    if place == START:
        return 0
    return span(START if place <= state.shore else half, place - 1)


@kernel
def backs(state: State, seat: int) -> int:
    """The places from which a pirate of a colour can move back."""
    if state.drawing == MORGAN:
        return 0
    ours = state.at[seat]
    if state.drawing == BACK_THEN_MORGAN:
        ours &= ~(island(state) | 1 << HIDEOUT)
    stops = sociable(state)
    able = 0
    while ours:
        place = nearest(ours)
        ours &= ours - 1
        if stops & behind(state, place):
            able |= 1 << place
    return able


@kernel
def retreat(state: State, place: int) -> int:
    """CA-13: where moving back from a place ends; it must be possible."""
    return farthest(sociable(state) & behind(state, place))


@kernel
def helped(state: State, other: int) -> int:
    """CA-30 to CA-32: the places from which a pirate of another colour can be moved on."""
    if state.drawing == BACK_ONLY:
        return 0
    able = movers(state, other, sociable(state), 1)
    return able & island(state) if state.drawing == BACK_THEN_MORGAN else able


@kernel
def can_sail(state: State, seat: int) -> bool:
    """CA-24: to Tortuga with a pirate aboard, back for a pirate still in the tunnel or the prison."""
    if state.story != FULL:
        return False
    if state.sloop == AT_CARTAGENA:
        return state.at[seat] >> SLOOP & 1 == 1
    return state.at[seat] & tunnel(state) != 0


@kernel
def pairs(state: State, seat: int) -> int:
    """CA-56: the spaces of the path with two or more pirates of a colour."""
    once = 0
    twice = 0
    for pirate in range(state.crew):
        here = 1 << state.where[seat, pirate]
        twice |= once & here
        once |= here
    return twice & span(START, state.spaces)


@kernel
def relocate(state: State, seat: int, place: int, target: int) -> None:
    """One pirate of a colour goes from a place to another."""
    carry(state, seat, one_at(state, seat, place), target)


@kernel
def one_at(state: State, seat: int, place: int) -> int:
    """The first pirate of a colour on a place where it has one."""
    pirate = 0
    while state.where[seat, pirate] != place:
        pirate += 1
    return pirate


@kernel
def carry(state: State, seat: int, pirate: int, target: int) -> None:
    _count(state, state.where[seat, pirate], -1)
    _count(state, target, 1)
    state.where[seat, pirate] = target
    places = 0
    for each in range(state.crew):
        places |= 1 << state.where[seat, each]
    state.at[seat] = places


@kernel
def _count(state: State, place: int, change: int) -> None:
    state.crowd[place] += change
    if START < place <= SPACES:
        here = 1 << place
        state.occupied = state.occupied | here if state.crowd[place] else state.occupied & ~here
        state.crowded = state.crowded | here if state.crowd[place] == ROOM else state.crowded & ~here


@kernel
def has_won(state: State, seat: int) -> bool:
    return state.at[seat] == 1 << goal(state)
