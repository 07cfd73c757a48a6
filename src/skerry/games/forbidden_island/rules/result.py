"""How a game ends: the final step of every ending."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules.state import OVER, State


@kernel
def finish(state: State, ending: int, log: EventLog, event: int, detail: int) -> None:
    """FI-66: end the game at once, with the ending's event."""
    state.ending = ending
    state.phase = OVER
    emit(log, event, detail, 0, 0)
