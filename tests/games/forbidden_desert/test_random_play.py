"""Invariants hold after every step of random games, for all numbers of players and difficulties."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import StructBuffer, struct_array, struct_views
from skerry.games.forbidden_desert import GAME
from skerry.games.forbidden_desert.bot.policies import novice
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.components import (
    BLOCKING_SAND,
    CANTEEN_SIZE,
    CLUE,
    GEAR_COPIES,
    GEAR_DECK_SIZE,
    N_GEARS,
    N_PARTS,
    PLACES,
    SAND_MARKERS,
    STORM_COPIES,
    STORM_KINDS,
    TILES,
    TUNNEL,
    WELL,
)
from skerry.games.forbidden_desert.rules.kernels import determinize, legal, setup, step, waiting
from skerry.games.forbidden_desert.rules.state import OVER, State
from tests.modes import only_compiled

CHOICES = np.uint64(0xC401CE5)  # makes the players' random numbers differ from the game's

INVARIANTS = (
    "48 markers, none in the storm",
    "the sets of sandy and blocked places",
    "24 tiles and one hole",
    "the sets of excavated places and tunnels",
    "pawns on tiles, water within canteens",
    "12 gear cards, one for each gear excavated",
    "31 storm cards, and never an empty deck",
    "parts lie where both clues are excavated, until they are taken",
    "the phase, the ending and what is waited for",
    "a game that ends",
)
STUCK = len(INVARIANTS)


@kernel
def _sand_is_conserved(state: State) -> bool:
    markers = state.supply
    for place in range(PLACES):
        markers += state.sand[place]
        if state.sand[place] < 0:
            return False
    return markers == SAND_MARKERS and state.sand[state.storm] == 0 and state.supply >= 0


@kernel
def _sand_sets_agree(state: State) -> bool:
    for place in range(PLACES):
        if (state.sand[place] > 0) != (state.sandy >> place & 1 > 0):
            return False
        if (state.sand[place] >= BLOCKING_SAND) != (state.blocked >> place & 1 > 0):
            return False
    return True


@kernel
def _tiles_are_conserved(state: State) -> bool:
    seen = 0
    for place in range(PLACES):
        tile = state.tile_at[place]
        if (tile < 0) != (place == state.storm):
            return False
        if tile >= 0:
            seen |= 1 << tile
    return seen == (1 << TILES) - 1


@kernel
def _excavation_sets_agree(state: State) -> bool:
    if state.excavated >> state.storm & 1 or state.known_by[state.storm]:
        return False
    for place in range(PLACES):
        tunnel = state.excavated >> place & 1 > 0 and TUNNEL <= state.tile_at[place] < WELL
        if tunnel != (state.tunnels >> place & 1 > 0):
            return False
    return True


@kernel
def _pawns_are_valid(state: State) -> bool:
    for seat in range(state.players):
        if state.pawn[seat] == state.storm or not 0 <= state.pawn[seat] < PLACES:
            return False
        if not 0 <= state.water[seat] <= CANTEEN_SIZE[state.role[seat]]:
            return False
    return True


@kernel
def _gear_is_conserved(state: State) -> bool:
    gears = state.gear_left
    for place in range(PLACES):
        gears += 1 if state.excavated >> place & 1 and state.tile_at[place] < WELL else 0
    for card in range(N_GEARS):
        cards = 0
        for seat in range(state.players):
            if state.gear[seat, card] < 0:
                return False
            cards += state.gear[seat, card]
        for i in range(state.gear_left):
            cards += 1 if state.gear_deck[i] == card else 0
        if cards > GEAR_COPIES[card]:
            return False
    return gears == GEAR_DECK_SIZE


@kernel
def _storm_cards_are_conserved(state: State) -> bool:
    for card in range(STORM_KINDS):
        cards = state.storm_discard[card]
        for i in range(state.storm_left):
            cards += 1 if state.storm_deck[i] == card else 0
        for i in range(state.shown):
            cards += 1 if state.apart[i] == card else 0
        if cards != STORM_COPIES[card]:
            return False
    return (state.storm_left > 0 or state.ending > 0) and state.foreseen < 1 << state.storm_left


@kernel
def _parts_are_valid(state: State) -> bool:
    for part in range(N_PARTS):
        clues = 0
        for place in range(PLACES):
            clues += 1 if state.excavated >> place & 1 and (state.tile_at[place] - CLUE) // 2 == part else 0
        lies, taken = state.part_at[part] >= 0, state.taken >> part & 1 > 0
        if (lies or taken) != (clues == 2) or (lies and taken) or taken != (state.holder[part] >= 0):
            return False
    return True


@kernel
def _phase_is_valid(state: State) -> bool:
    if (state.phase == OVER) != (state.ending > 0) or (waiting(state) == 0) != (state.ending > 0):
        return False
    return state.left >= 0 and 0 <= state.steps <= 2 and (state.guided >= 0) == (state.steps > 0)


@kernel
def broken_invariant(state: State) -> int:
    """The number of the first invariant that is broken, counted from 1; 0 if all hold."""
    if not _sand_is_conserved(state):
        return 1
    if not _sand_sets_agree(state):
        return 2
    if not _tiles_are_conserved(state):
        return 3
    if not _excavation_sets_agree(state):
        return 4
    if not _pawns_are_valid(state):
        return 5
    if not _gear_is_conserved(state):
        return 6
    if not _storm_cards_are_conserved(state):
        return 7
    if not _parts_are_valid(state):
        return 8
    return 0 if _phase_is_valid(state) else 9


@kernel
def choose(state: State, world: Any, seat: int, out: Any, count: int, novice_share: int, counter: Any) -> Any:
    """The novice's choice with a probability of ``novice_share`` in 10, else a random legal action."""
    dice, counter = next_below(counter, 10)
    if dice < novice_share and seat == state.turn:
        world[0] = state
        determinize(world[0], seat, counter)
        return novice(world[0], seat, out, count, counter)
    return next_below(counter, count)


