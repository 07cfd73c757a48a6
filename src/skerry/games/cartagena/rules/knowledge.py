"""The kernel ``determinize``: resampling what a seat cannot know.

Hidden are the order of the deck, the other hands, the pool of another player, and the chest tokens. The unseen cards
are dealt anew in three steps: first the cards that the seat has seen in each hand, minus a random choice of as many as
left it unseen since; then the deck, within what it can contain (``limits``); then the rest of each hand.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, resample_order_at, shuffle
from skerry.games.cartagena.rules.components import KINDS, N_SYMBOLS, PARROT, PARTS
from skerry.games.cartagena.rules.legal import has_second_card, paired_forward_places
from skerry.games.cartagena.rules.memory import doubtful_copies, forget, known_copies
from skerry.games.cartagena.rules.state import HOOK_LAID, POOL, PUBLIC, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Resample everything that a seat, or with -1 a spectator, cannot know."""
    state.rng = mix64(seed)
    tops = state.tops[seat] if seat >= 0 else 0
    _collect_unseen(state, seat, state.deck_left - tops)
    if seat >= 0:
        _deal_known_cards(state, seat, True)
        _deal_known_cards(state, seat, False)
        for owner in range(POOL + 1):
            if _is_hidden_from(state, seat, owner):
                _remove_departed(state, seat, owner)
    if state.phase == HOOK_LAID and seat != state.turn:
        _deal_second_card(state)
    _deal_deck(state, seat if seat >= 0 else PUBLIC, tops)
    for owner in range(POOL + 1):
        if _is_hidden_from(state, seat, owner):
            _fill_hand(state, owner)
    _forget_others_knowledge(state, seat)
    if state.magic:
        _shuffle_chests(state)


@kernel
def reshuffle(state: State, seed: Any) -> None:
    """Resample only what no seat knows: the deck below the cards that seats have put on it, and closed chests."""
    state.rng = mix64(seed)
    known = 0
    for seat in range(state.players):
        known = max(known, state.tops[seat])
    _sort_deck(state, state.deck_left - known)
    shuffle(state, state.deck, 0, state.deck_left - known)
    if state.magic:
        _shuffle_chests(state)


@kernel
def _sort_deck(state: State, count: int) -> None:
    """Sort the lowest cards of the deck, so that a shuffle does not depend on their true order."""
    for position in range(count):
        state.unseen[state.deck[position]] += 1
    position = 0
    for kind in range(KINDS):
        while state.unseen[kind]:
            state.unseen[kind] -= 1
            state.deck[position] = kind
            position += 1


@kernel
def _is_hidden_from(state: State, seat: int, owner: int) -> bool:
    """Whether a hand, or the pool, is hidden from a seat."""
    if owner == POOL:
        return state.pooled > 0 and seat != state.turn
    return owner < state.players and owner != seat


@kernel
def _copies_held(state: State, owner: int, kind: int) -> int:
    """The cards of a kind in a hand or the pool."""
    return state.pool[kind] if owner == POOL else state.hands[owner, kind]


@kernel
def _set_copies(state: State, owner: int, kind: int, count: int) -> None:
    if owner == POOL:
        state.pool[kind] = count
    else:
        state.hands[owner, kind] = count


@kernel
def _hand_size(state: State, owner: int) -> int:
    return state.pooled if owner == POOL else state.held[owner]


@kernel
def _collect_unseen(state: State, seat: int, below_tops: int) -> None:
    """Count the unseen cards by kind in ``unseen``, and empty the hidden hands."""
    for kind in range(KINDS):
        state.unseen[kind] = 0
        for owner in range(POOL + 1):
            if _is_hidden_from(state, seat, owner):
                state.unseen[kind] += _copies_held(state, owner, kind)
                _set_copies(state, owner, kind, 0)
    for position in range(below_tops):
        state.unseen[state.deck[position]] += 1


@kernel
def _deal_known_cards(state: State, seat: int, certain: bool) -> None:
    """Deal the cards seen in hidden hands: with ``certain`` those that are surely there, else those in doubt."""
    for owner in range(POOL + 1):
        if _is_hidden_from(state, seat, owner):
            for kind in range(KINDS):
                doubtful = doubtful_copies(state, seat, owner, kind)
                wanted = known_copies(state, seat, owner, kind) - doubtful if certain else doubtful
                count = min(wanted, state.unseen[kind])
                _set_copies(state, owner, kind, _copies_held(state, owner, kind) + count)
                state.unseen[kind] -= count


@kernel
def _remove_departed(state: State, seat: int, owner: int) -> None:
    """Remove random cards from a hand for those that left it unseen.

    They are chosen among the cards in doubt and the unknown cards ``beside`` them. Cards that were seen elsewhere
    since are gone already. The last card to leave goes to the player who took it.
    """
    total = 0
    certain = 0
    doubt = state.doubt[seat, owner]
    for kind in range(KINDS):
        total += _departing_copies(state, seat, owner, kind)
        certain += _certain_copies(state, seat, owner, kind)
        doubt -= doubtful_copies(state, seat, owner, kind) - _departing_copies(state, seat, owner, kind)
    for left in range(doubt, 0, -1):
        must_go = total + certain >= _hand_size(state, owner) + left
        pick = draw_below(state, total if must_go else total + state.beside[seat, owner])
        if pick < total:
            total -= 1
            kind = _remove_nth_departing(state, seat, owner, pick)
            taker = state.taker[seat, owner] - 1
            if left == 1 and taker >= 0 and _missing_cards(state, taker) > 0:
                _set_copies(state, taker, kind, _copies_held(state, taker, kind) + 1)
            else:
                state.unseen[kind] += 1


