"""The event log: it holds what a game declares, and an event more is noticed in every mode."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from skerry.engine import conformance
from skerry.engine.event_log import MOST_MISSED, emit, emit_secret, new_event_log
from skerry.engine.events import EVERYBODY, LOG_WIDTH, MISSED, WRITTEN, EventLogOverflow, logged_rows
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.games import all_games, find_game
from tests.modes import only_compiled, output_in_both_modes

ISLAND = find_game("forbidden-island")


def test_a_log_keeps_the_events_in_their_order() -> None:
    log = new_event_log(2)
    emit(kernel_array(log), 3, 10, 11, 12)
    emit_secret(kernel_array(log), 0b10, 4, 20, 21, 22, 23)
    assert logged_rows(log, "a game") == [[3, EVERYBODY, 10, 11, 12, 0], [4, 0b10, 20, 21, 22, 23]]


def test_a_log_without_rows_records_nothing() -> None:
    log = new_event_log(0)
    emit(kernel_array(log), 1, 2, 3, 4)
    assert log.shape == (0, LOG_WIDTH)


def test_an_event_that_does_not_fit_is_counted_and_nothing_beyond_the_log_is_written() -> None:
    """The log is part of a larger array, whose other rows must stay as they are."""
    whole = np.full((6, LOG_WIDTH), 77, np.int16)
    log = whole[:3]
    log[0] = 0
    for kind in range(5):
        emit(kernel_array(log), kind, kind, 0, 0)
    assert (whole[3:] == 77).all()
    assert log[0, WRITTEN] == 2 and log[0, MISSED] == 3
    assert log[1:, 0].tolist() == [0, 1], "the events that fit are the first"


def test_reading_a_log_that_was_too_small_names_the_game() -> None:
    log = new_event_log(2)
    for _ in range(5):
        emit(kernel_array(log), 1, 0, 0, 0)
    with pytest.raises(EventLogOverflow, match=r"a step of my-game wrote 5 events, and .* more than 2 \(max_events\)"):
        logged_rows(log, "my-game")


def test_the_counter_of_missed_events_does_not_overflow() -> None:
    log = new_event_log(1)
    log[0, WRITTEN], log[0, MISSED] = 1, MOST_MISSED
    emit(kernel_array(log), 1, 0, 0, 0)
    assert log[0, MISSED] == MOST_MISSED


COUNTS = """
import hashlib
import numpy as np
from skerry.engine.conformance import random_play
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import StructBuffer
from skerry.games import all_games
import random

for game in all_games():
    digest = hashlib.sha256()
    match = game.configure({}).new(seed=5)
    for seat, action in random_play(match, random.Random(5), limit=60):
        world, log = StructBuffer(game.state_struct, match.content), new_event_log(1)
        game.rules.step(world.struct, seat, action, kernel_array(log))
        digest.update(world.content + log.tobytes())
    print(game.name, digest.hexdigest())
"""


def test_compiled_and_interpreted_steps_miss_the_same_events() -> None:
    compiled, interpreted = output_in_both_modes(COUNTS)
    assert compiled == interpreted and len(compiled.splitlines()) == len(all_games())


def test_a_match_refuses_a_step_that_writes_more_than_its_game_declares_and_stays_as_it_is() -> None:
    """The third action of this turn shores up two tiles: two events, where the game declares one."""
    declared = dataclasses.replace(ISLAND, max_events=1)
    match = declared.configure({"players": 2, "roles": "engineer,pilot", "first": 0}).new(seed=1)
    pair = next(action for action in match.legal(0) if len(action.entities) == 2 and action.verb == "shore")
    before = match.content
    with pytest.raises(EventLogOverflow, match="forbidden-island"):
        match.play(0, pair)
    assert match.content == before and not match.steps


def test_conformance_notices_a_game_that_declares_too_little() -> None:
    with pytest.raises(AssertionError, match=r"a step writes \d+ events, and max_events is 1"):
        conformance.check_event_log(dataclasses.replace(ISLAND, max_events=1))


@pytest.mark.parametrize("max_events", [0, -1, 40_000])
def test_a_game_declares_a_number_that_a_log_can_hold(max_events: int) -> None:
    with pytest.raises(ValueError, match="max_events"):
        dataclasses.replace(ISLAND, max_events=max_events)


@only_compiled
@pytest.mark.parametrize("games", [100, pytest.param(4000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_games_that_seek_long_steps_find_none_beyond_the_declared(game: Game, games: int) -> None:
    """What a step can write at most is proved by positions in each game's own tests; this is the net below them."""
    for seed, variant in zip(range(games), itertools.cycle(conformance.variants(game)), strict=False):
        written = conformance.most_events(variant, seed, greed=seed % 5 / 4, limit=500)
        assert 1 < written <= game.max_events, f"{variant.options} seed {seed}"
