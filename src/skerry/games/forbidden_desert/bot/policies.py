"""The players: what to do at each kind of question, by the plan, the thirst and a look through the turn.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.packed_array import at, least
from skerry.botkit.policy import index_of, index_or_pass
from skerry.engine.bitset import lowest
from skerry.engine.kernel import kernel
from skerry.engine.rng import bounded
from skerry.games.forbidden_desert.bot.gear_play import NONE, blast, drink, fly, peek, shade
from skerry.games.forbidden_desert.bot.plan import Goals, away, goals, lot
from skerry.games.forbidden_desert.bot.routes import first_step, onward
from skerry.games.forbidden_desert.bot.thirst import Seats, Sky, Team, drought, look_up, team
from skerry.games.forbidden_desert.bot.turn_search import SPECIAL, best, moved, outlook, stance
from skerry.games.forbidden_desert.bot.weights import FEWEST, NOVICE, SKILLED, SLIP, Weights
from skerry.games.forbidden_desert.rules import actions as act
from skerry.games.forbidden_desert.rules.components import (
    ALL_PARTS,
    BLOWS,
    CANTEEN,
    CLIMBER,
    EXPLORER,
    GUIDED_STEPS,
    JET_PACK,
    METEOROLOGIST,
    MOST_WATER,
    N_PARTS,
    NAVIGATOR,
    PICKS_UP,
    PLACES,
    RESERVE,
    SHIELD,
    SUN,
    THROTTLE,
    THROTTLE_ACTIONS,
    WATER_CARRIER,
)
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import buried, can_water, companions, landing, tiles
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards

THIRSTY = 2  # who has less water could do with some


@kernel
def decide(world: State, seat: int, weights: Weights) -> int:
    """The action for the seat whose turn it is."""
    sky = look_up(world, weights, seat)
    if world.phase == FORECAST:
        return _under(world, weights, sky)
    worth = team(world, weights, sky)
    action = _quench(world, weights, worth, seat)
    if action != NONE:
        return action
    if world.phase == ACTIONS:
        return _act(world, weights, sky, worth, seat)
    action = shade(world, weights, sky, seat)
    return act.DRAW if action == NONE else action


@kernel
def interrupting(world: State) -> int:
    """As the storm begins, who can help the thirsty."""
    if world.phase != STORM or world.shown:
        return 0
    seats = 0
    for seat in range(world.players):
        if seat != world.turn:
            helps = world.gear[seat, RESERVE] + world.gear[seat, SHIELD] > 0
            for other in range(world.players):
                if world.water[seat] and world.water[other] < THIRSTY and can_water(world, seat, other):
                    helps = True
            seats |= helps << seat
    return seats


@kernel
def interrupt(world: State, seat: int, weights: Weights) -> int:
    """Water or gear in another's turn, or nothing."""
    sky = look_up(world, weights, seat)
    worth = team(world, weights, sky)
    action = _quench(world, weights, worth, seat)
    return shade(world, weights, sky, seat) if action == NONE else action


@kernel
def _quench(world: State, weights: Weights, worth: Team, seat: int) -> int:
    """Water for the thirsty: from the own canteen, or the Reserve."""
    action = _share(world, weights, worth, seat)
    return drink(world, weights, worth, seat) if action == NONE else action


@kernel
def _under(world: State, weights: Weights, sky: Sky) -> int:
    """The card that does most harm goes to the bottom."""
    worst, chosen = weights.wind, act.KEEP
    sun = drought(world, weights, sky)
    for number in range(cards_in_sight(world)):
        card = world.storm_deck[world.storm_left - 1 - number]
        harm = weights.picks_up if card == PICKS_UP else sun if card == SUN else weights.wind * (card % BLOWS)
        if harm > worst:
            worst, chosen = harm, act.BOTTOM + number
    return chosen


