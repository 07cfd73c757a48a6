"""The kernel ``step``: applies a legal action to the state. The powers of black magic are in ``powers``."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import actions, events
from skerry.games.cartagena.rules.cards import discard_card, draw_cards, end_action, use_card
from skerry.games.cartagena.rules.components import (
    ACTIONS_A_TURN,
    BOARDING_DRAWS,
    FULL,
    N_SYMBOLS,
    PLACES,
    SPACES,
)
from skerry.games.cartagena.rules.path import (
    backward_target,
    empty_spaces,
    forward_target,
    joinable_spaces,
    move_pirate,
    pirates_aboard,
)
from skerry.games.cartagena.rules.powers import (
    give_card,
    keep_card,
    lay_parrots,
    look_into_hand,
    open_chest,
    put_on_deck,
    take_card,
    use_power,
)
from skerry.games.cartagena.rules.result import end_if_won
from skerry.games.cartagena.rules.state import (
    HOOK_LAID,
    HOOK_PARROTS_LAID,
    PARROTS_LAID,
    State,
)


@kernel
def step(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Apply an action. True if it revealed something hidden.

    The branches follow the order of the action ids, as compiled code has no table of functions.
    """
    if action < actions.PLAY:
        return _end_or_sail(state, seat, action, log)
    if action < actions.BACK:
        _play(state, seat, (action - actions.PLAY) // PLACES, (action - actions.PLAY) % PLACES, log)
        return False
    if action < actions.MORGAN:
        return _move_back(state, seat, action - actions.BACK, log)
    if action < actions.PARROTS:
        return _move_on(state, seat, (action - actions.MORGAN) // PLACES, (action - actions.MORGAN) % PLACES, log)
    if action < actions.KEEP:
        return _magic(state, seat, action, log)
    if action < actions.DISCARD:
        return _place_drawn(state, seat, action, log)
    discard_card(state, seat, action - actions.DISCARD)
    emit(log, events.DISCARDED, seat, action - actions.DISCARD, 0)
    end_action(state)
    return False


@kernel
def _magic(state: State, seat: int, action: int, log: EventLog) -> bool:
    if action < actions.MAGIC:
        lay_parrots(state, seat, action - actions.PARROTS, log)
        return False
    if action < actions.LOOK:
        return use_power(state, seat, action - actions.MAGIC, log)
    if action < actions.TAKE:
        look_into_hand(state, seat, action - actions.LOOK, log)
    else:
        take_card(state, seat, action - actions.TAKE, log)
    return True


@kernel
def _place_drawn(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Distribute a card of the pool, or open a chest.

    The player has already seen the cards it keeps or puts back; a card that is given is new to its receiver.
    """
    if action < actions.GIVE:
        keep_card(state, seat, action - actions.KEEP, log)
        return False
    if action < actions.PUT:
        give_card(state, seat, action - actions.GIVE, log)
        return True
    if action < actions.OPEN:
        put_on_deck(state, seat, action - actions.PUT, log)
        return False
    open_chest(state, seat, action - actions.OPEN, log)
    return True


@kernel
def _end_or_sail(state: State, seat: int, action: int, log: EventLog) -> bool:
    """CA-10, CA-16, CA-22 to CA-26: end the turn, pass it, or sail the sloop."""
    drew = False
    if action == actions.PASS_TURN:
        emit(log, events.PASSED, seat, 0, 0)
        drew = draw_cards(state, seat, 1, log)
    if action < actions.SAIL:
        _begin_next_turn(state, log)
        return drew
    state.sloop = 1 - state.sloop
    state.captain = 0
    if action == actions.SAIL:
        state.left -= 1
    emit(log, events.SAILED if action == actions.SAIL else events.SAILED_FREE, seat, state.sloop, 0)
    return False


@kernel
def _begin_next_turn(state: State, log: EventLog) -> None:
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    state.left = ACTIONS_A_TURN
    state.captain = 1 if _is_captain(state, state.turn) else 0
    emit(log, events.TURN, state.turn, 0, 0)


@kernel
def _is_captain(state: State, seat: int) -> bool:
    """CA-26: whether a seat has a pirate aboard and nobody has more."""
    ours = pirates_aboard(state, seat)
    if state.story != FULL or not ours:
        return False
    for other in range(state.players):
        if pirates_aboard(state, other) > ours:
            return False
    return True


@kernel
def _play(state: State, seat: int, card: int, place: int, log: EventLog) -> None:
    """CA-11, CA-12, CA-25: move a pirate forward with a card; after a hook, two pirates (CA-56)."""
    pirates = 2 if HOOK_LAID <= state.phase <= HOOK_PARROTS_LAID else 1
    if state.phase != PARROTS_LAID and state.phase != HOOK_PARROTS_LAID:
        use_card(state, seat, card)
    state.left -= 1
    state.captain = 0
    target = forward_target(state, place, empty_spaces(state, card % N_SYMBOLS))
    for _ in range(pirates):
        move_pirate(state, seat, place, target)
    emit_secret(log, EVERYBODY, events.PLAYED if pirates == 1 else events.PLAYED_TWO, seat, card, place, target)
    if not end_if_won(state, seat, log):
        end_action(state)


@kernel
def _move_back(state: State, seat: int, place: int, log: EventLog) -> bool:
    """CA-13: move a pirate back and draw a card for each pirate it joins."""
    state.left -= 1
    state.captain = 0
    target = backward_target(state, place)
    cards = state.crowd[target]
    move_pirate(state, seat, place, target)
    emit(log, events.MOVED_BACK, seat, place, target)
    return draw_cards(state, seat, cards, log)


@kernel
def _move_on(state: State, seat: int, other: int, place: int, log: EventLog) -> bool:
    """CA-30 to CA-32: Morgan's move. It can make the other player win before any card is drawn."""
    state.left -= 1
    state.captain = 0
    target = forward_target(state, place, joinable_spaces(state))
    cards = state.crowd[target] if target <= SPACES else BOARDING_DRAWS
    move_pirate(state, other, place, target)
    emit_secret(log, EVERYBODY, events.MOVED_ON, seat, other, place, target)
    if end_if_won(state, other, log):
        return False
    return draw_cards(state, seat, cards, log)