@kernel
def _missing_cards(state: State, owner: int) -> int:
    """How many cards of a hand are not dealt yet."""
    missing = _hand_size(state, owner)
    for kind in range(KINDS):
        missing -= _copies_held(state, owner, kind)
    return missing


@kernel
def _certain_copies(state: State, seat: int, owner: int, kind: int) -> int:
    """How many cards of a kind are surely in a hand."""
    return known_copies(state, seat, owner, kind) - doubtful_copies(state, seat, owner, kind)


@kernel
def _departing_copies(state: State, seat: int, owner: int, kind: int) -> int:
    """How many cards of a kind in a hand may be those that left it; not those it took from another since."""
    dealt = _copies_held(state, owner, kind) - _certain_copies(state, seat, owner, kind)
    return min(dealt, doubtful_copies(state, seat, owner, kind))


@kernel
def _remove_nth_departing(state: State, seat: int, owner: int, pick: int) -> int:
    """Remove the card with index ``pick`` among those that may have left a hand; returns its kind."""
    kind = 0
    while pick >= _departing_copies(state, seat, owner, kind):
        pick -= _departing_copies(state, seat, owner, kind)
        kind += 1
    _set_copies(state, owner, kind, _copies_held(state, owner, kind) - 1)
    return kind


@kernel
def _deal_second_card(state: State) -> None:
    """CA-56: a player who has played a hook surely holds a second card, or two parrots: deal what is missing."""
    if has_second_card(state, state.turn):
        return
    total = 0
    for kind in range(KINDS):
        total += _second_card_candidates(state, kind)
    if not total:
        for kind in (PARROT, PARROT + N_SYMBOLS):
            for _ in range(min(2, state.unseen[kind])):
                if not has_second_card(state, state.turn):
                    _give_to_player(state, kind)
        return
    pick = draw_below(state, total)
    kind = 0
    while pick >= _second_card_candidates(state, kind):
        pick -= _second_card_candidates(state, kind)
        kind += 1
    _give_to_player(state, kind)


@kernel
def _second_card_candidates(state: State, kind: int) -> int:
    """How many unseen cards of a kind there are, if it can be the second card; else 0."""
    return state.unseen[kind] if paired_forward_places(state, state.turn, kind % N_SYMBOLS) else 0


@kernel
def _give_to_player(state: State, kind: int) -> None:
    """Give the active player an unseen card. If the hand is full, it replaces another card, preferably not a parrot."""
    size = 0
    other = PARROT
    for held in range(KINDS):
        count = state.hands[state.turn, held]
        size += count
        if count and (not state.hands[state.turn, other] or other % N_SYMBOLS == PARROT):
            other = held
    if size == state.held[state.turn]:
        state.hands[state.turn, other] -= 1
        state.unseen[other] += 1
    state.hands[state.turn, kind] += 1
    state.unseen[kind] -= 1


@kernel
def _deal_deck(state: State, viewer: int, tops: int) -> None:
    """Deal the deck below its known top cards, with cards that it can contain. ``limits`` is counted down meanwhile."""
    for position in range(state.deck_left - tops, state.deck_left):
        state.limits[viewer, state.deck[position]] -= 1
    for position in range(state.deck_left - tops):
        kind = _random_deck_card(state, viewer)
        state.deck[position] = kind
        state.unseen[kind] -= 1
        state.limits[viewer, kind] -= 1
    for position in range(state.deck_left):
        state.limits[viewer, state.deck[position]] += 1


@kernel
def _random_deck_card(state: State, viewer: int) -> int:
    """A random unseen card that the deck can contain.

    The guesses about cards that left hands can use up all that fit; then any card is taken.
    """
    total = 0
    for kind in range(KINDS):
        total += _deck_candidates(state, viewer, kind)
    if not total:
        return _random_unseen(state)
    pick = draw_below(state, total)
    kind = 0
    while pick >= _deck_candidates(state, viewer, kind):
        pick -= _deck_candidates(state, viewer, kind)
        kind += 1
    return kind


@kernel
def _deck_candidates(state: State, viewer: int, kind: int) -> int:
    """How many unseen cards of a kind the deck can contain."""
    return max(0, min(state.unseen[kind], state.limits[viewer, kind]))


@kernel
def _random_unseen(state: State) -> int:
    """The kind of a random unseen card."""
    total = 0
    for kind in range(KINDS):
        total += state.unseen[kind]
    pick = draw_below(state, total)
    kind = 0
    while pick >= state.unseen[kind]:
        pick -= state.unseen[kind]
        kind += 1
    return kind


@kernel
def _fill_hand(state: State, owner: int) -> None:
    """Fill a hand up with random unseen cards."""
    for _ in range(_missing_cards(state, owner)):
        kind = _random_unseen(state)
        state.unseen[kind] -= 1
        _set_copies(state, owner, kind, _copies_held(state, owner, kind) + 1)


@kernel
def _forget_others_knowledge(state: State, seat: int) -> None:
    """Forget what the other seats know of each other's cards, as it would reveal the truth.

    What they know of the seat's own cards stays: the seat knows it, too.
    """
    for viewer in range(state.players):
        if viewer != seat:
            for owner in range(POOL + 1):
                if owner != seat and (owner < POOL or seat != state.turn):
                    forget(state, viewer, owner)
            for kind in range(KINDS):
                state.limits[viewer, kind] = state.limits[PUBLIC, kind]


@kernel
def _shuffle_chests(state: State) -> None:
    """Shuffle the tokens that nobody has seen: those still on the path and those out of the game."""
    closed = 0
    for i in range(PARTS):
        if i >= state.laid or state.chests >> i & 1:
            closed |= 1 << i
    resample_order_at(state, state.tokens, closed)