@kernel
def _share(world: State, weights: Weights, worth: Team, seat: int) -> int:
    """One water to whom it helps most, if that is more than it costs oneself. Where others can answer at once it goes
    from who has more to who has less, or two might hand it to and fro for ever."""
    if not world.water[seat]:
        return NONE
    most, chosen = weights.lend, NONE
    for other in range(world.players):
        room = world.water[other] < CANTEEN[world.role[other]]
        if world.phase == STORM:
            room = world.water[other] + 1 < world.water[seat]
        if room and can_water(world, seat, other):
            gain = worth.one[other] - worth.less[seat]
            if gain > most:
                most, chosen = gain, act.WATER + other * MOST_WATER
    return chosen


@kernel
def _act(world: State, weights: Weights, sky: Sky, worth: Team, seat: int) -> int:
    aims = goals(world, weights, worth, seat)
    if world.guided >= 0:
        step = _guided_step(world, weights, worth, aims, int(world.guided), int(world.steps))
        if step != NONE:
            return act.GUIDE + world.guided * PLACES + step
    cost = away(world, weights, worth, aims, seat)
    look = outlook(world, weights, aims, seat, cost, _specials(world, weights, sky, worth, aims, seat))
    action = blast(world, weights, look, seat)
    if action == NONE:
        action = peek(world, weights, aims, seat)
    if action != NONE:
        return action
    now = stance(world, aims.parts)
    left = min(weights.ahead, world.left)
    value, place, choice = best(weights, look, now, left)
    if world.gear[seat, JET_PACK]:
        spot = least(cost, landing(world, seat))
        there, _, _ = best(weights, look, moved(now, spot), left)
        if there - value > (0 if world.taken == ALL_PARTS else weights.jet):
            return fly(world, weights, worth, aims, seat, spot)
    if not world.left and world.gear[seat, THROTTLE]:
        more, _, _ = best(weights, look, now, min(weights.ahead, THROTTLE_ACTIONS))
        if more - value >= weights.throttle:
            return act.PLAY_THROTTLE
    if place != world.pawn[seat]:
        return _go(world, weights, worth, aims, seat, place)
    return _do(world, weights, worth, aims, seat, choice)


@kernel
def _go(world: State, weights: Weights, worth: Team, aims: Goals, seat: int, place: int) -> int:
    """The first step of the way; the Climber takes along whom it helps most."""
    climbs = world.role[seat] == CLIMBER
    free = tiles(world) if climbs else tiles(world) & ~world.blocked
    steps = first_step(int(world.pawn[seat]), place, free, world.role[seat] == EXPLORER, int(world.tunnels))
    if not steps:
        return act.END
    to = lowest(steps)
    if climbs:
        most, passenger = weights.guide, NONE
        for other in range(world.players):
            if companions(world, seat) >> other & 1:
                cost = lot(world, weights, worth, aims, other)
                gain = at(cost, int(world.pawn[other])) - at(cost, to)
                if world.blocked >> to & 1:
                    gain -= weights.deep
                if gain > most:
                    most, passenger = gain, other
        if passenger != NONE:
            return act.CARRY + passenger * PLACES + to
    return act.MOVE + to


@kernel
def _do(world: State, weights: Weights, worth: Team, aims: Goals, seat: int, choice: int) -> int:
    """What the look through the turn calls by a short name."""
    if choice == act.TAKE:
        part = 0
        while part < N_PARTS - 1 and world.part_at[part] != world.pawn[seat]:
            part += 1
        return act.TAKE + part
    if choice > SPECIAL:
        return choice
    number = SPECIAL - choice
    if world.role[seat] == METEOROLOGIST:
        return act.LOOK_AHEAD if number == 0 else act.CALM
    if world.role[seat] == WATER_CARRIER:
        return act.FILL
    return act.GUIDE + number * PLACES + _guided_step(world, weights, worth, aims, number, GUIDED_STEPS)


