"""The rest of a turn, looked through to its end: what three actions of one pawn can bring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from skerry.botkit.packed_array import Chart, at, highest, least
from skerry.engine.bitset import lowest, pair
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.plan import NOBODY, Plan, away, gift, tiles_of
from skerry.games.forbidden_island.bot.weights import Weights
from skerry.games.forbidden_island.rules import actions as act
from skerry.games.forbidden_island.rules.components import (
    AROUND,
    BESIDE,
    DIVER,
    ENGINEER,
    EXPLORER,
    MESSENGER,
    N_TREASURES,
    NAVIGATOR,
    PILOT,
    SEATS,
    SET,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import dive, navigable, there
from skerry.games.forbidden_island.rules.state import State


class Outlook(NamedTuple):
    """What stays the same while a turn is looked through."""

    seat: int
    role: int
    land: int
    flooded: int
    precious: int  # tiles whose loss can lose the game
    losses: Chart  # what shoring up each tile is worth
    cost: Chart  # what ending the turn at each place costs
    captures: int  # places where the seat can capture a treasure
    meetings: int  # places where it can give a card to a collector
    gifts: tuple[int, int, int, int]  # what giving a card of each treasure is worth, but for completing its set
    guide: tuple[int, int, int, int]  # Navigator: what guiding each other pawn is worth
    guide_to: tuple[int, int, int, int]  # and to where


class Stance(NamedTuple):
    """Where the turn has come to."""

    place: int
    flown: int
    shored: int  # places
    taken: int  # places where a treasure was captured
    given: int  # cards given, three bits a treasure
    guided: int  # pawns, a bit set


@kernel
def outlook(world: State, weights: Weights, who: Plan, seat: int, losses: Chart, precious: int) -> Outlook:
    gifts = (
        gift(world, weights, who, seat, 0),
        gift(world, weights, who, seat, 1),
        gift(world, weights, who, seat, 2),
        gift(world, weights, who, seat, 3),
    )
    captures = meetings = 0
    for treasure in range(N_TREASURES):
        if who[treasure] != NOBODY and world.hands[seat, treasure] >= SET:
            captures |= tiles_of(world, treasure)
        if gifts[treasure]:
            meetings |= there(world) if world.role[seat] == MESSENGER else 1 << world.pawn[who[treasure]]
    guide = guide_to = (0, 0, 0, 0)
    if world.role[seat] == NAVIGATOR:
        first, to_first = _guiding(world, weights, who, seat, 0, precious)
        second, to_second = _guiding(world, weights, who, seat, 1, precious)
        third, to_third = _guiding(world, weights, who, seat, 2, precious)
        fourth, to_fourth = _guiding(world, weights, who, seat, 3, precious)
        guide = (first, second, third, fourth)
        guide_to = (to_first, to_second, to_third, to_fourth)
    cost = away(world, weights, who, seat, precious)
    return Outlook(
        int(seat),
        int(world.role[seat]),
        there(world),
        int(world.flooded),
        precious,
        losses,
        cost,
        captures,
        meetings,
        gifts,
        guide,
        guide_to,
    )


@kernel
def _guiding(world: State, weights: Weights, who: Plan, seat: int, other: int, precious: int) -> Any:
    """How much nearer to its goals the Navigator can bring a pawn, and where that is."""
    if other == seat or other >= world.players:
        return 0, 0
    cost = away(world, weights, who, other, precious)
    places = navigable(world, other)
    if not places:
        return 0, 0
    place = least(cost, places)
    return max(0, at(cost, int(world.pawn[other])) - at(cost, place)), place


@kernel
def _in_reach(world: State, look: Outlook, place: int) -> int:
    """The flooded tiles that can be shored up from a place."""
    near = AROUND[world.layout, place] if look.role == EXPLORER else BESIDE[world.layout, place]
    return (near | 1 << place) & look.flooded


@kernel
def _moves(world: State, look: Outlook, stance: Stance) -> int:
    if look.role == EXPLORER:
        return AROUND[world.layout, stance.place] & look.land
    if look.role == PILOT and not stance.flown:
        return look.land & ~(1 << stance.place)
    if look.role == DIVER:
        return dive(world, stance.place)
    return BESIDE[world.layout, stance.place] & look.land


@kernel
def _shore(look: Outlook, wet: int) -> Any:
    """The flooded tile that matters most, for the Engineer two: what that is worth, the action, the places."""
    first = highest(look.losses, wet)
    gain, action, dry = at(look.losses, first), act.SHORE + first, 1 << first
    if look.role == ENGINEER and wet & ~dry:
        second = highest(look.losses, wet & ~dry)
        gain += at(look.losses, second)
        action, dry = act.SHORE_TWO + pair(min(first, second), max(first, second)), dry | 1 << second
    return gain, action, dry


@kernel
def _present(world: State, weights: Weights, who: Plan, look: Outlook, stance: Stance) -> Any:
    """The best card to give here: what that is worth, and the treasure."""
    most, chosen = 0, 0
    for treasure in range(N_TREASURES):
        gift, given = look.gifts[treasure], stance.given >> 3 * treasure & 7
        if gift and (look.role == MESSENGER or world.pawn[who[treasure]] == stance.place):
            missing = SET - world.hands[who[treasure], treasure] - given
            if missing > 0 and world.hands[look.seat, treasure] > given:
                gain = gift + (weights.complete if missing == 1 else 0)
                if gain > most:
                    most, chosen = gain, treasure
    return most, chosen


@kernel
def _stay(world: State, weights: Weights, who: Plan, look: Outlook, stance: Stance, left: int) -> Any:
    """What ending the turn here is worth: an action not needed is worth a little."""
    return left - at(look.cost, stance.place), act.END


def _standing(rest: Callable[..., Any]) -> Callable[..., Any]:
    """One action where the pawn stands, before the rest; or none."""

    @kernel
    def stand(world: State, weights: Weights, who: Plan, look: Outlook, stance: Stance, left: int) -> Any:
        place, flown, shored, taken, given, guided = stance
        best, action = _stay(world, weights, who, look, stance, left)
        wet = _in_reach(world, look, place) & ~shored
        if wet:
            gain, choice, dry = _shore(look, wet)
            after = Stance(place, flown, shored | dry, taken, given, guided)
            value, _ = rest(world, weights, who, look, after, left - 1)
            if value + gain > best:
                best, action = value + gain, choice
        if look.meetings >> place & 1:
            gain, treasure = _present(world, weights, who, look, stance)
            if gain:
                after = Stance(place, flown, shored, taken, given + (1 << 3 * treasure), guided)
                value, _ = rest(world, weights, who, look, after, left - 1)
                if value + gain > best:
                    best, action = value + gain, act.GIVE + treasure * SEATS + who[treasure]
        for other in range(SEATS):
            gain = look.guide[other]
            if gain and not guided >> other & 1:
                after = Stance(place, flown, shored, taken, given, guided | 1 << other)
                value, _ = rest(world, weights, who, look, after, left - 1)
                if value + gain > best:
                    best, action = value + gain, act.NAVIGATE + other * TILES + look.guide_to[other]
        return best, action

    return stand


def _deeper(rest: Callable[..., Any]) -> Callable[..., Any]:
    """One more action before the rest: the best that can come of it, and the action."""
    stand = _standing(rest)

    @kernel
    def best_of(world: State, weights: Weights, who: Plan, look: Outlook, stance: Stance, left: int) -> Any:
        place, flown, shored, taken, given, guided = stance
        if not left:
            return _stay(world, weights, who, look, stance, left)
        if look.captures & ~taken & 1 << place:
            treasure = int(world.tile_at[place]) // 2
            after = Stance(place, flown, shored, taken | tiles_of(world, treasure), given, guided)
            value, _ = rest(world, weights, who, look, after, left - 1)
            return value + weights.capture, act.CAPTURE + treasure
        best, action = stand(world, weights, who, look, stance, left)
        places = _moves(world, look, stance)
        while places:
            to = lowest(places)
            places &= places - 1
            flies = 1 if look.role == PILOT and not BESIDE[world.layout, place] >> to & 1 else flown
            value, _ = rest(world, weights, who, look, Stance(to, flies, shored, taken, given, guided), left - 1)
            if value > best:
                best, action = value, act.MOVE + to
        return best, action

    return best_of


best = _deeper(_deeper(_deeper(_stay)))
