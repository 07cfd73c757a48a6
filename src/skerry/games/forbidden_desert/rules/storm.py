"""Storm cards, FD-30 to FD-40: wind moves tiles, the sun takes water, the meter goes up, and the game may be lost."""

from __future__ import annotations

from skerry.engine.cards import reshuffle_discard
from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    MAX_WIND,
    N_PARTS,
    SKULL_TICK,
    STORM_CARDS_AT_TICK,
    STORM_KINDS,
    SUN,
    UPWIND,
)
from skerry.games.forbidden_desert.rules.result import finish
from skerry.games.forbidden_desert.rules.sand import add_sand, shift_sand
from skerry.games.forbidden_desert.rules.state import ACTIONS, BURIED, STORM, SWEPT, THIRST, State


@kernel
def storm_cards_per_turn(state: State) -> int:
    """The number of storm cards per turn at the current tick of the meter."""
    return STORM_CARDS_AT_TICK[state.players, state.meter]


@kernel
def face_storm(state: State, log: EventLog) -> None:
    """FD-30, FD-54: end the actions. The number of storm cards of this turn is fixed now."""
    state.phase = STORM
    state.left = storm_cards_per_turn(state) - state.saved
    state.guided = -1
    state.steps = 0
    if not state.left:
        _next_turn(state, log)


@kernel
def draw_storm(state: State, log: EventLog) -> None:
    """Draw one storm card and apply it."""
    state.left -= 1
    state.storm_left -= 1
    state.foreseen &= (1 << state.storm_left) - 1
    card = state.storm_deck[state.storm_left]
    state.apart[state.shown] = card
    state.shown += 1
    emit(log, events.SHOWN, card, 0, 0)
    if card < SUN:
        _blow_wind(state, card // MAX_WIND, card % MAX_WIND + 1, log)
    elif card == SUN:
        _sun_beats_down(state, log)
    else:
        _storm_picks_up(state, log)
    if not state.ending:
        _finish_card(state, log)


@kernel
def _finish_card(state: State, log: EventLog) -> None:
    """Renew an empty deck, and begin the next turn after the last card.

    FD-40: the deck is renewed first, so the cards of this phase are not in the new deck.
    """
    if not state.storm_left:
        state.storm_left = reshuffle_discard(state, state.storm_deck, state.storm_discard, STORM_KINDS)
        state.foreseen = 0
        emit(log, events.RENEWED, 0, 0, 0)
    if not state.left:
        for i in range(state.shown):
            state.storm_discard[state.apart[i]] += 1
            state.apart[i] = 0
        state.shown = 0
        _next_turn(state, log)


@kernel
def _next_turn(state: State, log: EventLog) -> None:
    """Begin the next seat's turn. Its own Solar Shield ends (FD-63)."""
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    state.phase = ACTIONS
    state.left = ACTIONS_A_TURN
    state.saved = 0
    state.shielded &= ~(1 << state.turn)
    emit(log, events.TURN, state.turn, 0, 0)


@kernel
def _blow_wind(state: State, direction: int, tiles: int, log: EventLog) -> None:
    """FD-31 to FD-33: move one tile after another into the storm's place, up to the edge; each gets a marker."""
    for _ in range(tiles):
        end = state.storm
        start = UPWIND[direction, end]
        if start < 0:
            return
        _move_tile(state, start, end, log)
        if not state.supply:
            finish(state, BURIED, log, events.BURIED, 0)
            return
        add_sand(state, end)


@kernel
def _move_tile(state: State, start: int, end: int, log: EventLog) -> None:
    """Move a tile with everything on it. A part that waits in the storm lands on it (FD-24)."""
    emit(log, events.BLEW, start, end, 0)
    state.tile_at[end] = state.tile_at[start]
    state.tile_at[start] = -1
    state.known_by[end] = state.known_by[start]
    state.known_by[start] = 0
    state.excavated = _moved_with_tile(state.excavated, start, end)
    state.tunnels = _moved_with_tile(state.tunnels, start, end)
    shift_sand(state, start, end)
    state.storm = start
    for seat in range(state.players):
        if state.pawn[seat] == start:
            state.pawn[seat] = end
    for part in range(N_PARTS):
        if state.part_at[part] == start:
            state.part_at[part] = end
        elif state.part_at[part] == end:
            emit(log, events.LANDED, part, end, 0)


@kernel
def _moved_with_tile(places: int, start: int, end: int) -> int:
    """A set of places after the tile of place ``start`` has moved to ``end``, which had none."""
    moved = places >> start & 1
    return places & ~(1 << start) | moved << end


@kernel
def is_sheltered(state: State, seat: int) -> bool:
    """FD-25, FD-63: whether a pawn is in an excavated tunnel or on the tile of a seat with a Solar Shield."""
    place = state.pawn[seat]
    if state.tunnels >> place & 1:
        return True
    for other in range(state.players):
        if state.shielded >> other & 1 and state.pawn[other] == place:
            return True
    return False


@kernel
def _sun_beats_down(state: State, log: EventLog) -> None:
    """FD-38, FD-39: every pawn without shelter drinks one water; the game is lost if one has none."""
    thirsty = 0
    for seat in range(state.players):
        if is_sheltered(state, seat):
            continue
        if state.water[seat]:
            state.water[seat] -= 1
            emit(log, events.DRANK, seat, state.water[seat], 0)
        else:
            thirsty |= 1 << seat
    if thirsty:
        finish(state, THIRST, log, events.DIED, thirsty - 1)


@kernel
def _storm_picks_up(state: State, log: EventLog) -> None:
    """FD-36, FD-37: the meter goes up one tick; the game is lost at the skull."""
    state.meter += 1
    if state.meter == SKULL_TICK[state.players]:
        finish(state, SWEPT, log, events.SWEPT, 0)
    else:
        emit(log, events.PICKED_UP, storm_cards_per_turn(state), 0, 0)
