"""Invariants hold after every step of random play, in which any seat interrupts whenever it may."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array, lookup_table
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import struct_array, struct_views
from skerry.games.forbidden_island import GAME
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.state import FLOODING, State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

NDArray = np.ndarray[Any, Any]
GAMES = 20 if INTERPRETED else 100_000
CHOICES = np.uint64(0xC401CE5)

rules = GAME.rules
setup, waiting, legal, step, result = rules.setup, rules.waiting, rules.legal, rules.step, rules.result
COPIES = lookup_table(components.CARD_COPIES)
N_TREASURES, TILES, SKULL = components.N_TREASURES, components.TILES, components.SKULL_TICK
HELD, CARD_KINDS, HAND_LIMIT = components.HAND_CARD_KINDS, components.CARD_KINDS, components.HAND_LIMIT

CARDS, FLOOD_CARDS, PLACES, PAWNS, LIMIT, METER, TREASURES, DECKS, STUCK = range(1, 10)
NAMES = ("fine", "cards", "flood cards", "places", "pawns", "hand limit", "meter", "treasures", "decks", "stuck")


@kernel
def broken_invariant(state: State, before: State) -> int:
    """The number of the first invariant that does not hold, or 0."""
    if not _cards_conserved(state):
        return CARDS
    if not _flood_cards_conserved(state):
        return FLOOD_CARDS
    if state.flooded & state.sunk or (state.flooded | state.sunk) >> TILES or before.sunk & ~state.sunk:
        return PLACES
    if not _pawns_stand(state):
        return PAWNS
    if not _hands_in_limit(state):
        return LIMIT
    if not before.water <= state.water <= min(SKULL, before.water + 1):
        return METER
    for treasure in range(N_TREASURES):
        if before.captor[treasure] >= 0 and before.captor[treasure] != state.captor[treasure]:
            return TREASURES
    if not state.ending and (state.treasure_left < 1 or state.flood_left < 1):
        return DECKS
    return 0


@kernel
def _cards_conserved(state: State) -> bool:
    for card in range(CARD_KINDS):
        count = state.treasure_discard[card]
        for i in range(state.treasure_left):
            count += 1 if state.treasure_deck[i] == card else 0
        if card < HELD:
            for seat in range(state.players):
                count += state.hands[seat, card]
        if count != COPIES[card]:
            return False
    return True


@kernel
def _flood_cards_conserved(state: State) -> bool:
    """Every flood card is in the deck, in the discard, or out of the game with its sunk tile."""
    seen = 0
    for i in range(state.flood_left):
        seen += 1 << 2 * state.flood_deck[i]
    for i in range(state.flood_shown):
        seen += 1 << 2 * state.flood_discard[i]
    for tile in range(TILES):
        if state.tile_at[state.place_of[tile]] != tile:
            return False
        if state.sunk >> state.place_of[tile] & 1:
            seen += 1 << 2 * tile
    return seen == (1 << 2 * TILES) // 3


@kernel
def _pawns_stand(state: State) -> bool:
    """Every pawn is on a tile, or swimming where one has just sunk."""
    for seat in range(state.players):
        in_water = state.sunk >> state.pawn[seat] & 1
        if in_water != state.swimming >> seat & 1 and not state.ending:
            return False
    return not state.stranded & ~state.swimming


@kernel
def _hands_in_limit(state: State) -> bool:
    for seat in range(state.players):
        over = hand_size(state, seat) > HAND_LIMIT
        if over != (state.over >> seat & 1 == 1) or hand_size(state, seat) > HAND_LIMIT + 1:
            return False
    return not (state.over and state.phase == FLOODING and state.swimming)


@kernel
def wander(states: Any, before: Any, options: Any, seed: Any, first: int, buffer: Any, log: Any, limit: int) -> int:
    """Play random legal actions of all seats. ``1000 * game + invariant`` for a broken invariant, else -1."""
    for i in range(len(states)):
        state = states[i]
        setup(state, options[0], derive_seed(seed, first + i))
        counter = derive_seed(seed ^ CHOICES, first + i)
        for _ in range(limit):
            if not waiting(state):
                break
            total = 0
            for seat in range(state.players):
                total += legal(state, seat, buffer)
            pick, counter = next_below(counter, max(1, total))
            seat = 0
            count = legal(state, 0, buffer)
            while pick >= count and seat < state.players:
                pick -= count
                seat += 1
                count = legal(state, seat, buffer)
            if seat == state.players:
                return 1000 * (first + i) + STUCK
            before[0] = state
            step(state, seat, buffer[pick], log)
            broken = broken_invariant(state, before[0])
            if broken:
                return 1000 * (first + i) + broken
    return -1


def run(variant: skerry.Variant, games: int, seed: int) -> NDArray:
    states = struct_array(State, games)
    previous = struct_views(State, struct_array(State, 1))
    found = wander(
        struct_views(State, states),
        previous,
        struct_views(variant.game.options_struct, variant.encoded_options.array),
        np.uint64(seed),
        0,
        kernel_array(np.zeros(variant.game.actions.size + 1, np.int16)),
        kernel_array(new_event_log(0)),
        10_000,
    )
    assert found < 0, f"{variant.options}: game {found // 1000}, {NAMES[found % 1000]} broken"
    return states


CELLS = list(product((2, 3, 4), components.DIFFICULTIES))


@pytest.mark.parametrize("layout", components.LAYOUT_SHAPES)
def test_invariants_on_every_layout(layout: str) -> None:
    variant = skerry.game("forbidden-island", players=4, layout=layout)
    states = run(variant, 20 if INTERPRETED else 2_000, seed=5)
    assert (states["ending"] > 0).all(), "every game ends"


def test_invariants_in_a_hundred_thousand_games_at_each_player_count_and_difficulty() -> None:
    def cell(players: int, difficulty: str) -> NDArray:
        return run(skerry.game("forbidden-island", players=players, difficulty=difficulty), GAMES, seed=players)

    with ThreadPoolExecutor(2) as pool:
        for states in pool.map(lambda c: cell(*c), CELLS):
            assert (states["ending"] > 0).all()
