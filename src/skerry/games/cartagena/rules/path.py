"""Where pirates can move along the path and aboard the sloop, and moving them."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import (
    AT_CARTAGENA,
    AT_TORTUGA,
    DRAW_BACK,
    DRAW_BACK_THEN_MORGAN,
    DRAW_MORGAN,
    ESCAPE,
    FULL,
    HIDEOUT,
    MAX_PIRATES,
    SLOOP,
    SPACES,
    START,
)
from skerry.games.cartagena.rules.state import State

_LOW_HALF = 0xFFFFFFFF


@kernel
def lowest_place(places: int) -> int:
    """The lowest place of a non-empty set."""
    if places & _LOW_HALF:
        return lowest_bit(places & _LOW_HALF)
    return 32 + lowest_bit(places >> 32)


@kernel
def highest_place(places: int) -> int:
    """The highest place of a non-empty set."""
    place = 0
    shift = 32
    while shift:
        if places >> shift:
            places >>= shift
            place += shift
        shift >>= 1
    return place


@kernel
def count_places(places: int) -> int:
    """The number of places in a set, by adding up neighbouring bits, then pairs of bits, then all bytes at once."""
    places -= places >> 1 & 0x5555555555555555
    places = (places & 0x3333333333333333) + (places >> 2 & 0x3333333333333333)
    places = places + (places >> 4) & 0x0F0F0F0F0F0F0F0F
    return places * 0x0101010101010101 >> 56 & 0xFF


@kernel
def spaces_between(after: int, last: int) -> int:
    """The spaces after ``after`` up to and including ``last``."""
    return (2 << last) - (2 << after)


@kernel
def goal_place(state: State) -> int:
    """CA-17, CA-29: the place where all pirates of a colour must be to win."""
    return SLOOP if state.story == ESCAPE else HIDEOUT


@kernel
def tunnel_places(state: State) -> int:
    """The start and the spaces of the first half; in the stories with one half, of the whole path."""
    return (2 << state.shore) - 1


@kernel
def island_places(state: State) -> int:
    """The spaces of the second half, and the sloop while pirates can leave it for them."""
    if state.story != FULL:
        return 0
    spaces = spaces_between(state.shore, state.spaces)
    return spaces | 1 << SLOOP if state.sloop == AT_TORTUGA else spaces


@kernel
def pirates_aboard(state: State, seat: int) -> int:
    """How many pirates a seat has aboard the sloop."""
    count = 0
    for pirate in range(state.crew):
        if state.where[seat, pirate] == SLOOP:
            count += 1
    return count


@kernel
def can_board(state: State, seat: int, pirates: int) -> bool:
    """CA-23: in the full story only at Cartagena, and at most three of a colour."""
    return state.story != FULL or (state.sloop == AT_CARTAGENA and pirates_aboard(state, seat) + pirates <= MAX_PIRATES)


@kernel
def forward_places(state: State, seat: int, stops: int, pirates: int) -> int:
    """The places from which ``pirates`` pirates of a colour can move forward; ``stops`` are the possible targets."""
    ours = state.at[seat]
    in_tunnel = ours & tunnel_places(state)
    if not can_board(state, seat, pirates):
        stops &= spaces_between(START, state.shore)
        in_tunnel = in_tunnel & (1 << highest_place(stops)) - 1 if stops else 0
    return in_tunnel | ours & island_places(state)


@kernel
def spaces_ahead(state: State, place: int) -> int:
    """The spaces ahead of a pirate, in its half."""
    if place == SLOOP:
        return spaces_between(state.shore, state.spaces)
    return spaces_between(place, state.shore if place <= state.shore else state.spaces)


@kernel
def forward_target(state: State, place: int, stops: int) -> int:
    """CA-11, CA-12, CA-25: where a pirate moving forward lands: the next of ``stops``, else the end of its half."""
    stops &= spaces_ahead(state, place)
    if stops:
        return lowest_place(stops)
    return SLOOP if state.story == FULL and place <= state.shore else goal_place(state)


@kernel
def empty_spaces(state: State, symbol: int) -> int:
    """The spaces with a symbol and no pirate."""
    return state.symbols[symbol] & ~state.occupied


@kernel
def joinable_spaces(state: State) -> int:
    """CA-13, CA-30: the spaces with one or two pirates, which another pirate can join."""
    return state.occupied & ~state.crowded


@kernel
def spaces_behind(state: State, place: int) -> int:
    """CA-15, CA-28: the spaces behind a pirate, in its half."""
    half = state.shore if state.story == FULL else 0
    if place == HIDEOUT:
        return spaces_between(half, state.spaces)
    if place == SLOOP:
        return spaces_between(START, state.shore) if state.sloop == AT_CARTAGENA else 0
    if place == START:
        return 0
    return spaces_between(START if place <= state.shore else half, place - 1)


@kernel
def backward_places(state: State, seat: int) -> int:
    """The places from which a pirate of a colour can move back."""
    if state.drawing == DRAW_MORGAN:
        return 0
    ours = state.at[seat]
    if state.drawing == DRAW_BACK_THEN_MORGAN:
        ours &= ~(island_places(state) | 1 << HIDEOUT)
    stops = joinable_spaces(state)
    movable = 0
    while ours:
        place = lowest_place(ours)
        ours &= ours - 1
        if stops & spaces_behind(state, place):
            movable |= 1 << place
    return movable


@kernel
def backward_target(state: State, place: int) -> int:
    """CA-13: where a pirate that can move back lands."""
    return highest_place(joinable_spaces(state) & spaces_behind(state, place))


@kernel
def morgan_places(state: State, other: int) -> int:
    """CA-30 to CA-32: the places from which Morgan's move can move a pirate of another colour forward."""
    if state.drawing == DRAW_BACK:
        return 0
    movable = forward_places(state, other, joinable_spaces(state), 1)
    return movable & island_places(state) if state.drawing == DRAW_BACK_THEN_MORGAN else movable


