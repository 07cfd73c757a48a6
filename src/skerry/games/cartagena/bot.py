"""A simple player: quick, plausible, not deep. It scores each legal action by itself and takes the best."""

from __future__ import annotations

from skerry.engine.kernel import kernel, table
from skerry.engine.policy import greedy
from skerry.games.cartagena import actions as act
from skerry.games.cartagena.facts import (
    ABOARD_DRAWS,
    AT_CARTAGENA,
    HIDEOUT,
    HOOK,
    N_SYMBOLS,
    PLACES,
    ROOM,
    SLOOP,
    SPACES,
)
from skerry.games.cartagena.path import aboard, empty, goal, land, retreat, sociable, tunnel
from skerry.games.cartagena.state import State

WIN = 1_000
CARD = 14  # what a drawn card is worth, in spaces
PLENTY = 6  # cards in hand
FINDS = table((-6, 0, -6, 0, 0, 0))  # a pistol and a lantern find less than rum and a chest


@kernel
def _score(world: State, seat: int, action: int) -> int:
    if action < act.PLAY:
        return _score_turn(world, seat, action)
    if action < act.BACK:
        return _score_play(world, seat, (action - act.PLAY) // PLACES, (action - act.PLAY) % PLACES)
    if action < act.MORGAN:
        place = action - act.BACK
        target = retreat(world, place)
        return _fetch(world, seat, world.crowd[target]) - _far(world, target, place)
    if action < act.PARROTS:
        return _score_morgan(world, seat, (action - act.MORGAN) // PLACES, (action - act.MORGAN) % PLACES)
    if action < act.LOOK:
        return _score_magic(world, seat, action)
    return _score_choice(world, action)


@kernel
def _score_turn(world: State, seat: int, action: int) -> int:
    """To Tortuga with a full boat or the last pirates, back when none of ours is aboard."""
    if action < act.SAIL:
        return 0
    ours = aboard(world, seat)
    if world.sloop == AT_CARTAGENA:
        value = 40 if ours == ROOM or not world.at[seat] & tunnel(world) else -10
    else:
        value = -10 if ours else 30
    return value + 1 if action == act.SAIL_FREE else value


@kernel
def _rank(world: State, place: int) -> int:
    """How far a place is from the start, in spaces; the end of the path counts as a part more."""
    if place <= SPACES:
        return place
    if place == HIDEOUT or goal(world) == SLOOP:
        return world.spaces + N_SYMBOLS
    return world.shore + 1


@kernel
def _far(world: State, place: int, target: int) -> int:
    return _rank(world, target) - _rank(world, place)


@kernel
def _wins(world: State, seat: int, place: int, target: int) -> bool:
    """Whether the last pirate comes home: all others are there, and nobody else stands where it comes from."""
    if target != goal(world) or world.at[seat] & ~(1 << place | 1 << target):
        return False
    waiting = 0
    for pirate in range(world.crew):
        waiting += 1 if world.where[seat, pirate] == place else 0
    return waiting == 1


@kernel
def _score_play(world: State, seat: int, card: int, place: int) -> int:
    target = land(world, place, empty(world, card % N_SYMBOLS))
    if _wins(world, seat, place, target):
        return WIN
    return 10 + _far(world, place, target)


@kernel
def _fetch(world: State, seat: int, cards: int) -> int:
    """What cards are worth: much to a poor hand, nothing to a rich one."""
    need = PLENTY - world.held[seat]
    return cards * CARD + 6 * need if need > 0 else -20


@kernel
def _score_morgan(world: State, seat: int, other: int, place: int) -> int:
    target = land(world, place, sociable(world))
    if _wins(world, other, place, target):
        return -WIN
    cards = world.crowd[target] if target <= SPACES else ABOARD_DRAWS
    return _fetch(world, seat, cards) - _far(world, place, target) // 2


@kernel
def _score_magic(world: State, seat: int, action: int) -> int:
    if action < act.MAGIC:
        return 12
    symbol = (action - act.MAGIC) % N_SYMBOLS
    return 25 if symbol == HOOK else _fetch(world, seat, 1) + FINDS[symbol]


@kernel
def _score_choice(world: State, action: int) -> int:
    """Cards of symbols with few empty spaces lead far: those are kept or taken, the others given away."""
    if action < act.TAKE:
        return world.held[action - act.LOOK]
    if action < act.GIVE:
        return -_empty_spaces(world, (action - act.TAKE) % N_SYMBOLS)
    if act.OPEN <= action < act.DISCARD:
        return action - act.OPEN
    return _empty_spaces(world, (action - act.GIVE) % N_SYMBOLS)


@kernel
def _empty_spaces(world: State, symbol: int) -> int:
    spaces = empty(world, symbol)
    count = 0
    while spaces:
        spaces &= spaces - 1
        count += 1
    return count


simple = greedy(_score)
