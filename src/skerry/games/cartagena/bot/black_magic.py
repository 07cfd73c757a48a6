"""The gain of using the powers of black magic."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.cartagena.bot.gains import best_card_gain, card_cost, copies_in_hand, forward_gain, last_card_value
from skerry.games.cartagena.bot.weights import Weights
from skerry.games.cartagena.rules.components import CHEST, HOOK, LANTERN, N_SYMBOLS, PARROT, PISTOL
from skerry.games.cartagena.rules.legal import paired_forward_places
from skerry.games.cartagena.rules.path import empty_spaces, forward_target, lowest_place
from skerry.games.cartagena.rules.state import ACTING, State


@kernel
def parrots_gain(world: State, weights: Weights, seat: int, useful: int) -> int:
    """The gain of two parrots: that of the best other card."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if symbol != PARROT:
            best = max(best, best_card_gain(world, weights, seat, symbol))
    held = world.held[seat]
    return best - last_card_value(world, weights, held, useful) - last_card_value(world, weights, held - 1, useful)


@kernel
def magic_gain(world: State, weights: Weights, seat: int, symbol: int, useful: int) -> int:
    """The gain of a card's power, less the cost of the card unless two parrots stand for it."""
    price = card_cost(world, weights, seat, symbol, useful) if world.phase == ACTING else 0
    if symbol == HOOK:
        return _hook_gain(world, weights, seat, useful) - price
    if symbol == PISTOL:
        value = weights.pistol
    elif symbol == LANTERN:
        value = weights.lantern
    else:
        value = weights.chest if symbol == CHEST else weights.rum
    return value * last_card_value(world, weights, world.held[seat] + 1, useful) // 100 - price


@kernel
def _hook_gain(world: State, weights: Weights, seat: int, useful: int) -> int:
    """The best gain of moving two pirates together."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if copies_in_hand(world, seat, symbol) > (1 if symbol == HOOK and world.phase == ACTING else 0):
            places = paired_forward_places(world, seat, symbol)
            while places:
                place = lowest_place(places)
                places &= places - 1
                target = forward_target(world, place, empty_spaces(world, symbol))
                gain = 2 * forward_gain(world, weights, seat, place, target)
                best = max(best, gain - card_cost(world, weights, seat, symbol, useful))
    return best
