"""Resampling what a seat cannot know: the deck's order, the others' hands, the chests.

The cards the seat does not see are dealt anew: first those it has seen in hands (less, at random, as many as left them
unseen), then the deck within its limits, then all hands are filled up.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import draw_below, mix64, resample_order_at
from skerry.games.cartagena.rules.components import KINDS, N_SYMBOLS, PARROT, PARTS
from skerry.games.cartagena.rules.legal import has_second_card, paired_forward_places
from skerry.games.cartagena.rules.memory import forget
from skerry.games.cartagena.rules.state import HOOK_LAID, POOL, PUBLIC, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
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
def _is_hidden_from(state: State, seat: int, owner: int) -> bool:
    """Whether a seat does not see a hand, or the pool."""
    if owner == POOL:
        return state.pooled > 0 and seat != state.turn
    return owner < state.players and owner != seat


@kernel
def _copies_held(state: State, owner: int, kind: int) -> int:
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
    """Count the cards the seat does not see, and take them out of the hands."""
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
    """The cards seen in hands: first where there is no doubt, since those cannot be elsewhere."""
    for owner in range(POOL + 1):
        if _is_hidden_from(state, seat, owner) and (state.doubt[seat, owner] == 0) == certain:
            for kind in range(KINDS):
                count = min(state.known[seat, owner, kind], state.unseen[kind])
                _set_copies(state, owner, kind, count)
                state.unseen[kind] -= count


@kernel
def _remove_departed(state: State, seat: int, owner: int) -> None:
    """Of the seen cards of a hand and those beside them, any that left it unseen; what is seen elsewhere by now is gone
    already. The last one is with its taker."""
    total = 0
    doubt = state.doubt[seat, owner]
    for kind in range(KINDS):
        seen = _seen_copies(state, seat, owner, kind)
        total += seen
        doubt -= state.known[seat, owner, kind] - seen
    for left in range(doubt, 0, -1):
        must_go = total >= _hand_size(state, owner) + left
        pick = draw_below(state, total if must_go else total + state.beside[seat, owner])
        if pick < total:
            total -= 1
            kind = _remove_nth_seen(state, seat, owner, pick)
            taker = state.taker[seat, owner] - 1
            if left == 1 and taker >= 0 and _missing_cards(state, taker) > 0:
                _set_copies(state, taker, kind, _copies_held(state, taker, kind) + 1)
            else:
                state.unseen[kind] += 1


@kernel
def _missing_cards(state: State, owner: int) -> int:
    """The cards of a hand that are not dealt yet."""
    missing = _hand_size(state, owner)
    for kind in range(KINDS):
        missing -= _copies_held(state, owner, kind)
    return missing


@kernel
def _seen_copies(state: State, seat: int, owner: int, kind: int) -> int:
    """The cards of a kind in a hand that the seat has seen there, not those it took from another since."""
    return min(_copies_held(state, owner, kind), state.known[seat, owner, kind])


@kernel
def _remove_nth_seen(state: State, seat: int, owner: int, pick: int) -> int:
    """Take the seen card number ``pick`` away; its kind."""
    kind = 0
    while pick >= _seen_copies(state, seat, owner, kind):
        pick -= _seen_copies(state, seat, owner, kind)
        kind += 1
    _set_copies(state, owner, kind, _copies_held(state, owner, kind) - 1)
    return kind


@kernel
def _deal_second_card(state: State) -> None:
    """CA-56: who has called a hook holds a second card that moves two pirates, or two parrots; everybody knows that."""
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
    """The unseen cards of a kind, if it can be the second card."""
    return state.unseen[kind] if paired_forward_places(state, state.turn, kind % N_SYMBOLS) else 0


@kernel
def _give_to_player(state: State, kind: int) -> None:
    """The player to move gets an unseen card, in place of another (a parrot last) if the hand is full."""
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
    """Below the known top cards, any unseen ones that can be in the deck. ``limits`` counts down meanwhile."""
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
    """An unseen card within the limits of the deck. (Guesses about cards that left unseen can use up the cards that
    fit; then any will do.)"""
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
    return max(0, min(state.unseen[kind], state.limits[viewer, kind]))


@kernel
def _random_unseen(state: State) -> int:
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
    """The rest of a hand: any cards that are left."""
    for _ in range(_missing_cards(state, owner)):
        kind = _random_unseen(state)
        state.unseen[kind] -= 1
        _set_copies(state, owner, kind, _copies_held(state, owner, kind) + 1)


@kernel
def _forget_others_knowledge(state: State, seat: int) -> None:
    """What the others know of each other would tell what is true; what they know of the seat's own cards it knows."""
    for viewer in range(state.players):
        if viewer != seat:
            for owner in range(POOL + 1):
                if owner != seat and (owner < POOL or seat != state.turn):
                    forget(state, viewer, owner)
            for kind in range(KINDS):
                state.limits[viewer, kind] = state.limits[PUBLIC, kind]


@kernel
def _shuffle_chests(state: State) -> None:
    """The tokens that nobody has seen: those still on the path and those left out."""
    closed = 0
    for i in range(PARTS):
        if i >= state.laid or state.chests >> i & 1:
            closed |= 1 << i
    resample_order_at(state, state.tokens, closed)
