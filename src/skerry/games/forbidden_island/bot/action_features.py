"""How an action looks to one who weighs it: what it would bring a pawn nearer to, and who would hold what."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.state_features import AWAY, FAR
from skerry.games.forbidden_island.rules.actions import (
    CAPTURE,
    GIVE,
    LIFT,
    LIFT_OFF,
    MOVE,
    NAVIGATE,
    PLAY_SANDBAGS,
    SHORE,
    SWIM,
)
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    ADJACENT_OR_DIAGONAL,
    ENGINEER,
    EXPLORER,
    FOOLS_LANDING,
    N_TREASURES,
    SEATS,
    SET_SIZE,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import neighbours_of, tile_places
from skerry.games.forbidden_island.rules.state import State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

WAYS = AWAY + SEATS * TILES  # where moves from each place to the landing and to each treasure are noted
LANDING = N_TREASURES
SCRATCH_SIZE = WAYS + (N_TREASURES + 1) * TILES
N_ACTION_FEATURES = 24


@kernel
def prepare_action_features(state: State, out: Any) -> None:
    """Behind a sketch, how far it is from each place to the landing and to the treasures."""
    for treasure in range(N_TREASURES):
        goals = 0
        if state.captor[treasure] < 0:
            goals = 1 << state.place_of[2 * treasure] | 1 << state.place_of[2 * treasure + 1]
        _ways(state, goals & tile_places(state), out, WAYS + treasure * TILES)
    _ways(state, 1 << state.place_of[FOOLS_LANDING] & tile_places(state), out, WAYS + LANDING * TILES)


@kernel
def _ways(state: State, goals: int, out: Any, base: int) -> None:
    for place in range(TILES):
        out[base + place] = FAR
    land, seen, border, far = tile_places(state), goals, goals, 0
    while border and far < FAR:
        rest = border
        while rest:
            out[base + lowest_bit(rest)] = far
            rest &= rest - 1
        border = neighbours_of(state, border, False) & land & ~seen
        seen |= border
        far += 1


@kernel
def write_action_features(state: State, seat: int, action: int, desk: Any, out: Any) -> None:
    for i in range(N_ACTION_FEATURES):
        out[i] = 0.0
    if MOVE <= action < NAVIGATE:
        _go(state, seat, action - MOVE, desk, out)
    elif NAVIGATE <= action < SHORE:
        _go(state, (action - NAVIGATE) // TILES, (action - NAVIGATE) % TILES, desk, out)
    elif SWIM <= action < SWIM + TILES:
        _go(state, seat, action - SWIM, desk, out)
    elif LIFT <= action < LIFT_OFF:
        pawns = (action - LIFT) // TILES + 1
        out[22] = popcount(pawns) / 4
        _go(state, lowest_bit(pawns), (action - LIFT) % TILES, desk, out)
    elif GIVE <= action < CAPTURE:
        treasure, other = (action - GIVE) // SEATS, (action - GIVE) % SEATS
        out[18] = (state.hands[other, treasure] + 1) / 4
        out[19] = state.hands[seat, treasure] / 4
        out[20] = hand_size(state, other) / 5
        out[21] = desk[WAYS + treasure * TILES + state.pawn[other]] / FAR
        out[23] = 1.0 if state.hands[other, treasure] + 1 >= SET_SIZE else 0.0
    elif PLAY_SANDBAGS <= action < LIFT:
        out[18] = desk[AWAY + state.turn * TILES + action - PLAY_SANDBAGS] / FAR


@kernel
def _go(state: State, seat: int, place: int, desk: Any, out: Any) -> None:
    """What a pawn would be nearer to elsewhere."""
    here = state.pawn[seat]
    _nearer(desk, WAYS + LANDING * TILES, here, place, out, 0)
    whole = nearly = 0
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            cards = state.hands[seat, treasure]
            whole |= (1 if cards >= SET_SIZE else 0) << treasure
            nearly |= (1 if 0 < SET_SIZE - cards <= 2 else 0) << treasure
    if whole:
        out[2] = 1.0
        _nearest(desk, whole, here, place, out, 3)
    if nearly:
        out[5] = 1.0
        _nearest(desk, nearly, here, place, out, 6)
    now, then, now_any, then_any = FAR + 0.0, FAR + 0.0, FAR + 0.0, FAR + 0.0
    for other in range(state.players):
        if other == seat:
            continue
        base = AWAY + other * TILES
        now_any, then_any = min(now_any, desk[base + here]), min(then_any, desk[base + place])
        for treasure in range(N_TREASURES):
            mine, theirs = state.hands[seat, treasure], state.hands[other, treasure]
            if state.captor[treasure] < 0 and mine and theirs and mine + theirs >= SET_SIZE - 1:
                now, then = min(now, desk[base + here]), min(then, desk[base + place])
    out[8], out[9] = then / FAR, (then - now) / FAR
    out[10], out[11] = then_any / FAR, (then_any - now_any) / FAR
    diagonal = state.role[seat] == EXPLORER
    near = ADJACENT_OR_DIAGONAL[state.layout, place] if diagonal else ADJACENT[state.layout, place]
    old = ADJACENT_OR_DIAGONAL[state.layout, here] if diagonal else ADJACENT[state.layout, here]
    out[12] = popcount((near | 1 << place) & state.flooded) / 4
    out[13] = (popcount((near | 1 << place) & state.flooded) - popcount((old | 1 << here) & state.flooded)) / 4
    out[14] = popcount(near & tile_places(state)) / 4
    out[15] = state.flooded >> place & 1
    out[16] = 1.0 if state.role[seat] == ENGINEER else 0.0
    out[17] = 1.0 if seat == state.turn else 0.0


@kernel
def _nearer(desk: Any, base: int, here: int, place: int, out: Any, n: int) -> None:
    out[n], out[n + 1] = desk[base + place] / FAR, (desk[base + place] - desk[base + here]) / FAR


@kernel
def _nearest(desk: Any, treasures: int, here: int, place: int, out: Any, n: int) -> None:
    now, then = FAR + 0.0, FAR + 0.0
    for treasure in range(N_TREASURES):
        if treasures >> treasure & 1:
            now = min(now, desk[WAYS + treasure * TILES + here])
            then = min(then, desk[WAYS + treasure * TILES + place])
    out[n], out[n + 1] = then / FAR, (then - now) / FAR
