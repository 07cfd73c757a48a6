"""The kernel ``step``: drafts are changed by each seat alone; the last to confirm ends the round for all."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules import actions, events
from skerry.games.hashi.rules.components import ISLANDS, ROUNDS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import begin_draft, draw_bridge, move_number, put_number, remove_bridge
from skerry.games.hashi.rules.result import end_game
from skerry.games.hashi.rules.scoring import score_bonuses
from skerry.games.hashi.rules.state import NOWHERE, PLAYING, STARTING, State


@kernel
def step(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Apply an action. True if it revealed something hidden.

    The branches follow the order of the action ids, as compiled code has no table of functions.
    """
    if action == actions.CONFIRM:
        return _confirm(state, seat, log)
    if action == actions.ERASE:
        move_number(state, seat, NOWHERE)
    elif action < actions.WRITE:
        state.draft_start[seat] = START_NUMBER_TABLE[(action - actions.START) // ISLANDS]
        state.draft_island[seat] = (action - actions.START) % ISLANDS
    elif action < actions.BRIDGE:
        move_number(state, seat, action - actions.WRITE)
    elif action < actions.REMOVE:
        draw_bridge(state, seat, action - actions.BRIDGE)
    else:
        remove_bridge(state, seat, action - actions.REMOVE)
    return False


@kernel
def _confirm(state: State, seat: int, log: EventLog) -> bool:
    """HA-10: confirm a draft. The last seat to confirm reveals all drafts and the next card."""
    state.confirmed |= 1 << seat
    emit(log, events.CONFIRMED, seat, 0, 0)
    if state.confirmed != (1 << state.players) - 1:
        return False
    state.confirmed = 0
    if state.phase == STARTING:
        _pass_papers_on(state, log)
    else:
        _end_round(state, log)
    return True


@kernel
def _pass_papers_on(state: State, log: EventLog) -> None:
    """HA-02: every paper with its start number goes to the next seat."""
    for seat in range(state.players):
        left = (seat + 1) % state.players
        island, number = state.draft_island[seat], state.draft_start[seat]
        put_number(state, left, island, number)
        emit(log, events.STARTED, left, number, island)
        begin_draft(state, seat)
    state.phase = PLAYING
    _reveal_next_card(state, log)


@kernel
def _end_round(state: State, log: EventLog) -> None:
    """Make the drafts permanent, score the bonuses, and reveal the next card or end the game."""
    for seat in range(state.players):
        if log.shape[0] > 0:
            _emit_draft(state, seat, log)
        begin_draft(state, seat)
    score_bonuses(state, log)
    if state.turns == ROUNDS:
        end_game(state, log)
    else:
        _reveal_next_card(state, log)


@kernel
def _reveal_next_card(state: State, log: EventLog) -> None:
    state.turns += 1
    emit(log, events.SHOWN, state.turns, state.deck[state.turns - 1], 0)


@kernel
def _emit_draft(state: State, seat: int, log: EventLog) -> None:
    """Write the events of a seat's round: its number, its bridges, and the islands it finished."""
    touched = 0
    island = state.draft_island[seat]
    if island != NOWHERE:
        touched |= 1 << island
        emit(log, events.WROTE, seat, state.number[seat, island], island)
    for i in range(state.drafted[seat]):
        line = state.draft_line[seat, i]
        touched |= 1 << state.end[line, 0] | 1 << state.end[line, 1]
        emit(log, events.BRIDGED, seat, line, 0)
    for island in range(ISLANDS):
        if touched >> island & 1 and state.number[seat, island] and not state.room[seat, island]:
            emit(log, events.FINISHED, seat, island, 0)
