"""How a game ends: the final step of every ending, taking off (FD-70)."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events
from skerry.games.forbidden_desert.rules.components import ALL_PARTS, LAUNCH_PAD
from skerry.games.forbidden_desert.rules.state import ESCAPED, OVER, State


@kernel
def finish(state: State, ending: int, log: EventLog, event: int, detail: int) -> None:
    """FD-71: end the game at once, with the ending's event."""
    state.ending = ending
    state.phase = OVER
    emit(log, event, detail, 0, 0)


@kernel
def ready_for_takeoff(state: State) -> bool:
    """FD-70: all parts are picked up and all pawns are on the excavated launch pad, which is not blocked."""
    place = state.pawn[0]
    if state.taken != ALL_PARTS or state.tile_at[place] != LAUNCH_PAD:
        return False
    for seat in range(state.players):
        if state.pawn[seat] != place:
            return False
    return state.excavated >> place & 1 > 0 and not state.blocked >> place & 1


@kernel
def take_off(state: State, log: EventLog) -> None:
    """FD-70: win the game if it can be won, after any seat's step in any phase."""
    if not state.ending and ready_for_takeoff(state):
        finish(state, ESCAPED, log, events.WON, 0)
