"""The players: each action is weighed by what it brings and by the best that can follow it in the same turn.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skerry.botkit.policy import greedy
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.games.cartagena.bot.black_magic import magic_gain, parrots_gain
from skerry.games.cartagena.bot.gains import (
    back_gain,
    best_card,
    best_gain,
    cost,
    draw_gain,
    forward,
    morgan_draws,
    morgan_gain,
    needed,
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

WIN = 1 << 20


class Seen(NamedTuple):
    """What a look at the position tells before single actions are weighed."""

    need: int  # cards that can be used
    bar: int  # what an action must bring for what can follow it to be looked at


@kernel
def look_over(world: State, weights: Weights, seat: int) -> Seen:
    need = needed(world, weights, seat)
    return Seen(need, best_gain(world, weights, seat, need) - weights.margin)


@kernel
def score(world: State, weights: Weights, seat: int, action: int, seen: Seen) -> int:
    if action < actions.PLAY:
        return _score_turn(world, weights, seat, action, seen)
    if action < actions.BACK:
        card, place = (action - actions.PLAY) // PLACES, (action - actions.PLAY) % PLACES
        return _score_play(world, weights, seat, card, place, seen)
    if action < actions.MORGAN:
        return _score_back(world, weights, seat, action - actions.BACK, seen)
    if action < actions.PARROTS:
        other, place = (action - actions.MORGAN) // PLACES, (action - actions.MORGAN) % PLACES
        return _score_morgan(world, weights, seat, other, place, seen)
    if action < actions.MAGIC:
        return parrots_gain(world, weights, seat, seen.need)
    if action < actions.LOOK:
        return magic_gain(world, weights, seat, (action - actions.MAGIC) % N_SYMBOLS, seen.need)
    return _score_choice(world, weights, seat, action)


@kernel
def _score_turn(world: State, weights: Weights, seat: int, action: int, seen: Seen) -> int:
    if action == actions.END:
        return 0
    if action == actions.PASS:
        return draw_gain(world, weights, seat, 1, seen.need)
    return _sail(world, weights, seat) + (1 if action == actions.SAIL_FREE else 0)


@kernel
def _sail(world: State, weights: Weights, seat: int) -> int:
    """To Tortuga with a full boat or the last pirates, back when none of ours is aboard."""
    ours = pirates_aboard(world, seat)
    if world.sloop == AT_CARTAGENA:
        return weights.sail if ours == MAX_PIRATES or not world.at[seat] & tunnel_places(world) else -weights.sail
    return -weights.sail if ours else weights.sail


@kernel
def _score_play(world: State, weights: Weights, seat: int, card: int, place: int, seen: Seen) -> int:
    """After a hook two pirates go; two parrots that lie there are paid for."""
    symbol = card % N_SYMBOLS
    pirates = 2 if HOOK_LAID <= world.phase <= HOOK_PARROTS_LAID else 1
    target = forward_target(world, place, empty_spaces(world, symbol))
    value = pirates * forward(world, weights, seat, place, target) + _catch(world, weights, seat, card)
    paid = world.phase == PARROTS_LAID or world.phase == HOOK_PARROTS_LAID
    if not paid:
        value -= cost(world, weights, seat, symbol, seen.need)
    if value < seen.bar and target != goal_place(world):
        return value
    cards = 0 if paid else 1
    _take(world, seat, card, cards)
    first = pirate_at(world, seat, place)
    set_place(world, seat, first, target)
    second = first
    if pirates == 2:
        second = pirate_at(world, seat, place)
        set_place(world, seat, second, target)
    value += WIN if has_won(world, seat) else _next(world, weights, seat, seen)
    set_place(world, seat, second, place)
    set_place(world, seat, first, place)
    _take(world, seat, card, -cards)
    return value


@kernel
def _take(world: State, seat: int, card: int, cards: int) -> None:
    world.hands[seat, card] -= cards
    world.held[seat] -= cards


@kernel
def _next(world: State, weights: Weights, seat: int, seen: Seen) -> int:
    """What the turn can still bring after the action that is tried."""
    if world.left < 2 or not weights.follow:
        return 0
    return best_gain(world, weights, seat, seen.need) * weights.follow // 100


@kernel
def _catch(world: State, weights: Weights, seat: int, card: int) -> int:
    """A dark card costs others what they hold beyond the limit."""
    value = 0
    if card >= N_SYMBOLS:
        for other in range(world.players):
            if other != seat:
                value += weights.card * max(world.held[other] - HAND_LIMIT, 0)
    return value // (world.players - 1)


@kernel
def _score_back(world: State, weights: Weights, seat: int, place: int, seen: Seen) -> int:
    value = back_gain(world, weights, seat, place, seen.need)
    if value < seen.bar:
        return value
    target = backward_target(world, place)
    cards = world.crowd[target]
    return value + _drawn(world, weights, seat, seat, place, target, cards, seen)


@kernel
def _score_morgan(world: State, weights: Weights, seat: int, other: int, place: int, seen: Seen) -> int:
    target = forward_target(world, place, joinable_spaces(world))
    value = morgan_gain(world, weights, seat, place, target, seen.need)
    if value < seen.bar and target != goal_place(world):
        return value
    return value + _drawn(world, weights, seat, other, place, target, morgan_draws(world, target), seen)


@kernel
def _drawn(
    world: State, weights: Weights, seat: int, owner: int, place: int, target: int, cards: int, seen: Seen
) -> int:
    """What can follow when somebody's pirate is moved for so many cards."""
    pirate = pirate_at(world, owner, place)
    set_place(world, owner, pirate, target)
    world.held[seat] += cards
    value = -WIN if has_won(world, owner) else _next(world, weights, seat, seen)
    world.held[seat] -= cards
    set_place(world, owner, pirate, place)
    return value


@kernel
def _score_choice(world: State, weights: Weights, seat: int, action: int) -> int:
    """The best cards are taken and kept. Who still acts puts them on top of the deck, to draw them; else they go
    below the others. A snake costs a pirate least that is not far."""
    if action < actions.TAKE:
        return world.held[action - actions.LOOK]
    if actions.OPEN <= action < actions.DISCARD:
        return actions.OPEN - action
    symbol = (action - actions.TAKE) % N_SYMBOLS
    if action < actions.GIVE:
        return best_card(world, weights, seat, symbol)
    if action < actions.PUT:
        return -best_card(world, weights, world.other, symbol)
    value = best_card(world, weights, seat, symbol)
    return value if action < actions.OPEN and not world.left else -value


def player(weights: Weights) -> Callable[..., Any]:
    @kernel
    def survey(world: State, seat: int) -> Seen:
        return look_over(world, weights, seat)

    @kernel
    def weigh(world: State, seat: int, action: int, seen: Seen) -> int:
        return score(world, weights, seat, action, seen)

    return greedy(survey, weigh)


skilled = player(SKILLED)
_attentive = player(NOVICE)


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Now and then it does anything."""
    if world.phase == ACTING and count > 1:
        slip, counter = next_below(counter, SLIP)
        if slip == 0:
            return next_below(counter, count)
    return _attentive(world, seat, legal, count, counter)