@kernel
def _specials(world: State, weights: Weights, sky: Sky, worth: Team, aims: Goals, seat: int) -> Seats:
    role = world.role[seat]
    if role == METEOROLOGIST:
        return _weather(world, weights, sky)
    if role == WATER_CARRIER:
        return _filling(world, weights, worth, seat)
    if role == NAVIGATOR:
        return (
            _guiding(world, weights, worth, aims, seat, 0),
            _guiding(world, weights, worth, aims, seat, 1),
            _guiding(world, weights, worth, aims, seat, 2),
            _guiding(world, weights, worth, aims, seat, 3),
            _guiding(world, weights, worth, aims, seat, 4),
        )
    return (0, 0, 0, 0, 0)


@kernel
def _weather(world: State, weights: Weights, sky: Sky) -> Seats:
    """A look at the next cards, unless they are known, and up to four cards fewer."""
    cards = cards_in_sight(world)
    sun = drought(world, weights, sky)
    suns = sun * sky.suns // max(1, sky.cards)
    look = 0
    if not sky.seen & (1 << cards) - 1:
        look = (suns + weights.picks_up * 3 // 31) * cards
    calm = weights.calm + suns
    spare = storm_cards(world) - world.saved
    return (
        look,
        calm if spare > 0 else 0,
        calm if spare > 1 else 0,
        calm if spare > 2 else 0,
        calm if spare > 3 else 0,
    )


@kernel
def _filling(world: State, weights: Weights, worth: Team, seat: int) -> Seats:
    """Two water, and two more: for herself and for the thirstiest."""
    room = CANTEEN[WATER_CARRIER] - world.water[seat]
    need = 0
    for other in range(world.players):
        need = max(need, worth.two[other])
    gain = need * weights.fill // 100
    first, second = min(2, room), min(2, max(0, room - 2))
    return (gain * first // 2, gain * second // 2, 0, 0, 0)


@kernel
def _walkable(world: State, other: int, steps: int) -> int:
    """Where a pawn can be guided to with so many steps, its own place included."""
    found = 1 << world.pawn[other]
    if buried(world, other):
        return found
    free = tiles(world) if world.role[other] == CLIMBER else tiles(world) & ~world.blocked
    for _ in range(steps):
        found |= onward(found, world.role[other] == EXPLORER, int(world.tunnels)) & free
    return found


@kernel
def _guiding(world: State, weights: Weights, worth: Team, aims: Goals, seat: int, other: int) -> int:
    """How much better another pawn would stand."""
    if other == seat or other >= world.players:
        return 0
    cost = lot(world, weights, worth, aims, other)
    place = least(cost, _walkable(world, other, GUIDED_STEPS))
    gain = at(cost, int(world.pawn[other])) - at(cost, place)
    return gain if gain > weights.guide else 0


@kernel
def _guided_step(world: State, weights: Weights, worth: Team, aims: Goals, other: int, steps: int) -> int:
    """The next step of a guided pawn, or none if it stands well."""
    cost = lot(world, weights, worth, aims, other)
    place = least(cost, _walkable(world, other, steps))
    if at(cost, place) >= at(cost, int(world.pawn[other])):
        return NONE
    free = tiles(world) if world.role[other] == CLIMBER else tiles(world) & ~world.blocked
    return lowest(first_step(int(world.pawn[other]), place, free, world.role[other] == EXPLORER, int(world.tunnels)))


@kernel
def answer(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """Where the action for a seat stands in the list of its legal ones."""
    if world.turn != seat:
        return index_or_pass(interrupt(world, seat, weights), legal, count)
    return 0 if count == 1 else index_of(decide(world, seat, weights), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    return answer(world, seat, legal, count, SKILLED[world.players - FEWEST]), counter


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Plays like the skilled one, shortsighted and not always attentive."""
    if count > 1 and world.turn == seat and world.phase == ACTIONS:
        slip, counter = bounded(counter, SLIP)
        if slip == 0:
            actions = 0
            while actions < count and legal[actions] < act.FREE:
                actions += 1
            return bounded(counter, actions)
    return answer(world, seat, legal, count, NOVICE[world.players - FEWEST]), counter
