"""A simple player: quick, plausible, not deep. It scores each legal action by itself and takes the best."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.engine.policy import greedy
from skerry.games.forbidden_island import actions as act
from skerry.games.forbidden_island.facts import (
    FOOLS_LANDING,
    HELD,
    HELICOPTER,
    N_TREASURES,
    SEATS,
    SET,
    TILES,
)
from skerry.games.forbidden_island.legal import can_lift_off
from skerry.games.forbidden_island.reach import spread, there
from skerry.games.forbidden_island.state import State


@kernel
def _score(world: State, seat: int, action: int) -> int:
    if action < act.MOVE:
        return 10
    if action < act.SWIM:
        return _score_action(world, seat, action)
    if action < act.DISCARD:
        return 100 - _steps(world, action - act.SWIM, _goal(world, seat))
    if action < act.BAGS:
        return _score_discard(world, seat, action - act.DISCARD)
    if action < act.LIFT:
        return 70 if _worth(world, action - act.BAGS) >= 50 else 0
    if action < act.LIFT_OFF:
        return _score_lift(world, (action - act.LIFT) // TILES + 1, (action - act.LIFT) % TILES)
    return 1_000


@kernel
def _score_action(world: State, seat: int, action: int) -> int:
    if action < act.NAVIGATE:
        return _score_move(world, seat, action - act.MOVE)
    if action < act.SHORE:
        return _score_move(world, (action - act.NAVIGATE) // TILES, (action - act.NAVIGATE) % TILES) - 5
    if action < act.SHORE_TWO:
        return _worth(world, action - act.SHORE)
    if action < act.GIVE:
        first, second = act.PAIRS[action - act.SHORE_TWO, 0], act.PAIRS[action - act.SHORE_TWO, 1]
        return max(_worth(world, first), _worth(world, second)) + 5
    if action < act.CAPTURE:
        return _score_gift(world, seat, (action - act.GIVE) // SEATS, (action - act.GIVE) % SEATS)
    return 900


@kernel
def _worth(world: State, place: int) -> int:
    """How much a flooded tile is worth saving."""
    tile = world.tile_at[place]
    if tile == FOOLS_LANDING:
        return 80
    treasure = tile // 2
    if treasure < N_TREASURES and world.captor[treasure] < 0:
        return 60 if world.sunk >> world.place_of[tile ^ 1] & 1 else 35
    return 18


@kernel
def _goal(world: State, seat: int) -> int:
    """Where a pawn should be going: the landing, the tile of a full set, or flooded tiles worth saving."""
    all_taken = True
    for treasure in range(N_TREASURES):
        if world.captor[treasure] < 0:
            all_taken = False
            if world.hands[seat, treasure] >= SET:
                return _tiles_of(world, treasure)
    if all_taken:
        return 1 << world.place_of[FOOLS_LANDING]
    return world.flooded & there(world)


@kernel
def _tiles_of(world: State, treasure: int) -> int:
    return (1 << world.place_of[2 * treasure] | 1 << world.place_of[2 * treasure + 1]) & there(world)


@kernel
def _steps(world: State, place: int, goal: int) -> int:
    """Orthogonal steps over land to the nearest place of a set."""
    seen = border = 1 << place
    for steps in range(TILES):
        if border & goal:
            return steps
        border = spread(world, border, False) & there(world) & ~seen
        seen |= border
    return TILES


@kernel
def _score_move(world: State, seat: int, place: int) -> int:
    goal = _goal(world, seat)
    nearer = _steps(world, world.pawn[seat], goal) - _steps(world, place, goal)
    urgent = 45 if goal != world.flooded & there(world) else 15
    return urgent + nearer if nearer > 0 else 0


@kernel
def _score_gift(world: State, seat: int, treasure: int, other: int) -> int:
    """To whoever has more of it and has room."""
    size = 0
    for card in range(HELD):
        size += world.hands[other, card]
    if world.captor[treasure] >= 0 or size >= SET + 1:
        return 0
    return 50 if world.hands[other, treasure] >= world.hands[seat, treasure] else 0


@kernel
def _score_discard(world: State, seat: int, card: int) -> int:
    if card >= N_TREASURES:
        return 5
    if world.captor[card] >= 0:
        return 40
    return 30 - 5 * world.hands[seat, card]


@kernel
def _score_lift(world: State, pawns: int, place: int) -> int:
    """Out of the water, or home when all is done; otherwise the card is kept."""
    if world.swimming:
        return 20
    if world.tile_at[place] != FOOLS_LANDING or can_lift_off(world):
        return 0
    for treasure in range(N_TREASURES):
        if world.captor[treasure] < 0:
            return 0
    holders = 0
    for seat in range(world.players):
        holders += world.hands[seat, HELICOPTER]
    return 60 if holders > 1 else 0


simple = greedy(_score)
