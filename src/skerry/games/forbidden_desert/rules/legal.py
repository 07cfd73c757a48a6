"""What the game waits for, and what each seat may do: ids in ascending order."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import lowest, write_few
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions as act
from skerry.games.forbidden_desert.rules.components import (
    ALL_PARTS,
    ARCHEOLOGIST,
    BLASTER,
    CANTEEN,
    CLIMBER,
    JET_PACK,
    METEOROLOGIST,
    MIRAGE,
    MOST_WATER,
    N_GEARS,
    N_PARTS,
    NAVIGATOR,
    PLACES,
    RESERVE,
    SEATS,
    SHIELD,
    TERRASCOPE,
    THROTTLE,
    WATER_CARRIER,
    WELL,
)
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import (
    buried,
    can_water,
    clearable,
    companions,
    in_reach,
    landing,
    tiles,
    walk,
)
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, OVER, STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards


@kernel
def waiting(state: State) -> int:
    """Others may do free things, but nobody waits for them."""
    return 0 if state.phase == OVER else 1 << state.turn


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    if state.phase == OVER or seat >= state.players:
        return 0
    if state.phase == FORECAST:
        return _forecast(state, out) if seat == state.turn else 0
    n = 0
    if seat == state.turn:
        if state.phase == STORM:
            out[0] = act.DRAW
            n = 1
        else:
            n = _turn(state, seat, out)
    return _free_things(state, seat, out, n)


@kernel
def _forecast(state: State, out: NDArray[Any]) -> int:
    out[0] = act.KEEP
    return write_few((1 << cards_in_sight(state)) - 1, act.BOTTOM, out, 1)


@kernel
def _turn(state: State, seat: int, out: NDArray[Any]) -> int:
    out[0] = act.END
    n = 1
    if state.left:
        n = write_few(walk(state, seat), act.MOVE, out, n)
        if state.role[seat] == CLIMBER:
            n = _carry(state, out, n)
    if state.role[seat] == NAVIGATOR:
        n = _guide(state, seat, out, n)
    if state.left:
        n = _clear(state, seat, out, n)
        if not buried(state, seat):
            n = _dig(state, seat, out, n)
            n = _role_actions(state, seat, out, n)
    return n


@kernel
def _carry(state: State, out: NDArray[Any], n: int) -> int:
    """The Climber's steps with each pawn of his tile."""
    passengers = companions(state, state.climber)
    if passengers:
        places = walk(state, state.climber)
        for passenger in range(state.players):
            if passengers >> passenger & 1:
                n = write_few(places, act.CARRY + passenger * PLACES, out, n)
    return n


@kernel
def can_guide(state: State, seat: int, other: int) -> bool:
    """FD-56: with a new action, or as a further step of the one under way, even if the Navigator is buried by now."""
    if other == seat or other < 0:
        return False
    if state.guided == other:
        return True
    return state.left > 0 and not buried(state, seat)


@kernel
def _guide(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if can_guide(state, seat, state.climber):
        n = _carry(state, out, n)
    for other in range(state.players):
        if can_guide(state, seat, other):
            n = write_few(walk(state, other), act.GUIDE + other * PLACES, out, n)
    return n


@kernel
def _clear(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    places = clearable(state, seat)
    n = write_few(places, act.CLEAR, out, n)
    if state.role[seat] == ARCHEOLOGIST:
        n = write_few(places & state.blocked, act.CLEAR_TWO, out, n)
    return n


@kernel
def _dig(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    place = state.pawn[seat]
    if not state.excavated >> place & 1:
        if not state.sand[place]:
            out[n] = act.EXCAVATE
            n += 1
    elif not state.blocked >> place & 1 and state.taken != ALL_PARTS:
        for part in range(N_PARTS):
            if state.part_at[part] == place:
                out[n] = act.TAKE + part
                n += 1
    return n


@kernel
def on_well(state: State, seat: int) -> bool:
    place = state.pawn[seat]
    return state.excavated >> place & 1 > 0 and WELL <= state.tile_at[place] < MIRAGE


@kernel
def _role_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.role[seat] == METEOROLOGIST:
        if state.saved < storm_cards(state):
            out[n] = act.CALM
            n += 1
        out[n] = act.LOOK_AHEAD
        n += 1
    elif state.role[seat] == WATER_CARRIER and on_well(state, seat):
        out[n] = act.FILL
        n += 1
    return n


@kernel
def _free_things(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.water[seat]:
        n = _water(state, seat, out, n)
    held = 0
    for card in range(N_GEARS):
        if state.gear[seat, card]:
            held |= 1 << card
    if held:
        n = _give(state, seat, held, out, n)
        n = _play(state, seat, held, out, n)
    return n


@kernel
def most_water(state: State, seat: int, other: int) -> int:
    """FD-18: what one has and the other's canteen takes."""
    return min(state.water[seat], CANTEEN[state.role[other]] - state.water[other])


@kernel
def _water(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for other in range(state.players):
        if can_water(state, seat, other):
            for amount in range(most_water(state, seat, other)):
                out[n] = act.WATER + other * MOST_WATER + amount
                n += 1
    return n


@kernel
def _give(state: State, seat: int, held: int, out: NDArray[Any], n: int) -> int:
    near = companions(state, seat)
    if near:
        for card in range(N_GEARS):
            if held >> card & 1:
                n = write_few(near, act.GIVE + card * SEATS, out, n)
    return n


@kernel
def _play(state: State, seat: int, held: int, out: NDArray[Any], n: int) -> int:
    if held >> BLASTER & 1:
        n = write_few(in_reach(state, seat), act.BLAST, out, n)
    if held >> JET_PACK & 1:
        n = _jet(state, seat, out, n)
    if held >> SHIELD & 1:
        out[n] = act.PLAY_SHIELD
        n += 1
    if held >> TERRASCOPE & 1:
        n = write_few(tiles(state) & ~state.excavated, act.SCOPE, out, n)
    if held >> RESERVE & 1:
        out[n] = act.PLAY_RESERVE
        n += 1
    if held >> THROTTLE & 1 and seat == state.turn and state.phase == ACTIONS:
        out[n] = act.PLAY_THROTTLE
        n += 1
    return n


@kernel
def _jet(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    places = landing(state, seat)
    n = write_few(places, act.JET, out, n)
    passengers = companions(state, seat)
    if passengers:
        while places:
            n = write_few(passengers, act.JET_WITH + lowest(places) * SEATS, out, n)
            places &= places - 1
    return n
