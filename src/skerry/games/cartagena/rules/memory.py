"""What each seat knows of the other hands, updated as cards move.

A seat's knowledge follows from what it saw. A card that moves without its seeing which adds only a doubt whether one of
the known cards has left the hand.
"""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import KINDS
from skerry.games.cartagena.rules.state import POOL, PUBLIC, State


@kernel
def note_draw(state: State, seat: int, owner: int, kind: int) -> int:
    """Note that ``seat`` drew the top card into a hand or the pool; returns the seats that know which card it is."""
    state.limits[seat, kind] -= 1
    witnesses = 1 << seat
    if state.magic:
        for viewer in range(state.players):
            if state.tops[viewer]:
                state.tops[viewer] -= 1
                if viewer != seat:
                    note_received(state, viewer, owner, kind)
                    state.limits[viewer, kind] -= 1
                    witnesses |= 1 << viewer
    return witnesses


@kernel
def note_received(state: State, viewer: int, owner: int, kind: int) -> None:
    """Note a card that a viewer saw coming to a hand or the pool.

    The card is certain to be there. Older known cards of which some may be gone would put it in doubt, so they are
    forgotten.
    """
    if state.doubt[viewer, owner]:
        forget(state, viewer, owner)
    state.known[viewer, owner, kind] += 1


@kernel
def note_revealed(state: State, seat: int, kind: int) -> None:
    """Note a card that left a hand for all to see."""
    if state.magic:
        _clear_taker(state, seat)
        for viewer in range(state.players):
            if state.known[viewer, seat, kind]:
                state.known[viewer, seat, kind] -= 1
                _forget_if_uncertain(state, viewer, seat)


@kernel
def note_passed_unseen(state: State, owner: int, kind: int, receiver: int) -> None:
    """Note a card that passed from a hand or the pool to a player, and that only these two saw."""
    _clear_taker(state, owner)
    for viewer in range(state.players):
        if viewer == receiver:
            if state.known[viewer, owner, kind]:
                state.known[viewer, owner, kind] -= 1
        elif viewer != owner and owner != POOL and not state.held[owner] and state.known[viewer, owner, kind]:
            state.known[viewer, owner, kind] -= 1  # it was the only card, and known: it can be no other
            note_received(state, viewer, receiver, kind)
        elif viewer != owner:
            size = 1 + (state.pooled if owner == POOL else state.held[owner])
            state.beside[viewer, owner] = size - _known_cards(state, viewer, owner) + state.doubt[viewer, owner]
            state.doubt[viewer, owner] += 1
            state.taker[viewer, owner] = receiver + 1
        _forget_if_uncertain(state, viewer, owner)


@kernel
def _clear_taker(state: State, seat: int) -> None:
    """Forget that a seat has a card it took unseen: that card may be the one that left its hand now."""
    for viewer in range(state.players):
        for owner in range(POOL + 1):
            if state.taker[viewer, owner] == seat + 1:
                state.taker[viewer, owner] = 0


@kernel
def _forget_if_uncertain(state: State, viewer: int, owner: int) -> None:
    """Forget the known cards of a hand if all of them may have left it."""
    if _known_cards(state, viewer, owner) <= state.doubt[viewer, owner]:
        forget(state, viewer, owner)


@kernel
def _known_cards(state: State, viewer: int, owner: int) -> int:
    """How many cards of a hand a viewer knows."""
    total = 0
    for kind in range(KINDS):
        total += state.known[viewer, owner, kind]
    return total


@kernel
def forget(state: State, viewer: int, owner: int) -> None:
    """Forget all that a viewer knows of a hand or the pool."""
    for kind in range(KINDS):
        state.known[viewer, owner, kind] = 0
    state.doubt[viewer, owner] = 0
    state.beside[viewer, owner] = 0
    state.taker[viewer, owner] = 0


@kernel
def note_hand_seen(state: State, seat: int, owner: int) -> None:
    """CA-52: note all cards of a hand that a seat looks into."""
    forget(state, seat, owner)
    for kind in range(KINDS):
        state.known[seat, owner, kind] = state.hands[owner, kind]


@kernel
def note_new_deck(state: State) -> None:
    """CA-04: note that the new deck consists of the discards, which everybody has seen.

    Cards of the pool can be put on top of it later, so they count as possible for all but their owner.
    """
    for viewer in range(PUBLIC + 1):
        unseen = 0 if viewer == state.turn else state.pooled
        for kind in range(KINDS):
            state.limits[viewer, kind] = state.discard[kind] + unseen


@kernel
def note_pool_returned(state: State, seat: int) -> None:
    """CA-54: note that the pool's cards are going back on the deck: the others no longer know where they are."""
    for viewer in range(state.players):
        if viewer != seat:
            for kind in range(KINDS):
                state.limits[viewer, kind] += state.known[viewer, POOL, kind]
            forget(state, viewer, POOL)