@kernel
def play(state: State, world: Any, novice_share: int, counter: Any, out: Any, log: Any) -> int:
    """Play one game, with other seats interrupting now and then; the first broken invariant, or 0."""
    for _ in range(5000):
        dice, counter = next_below(counter, 4 * state.players)
        seat = dice if dice < state.players else state.turn
        count = legal(state, seat, out)
        if count:
            index, counter = choose(state, world, seat, out, count, novice_share, counter)
            step(state, seat, out[index], log)
        found = broken_invariant(state)
        if found or state.ending:
            return found
    return STUCK


@kernel
def play_many(
    states: Any, world: Any, options: Any, seed: Any, novice_share: int, out: Any, log: Any, found: Any
) -> None:
    for i in range(len(states)):
        setup(states[i], options, derive_seed(seed, i))
        found[i] = play(states[i], world, novice_share, derive_seed(seed ^ CHOICES, i), out, log)


def run(games: int, novice_share: int) -> Counter[int]:
    """Play games of each variant; how often each ending was reached and, as 0, how often a part was picked up."""
    endings: Counter[int] = Counter()
    for players, difficulty in itertools.product(range(2, 6), components.DIFFICULTIES):
        variant = skerry.game("forbidden-desert", players=players, difficulty=difficulty)
        states, world = struct_array(State, games), struct_views(State, struct_array(State, 1))
        out, found = np.zeros(variant.game.actions.size + 1, np.int32), np.zeros(games, np.int32)
        log = kernel_array(new_event_log(0))
        play_many(
            struct_views(State, states),
            world,
            variant.encoded_options.struct,
            np.uint64(players),
            novice_share,
            kernel_array(out),
            log,
            kernel_array(found),
        )
        broken = [(players, difficulty, int(i), INVARIANTS[found[i] - 1]) for i in np.flatnonzero(found)]
        assert broken == []
        endings.update(states["ending"].tolist())
        endings[0] += int((states["taken"] > 0).sum())
    return endings


def test_invariants_hold_in_100_000_random_games() -> None:
    assert set(run(3 if INTERPRETED else 6_250, novice_share=0)) >= {0, 4}


def test_invariants_hold_in_long_games_of_the_novice() -> None:
    assert set(run(2 if INTERPRETED else 400, novice_share=9)) >= ({4} if INTERPRETED else {2, 4})


def test_the_novice_finds_parts() -> None:
    games = 2 if INTERPRETED else 100
    assert run(games, novice_share=10)[0] > 16 * games // 5 > 10 * run(games, novice_share=0)[0]


@only_compiled
@pytest.mark.slow
def test_invariants_hold_in_many_long_games_of_the_novice() -> None:
    assert set(run(60_000, novice_share=9)) == {0, 1, 2, 3, 4}


def test_every_broken_invariant_is_found() -> None:
    """Each invariant can fail."""
    state = skerry.game("forbidden-desert").new(seed=1).state
    breaks = {
        1: ("supply", 39),
        2: ("blocked", 1),
        4: ("tunnels", 1),
        6: ("gear_left", 11),
        7: ("foreseen", 0),
        9: ("left", -1),
    }
    for number, (field, value) in breaks.items():
        broken = StructBuffer(State, bytes(state.data))
        setattr(broken.struct, field, value)
        if number == 7:
            broken.struct.storm_discard[0] = 1
        assert broken_invariant(broken.struct) == number
    for number, field in {3: "tile_at", 5: "water", 8: "holder"}.items():
        broken = StructBuffer(State, bytes(state.data))
        getattr(broken.struct, field)[0] = 7
        assert broken_invariant(broken.struct) == number


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40) | st.from_regex(r"[a-z]{2,9} [A-F][0-6]( [a-z]{3,12})?( \d)?", fullmatch=True))
def test_any_text_is_an_action_or_a_refusal_and_leaves_the_state_unchanged(text: str) -> None:
    match = skerry.game("forbidden-desert", players=5).new(seed=11)
    before, seat = match.content, match.waiting[0]
    with contextlib.suppress(skerry.Unreadable):
        refusal = match.explain(seat, text)
        assert (refusal is None) == (match.action(text).id in match.legal_ids(seat))
    assert match.content == before


def test_result_gives_everybody_the_same_score() -> None:
    for ending, score in ((1, 1.0), (2, 0.0), (4, 0.0)):
        state = StructBuffer(State)
        state.struct.players, state.struct.ending = 3, ending
        scores = np.full(3, 9.0)
        assert GAME.rules.result(state.struct, kernel_array(scores)) == ending and scores.tolist() == [score] * 3
