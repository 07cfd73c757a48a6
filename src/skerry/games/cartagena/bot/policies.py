"""The policies ``skilled`` and ``novice``: greedy by the gain of an action and of the best action after it in the turn.

``novice`` has weights that ignore much, and sometimes plays a random action.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from skerry.botkit.policy import greedy
from skerry.botkit.protocols import Policy
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.games.cartagena.bot.black_magic import magic_gain, parrots_gain
from skerry.games.cartagena.bot.gains import (
    back_gain,
    best_card_gain,
    best_gain,
    card_cost,
    draw_gain,
    forward_gain,
    morgan_draws,
    morgan_gain,
    useful_cards,
)
from skerry.games.cartagena.bot.weights import NOVICE, SKILLED, SLIP, Weights
from skerry.games.cartagena.rules import actions
from skerry.games.cartagena.rules.components import AT_CARTAGENA, HAND_LIMIT, MAX_PIRATES, N_SYMBOLS, PLACES
from skerry.games.cartagena.rules.path import (
    backward_target,
    empty_spaces,
    forward_target,
    goal_place,
    has_won,
    joinable_spaces,
    pirate_at,
    pirates_aboard,
    set_place,
    tunnel_places,
)
from skerry.games.cartagena.rules.state import ACTING, HOOK_LAID, HOOK_PARROTS_LAID, PARROTS_LAID, State

WIN = 1 << 20  # more than any other gain


class TurnContext(NamedTuple):
    """What the scores of all actions in a position have in common."""

    useful: int  # how many cards are useful to the seat
    threshold: int  # the least gain of an action after which the next one is searched


@kernel
def turn_context(world: State, weights: Weights, seat: int) -> TurnContext:
    useful = useful_cards(world, weights, seat)
    return TurnContext(useful, best_gain(world, weights, seat, useful) - weights.margin)


@kernel
def score_action(world: State, weights: Weights, seat: int, action: int, context: TurnContext) -> int:
    """The gain of an action, and of the best action after it."""
    if action < actions.PLAY:
        return _score_end_or_sail(world, weights, seat, action, context)
    if action < actions.BACK:
        card, place = (action - actions.PLAY) // PLACES, (action - actions.PLAY) % PLACES
        return _score_play(world, weights, seat, card, place, context)
    if action < actions.MORGAN:
        return _score_back(world, weights, seat, action - actions.BACK, context)
    if action < actions.PARROTS:
        other, place = (action - actions.MORGAN) // PLACES, (action - actions.MORGAN) % PLACES
        return _score_morgan(world, weights, seat, other, place, context)
    if action < actions.MAGIC:
        return parrots_gain(world, weights, seat, context.useful)
    if action < actions.LOOK:
        return magic_gain(world, weights, seat, (action - actions.MAGIC) % N_SYMBOLS, context.useful)
    return _score_choice(world, weights, seat, action)


@kernel
def _score_end_or_sail(world: State, weights: Weights, seat: int, action: int, context: TurnContext) -> int:
    """The score of ending the turn, passing or sailing. A free voyage is better than one for an action."""
    if action == actions.END:
        return 0
    if action == actions.PASS_TURN:
        return draw_gain(world, weights, seat, 1, context.useful)
    return _sail_gain(world, weights, seat) + (1 if action == actions.SAIL_FREE else 0)


@kernel
def _sail_gain(world: State, weights: Weights, seat: int) -> int:
    """Sail to Tortuga with a full sloop or the last pirates, and back when no own pirate is aboard."""
    own = pirates_aboard(world, seat)
    if world.sloop == AT_CARTAGENA:
        return weights.sail if own == MAX_PIRATES or not world.at[seat] & tunnel_places(world) else -weights.sail
    return -weights.sail if own else weights.sail


@kernel
def _score_play(world: State, weights: Weights, seat: int, card: int, place: int, context: TurnContext) -> int:
    """The score of playing a card. A hook moves two pirates; two parrots laid down have been paid for already."""
    symbol = card % N_SYMBOLS
    pirates = 2 if HOOK_LAID <= world.phase <= HOOK_PARROTS_LAID else 1
    target = forward_target(world, place, empty_spaces(world, symbol))
    value = pirates * forward_gain(world, weights, seat, place, target) + _catch_gain(world, weights, seat, card)
    paid = world.phase == PARROTS_LAID or world.phase == HOOK_PARROTS_LAID
    if not paid:
        value -= card_cost(world, weights, seat, symbol, context.useful)
    if value < context.threshold and target != goal_place(world):
        return value
    cards = 0 if paid else 1
    _remove_cards(world, seat, card, cards)
    first = pirate_at(world, seat, place)
    set_place(world, seat, first, target)
    second = first
    if pirates == 2:
        second = pirate_at(world, seat, place)
        set_place(world, seat, second, target)
    value += WIN if has_won(world, seat) else _follow_up_gain(world, weights, seat, context)
    set_place(world, seat, second, place)
    set_place(world, seat, first, place)
    _remove_cards(world, seat, card, -cards)
    return value


@kernel
def _remove_cards(world: State, seat: int, card: int, cards: int) -> None:
    """Try a position with fewer cards of a kind in a hand, or restore it with a negative number."""
    world.hands[seat, card] -= cards
    world.held[seat] -= cards


@kernel
def _follow_up_gain(world: State, weights: Weights, seat: int, context: TurnContext) -> int:
    """The weighted gain of the best next action in the turn."""
    if world.left < 2 or not weights.follow_up:
        return 0
    return best_gain(world, weights, seat, context.useful) * weights.follow_up // 100


@kernel
def _catch_gain(world: State, weights: Weights, seat: int, card: int) -> int:
    """The gain of a dark card: the cards that opponents must discard."""
    value = 0
    if card >= N_SYMBOLS:
        for other in range(world.players):
            if other != seat:
                value += weights.card * max(world.held[other] - HAND_LIMIT, 0)
    return value // (world.players - 1)


@kernel
def _score_back(world: State, weights: Weights, seat: int, place: int, context: TurnContext) -> int:
    """The score of moving back."""
    value = back_gain(world, weights, seat, place, context.useful)
    if value < context.threshold:
        return value
    target = backward_target(world, place)
    cards = world.crowd[target]
    return value + _gain_after_draw(world, weights, seat, seat, place, target, cards, context)


@kernel
def _score_morgan(world: State, weights: Weights, seat: int, other: int, place: int, context: TurnContext) -> int:
    """The score of Morgan's move."""
    target = forward_target(world, place, joinable_spaces(world))
    value = morgan_gain(world, weights, seat, place, target, context.useful)
    if value < context.threshold and target != goal_place(world):
        return value
    return value + _gain_after_draw(world, weights, seat, other, place, target, morgan_draws(world, target), context)


