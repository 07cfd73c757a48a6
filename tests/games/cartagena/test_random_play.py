"""Random games over combinations of all options: what must hold after every step, checked in a kernel."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from skerry.engine.event_log import new_event_log
from skerry.engine.game import Variant
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import struct_array, struct_views
from skerry.games import find_game
from skerry.games.cartagena.rules.components import (
    CHEST_TOKENS_TABLE,
    COPIES,
    DARK_COPIES,
    FULL,
    KINDS,
    MAX_PIRATES,
    N_CARDS,
    N_SYMBOLS,
    PARTS,
    PLACES,
    SPACES,
)
from skerry.games.cartagena.rules.knowledge import determinize
from skerry.games.cartagena.rules.legal import legal, waiting
from skerry.games.cartagena.rules.path import goal_place, lowest_place, pirates_aboard
from skerry.games.cartagena.rules.setup import setup
from skerry.games.cartagena.rules.state import LANTERN_PUT, POOL, PUBLIC, RUM_KEEP, State
from skerry.games.cartagena.rules.step import step

GAMES = 1 if INTERPRETED else 200
LIMIT = 5_000  # steps; no random game has come near it
BROKEN = (
    "",
    "cards are not conserved",
    "a hand is not as large as it says",
    "a pirate is missing, or the places do not agree",
    "more than three pirates on a space",
    "more than three of a colour aboard",
    "the end and the pirates at the goal do not agree",
    "somebody knows what is not so",
    "the deck holds what it cannot",
    "nobody can do anything, or more than one must",
    "a chest token is missing",
    "drawn cards lie about",
    "a sample is no sound position",
    "a sample changes what the seat knows",
)
FACTORS: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5),
    "size": (0, 1, 2, 3, 4),
    "pirates": (4, 5, 6),
    "story": ("escape", "tortuga", "full"),
    "draw": ("back", "morgan", "both", "back-then-morgan"),
    "flibusters": ("off", "on"),
    "magic": ("off", "on"),
}
HALVES = ((3, 3), (3, 4), (5, 3), (4, 4), (3, 5))
Row = dict[str, Any]


def allowed(row: Row) -> bool:
    return row.get("draw") != "back-then-morgan" or row.get("story", "full") == "full"


def pairwise() -> list[Row]:
    """Rows in which every pair of values of two factors that goes together stands at least once."""
    wanted = {
        ((a, x), (b, y))
        for a, b in itertools.combinations(FACTORS, 2)
        for x in FACTORS[a]
        for y in FACTORS[b]
        if allowed({a: x, b: y})
    }
    every = [row for row in _rows() if allowed(row)]
    chosen = []
    while wanted:
        best = max(every, key=lambda row: len(wanted & _pairs(row)))
        chosen.append(best)
        wanted -= _pairs(best)
    return chosen


def _rows() -> Iterator[Row]:
    for values in itertools.product(*FACTORS.values()):
        yield dict(zip(FACTORS, values, strict=True))


def _pairs(row: Row) -> set[Any]:
    return set(itertools.combinations(row.items(), 2))


def variant(row: Row) -> Variant:
    options = dict(row)
    size = options.pop("size")
    if row["story"] == "full":
        options["tunnel"], options["island"] = HALVES[size]
    else:
        options["parts"] = 4 + size
    return find_game("cartagena").configure(options)


@kernel
def broken(state: State, buffer: Any) -> int:
    """The number of the first promise that does not hold, or 0."""
    code = _broken_cards(state)
    code = code if code else _broken_pirates(state)
    code = code if code else _broken_end(state, buffer)
    return code if code else _broken_knowledge(state)


@kernel
def in_deck(state: State, kind: int) -> int:
    count = 0
    for position in range(state.deck_left):
        count += 1 if state.deck[position] == kind else 0
    return count


@kernel
def _broken_cards(state: State) -> int:
    dark = DARK_COPIES if state.flibusters else 0
    for kind in range(KINDS):
        count = state.discard[kind] + state.pool[kind] + in_deck(state, kind)
        for seat in range(state.players):
            if state.hands[seat, kind] < 0:
                return 1
            count += state.hands[seat, kind]
        if count != (COPIES - dark if kind < N_SYMBOLS else dark):
            return 1
    if (state.pooled > 0) != (RUM_KEEP <= state.phase <= LANTERN_PUT):
        return 11
    for position in range(state.deck_left, N_CARDS):
        if state.deck[position]:
            return 11
    return _broken_hands(state)


@kernel
def _broken_hands(state: State) -> int:
    for seat in range(state.players):
        held = 0
        for kind in range(KINDS):
            held += state.hands[seat, kind]
        if held != state.held[seat]:
            return 2
    return 0


@kernel
def _broken_pirates(state: State) -> int:
    for place in range(PLACES):
        count = 0
        for seat in range(state.players):
            here = 0
            for pirate in range(state.crew):
                here += 1 if state.where[seat, pirate] == place else 0
            if (here > 0) != (state.at[seat] >> place & 1 == 1):
                return 3
            count += here
        code = _broken_place(state, place, count)
        if code:
            return code
    for seat in range(state.players):
        if state.story == FULL and pirates_aboard(state, seat) > MAX_PIRATES:
            return 5
    return 0


@kernel
def _broken_place(state: State, place: int, count: int) -> int:
    if count != state.crowd[place] or (state.spaces < place <= SPACES and count):
        return 3
    if not 0 < place <= SPACES:
        return 0
    if count > MAX_PIRATES:
        return 4
    is_occupied = state.occupied >> place & 1 == 1
    is_crowded = state.crowded >> place & 1 == 1
    agrees = (count > 0) == is_occupied and (count == MAX_PIRATES) == is_crowded
    return 0 if agrees else 3


@kernel
def _broken_end(state: State, buffer: Any) -> int:
    winners = 0
    for seat in range(state.players):
        if state.at[seat] == 1 << goal_place(state):
            winners += 1
            if state.winner != seat:
                return 6
    if winners != (1 if state.ending else 0):
        return 6
    seats = waiting(state)
    if (seats == 0) != (state.ending > 0) or seats & (seats - 1):
        return 9
    for seat in range(state.players):
        if (legal(state, seat, buffer) > 0) != (seats >> seat & 1 == 1):
            return 9
    total = 0
    expected = 0
    for i in range(PARTS):
        total += 1 << 4 * state.tokens[i]
        expected += 1 << 4 * CHEST_TOKENS_TABLE[i]
    return 10 if state.magic and total != expected else 0


@kernel
def _broken_knowledge(state: State) -> int:
    for viewer in range(PUBLIC + 1):
        for kind in range(KINDS):
            if in_deck(state, kind) > state.limits[viewer, kind]:
                return 8
    for viewer in range(state.players):
        if state.tops[viewer] > state.deck_left:
            return 7
        for owner in range(POOL + 1):
            gone = 0
            for kind in range(KINDS):
                held = state.pool[kind] if owner == POOL else state.hands[owner, kind]
                gone += max(0, state.known[viewer, owner, kind] - held)
            if gone > state.doubt[viewer, owner]:
                return 7
    return 0


@kernel
def _broken_sample(state: State, world: State, seat: int, buffer: Any) -> int:
    """A sample is a sound position, but for guesses: what left unseen may use up what the deck could hold."""
    code = broken(world, buffer)
    if code and code != 8:
        return 12
    for kind in range(KINDS):
        if world.hands[seat, kind] != state.hands[seat, kind] or world.unseen[kind]:
            return 13
    for i in range(state.tops[seat]):
        if world.deck[state.deck_left - 1 - i] != state.deck[state.deck_left - 1 - i]:
            return 13
    return 0


@kernel
def check_game(state: State, world: Any, buffer: Any, log: Any, counter: Any, limit: int) -> Any:
    """Play at random; the promise that was broken (or 0) and the number of steps."""
    for steps in range(limit):
        code = broken(state, buffer)
        if code or state.ending:
            return code, steps
        if steps % 8 == 0:
            world[0] = state
            viewer = steps // 8 % state.players
            determinize(world[0], viewer, counter)
            code = _broken_sample(state, world[0], viewer, buffer)
            if code:
                return code, steps
        seat = lowest_place(waiting(state))
        index, counter = next_below(counter, legal(state, seat, buffer))
        step(state, seat, buffer[index], log)
    return 0, limit


@kernel
def check_games(states: Any, world: Any, options: Any, buffer: Any, log: Any, steps: Any, limit: int) -> Any:
    """The first game that breaks a promise and which; the steps of all before."""
    for number in range(len(states)):
        setup(states[number], options, derive_seed(11, number))
        code, steps[number] = check_game(states[number], world, buffer, log, derive_seed(5, number), limit)
        if code:
            return number, code
    return 0, 0


def play(row: Row, games: int) -> Any:
    """The steps of so many games of one combination."""
    chosen = variant(row)
    states, world, steps = struct_array(State, games), struct_array(State, 1), np.zeros(games, np.int64)
    buffer, log = np.zeros(chosen.game.actions.size + 1, np.int32), new_event_log(0)
    number, code = check_games(
        struct_views(State, states),
        struct_views(State, world),
        chosen.encoded_options.struct,
        kernel_array(buffer),
        kernel_array(log),
        kernel_array(steps),
        LIMIT,
    )
    assert not code, f"{row}, game {number}, step {steps[number]}: {BROKEN[code]}"
    return steps


def test_the_combinations_cover_all_pairs() -> None:
    rows_ = pairwise()
    assert all(allowed(row) for row in rows_) and 20 <= len(rows_) <= 32
    for a, b in itertools.combinations(FACTORS, 2):
        seen = {(row[a], row[b]) for row in rows_}
        assert all((x, y) in seen for x in FACTORS[a] for y in FACTORS[b] if allowed({a: x, b: y}))


@pytest.mark.rule("CA-01", "CA-10", "CA-14", "CA-17", "CA-23")
@pytest.mark.parametrize("row", pairwise(), ids=lambda row: " ".join(map(str, row.values())))
def test_random_games_keep_every_promise(row: Row) -> None:
    assert play(row, GAMES).max() < LIMIT


@pytest.mark.slow
def test_every_combination_keeps_every_promise() -> None:
    for row in filter(allowed, _rows()):
        assert play(row, 20).max() < LIMIT
