"""The storm: its cards, the tiles it moves, the sun, and the losses that come of it."""

from __future__ import annotations

from skerry.engine.cards import renew
from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    BLOWS,
    METER,
    N_PARTS,
    SKULL,
    STORM_KINDS,
    SUN,
    UPWIND,
)
from skerry.games.forbidden_desert.rules.result import finish
from skerry.games.forbidden_desert.rules.sand import add_sand, shift_sand
from skerry.games.forbidden_desert.rules.state import ACTIONS, BURIED, STORM, SWEPT, THIRST, State


@kernel
def storm_cards(state: State) -> int:
    """What the meter says."""
    return METER[state.players, state.meter]


@kernel
def face_storm(state: State, log: Log) -> None:
    """FD-30, FD-54: the actions are over. The number of cards is fixed here."""
    state.phase = STORM
    state.left = storm_cards(state) - state.saved
    state.guided = -1
    state.steps = 0
    if not state.left:
        _next_turn(state, log)


@kernel
def draw_storm(state: State, log: Log) -> None:
    state.left -= 1
    state.storm_left -= 1
    state.foreseen &= (1 << state.storm_left) - 1
    card = state.storm_deck[state.storm_left]
    state.apart[state.shown] = card
    state.shown += 1
    emit(log, what.SHOWN, card, 0, 0)
    if card < SUN:
        _blow(state, card // BLOWS, card % BLOWS + 1, log)
    elif card == SUN:
        _sun_beats_down(state, log)
    else:
        _storm_picks_up(state, log)
    if not state.ending:
        _go_on(state, log)


@kernel
def _go_on(state: State, log: Log) -> None:
    """FD-40 comes first: the cards of this phase are not in the discard yet when the deck runs out."""
    if not state.storm_left:
        state.storm_left = renew(state, state.storm_deck, state.storm_discard, STORM_KINDS)
        state.foreseen = 0
        emit(log, what.RENEWED, 0, 0, 0)
    if not state.left:
        for i in range(state.shown):
            state.storm_discard[state.apart[i]] += 1
            state.apart[i] = 0
        state.shown = 0
        _next_turn(state, log)


@kernel
def _next_turn(state: State, log: Log) -> None:
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    state.phase = ACTIONS
    state.left = ACTIONS_A_TURN
    state.saved = 0
    state.shielded &= ~(1 << state.turn)
    emit(log, what.TURN, state.turn, 0, 0)


@kernel
def _blow(state: State, direction: int, tiles: int, log: Log) -> None:
    """FD-31 to FD-33: one tile after another into the hole, until the edge."""
    for _ in range(tiles):
        end = state.storm
        start = UPWIND[direction, end]
        if start < 0:
            return
        _move_tile(state, start, end, log)
        if not state.supply:
            finish(state, BURIED, log, what.BURIED, 0)
            return
        add_sand(state, end)


@kernel
def _move_tile(state: State, start: int, end: int, log: Log) -> None:
    """The tile with all that is on it; a part that waits in the storm lands on it (FD-24)."""
    emit(log, what.BLEW, start, end, 0)
    state.tile_at[end] = state.tile_at[start]
    state.tile_at[start] = -1
    state.known_by[end] = state.known_by[start]
    state.known_by[start] = 0
    state.excavated = _carried(state.excavated, start, end)
    state.tunnels = _carried(state.tunnels, start, end)
    shift_sand(state, start, end)
    state.storm = start
    for seat in range(state.players):
        if state.pawn[seat] == start:
            state.pawn[seat] = end
    for part in range(N_PARTS):
        if state.part_at[part] == start:
            state.part_at[part] = end
        elif state.part_at[part] == end:
            emit(log, what.LANDED, part, end, 0)


@kernel
def _carried(places: int, start: int, end: int) -> int:
    """A set of places after the tile of one has moved to the other, which held none."""
    moved = places >> start & 1
    return places & ~(1 << start) | moved << end


@kernel
def sheltered(state: State, seat: int) -> bool:
    """FD-25, FD-63: in an excavated tunnel, or on the tile of somebody under a Solar Shield."""
    place = state.pawn[seat]
    if state.tunnels >> place & 1:
        return True
    for other in range(state.players):
        if state.shielded >> other & 1 and state.pawn[other] == place:
            return True
    return False


@kernel
def _sun_beats_down(state: State, log: Log) -> None:
    """FD-38, FD-39: all drink at once; who has nothing to drink dies."""
    thirsty = 0
    for seat in range(state.players):
        if sheltered(state, seat):
            continue
        if state.water[seat]:
            state.water[seat] -= 1
            emit(log, what.DRANK, seat, state.water[seat], 0)
        else:
            thirsty |= 1 << seat
    if thirsty:
        finish(state, THIRST, log, what.DIED, thirsty - 1)


@kernel
def _storm_picks_up(state: State, log: Log) -> None:
    state.meter += 1
    if state.meter == SKULL[state.players]:
        finish(state, SWEPT, log, what.SWEPT, 0)
    else:
        emit(log, what.PICKED_UP, storm_cards(state), 0, 0)
