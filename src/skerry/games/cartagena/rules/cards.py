"""Cards: drawing, the reshuffled deck, playing, and the discards that a dark card demands."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.kernel import kernel
from skerry.engine.rng import shuffle
from skerry.games.cartagena.rules import events
from skerry.games.cartagena.rules.components import HAND_LIMIT, KINDS, N_SYMBOLS
from skerry.games.cartagena.rules.memory import note_draw, note_new_deck, note_revealed
from skerry.games.cartagena.rules.state import ACTING, DISCARDING, POOL, State


@kernel
def draw_cards(state: State, seat: int, count: int, log: EventLog) -> bool:
    """CA-04: a seat draws this many cards, or as many as there are. True if it drew any."""
    any_drawn = False
    for _ in range(count):
        if not _ensure_deck(state, log):
            return any_drawn
        kind = _take_top_card(state)
        witnesses = note_draw(state, seat, seat, kind)
        add_to_hand(state, seat, kind)
        emit_secret(log, witnesses, events.DREW, seat, kind, 0, 0)
        any_drawn = True
    return any_drawn


@kernel
def fill_pool(state: State, count: int, log: EventLog) -> bool:
    """CA-53, CA-54: draw cards for a rum or a lantern into the pool, where they stay until they are distributed."""
    for _ in range(count):
        if not _ensure_deck(state, log):
            break
        kind = _take_top_card(state)
        witnesses = note_draw(state, state.turn, POOL, kind)
        state.pool[kind] += 1
        state.pooled += 1
        emit_secret(log, witnesses, events.DREW, state.turn, kind, 0, 0)
    return state.pooled > 0


@kernel
def _take_top_card(state: State) -> int:
    """Remove the top card of the deck; returns its kind."""
    state.deck_left -= 1
    kind = state.deck[state.deck_left]
    state.deck[state.deck_left] = 0
    return kind


@kernel
def _ensure_deck(state: State, log: EventLog) -> bool:
    """Whether there is a card to draw. If the deck is empty, the discards are shuffled into a new one."""
    if state.deck_left:
        return True
    note_new_deck(state)
    left = 0
    for kind in range(KINDS):
        for _ in range(state.discard[kind]):
            state.deck[left] = kind
            left += 1
        state.discard[kind] = 0
    if not left:
        return False
    state.deck_left = left
    shuffle(state, state.deck, 0, left)
    emit(log, events.SHUFFLED, 0, 0, 0)
    return True


@kernel
def add_to_hand(state: State, seat: int, kind: int) -> None:
    """Add a card to a hand."""
    state.hands[seat, kind] += 1
    state.held[seat] += 1


@kernel
def remove_from_hand(state: State, seat: int, kind: int) -> None:
    """Remove a card from a hand."""
    state.hands[seat, kind] -= 1
    state.held[seat] -= 1


@kernel
def discard_card(state: State, seat: int, kind: int) -> None:
    """Move a card from a hand to the discard, for all to see."""
    remove_from_hand(state, seat, kind)
    state.discard[kind] += 1
    note_revealed(state, seat, kind)


@kernel
def use_card(state: State, seat: int, kind: int) -> None:
    """CA-40: discard a card that is used for a move or a power; a dark one will catch players."""
    discard_card(state, seat, kind)
    if kind >= N_SYMBOLS:
        state.dark = 1


@kernel
def end_action(state: State) -> None:
    """CA-40: return to the turn after an action, or first let the next player that a dark card catches discard."""
    state.phase = ACTING
    if state.dark:
        for i in range(1, state.players):
            other = (state.turn + i) % state.players
            if state.held[other] > HAND_LIMIT:
                state.phase = DISCARDING
                state.other = other
                return
        state.dark = 0
