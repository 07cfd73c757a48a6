"""What black magic is worth to a player."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.cartagena.bot.gains import best_card, copies, cost, forward, price
from skerry.games.cartagena.bot.weights import Weights
from skerry.games.cartagena.rules.components import CHEST, HOOK, LANTERN, N_SYMBOLS, PARROT, PISTOL
from skerry.games.cartagena.rules.legal import paired_forward_places
from skerry.games.cartagena.rules.path import empty_spaces, forward_target, lowest_place
from skerry.games.cartagena.rules.state import ACTING, State


@kernel
def parrots_gain(world: State, weights: Weights, seat: int, need: int) -> int:
    """Two parrots go as far as the best other card."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if symbol != PARROT:
            best = max(best, best_card(world, weights, seat, symbol))
    held = world.held[seat]
    return best - price(world, weights, held, need) - price(world, weights, held - 1, need)


@kernel
def magic_gain(world: State, weights: Weights, seat: int, symbol: int, need: int) -> int:
    """The card, unless two parrots are there for it, for what its power finds."""
    paid = cost(world, weights, seat, symbol, need) if world.phase == ACTING else 0
    if symbol == HOOK:
        return _hook(world, weights, seat, need) - paid
    if symbol == PISTOL:
        found = weights.pistol
    elif symbol == LANTERN:
        found = weights.lantern
    else:
        found = weights.chest if symbol == CHEST else weights.rum
    return found * price(world, weights, world.held[seat] + 1, need) // 100 - paid


@kernel
def _hook(world: State, weights: Weights, seat: int, need: int) -> int:
    """The farthest that two pirates can go together."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if copies(world, seat, symbol) > (1 if symbol == HOOK and world.phase == ACTING else 0):
            places = paired_forward_places(world, seat, symbol)
            while places:
                place = lowest_place(places)
                places &= places - 1
                target = forward_target(world, place, empty_spaces(world, symbol))
                gain = 2 * forward(world, weights, seat, place, target) - cost(world, weights, seat, symbol, need)
                best = max(best, gain)
    return best
