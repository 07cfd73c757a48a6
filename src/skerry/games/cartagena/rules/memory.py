"""What each seat knows of the other hands, updated as cards move.

A seat's knowledge follows from what it saw. A card that leaves a hand without its seeing which adds a doubt whether it
was one of those known there; a card that it sees arriving after that is certain nevertheless.
"""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import KINDS
from skerry.games.cartagena.rules.state import POOL, PUBLIC, State

# In each number of ``known``, the lowest bits count all known cards of the kind, the others those that are certain
# despite the doubt. No kind has more copies than the lowest bits can count.
_CERTAIN_BITS = 4
_ONE_CERTAIN = 1 << _CERTAIN_BITS
_MOST_KNOWN = _ONE_CERTAIN - 1
_MOST_CERTAIN = 7  # what is left of eight bits


@kernel
def known_copies(state: State, viewer: int, owner: int, kind: int) -> int:
    """How many cards of a kind a viewer knows of in a hand or the pool, those in doubt among them."""
    return state.known[viewer, owner, kind] & _MOST_KNOWN


@kernel
def doubtful_copies(state: State, viewer: int, owner: int, kind: int) -> int:
    """How many of the known cards of a kind may be among those that have left the hand unseen."""
    if not state.doubt[viewer, owner]:
        return 0
    return known_copies(state, viewer, owner, kind) - _certain_despite_doubt(state, viewer, owner, kind)


@kernel
def _certain_despite_doubt(state: State, viewer: int, owner: int, kind: int) -> int:
    """How many cards of a kind came to a hand after the last one left it unseen."""
    return state.known[viewer, owner, kind] >> _CERTAIN_BITS


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
    """Note a card that a viewer saw coming to a hand or the pool. It is certain, whatever has left that hand before."""
    if known_copies(state, viewer, owner, kind) == _MOST_KNOWN:
        return
    state.known[viewer, owner, kind] += 1
    if state.doubt[viewer, owner] and _certain_despite_doubt(state, viewer, owner, kind) < _MOST_CERTAIN:
        state.known[viewer, owner, kind] += _ONE_CERTAIN


@kernel
def note_revealed(state: State, seat: int, kind: int) -> None:
    """Note a card that left a hand for all to see."""
    if state.magic:
        _clear_taker(state, seat)
        for viewer in range(state.players):
            _note_gone(state, viewer, seat, kind)


@kernel
def _note_gone(state: State, viewer: int, owner: int, kind: int) -> None:
    """Note that a card of a kind, which the viewer saw, is no longer in a hand.

    If one is certain to be there, it is the one that has gone: then the others are as doubtful as before.
    """
    if not known_copies(state, viewer, owner, kind):
        return
    state.known[viewer, owner, kind] -= 1
    if _certain_despite_doubt(state, viewer, owner, kind):
        state.known[viewer, owner, kind] -= _ONE_CERTAIN
    _forget_doubtful(state, viewer, owner)


@kernel
def note_passed_unseen(state: State, owner: int, kind: int, receiver: int) -> None:
    """Note a card that passed from a hand or the pool to a player, and that only these two saw."""
    _clear_taker(state, owner)
    for viewer in range(state.players):
        if viewer == receiver:
            _note_gone(state, viewer, owner, kind)
        elif viewer != owner and owner != POOL and not state.held[owner] and known_copies(state, viewer, owner, kind):
            _note_gone(state, viewer, owner, kind)  # it was the only card, and known: it can be no other
            note_received(state, viewer, receiver, kind)
        elif viewer != owner:
            _note_departure(state, viewer, owner)
            state.taker[viewer, owner] = receiver + 1
            _forget_doubtful(state, viewer, owner)


@kernel
def _note_departure(state: State, viewer: int, owner: int) -> None:
    """Note that a card has left a hand or the pool unseen by a viewer: it can be any of those known there."""
    known = 0
    for kind in range(KINDS):
        state.known[viewer, owner, kind] &= _MOST_KNOWN
        known += state.known[viewer, owner, kind]
    size = 1 + (state.pooled if owner == POOL else state.held[owner])
    state.beside[viewer, owner] = size - known + state.doubt[viewer, owner]
    state.doubt[viewer, owner] += 1


@kernel
def _clear_taker(state: State, seat: int) -> None:
    """Forget that a seat has a card it took unseen: that card may be the one that left its hand now."""
    for viewer in range(state.players):
        for owner in range(POOL + 1):
            if state.taker[viewer, owner] == seat + 1:
                state.taker[viewer, owner] = 0


@kernel
def _forget_doubtful(state: State, viewer: int, owner: int) -> None:
    """Forget the doubtful cards of a hand if all of them may have left it. Those that are certain stay."""
    doubtful = 0
    for kind in range(KINDS):
        doubtful += doubtful_copies(state, viewer, owner, kind)
    if doubtful > state.doubt[viewer, owner] or not state.doubt[viewer, owner]:
        return
    for kind in range(KINDS):
        state.known[viewer, owner, kind] = _certain_despite_doubt(state, viewer, owner, kind)
    state.doubt[viewer, owner] = 0
    state.beside[viewer, owner] = 0
    state.taker[viewer, owner] = 0


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
                state.limits[viewer, kind] += known_copies(state, viewer, POOL, kind)
            forget(state, viewer, POOL)