@kernel
def _gain_after_draw(
    world: State, weights: Weights, seat: int, owner: int, place: int, target: int, cards: int, context: TurnContext
) -> int:
    """The gain of what follows after moving a pirate for some cards, or the loss if its owner wins by it."""
    pirate = pirate_at(world, owner, place)
    set_place(world, owner, pirate, target)
    world.held[seat] += cards
    value = -WIN if has_won(world, owner) else _follow_up_gain(world, weights, seat, context)
    world.held[seat] -= cards
    set_place(world, owner, pirate, place)
    return value


@kernel
def _score_choice(world: State, weights: Weights, seat: int, action: int) -> int:
    """The score of a choice within a power, or of a discard.

    The best cards are taken and kept. With actions left they are put on top of the deck, to be drawn; else below the
    others. The chest nearest the start is opened, since a snake costs least there.
    """
    if action < actions.TAKE:
        return world.held[action - actions.LOOK]
    if actions.OPEN <= action < actions.DISCARD:
        return actions.OPEN - action
    symbol = (action - actions.TAKE) % N_SYMBOLS
    if action < actions.GIVE:
        return best_card_gain(world, weights, seat, symbol)
    if action < actions.PUT:
        return -best_card_gain(world, weights, world.other, symbol)
    value = best_card_gain(world, weights, seat, symbol)
    return value if action < actions.OPEN and not world.left else -value


def make_policy(weights: Weights) -> Policy:
    """The greedy policy with these weights."""

    @kernel
    def prepare(world: State, seat: int) -> TurnContext:
        return turn_context(world, weights, seat)

    @kernel
    def score(world: State, seat: int, action: int, context: TurnContext) -> int:
        return score_action(world, weights, seat, action, context)

    return greedy(prepare, score)


skilled = make_policy(SKILLED)
_novice_without_slips = make_policy(NOVICE)


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> Any:
    """Play the best action by ``NOVICE`` weights, or sometimes a random one."""
    if world.phase == ACTING and count > 1:
        slip, rng = next_below(rng, SLIP)
        if slip == 0:
            return next_below(rng, count)
    return _novice_without_slips(world, seat, legal, count, rng)
