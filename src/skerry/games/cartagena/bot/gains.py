"""The gain of a move: its spaces, its cards, and what it leaves on the path.

The parameter ``useful`` is always the number of cards that are useful to the seat.
"""

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
def distance_from_start(world: State, place: int) -> int:
    """The distance of a place from the start, in spaces."""
    if place <= SPACES:
        return place
    if place == HIDEOUT or goal_place(world) == SLOOP:
        return world.spaces + 1
    return world.shore + 1


@kernel
def useful_cards(world: State, weights: Weights, seat: int) -> int:
    """How many cards a seat can use to bring its pirates to the goal, before an opponent gets there."""
    useful = _cards_to_finish(world, weights, seat)
    for other in range(world.players):
        if other != seat:
            useful = min(useful, _cards_to_finish(world, weights, other) * weights.opponent_pace // 100)
    return useful


@kernel
def _cards_to_finish(world: State, weights: Weights, seat: int) -> int:
    spaces = 0
    for pirate in range(world.crew):
        spaces += world.spaces + 1 - distance_from_start(world, world.where[seat, pirate])
    return (spaces + weights.spaces_per_card - 1) // weights.spaces_per_card


@kernel
def last_card_value(world: State, weights: Weights, held: int, useful: int) -> int:
    """The value of the last card in a hand of this size."""
    if held > useful or (world.flibusters and held > HAND_LIMIT):
        return weights.surplus_card
    return weights.card + weights.scarce * max(weights.plenty - held, 0)


@kernel
def copies_in_hand(world: State, seat: int, symbol: int) -> int:
    """How many cards of a symbol, light or dark, a hand has."""
    return world.hands[seat, symbol] + world.hands[seat, symbol + N_SYMBOLS]


@kernel
def card_cost(world: State, weights: Weights, seat: int, symbol: int, useful: int) -> int:
    """The cost of playing a card of the hand."""
    duplicates = copies_in_hand(world, seat, symbol) - 1
    return last_card_value(world, weights, world.held[seat], useful) - weights.duplicate * duplicates


@kernel
def draw_gain(world: State, weights: Weights, seat: int, cards: int, useful: int) -> int:
    """The gain of drawing cards."""
    value = 0
    for more in range(1, cards + 1):
        value += last_card_value(world, weights, world.held[seat] + more, useful)
    return value


@kernel
def _leave_gain(world: State, weights: Weights, place: int) -> int:
    """The effect of leaving a space: pirates there can be moved back to."""
    if not START < place <= SPACES:
        return 0
    if world.crowd[place] == 1:
        return weights.leave_one
    return weights.leave_two if world.crowd[place] == 2 else weights.leave_three


@kernel
def _pave_gain(world: State, weights: Weights, seat: int, target: int) -> int:
    """The effect of taking a space: pirates behind it can jump over it."""
    if target > SPACES:
        return 0
    others = 0
    for other in range(world.players):
        if other != seat:
            others |= world.at[other]
    behind = (1 << target) - 1
    return weights.own_jump * count_places(world.at[seat] & behind) - weights.opponent_jump * count_places(
        others & behind
    )


@kernel
def forward_gain(world: State, weights: Weights, seat: int, place: int, target: int) -> int:
    """The gain of moving a pirate forward."""
    start = distance_from_start(world, place)
    value = weights.space * (distance_from_start(world, target) - start) + weights.straggler * (world.spaces - start)
    if target == goal_place(world):
        value += weights.goal
    return value + _leave_gain(world, weights, place) + _pave_gain(world, weights, seat, target)


@kernel
def back_gain(world: State, weights: Weights, seat: int, place: int, useful: int) -> int:
    """The gain of moving a pirate back and drawing cards."""
    target = backward_target(world, place)
    cards = world.crowd[target]
    value = draw_gain(world, weights, seat, cards, useful) + _leave_gain(world, weights, place)
    value -= weights.space * (distance_from_start(world, place) - distance_from_start(world, target))
    if place == goal_place(world):
        value -= weights.goal
    return value + (weights.join_one if cards == 1 else weights.join_two)


@kernel
def morgan_draws(world: State, target: int) -> int:
    """CA-30, CA-31: how many cards Morgan's move draws."""
    return world.crowd[target] if target <= SPACES else BOARDING_DRAWS


@kernel
def morgan_gain(world: State, weights: Weights, seat: int, place: int, target: int, useful: int) -> int:
    """The gain of Morgan's move: the cards drawn, less the help to one of the opponents."""
    spaces = distance_from_start(world, target) - distance_from_start(world, place)
    help = weights.space * weights.morgan_help * spaces // (100 * (world.players - 1))
    return draw_gain(world, weights, seat, morgan_draws(world, target), useful) - help


@kernel
def best_card_gain(world: State, weights: Weights, seat: int, symbol: int) -> int:
    """The best gain of playing a card of a symbol now, without its cost."""
    best = 0
    stops = empty_spaces(world, symbol)
    places = forward_places(world, seat, stops, 1)
    while places:
        place = lowest_place(places)
        places &= places - 1
        best = max(best, forward_gain(world, weights, seat, place, forward_target(world, place, stops)))
    return best


@kernel
def best_gain(world: State, weights: Weights, seat: int, useful: int) -> int:
    """The best gain of one more action, with the cards in the hand."""
    best = 0
    for symbol in range(N_SYMBOLS):
        if copies_in_hand(world, seat, symbol):
            gain = best_card_gain(world, weights, seat, symbol) - card_cost(world, weights, seat, symbol, useful)
            best = max(best, gain)
    places = backward_places(world, seat)
    while places:
        place = lowest_place(places)
        places &= places - 1
        best = max(best, back_gain(world, weights, seat, place, useful))
    if world.drawing != DRAW_BACK:
        best = max(best, _best_morgan_gain(world, weights, seat, useful))
    return best


@kernel
def _best_morgan_gain(world: State, weights: Weights, seat: int, useful: int) -> int:
    best = 0
    stops = joinable_spaces(world)
    for other in range(world.players):
        places = morgan_places(world, other) if other != seat else 0
        while places:
            place = lowest_place(places)
            places &= places - 1
            target = forward_target(world, place, stops)
            best = max(best, morgan_gain(world, weights, seat, place, target, useful))
    return best
