"""Doing a legal action: one function a verb. The powers of black magic have a file of their own."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import actions as act
from skerry.games.cartagena.rules import events as what
from skerry.games.cartagena.rules.cards import conclude, draw, lay_down, use
from skerry.games.cartagena.rules.components import (
    ABOARD_DRAWS,
    ACTIONS_A_TURN,
    ESCAPE,
    FULL,
    N_SYMBOLS,
    PLACES,
    SPACES,
)
from skerry.games.cartagena.rules.path import aboard, empty, has_won, land, relocate, retreat, sociable
from skerry.games.cartagena.rules.powers import give, invoke, keep, lay_parrots, look, open_chest, put, take
from skerry.games.cartagena.rules.state import ALL_ABOARD, ALL_HIDDEN, HOOKED, HOOKED_WILD, OVER, WILD, State


@kernel
def step(state: State, seat: int, action: int, log: EventLog) -> bool:
    """A ladder, since compiled code has no table of functions; its order is the order of the ids."""
    if action < act.PLAY:
        return _turn(state, seat, action, log)
    if action < act.BACK:
        _play(state, seat, (action - act.PLAY) // PLACES, (action - act.PLAY) % PLACES, log)
        return False
    if action < act.MORGAN:
        return _move_back(state, seat, action - act.BACK, log)
    if action < act.PARROTS:
        return _move_on(state, seat, (action - act.MORGAN) // PLACES, (action - act.MORGAN) % PLACES, log)
    if action < act.KEEP:
        return _magic(state, seat, action, log)
    if action < act.DISCARD:
        return _place_drawn(state, seat, action, log)
    lay_down(state, seat, action - act.DISCARD)
    emit(log, what.DISCARDED, seat, action - act.DISCARD, 0)
    conclude(state)
    return False


@kernel
def _magic(state: State, seat: int, action: int, log: EventLog) -> bool:
    if action < act.MAGIC:
        lay_parrots(state, seat, action - act.PARROTS, log)
        return False
    if action < act.LOOK:
        return invoke(state, seat, action - act.MAGIC, log)
    if action < act.TAKE:
        look(state, seat, action - act.LOOK, log)
    else:
        take(state, seat, action - act.TAKE, log)
    return True


@kernel
def _place_drawn(state: State, seat: int, action: int, log: EventLog) -> bool:
    """What is kept or put back its owner has seen already; what is given, the other sees now."""
    if action < act.GIVE:
        keep(state, seat, action - act.KEEP, log)
        return False
    if action < act.PUT:
        give(state, seat, action - act.GIVE, log)
        return True
    if action < act.OPEN:
        put(state, seat, action - act.PUT, log)
        return False
    open_chest(state, seat, action - act.OPEN, log)
    return True


@kernel
def _turn(state: State, seat: int, action: int, log: EventLog) -> bool:
    drew = False
    if action == act.PASS:
        emit(log, what.PASSED, seat, 0, 0)
        drew = draw(state, seat, 1, log)
    if action < act.SAIL:
        _next_turn(state, log)
        return drew
    state.sloop = 1 - state.sloop
    state.captain = 0
    if action == act.SAIL:
        state.left -= 1
    emit(log, what.SAILED if action == act.SAIL else what.SAILED_FREE, seat, state.sloop, 0)
    return False


@kernel
def _next_turn(state: State, log: EventLog) -> None:
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    state.left = ACTIONS_A_TURN
    state.captain = 1 if _is_captain(state, state.turn) else 0
    emit(log, what.TURN, state.turn, 0, 0)


@kernel
def _is_captain(state: State, seat: int) -> bool:
    """CA-26: with a pirate aboard, and nobody has more."""
    ours = aboard(state, seat)
    if state.story != FULL or not ours:
        return False
    for other in range(state.players):
        if aboard(state, other) > ours:
            return False
    return True


@kernel
def _play(state: State, seat: int, card: int, place: int, log: EventLog) -> None:
    """CA-11, CA-12, CA-25; after a hook two pirates go together (CA-56)."""
    pirates = 2 if HOOKED <= state.phase <= HOOKED_WILD else 1
    if state.phase != WILD and state.phase != HOOKED_WILD:
        use(state, seat, card)
    state.left -= 1
    state.captain = 0
    target = land(state, place, empty(state, card % N_SYMBOLS))
    for _ in range(pirates):
        relocate(state, seat, place, target)
    emit_secret(log, EVERYBODY, what.PLAYED if pirates == 1 else what.PLAYED_TWO, seat, card, place, target)
    if not _finish(state, seat, log):
        conclude(state)


@kernel
def _move_back(state: State, seat: int, place: int, log: EventLog) -> bool:
    state.left -= 1
    state.captain = 0
    target = retreat(state, place)
    cards = state.crowd[target]
    relocate(state, seat, place, target)
    emit(log, what.MOVED_BACK, seat, place, target)
    return draw(state, seat, cards, log)


@kernel
def _move_on(state: State, seat: int, other: int, place: int, log: EventLog) -> bool:
    """CA-30 to CA-32: it may make the other win, before a card is drawn."""
    state.left -= 1
    state.captain = 0
    target = land(state, place, sociable(state))
    cards = state.crowd[target] if target <= SPACES else ABOARD_DRAWS
    relocate(state, other, place, target)
    emit_secret(log, EVERYBODY, what.MOVED_ON, seat, other, place, target)
    if _finish(state, other, log):
        return False
    return draw(state, seat, cards, log)


@kernel
def _finish(state: State, seat: int, log: EventLog) -> bool:
    """CA-17: the game ends at the moment the last pirate is there."""
    if not has_won(state, seat):
        return False
    state.ending = ALL_ABOARD if state.story == ESCAPE else ALL_HIDDEN
    state.winner = seat
    state.phase = OVER
    emit(log, what.WON, seat, 0, 0)
    return True
