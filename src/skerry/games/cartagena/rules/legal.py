"""The kernels ``waiting`` and ``legal``: whose decision the game waits for, and the action ids each seat may play."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import actions
from skerry.games.cartagena.rules.components import (
    ACTIONS_A_TURN,
    CHEST,
    HOOK,
    KINDS,
    N_SYMBOLS,
    PARROT,
    PART_SPACES,
    PISTOL,
    PLACES,
)
from skerry.games.cartagena.rules.path import (
    backward_places,
    can_sail,
    empty_spaces,
    forward_places,
    lowest_place,
    morgan_places,
    paired_spaces,
    spaces_between,
)
from skerry.games.cartagena.rules.state import (
    ACTING,
    CHEST_OPEN,
    DISCARDING,
    HOOK_LAID,
    HOOK_PARROTS_LAID,
    LANTERN_PUT,
    PARROTS_LAID,
    PISTOL_LOOK,
    PISTOL_TAKE,
    RUM_GIVE,
    RUM_KEEP,
    State,
)


@kernel
def waiting(state: State) -> int:
    """The active player, or the player who must discard, as a bit set."""
    if state.ending:
        return 0
    return 1 << (state.other if state.phase == DISCARDING else state.turn)


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    """Write a seat's legal action ids in ascending order; returns how many there are."""
    if seat >= state.players or not waiting(state) >> seat & 1:
        return 0
    if state.phase == ACTING:
        return _legal_turn(state, seat, out)
    if state.phase == PARROTS_LAID:
        return _legal_parrots_laid(state, seat, out)
    if state.phase <= HOOK_PARROTS_LAID:
        return _legal_second_card(state, seat, out)
    if state.phase == PISTOL_LOOK:
        return _legal_looks(state, seat, out)
    if state.phase == CHEST_OPEN:
        return write_places(openable_chests(state, seat), actions.OPEN, out, 0)
    return _legal_card_choices(state, seat, out)


@kernel
def write_places(places: int, base: int, out: NDArray[Any], n: int) -> int:
    """Append ``base + place`` for each place of a set; returns the new length."""
    while places:
        out[n] = base + lowest_place(places)
        places &= places - 1
        n += 1
    return n


@kernel
def _legal_turn(state: State, seat: int, out: NDArray[Any]) -> int:
    """The actions of a turn."""
    n = 0
    fresh = state.left == ACTIONS_A_TURN
    if not fresh:
        out[n] = actions.END
        n += 1
        if not state.left:
            return n
    elif not state.held[seat]:
        out[n] = actions.PASS_TURN
        n += 1
    if can_sail(state, seat):
        out[n] = actions.SAIL
        n += 1
        if fresh and state.captain:
            out[n] = actions.SAIL_FREE
            n += 1
    n = _write_plays(state, seat, out, n)
    n = write_places(backward_places(state, seat), actions.BACK, out, n)
    for other in range(state.players):
        if other != seat:
            n = write_places(morgan_places(state, other), actions.MORGAN + other * PLACES, out, n)
    return _write_powers(state, seat, out, n) if state.magic else n


