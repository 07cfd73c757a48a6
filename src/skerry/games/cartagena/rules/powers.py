"""Black magic: the six powers, step by step."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import events as what
from skerry.games.cartagena.rules.cards import conclude, draw, fill_pool, lose, receive, use
from skerry.games.cartagena.rules.components import (
    CHEST,
    HOOK,
    KEPT_BY_LANTERN,
    KEPT_BY_RUM,
    LANTERN,
    N_SYMBOLS,
    PARROT,
    PART_SPACES,
    PISTOL,
    RUM,
    SCOUTED,
    SNAKE,
)
from skerry.games.cartagena.rules.memory import forget, learned, looked, put_back, slipped
from skerry.games.cartagena.rules.path import behind, empty, farthest, nearest, relocate
from skerry.games.cartagena.rules.setup import lay_tokens
from skerry.games.cartagena.rules.state import (
    ACTING,
    AIMING,
    GIVING,
    HOOKED,
    HOOKED_WILD,
    OPENING,
    POOL,
    SCOUTING,
    SHARING,
    STACKING,
    TAKING,
    WILD,
    State,
)


@kernel
def lay_parrots(state: State, seat: int, dark: int, log: EventLog) -> None:
    """CA-55: two parrots, so many of them dark, lie there for any other card."""
    for i in range(2):
        use(state, seat, PARROT + N_SYMBOLS if i < dark else PARROT)
    state.phase = WILD if state.phase == ACTING else HOOKED_WILD
    emit(log, what.PARROTS, seat, 0, 0)


@kernel
def invoke(state: State, seat: int, card: int, log: EventLog) -> bool:
    """CA-50: a card, or two parrots in its place, is played for its power. True when cards were drawn."""
    if state.phase != WILD:
        use(state, seat, card)
    state.left -= 1
    state.captain = 0
    emit(log, what.MAGIC, seat, card, 0)
    symbol = card % N_SYMBOLS
    if symbol == RUM:
        return _draw_apart(state, state.players + 1, SHARING, KEPT_BY_RUM, log)
    if symbol == LANTERN:
        return _draw_apart(state, SCOUTED, SCOUTING, KEPT_BY_LANTERN, log)
    if symbol == PISTOL:
        state.phase = AIMING
    elif symbol == HOOK:
        state.phase = HOOKED
    elif symbol == CHEST:
        state.phase = OPENING
    return False


@kernel
def _draw_apart(state: State, count: int, phase: int, keeps: int, log: EventLog) -> bool:
    state.phase = phase
    state.keeps = keeps
    if fill_pool(state, count, log):
        return True
    conclude(state)
    return False


@kernel
def look(state: State, seat: int, other: int, log: EventLog) -> None:
    """CA-52."""
    state.other = other
    state.phase = TAKING
    looked(state, seat, other)
    emit(log, what.LOOKED, seat, other, 0)


@kernel
def take(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-52: the two of them know which card it was."""
    other = state.other
    lose(state, other, kind)
    slipped(state, other, kind, seat)
    receive(state, seat, kind)
    learned(state, other, seat, kind)
    emit_secret(log, 1 << seat | 1 << other, what.TOOK, seat, other, kind, 0)
    draw(state, other, 1, log)
    conclude(state)


@kernel
def keep(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-53, CA-54."""
    if state.phase == SCOUTING:
        put_back(state, seat)
    _leave_pool(state, kind, seat)
    receive(state, seat, kind)
    emit_secret(log, 1 << seat, what.KEPT, seat, kind, 0, 0)
    state.keeps -= 1
    if not state.pooled:
        conclude(state)
    elif not state.keeps:
        if state.phase == SHARING:
            state.phase = GIVING
            state.other = (seat + 1) % state.players
        else:
            state.phase = STACKING


@kernel
def give(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-53: in seat order from the left, known to giver and receiver."""
    other = state.other
    _leave_pool(state, kind, other)
    receive(state, other, kind)
    learned(state, seat, other, kind)
    emit_secret(log, 1 << seat | 1 << other, what.GAVE, seat, other, kind, 0)
    state.other = (other + 1) % state.players
    if not state.pooled:
        conclude(state)


@kernel
def put(state: State, seat: int, kind: int, log: EventLog) -> None:
    """CA-54: the last one put is the top card."""
    state.pool[kind] -= 1
    state.pooled -= 1
    state.deck[state.deck_left] = kind
    state.deck_left += 1
    state.tops[seat] += 1
    state.limits[seat, kind] += 1
    emit_secret(log, 1 << seat, what.PUT, seat, kind, 0, 0)
    if not state.pooled:
        conclude(state)


@kernel
def _leave_pool(state: State, kind: int, receiver: int) -> None:
    state.pool[kind] -= 1
    state.pooled -= 1
    slipped(state, POOL, kind, receiver)
    if not state.pooled:
        for viewer in range(state.players):
            forget(state, viewer, POOL)


@kernel
def open_chest(state: State, seat: int, place: int, log: EventLog) -> None:
    """CA-57."""
    part = (place - 1) // PART_SPACES
    state.chests &= ~(1 << part)
    inside = state.tokens[part]
    if inside == SNAKE:
        _flee(state, seat, place, log)
    else:
        emit(log, what.CHEST, seat, place, inside)
        draw(state, seat, inside, log)
    conclude(state)


@kernel
def _flee(state: State, seat: int, place: int, log: EventLog) -> None:
    """CA-58."""
    back = behind(state, place)
    rum = empty(state, RUM) & back
    free = back & ~state.occupied
    target = farthest(rum) if rum else nearest(free) if free else place
    if target != place:
        relocate(state, seat, place, target)
    emit(log, what.SNAKE, seat, place, target)
    lay_tokens(state)
