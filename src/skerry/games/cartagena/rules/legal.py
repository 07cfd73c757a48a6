"""What the game waits for, and what each seat may do: ids in ascending order."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import actions as act
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
from skerry.games.cartagena.rules.path import backs, can_sail, empty, helped, movers, nearest, pairs, span
from skerry.games.cartagena.rules.state import (
    ACTING,
    AIMING,
    DISCARDING,
    GIVING,
    HOOKED,
    HOOKED_WILD,
    OPENING,
    SHARING,
    STACKING,
    TAKING,
    WILD,
    State,
)


@kernel
def waiting(state: State) -> int:
    if state.ending:
        return 0
    return 1 << (state.other if state.phase == DISCARDING else state.turn)


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    if seat >= state.players or not waiting(state) >> seat & 1:
        return 0
    if state.phase == ACTING:
        return _act(state, seat, out)
    if state.phase == WILD:
        return _wild(state, seat, out)
    if state.phase <= HOOKED_WILD:
        return _lay_second(state, seat, out)
    if state.phase == AIMING:
        return _aim(state, seat, out)
    if state.phase == OPENING:
        return write(openable(state, seat), act.OPEN, out, 0)
    return _choose_card(state, seat, out)


@kernel
def write(places: int, base: int, out: NDArray[Any], n: int) -> int:
    """Append ``base + place`` for each place of a set; the list's new length."""
    while places:
        out[n] = base + nearest(places)
        places &= places - 1
        n += 1
    return n


@kernel
def _act(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    fresh = state.left == ACTIONS_A_TURN
    if not fresh:
        out[n] = act.END
        n += 1
        if not state.left:
            return n
    elif not state.held[seat]:
        out[n] = act.PASS
        n += 1
    if can_sail(state, seat):
        out[n] = act.SAIL
        n += 1
        if fresh and state.captain:
            out[n] = act.SAIL_FREE
            n += 1
    n = _plays(state, seat, out, n)
    n = write(backs(state, seat), act.BACK, out, n)
    for other in range(state.players):
        if other != seat:
            n = write(helped(state, other), act.MORGAN + other * PLACES, out, n)
    return _powers(state, seat, out, n) if state.magic else n


@kernel
def _plays(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for card in range(KINDS):
        if state.hands[seat, card]:
            places = movers(state, seat, empty(state, card % N_SYMBOLS), 1)
            n = write(places, act.PLAY + card * PLACES, out, n)
    return n


@kernel
def _powers(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    n = _parrots(state, seat, out, n)
    for card in range(KINDS):
        if state.hands[seat, card] and has_power(state, seat, card):
            out[n] = act.MAGIC + card
            n += 1
    return n


@kernel
def _parrots(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    """CA-55: two light ones, one of each, two dark ones."""
    light = state.hands[seat, PARROT]
    dark = state.hands[seat, PARROT + N_SYMBOLS]
    for pair in range(3):
        if light >= 2 - pair and dark >= pair:
            out[n] = act.PARROTS + pair
            n += 1
    return n


@kernel
def has_power(state: State, seat: int, card: int) -> bool:
    """Whether a card's power can do something now; a card beside the hand (two parrots) may be asked for too."""
    symbol = card % N_SYMBOLS
    if symbol == PISTOL:
        return targets(state, seat) != 0
    if symbol == HOOK:
        return state.left >= 2 and has_second(state, seat)
    if symbol == CHEST:
        return openable(state, seat) != 0
    return symbol != PARROT


@kernel
def targets(state: State, seat: int) -> int:
    """CA-52: the opponents who have cards."""
    seats = 0
    for other in range(state.players):
        if other != seat and state.held[other]:
            seats |= 1 << other
    return seats


@kernel
def openable(state: State, seat: int) -> int:
    """CA-57: the chest spaces with a token and a pirate of the seat."""
    places = state.at[seat] & state.symbols[CHEST] & span(0, state.spaces)
    for part in range(state.laid):
        if not state.chests >> part & 1:
            places &= ~span(part * PART_SPACES, (part + 1) * PART_SPACES)
    return places


@kernel
def movable_pairs(state: State, seat: int, symbol: int) -> int:
    """CA-56: the spaces from which two pirates can go together by a symbol."""
    return pairs(state, seat) & movers(state, seat, empty(state, symbol), 2)


@kernel
def has_second(state: State, seat: int) -> bool:
    """Whether beside a hook the hand has a second card, or two parrots, that moves two pirates."""
    for symbol in range(N_SYMBOLS):
        cards = state.hands[seat, symbol] + state.hands[seat, symbol + N_SYMBOLS]
        if symbol == HOOK and state.phase == ACTING:
            cards -= 1
        if (cards > 0 or wild_for(state, seat, symbol)) and movable_pairs(state, seat, symbol):
            return True
    return False


@kernel
def wild_for(state: State, seat: int, symbol: int) -> bool:
    """Whether two parrots of the hand can stand for a symbol."""
    return symbol != PARROT and state.hands[seat, PARROT] + state.hands[seat, PARROT + N_SYMBOLS] >= 2


@kernel
def _lay_second(state: State, seat: int, out: NDArray[Any]) -> int:
    """A hook waits for its second card (CA-56)."""
    n = 0
    for card in range(KINDS):
        if _can_be_second(state, seat, card):
            places = movable_pairs(state, seat, card % N_SYMBOLS)
            n = write(places, act.PLAY + card * PLACES, out, n)
    if state.phase == HOOKED and _wild_second(state, seat):
        n = _parrots(state, seat, out, n)
    return n


@kernel
def _can_be_second(state: State, seat: int, card: int) -> bool:
    """A card of the hand, or what two parrots stand for."""
    if state.phase == HOOKED:
        return state.hands[seat, card] > 0
    return card < N_SYMBOLS and card != PARROT


@kernel
def _wild_second(state: State, seat: int) -> bool:
    for symbol in range(N_SYMBOLS):
        if wild_for(state, seat, symbol) and movable_pairs(state, seat, symbol):
            return True
    return False


@kernel
def _wild(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    for symbol in range(N_SYMBOLS):
        if symbol != PARROT:
            n = write(movers(state, seat, empty(state, symbol), 1), act.PLAY + symbol * PLACES, out, n)
    for symbol in range(N_SYMBOLS):
        if has_power(state, seat, symbol):
            out[n] = act.MAGIC + symbol
            n += 1
    return n


@kernel
def _aim(state: State, seat: int, out: NDArray[Any]) -> int:
    n = 0
    for other in range(state.players):
        if targets(state, seat) >> other & 1:
            out[n] = act.LOOK + other
            n += 1
    return n


@kernel
def _choose_card(state: State, seat: int, out: NDArray[Any]) -> int:
    """One card of a hand or of the pool."""
    n = 0
    owner = state.other if state.phase == TAKING else seat
    for card in range(KINDS):
        there = state.pool[card] if SHARING <= state.phase <= STACKING else state.hands[owner, card]
        if there:
            out[n] = _choice(state.phase) + card
            n += 1
    return n


@kernel
def _choice(phase: int) -> int:
    """The verb of a phase in which a card is chosen."""
    if phase == TAKING:
        return act.TAKE
    if phase == GIVING:
        return act.GIVE
    if phase == STACKING:
        return act.PUT
    return act.DISCARD if phase == DISCARDING else act.KEEP
