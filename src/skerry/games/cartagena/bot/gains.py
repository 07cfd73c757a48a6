"""What a move brings: how far it leads, what its cards are worth, what it leaves behind."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.cartagena.bot.weights import Weights
from skerry.games.cartagena.rules.components import (
    BOARDING_DRAWS,
    DRAW_BACK,
    HAND_LIMIT,
    HIDEOUT,
    N_SYMBOLS,
    SLOOP,
    SPACES,
    START,
)
from skerry.games.cartagena.rules.path import (
    backward_places,
    backward_target,
    count_places,
    empty_spaces,
    forward_places,
    forward_target,
    goal_place,
    joinable_spaces,
    lowest_place,
    morgan_places,
)
from skerry.games.cartagena.rules.state import State


@kernel
def rank(world: State, place: int) -> int:
    """How far a place is from the start, in spaces."""
    if place <= SPACES:
        return place
    if place == HIDEOUT or goal_place(world) == SLOOP:
        return world.spaces + 1
    return world.shore + 1


@kernel
def needed(world: State, weights: Weights, seat: int) -> int:
    """How many cards a seat can use: to bring all its pirates home, before another does."""
    need = _cards_home(world, weights, seat)
    for other in range(world.players):
        if other != seat:
            need = min(need, _cards_home(world, weights, other) * weights.rush // 100)
    return need


@kernel
def _cards_home(world: State, weights: Weights, seat: int) -> int:
    way = 0
    for pirate in range(world.crew):
        way += world.spaces + 1 - rank(world, world.where[seat, pirate])
    return (way + weights.stride - 1) // weights.stride


@kernel
def price(world: State, weights: Weights, held: int, need: int) -> int:
    """What the last of so many cards is worth."""
    if held > need or (world.flibusters and held > HAND_LIMIT):
        return weights.spare
    return weights.card + weights.scarce * max(weights.plenty - held, 0)


@kernel
def copies(world: State, seat: int, symbol: int) -> int:
    return world.hands[seat, symbol] + world.hands[seat, symbol + N_SYMBOLS]


@kernel
def cost(world: State, weights: Weights, seat: int, symbol: int, need: int) -> int:
    """What a card of the hand is worth there."""
    return price(world, weights, world.held[seat], need) - weights.copy * (copies(world, seat, symbol) - 1)


@kernel
def draw_gain(world: State, weights: Weights, seat: int, cards: int, need: int) -> int:
    value = 0
    for more in range(1, cards + 1):
        value += price(world, weights, world.held[seat] + more, need)
    return value


@kernel
def _leave(world: State, weights: Weights, place: int) -> int:
    if not START < place <= SPACES:
        return 0
    if world.crowd[place] == 1:
        return weights.leave_one
    return weights.leave_two if world.crowd[place] == 2 else weights.leave_three


@kernel
def _pave(world: State, weights: Weights, seat: int, target: int) -> int:
    """A space that is taken lets those behind it jump farther."""
    if target > SPACES:
        return 0
    others = 0
    for other in range(world.players):
        if other != seat:
            others |= world.at[other]
    behind = (1 << target) - 1
    return weights.pave_own * count_places(world.at[seat] & behind) - weights.pave * count_places(others & behind)


@kernel
def forward(world: State, weights: Weights, seat: int, place: int, target: int) -> int:
    """What it is worth that a pirate goes on."""
    start = rank(world, place)
    value = weights.space * (rank(world, target) - start) + weights.rear * (world.spaces - start)
    if target == goal_place(world):
        value += weights.home
    return value + _leave(world, weights, place) + _pave(world, weights, seat, target)


@kernel
def back_gain(world: State, weights: Weights, seat: int, place: int, need: int) -> int:
    target = backward_target(world, place)
    cards = world.crowd[target]
    value = draw_gain(world, weights, seat, cards, need) + _leave(world, weights, place)
    value -= weights.space * (rank(world, place) - rank(world, target))
    if place == goal_place(world):
        value -= weights.home
    return value + (weights.join_one if cards == 1 else weights.join_two)


@kernel
def morgan_draws(world: State, target: int) -> int:
    return world.crowd[target] if target <= SPACES else BOARDING_DRAWS


@kernel
def morgan_gain(world: State, weights: Weights, seat: int, place: int, target: int, need: int) -> int:
    """The cards, less what the step helps its owner, who is one opponent of several."""
    help = weights.space * weights.help * (rank(world, target) - rank(world, place)) // (100 * (world.players - 1))
    return draw_gain(world, weights, seat, morgan_draws(world, target), need) - help


@kernel
def best_card(world: State, weights: Weights, seat: int, symbol: int) -> int:
    """The best that a card of a symbol can do now."""
    best = 0
    stops = empty_spaces(world, symbol)
    places = forward_places(world, seat, stops, 1)
    while places:
        place = lowest_place(places)
        places &= places - 1
        best = max(best, forward(world, weights, seat, place, forward_target(world, place, stops)))
    return best


@kernel
def best_gain(world: State, weights: Weights, seat: int, need: int) -> int:
    """The best that one more action can bring, with the cards that are known."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if copies(world, seat, symbol):
            best = max(best, best_card(world, weights, seat, symbol) - cost(world, weights, seat, symbol, need))
    places = backward_places(world, seat)
    while places:
        place = lowest_place(places)
        places &= places - 1
        best = max(best, back_gain(world, weights, seat, place, need))
    if world.drawing != DRAW_BACK:
        best = max(best, _best_morgan(world, weights, seat, need))
    return best


@kernel
def _best_morgan(world: State, weights: Weights, seat: int, need: int) -> int:
    best = 0
    stops = joinable_spaces(world)
    for other in range(world.players):
        places = morgan_places(world, other) if other != seat else 0
        while places:
            place = lowest_place(places)
            places &= places - 1
            best = max(best, morgan_gain(world, weights, seat, place, forward_target(world, place, stops), need))
    return best
