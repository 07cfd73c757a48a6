"""Random games with combinations of all options; a kernel checks the invariants after every step."""

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
from skerry.games.cartagena.rules.memory import doubtful_copies, known_copies
from skerry.games.cartagena.rules.path import goal_place, lowest_place, pirates_aboard
from skerry.games.cartagena.rules.setup import setup
from skerry.games.cartagena.rules.state import LANTERN_PUT, POOL, PUBLIC, RUM_KEEP, State
from skerry.games.cartagena.rules.step import step

GAMES = 1 if INTERPRETED else 200
LIMIT = 5_000  # steps; no random game has come near it
(
    INTACT,
    CARDS_LOST,
    HAND_SIZE,
    PIRATE_PLACES,
    SPACE_OVERFULL,
    SLOOP_OVERFULL,
    WRONG_END,
    FALSE_KNOWLEDGE,
    DECK_LIMITS,
    STUCK,
    TOKENS_LOST,
    POOL_OR_DECK,
    UNSOUND_SAMPLE,
    SAMPLE_CHANGES_KNOWLEDGE,
) = range(14)
INVARIANTS = (
    "intact",
    "cards are lost or added",
    "a hand does not have the noted size",
    "the places of the pirates do not agree",
    "more than three pirates are on a space",
    "more than three pirates of a colour are aboard",
    "the end does not agree with the pirates at the goal",
    "a seat knows something that is not true",
    "the deck contains cards that it cannot",
    "nobody can act, or more than one must",
    "a chest token is missing",
    "cards are in the pool or beyond the deck without reason",
    "a determinization is no valid position",
    "a determinization changes what its seat knows",
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
    """Combinations in which every allowed pair of values of two options occurs at least once."""
    wanted = {
        ((a, x), (b, y))
        for a, b in itertools.combinations(FACTORS, 2)
        for x in FACTORS[a]
        for y in FACTORS[b]
        if allowed({a: x, b: y})
    }
    rows = [row for row in _rows() if allowed(row)]
    chosen = []
    while wanted:
        best = max(rows, key=lambda row: len(wanted & _pairs(row)))
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
def broken_invariant(state: State, buffer: Any) -> int:
    """The number of the first broken invariant, or 0."""
    code = _broken_cards(state)
    code = code if code else _broken_pirates(state)
    code = code if code else _broken_end(state, buffer)
    return code if code else _broken_knowledge(state)


@kernel
def copies_in_deck(state: State, kind: int) -> int:
    count = 0
    for position in range(state.deck_left):
        count += 1 if state.deck[position] == kind else 0
    return count


@kernel
def _broken_cards(state: State) -> int:
    dark = DARK_COPIES if state.flibusters else 0
    for kind in range(KINDS):
        count = state.discard[kind] + state.pool[kind] + copies_in_deck(state, kind)
        for seat in range(state.players):
            if state.hands[seat, kind] < 0:
                return CARDS_LOST
            count += state.hands[seat, kind]
        if count != (COPIES - dark if kind < N_SYMBOLS else dark):
            return CARDS_LOST
    if (state.pooled > 0) != (RUM_KEEP <= state.phase <= LANTERN_PUT):
        return POOL_OR_DECK
    for position in range(state.deck_left, N_CARDS):
        if state.deck[position]:
            return POOL_OR_DECK
    return _broken_hands(state)


@kernel
def _broken_hands(state: State) -> int:
    for seat in range(state.players):
        held = 0
        for kind in range(KINDS):
            held += state.hands[seat, kind]
        if held != state.held[seat]:
            return HAND_SIZE
    return INTACT


@kernel
def _broken_pirates(state: State) -> int:
    for place in range(PLACES):
        count = 0
        for seat in range(state.players):
            here = 0
            for pirate in range(state.crew):
                here += 1 if state.where[seat, pirate] == place else 0
            if (here > 0) != (state.at[seat] >> place & 1 == 1):
                return PIRATE_PLACES
            count += here
        code = _broken_place(state, place, count)
        if code:
            return code
    for seat in range(state.players):
        if state.story == FULL and pirates_aboard(state, seat) > MAX_PIRATES:
            return SLOOP_OVERFULL
    return INTACT


@kernel
def _broken_place(state: State, place: int, count: int) -> int:
    if count != state.crowd[place] or (state.spaces < place <= SPACES and count):
        return PIRATE_PLACES
    if not 0 < place <= SPACES:
        return INTACT
    if count > MAX_PIRATES:
        return SPACE_OVERFULL
    is_occupied = state.occupied >> place & 1 == 1
    is_crowded = state.crowded >> place & 1 == 1
    agrees = (count > 0) == is_occupied and (count == MAX_PIRATES) == is_crowded
    return INTACT if agrees else PIRATE_PLACES


@kernel
def _broken_end(state: State, buffer: Any) -> int:
    winners = 0
    for seat in range(state.players):
        if state.at[seat] == 1 << goal_place(state):
            winners += 1
            if state.winner != seat:
                return WRONG_END
    if winners != (1 if state.ending else 0):
        return WRONG_END
    seats = waiting(state)
    if (seats == 0) != (state.ending > 0) or seats & (seats - 1):
        return STUCK
    for seat in range(state.players):
        if (legal(state, seat, buffer) > 0) != (seats >> seat & 1 == 1):
            return STUCK
    total = 0
    expected = 0
    for i in range(PARTS):
        total += 1 << 4 * state.tokens[i]
        expected += 1 << 4 * CHEST_TOKENS_TABLE[i]
    return TOKENS_LOST if state.magic and total != expected else INTACT


@kernel
def _broken_knowledge(state: State) -> int:
    for viewer in range(PUBLIC + 1):
        for kind in range(KINDS):
            if copies_in_deck(state, kind) > state.limits[viewer, kind]:
                return DECK_LIMITS
    for viewer in range(state.players):
        if state.tops[viewer] > state.deck_left:
            return FALSE_KNOWLEDGE
        for owner in range(POOL + 1):
            gone = 0
            for kind in range(KINDS):
                held = state.pool[kind] if owner == POOL else state.hands[owner, kind]
                known = known_copies(state, viewer, owner, kind)
                if held < known - doubtful_copies(state, viewer, owner, kind):
                    return FALSE_KNOWLEDGE
                gone += max(0, known - held)
            if gone > state.doubt[viewer, owner]:
                return FALSE_KNOWLEDGE
    return INTACT


@kernel
def _broken_sample(state: State, world: State, seat: int, buffer: Any) -> int:
    """The first broken invariant of a determinization.

    Limits of the deck are not checked: guesses about cards that left a hand unseen can use up the cards that fit.
    """
    code = broken_invariant(world, buffer)
    if code and code != DECK_LIMITS:
        return UNSOUND_SAMPLE
    for kind in range(KINDS):
        if world.hands[seat, kind] != state.hands[seat, kind] or world.unseen[kind]:
            return SAMPLE_CHANGES_KNOWLEDGE
    for i in range(state.tops[seat]):
        if world.deck[state.deck_left - 1 - i] != state.deck[state.deck_left - 1 - i]:
            return SAMPLE_CHANGES_KNOWLEDGE
    return INTACT


@kernel
def check_game(state: State, world: Any, buffer: Any, log: Any, rng: Any, limit: int) -> Any:
    """Play a random game; returns the number of the first broken invariant (or 0) and of the steps."""
    for steps in range(limit):
        code = broken_invariant(state, buffer)
        if code or state.ending:
            return code, steps
        if steps % 8 == 0:
            world[0] = state
            viewer = steps // 8 % state.players
            determinize(world[0], viewer, rng)
            code = _broken_sample(state, world[0], viewer, buffer)
            if code:
                return code, steps
        seat = lowest_place(waiting(state))
        index, rng = next_below(rng, legal(state, seat, buffer))
        step(state, seat, buffer[index], log)
    return 0, limit


@kernel
def check_games(states: Any, world: Any, options: Any, buffer: Any, log: Any, steps: Any, limit: int) -> Any:
    """Play games until one breaks an invariant; returns the numbers of the game and of the invariant, or zeros."""
    for number in range(len(states)):
        setup(states[number], options, derive_seed(11, number))
        code, steps[number] = check_game(states[number], world, buffer, log, derive_seed(5, number), limit)
        if code:
            return number, code
    return 0, 0


def play(row: Row, games: int) -> Any:
    """Play games with one combination of options; returns the number of steps of each."""
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
    assert not code, f"{row}, game {number}, step {steps[number]}: {INVARIANTS[code]}"
    return steps


def test_the_option_combinations_cover_all_pairs() -> None:
    rows_ = pairwise()
    assert all(allowed(row) for row in rows_) and 20 <= len(rows_) <= 32
    for a, b in itertools.combinations(FACTORS, 2):
        seen = {(row[a], row[b]) for row in rows_}
        assert all((x, y) in seen for x in FACTORS[a] for y in FACTORS[b] if allowed({a: x, b: y}))


@pytest.mark.rule("CA-01", "CA-10", "CA-14", "CA-17", "CA-23")
@pytest.mark.parametrize("row", pairwise(), ids=lambda row: " ".join(map(str, row.values())))
def test_random_games_keep_every_invariant(row: Row) -> None:
    assert play(row, GAMES).max() < LIMIT


@pytest.mark.slow
def test_every_option_combination_keeps_every_invariant() -> None:
    for row in filter(allowed, _rows()):
        assert play(row, 20).max() < LIMIT
