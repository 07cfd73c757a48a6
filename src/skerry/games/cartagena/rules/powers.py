"""Black magic: the six powers of the cards."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import events
from skerry.games.cartagena.rules.cards import (
    add_to_hand,
    draw_cards,
    end_action,
    fill_pool,
    remove_from_hand,
    use_card,
)
from skerry.games.cartagena.rules.components import (
    CHEST,
    HOOK,
    LANTERN,
    LANTERN_DRAWS,
    LANTERN_KEEPS,
    N_SYMBOLS,
    PARROT,
    PART_SPACES,
    PISTOL,
    RUM,
    RUM_KEEPS,
    SNAKE,
)
from skerry.games.cartagena.rules.memory import (
    forget,
    note_hand_seen,
    note_passed_unseen,
    note_pool_returned,
    note_received,
)
from skerry.games.cartagena.rules.path import empty_spaces, highest_place, lowest_place, move_pirate, spaces_behind
from skerry.games.cartagena.rules.setup import lay_tokens
from skerry.games.cartagena.rules.state import (
    ACTING,
    CHEST_OPEN,
    HOOK_LAID,
    HOOK_PARROTS_LAID,
    LANTERN_KEEP,
    LANTERN_PUT,
    PARROTS_LAID,
    PISTOL_LOOK,
    PISTOL_TAKE,
    POOL,
    RUM_GIVE,
    RUM_KEEP,
    State,
)


@kernel
def lay_parrots(state: State, seat: int, dark: int, log: EventLog) -> None:
    """CA-55: lay down two parrots, ``dark`` of them dark, in place of any other card."""
    for i in range(2):
        use_card(state, seat, PARROT + N_SYMBOLS if i < dark else PARROT)
    state.phase = PARROTS_LAID if state.phase == ACTING else HOOK_PARROTS_LAID
    emit(log, events.PARROTS, seat, 0, 0)


@kernel
def use_power(state: State, seat: int, card: int, log: EventLog) -> bool:
    """CA-50: play a card, or two parrots in its place, for its power. True if cards were drawn."""
    if state.phase != PARROTS_LAID:
        use_card(state, seat, card)
    state.left -= 1
    state.captain = 0
    emit(log, events.MAGIC, seat, card, 0)
    symbol = card % N_SYMBOLS
    if symbol == RUM:
        return _draw_to_pool(state, state.players + 1, RUM_KEEP, RUM_KEEPS, log)
    if symbol == LANTERN:
        return _draw_to_pool(state, LANTERN_DRAWS, LANTERN_KEEP, LANTERN_KEEPS, log)
    if symbol == PISTOL:
        state.phase = PISTOL_LOOK
    elif symbol == HOOK:
        state.phase = HOOK_LAID
    elif symbol == CHEST:
        state.phase = CHEST_OPEN
    return False


@kernel
def _draw_to_pool(state: State, count: int, phase: int, keeps: int, log: EventLog) -> bool:
    """Draw cards into the pool, ``keeps`` of which the player will keep. True if there were any."""
    state.phase = phase
    state.keeps = keeps
    if fill_pool(state, count, log):
        return True
    end_action(state)
    return False


@kernel
def look_into_hand(state: State, seat: int, other: int, log: EventLog) -> None:
    """CA-52: look into a player's hand."""
    state.other = other
    state.phase = PISTOL_TAKE
    note_hand_seen(state, seat, other)
    emit(log, events.LOOKED, seat, other, 0)


@kernel
def take_card(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-52: take a card of that hand; only these two players know which. The other draws a card."""
    other = state.other
    remove_from_hand(state, other, kind)
    note_passed_unseen(state, other, kind, seat)
    add_to_hand(state, seat, kind)
    note_received(state, other, seat, kind)
    emit_secret(log, 1 << seat | 1 << other, events.TOOK, seat, other, kind, 0)
    draw_cards(state, other, 1, log)
    end_action(state)


@kernel
def keep_card(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-53, CA-54: keep a card of the pool."""
    if state.phase == LANTERN_KEEP:
        note_pool_returned(state, seat)
    _take_from_pool(state, kind, seat)
    add_to_hand(state, seat, kind)
    emit_secret(log, 1 << seat, events.KEPT, seat, kind, 0, 0)
    state.keeps -= 1
    if not state.pooled:
        end_action(state)
    elif not state.keeps:
        if state.phase == RUM_KEEP:
            state.phase = RUM_GIVE
            state.other = (seat + 1) % state.players
        else:
            state.phase = LANTERN_PUT


@kernel
def give_card(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-53: give a card of the pool to the next player in seat order; only these two know which."""
    other = state.other
    _take_from_pool(state, kind, other)
    add_to_hand(state, other, kind)
    note_received(state, seat, other, kind)
    emit_secret(log, 1 << seat | 1 << other, events.GAVE, seat, other, kind, 0)
    state.other = (other + 1) % state.players
    if not state.pooled:
        end_action(state)


@kernel
def put_on_deck(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-54: put a card of the pool on the deck; the last one becomes the top card."""
    state.pool[kind] -= 1
    state.pooled -= 1
    state.deck[state.deck_left] = kind
    state.deck_left += 1
    state.tops[seat] += 1
    state.limits[seat, kind] += 1
    emit_secret(log, 1 << seat, events.PUT, seat, kind, 0, 0)
    if not state.pooled:
        end_action(state)


@kernel
def _take_from_pool(state: State, kind: int, receiver: int) -> None:
    """Remove a card from the pool for a player."""
    state.pool[kind] -= 1
    state.pooled -= 1
    note_passed_unseen(state, POOL, kind, receiver)
    if not state.pooled:
        for viewer in range(state.players):
            forget(state, viewer, POOL)


@kernel
def open_chest(state: State, seat: int, place: int, log: EventLog) -> None:
    """CA-57: open a chest: draw as many cards as its token says, or flee from the snake."""
    part = (place - 1) // PART_SPACES
    state.chests &= ~(1 << part)
    token = state.tokens[part]
    if token == SNAKE:
        _flee_from_snake(state, seat, place, log)
    else:
        emit(log, events.CHEST, seat, place, token)
        draw_cards(state, seat, token, log)
    end_action(state)


@kernel
def _flee_from_snake(state: State, seat: int, place: int, log: EventLog) -> None:
    """CA-58: flee to the nearest empty rum space behind, else to the first empty one; then lay all tokens anew."""
    spaces = spaces_behind(state, place)
    rum = empty_spaces(state, RUM) & spaces
    free = spaces & ~state.occupied
    target = highest_place(rum) if rum else lowest_place(free) if free else place
    if target != place:
        move_pirate(state, seat, place, target)
    emit(log, events.SNAKE, seat, place, target)
    lay_tokens(state)
