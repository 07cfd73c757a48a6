"""Kernels for cards that are counted: a pile says how many cards of each kind it has, and hands say so for each seat.

The order of such a pile is drawn when a card is: every card is equally likely.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.engine.rng import HasRng, derive_seed, draw_below

SIZE_BITS = 8  # of the size of a hand, where those of all seats are in one number


@kernel
def pile_size(pile: NDArray[Any]) -> int:
    """How many cards a pile has."""
    size = 0
    for kind in range(pile.shape[0]):
        size += pile[kind]
    return size


@kernel
def hand_size(hands: NDArray[Any], seat: int) -> int:
    """How many cards a seat holds."""
    size = 0
    for kind in range(hands.shape[1]):
        size += hands[seat, kind]
    return size


@kernel
def draw_card(state: HasRng, pile: NDArray[Any], hands: NDArray[Any], seat: int) -> int:
    """A seat draws a random card of a pile that has one. Returns its kind."""
    left, kind = draw_below(state, pile_size(pile)), 0
    while left >= pile[kind]:
        left -= pile[kind]
        kind += 1
    pile[kind] -= 1
    hands[seat, kind] += 1
    return kind


@kernel
def lose_card(state: HasRng, hands: NDArray[Any], seat: int, pile: NDArray[Any]) -> int:
    """A random card of a seat that has one goes to a pile. Returns its kind."""
    left, kind = draw_below(state, hand_size(hands, seat)), 0
    while left >= hands[seat, kind]:
        left -= hands[seat, kind]
        kind += 1
    hands[seat, kind] -= 1
    pile[kind] += 1
    return kind


@kernel
def redeal_hands(state: Any, hands: NDArray[Any], pile: NDArray[Any], seat: int, seed: Any) -> None:
    """``determinize`` of a game in which a seat knows its own hand and how many cards there are elsewhere.

    The other hands and the pile are dealt anew; all keep their sizes.
    """
    state.rng = derive_seed(seed, seat + 1)
    sizes = 0
    for other in range(state.players):
        if other != seat:
            sizes |= hand_size(hands, other) << SIZE_BITS * other
            for kind in range(pile.shape[0]):
                pile[kind] += hands[other, kind]
                hands[other, kind] = 0
    for other in range(state.players):
        if other != seat:
            for _ in range(sizes >> SIZE_BITS * other & (1 << SIZE_BITS) - 1):
                draw_card(state, pile, hands, other)
    state.rng = derive_seed(seed, 0)