@kernel
def _write_plays(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for card in range(KINDS):
        if state.hands[seat, card]:
            places = forward_places(state, seat, empty_spaces(state, card % N_SYMBOLS), 1)
            n = write_places(places, actions.PLAY + card * PLACES, out, n)
    return n


@kernel
def _write_powers(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    n = _write_parrot_pairs(state, seat, out, n)
    for card in range(KINDS):
        if state.hands[seat, card] and has_power(state, seat, card):
            out[n] = actions.MAGIC + card
            n += 1
    return n


@kernel
def _write_parrot_pairs(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    """CA-55: two light parrots, one of each, or two dark parrots."""
    light = state.hands[seat, PARROT]
    dark = state.hands[seat, PARROT + N_SYMBOLS]
    for pair in range(3):
        if light >= 2 - pair and dark >= pair:
            out[n] = actions.PARROTS + pair
            n += 1
    return n


@kernel
def has_power(state: State, seat: int, card: int) -> bool:
    """Whether a card's power would have an effect now. Two parrots can stand for a card that is not in the hand."""
    symbol = card % N_SYMBOLS
    if symbol == PISTOL:
        return pistol_targets(state, seat) != 0
    if symbol == HOOK:
        return state.left >= 2 and has_second_card(state, seat)
    if symbol == CHEST:
        return openable_chests(state, seat) != 0
    return symbol != PARROT


@kernel
def pistol_targets(state: State, seat: int) -> int:
    """CA-52: the opponents that have cards."""
    seats = 0
    for other in range(state.players):
        if other != seat and state.held[other]:
            seats |= 1 << other
    return seats


@kernel
def openable_chests(state: State, seat: int) -> int:
    """CA-57: the chest spaces with a token on which the seat has a pirate."""
    places = state.at[seat] & state.symbols[CHEST] & spaces_between(0, state.spaces)
    for part in range(state.laid):
        if not state.chests >> part & 1:
            places &= ~spaces_between(part * PART_SPACES, (part + 1) * PART_SPACES)
    return places


@kernel
def paired_forward_places(state: State, seat: int, symbol: int) -> int:
    """CA-56: the spaces from which two pirates can move forward together with a symbol."""
    return paired_spaces(state, seat) & forward_places(state, seat, empty_spaces(state, symbol), 2)


@kernel
def has_second_card(state: State, seat: int) -> bool:
    """CA-56: whether the hand has, besides the hook, a second card or two parrots that can move two pirates."""
    for symbol in range(N_SYMBOLS):
        cards = state.hands[seat, symbol] + state.hands[seat, symbol + N_SYMBOLS]
        if symbol == HOOK and state.phase == ACTING:
            cards -= 1
        if (cards > 0 or parrots_can_stand_for(state, seat, symbol)) and paired_forward_places(state, seat, symbol):
            return True
    return False


@kernel
def parrots_can_stand_for(state: State, seat: int, symbol: int) -> bool:
    """CA-55: whether the hand has two parrots that can stand for a symbol."""
    return symbol != PARROT and state.hands[seat, PARROT] + state.hands[seat, PARROT + N_SYMBOLS] >= 2


@kernel
def _legal_second_card(state: State, seat: int, out: NDArray[Any]) -> int:
    """CA-56: the moves of two pirates with a second card, after a hook."""
    n = 0
    for card in range(KINDS):
        if _can_be_second(state, seat, card):
            places = paired_forward_places(state, seat, card % N_SYMBOLS)
            n = write_places(places, actions.PLAY + card * PLACES, out, n)
    if state.phase == HOOK_LAID and _parrots_can_be_second(state, seat):
        n = _write_parrot_pairs(state, seat, out, n)
    return n


@kernel
def _can_be_second(state: State, seat: int, card: int) -> bool:
    """Whether a card can be the second card: one of the hand, or one that two parrots stand for."""
    if state.phase == HOOK_LAID:
        return state.hands[seat, card] > 0
    return card < N_SYMBOLS and card != PARROT


@kernel
def _parrots_can_be_second(state: State, seat: int) -> bool:
    """CA-56: whether two parrots can be the second card after a hook."""
    for symbol in range(N_SYMBOLS):
        if parrots_can_stand_for(state, seat, symbol) and paired_forward_places(state, seat, symbol):
            return True
    return False


@kernel
def _legal_parrots_laid(state: State, seat: int, out: NDArray[Any]) -> int:
    """CA-55: what two parrots can be used for."""
    n = 0
    for symbol in range(N_SYMBOLS):
        if symbol != PARROT:
            places = forward_places(state, seat, empty_spaces(state, symbol), 1)
            n = write_places(places, actions.PLAY + symbol * PLACES, out, n)
    for symbol in range(N_SYMBOLS):
        if has_power(state, seat, symbol):
            out[n] = actions.MAGIC + symbol
            n += 1
    return n


@kernel
def _legal_looks(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    for other in range(state.players):
        if pistol_targets(state, seat) >> other & 1:
            out[n] = actions.LOOK + other
            n += 1
    return n


@kernel
def _legal_card_choices(state: State, seat: int, out: NDArray[Any]) -> int:
    """Choose one card of a hand or of the pool."""
    n = 0
    owner = state.other if state.phase == PISTOL_TAKE else seat
    for card in range(KINDS):
        count = state.pool[card] if RUM_KEEP <= state.phase <= LANTERN_PUT else state.hands[owner, card]
        if count:
            out[n] = _card_choice_base(state.phase) + card
            n += 1
    return n


@kernel
def _card_choice_base(phase: int) -> int:
    """The first action id of the verb for a phase in which a card is chosen."""
    if phase == PISTOL_TAKE:
        return actions.TAKE
    if phase == RUM_GIVE:
        return actions.GIVE
    if phase == LANTERN_PUT:
        return actions.PUT
    return actions.DISCARD if phase == DISCARDING else actions.KEEP