@kernel
def can_sail(state: State, seat: int) -> bool:
    """CA-24: to Tortuga with a pirate aboard, back for a pirate that is still in the tunnel or the prison."""
    if state.story != FULL:
        return False
    if state.sloop == AT_CARTAGENA:
        return state.at[seat] >> SLOOP & 1 == 1
    return state.at[seat] & tunnel_places(state) != 0


@kernel
def paired_spaces(state: State, seat: int) -> int:
    """CA-56: the spaces of the path with two or more pirates of a colour."""
    once = 0
    twice = 0
    for pirate in range(state.crew):
        here = 1 << state.where[seat, pirate]
        twice |= once & here
        once |= here
    return twice & spaces_between(START, state.spaces)


@kernel
def move_pirate(state: State, seat: int, place: int, target: int) -> None:
    """Move one pirate of a colour from one place to another."""
    set_place(state, seat, pirate_at(state, seat, place), target)


@kernel
def pirate_at(state: State, seat: int, place: int) -> int:
    """The index of the first pirate of a colour on a place; it must have one there."""
    pirate = 0
    while state.where[seat, pirate] != place:
        pirate += 1
    return pirate


@kernel
def set_place(state: State, seat: int, pirate: int, target: int) -> None:
    """Put a pirate on a place and update all counts and sets."""
    _change_crowd(state, state.where[seat, pirate], -1)
    _change_crowd(state, target, 1)
    state.where[seat, pirate] = target
    places = 0
    for each in range(state.crew):
        places |= 1 << state.where[seat, each]
    state.at[seat] = places


@kernel
def _change_crowd(state: State, place: int, change: int) -> None:
    state.crowd[place] += change
    if START < place <= SPACES:
        here = 1 << place
        state.occupied = state.occupied | here if state.crowd[place] else state.occupied & ~here
        state.crowded = state.crowded | here if state.crowd[place] == MAX_PIRATES else state.crowded & ~here


@kernel
def has_won(state: State, seat: int) -> bool:
    """CA-17: whether all pirates of a seat are at the goal."""
    return state.at[seat] == 1 << goal_place(state)
