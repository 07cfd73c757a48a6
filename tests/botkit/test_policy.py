"""Building blocks of policies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from skerry.botkit.policy import greedy, index_of, index_or_pass, weights_by_players
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import ASK, NOT_LEGAL, PASS

LEGAL = kernel_array(np.array([2, 3, 5, 8], np.int16))


class Weights(NamedTuple):
    speed: int
    care: int


@kernel
def target(world: Any, seat: int) -> int:
    return 10 * seat


@kernel
def closeness(world: Any, seat: int, action: int, context: int) -> int:
    return -abs(world[action] - context)


def test_weights_have_a_column_for_each_number_of_players() -> None:
    two, three = weights_by_players(Weights, speed=(1, 2), care=(3, 4))
    assert two == Weights(1, 3) and three == Weights(2, 4)


def test_a_greedy_policy_takes_the_action_with_the_highest_score() -> None:
    world = kernel_array(np.array([0, 0, 4, 9, 0, 12, 0, 0, 30]))
    choose = greedy(target, closeness)
    assert choose(world, 1, LEGAL, 4, np.uint64(1))[0] == 1
    assert choose(world, 3, LEGAL, 4, np.uint64(1))[0] == 3


def test_a_greedy_policy_breaks_ties_at_random() -> None:
    world = kernel_array(np.array([0, 0, 9, 11, 0, 9, 0, 0, 30]))
    choose = greedy(target, closeness)
    chosen = [choose(world, 1, LEGAL, 4, np.uint64(seed))[0] for seed in range(300)]
    assert all(70 < chosen.count(index) < 130 for index in range(3)) and 3 not in chosen


def test_a_single_legal_action_needs_no_random_numbers() -> None:
    assert greedy(target, closeness)(kernel_array(np.zeros(9)), 0, LEGAL, 1, np.uint64(7)) == (0, 7)


@pytest.mark.parametrize(("action", "index"), [(2, 0), (3, 1), (8, 3)])
def test_the_index_of_a_legal_action(action: int, index: int) -> None:
    assert index_of(action, LEGAL, 4) == index_or_pass(action, LEGAL, 4) == index


@pytest.mark.parametrize("action", [0, 4, 9])
def test_the_index_of_an_illegal_action_is_a_code_that_tells_which_it_is(action: int) -> None:
    code = index_of(action, LEGAL, 4)
    assert code == index_or_pass(action, LEGAL, 4) <= NOT_LEGAL and NOT_LEGAL - 1 - code == action


def test_the_index_of_no_action_at_all_is_a_code_too() -> None:
    assert index_of(-7, LEGAL, 4) == NOT_LEGAL not in (PASS, ASK)


def test_a_seat_that_interrupts_can_pass() -> None:
    assert index_or_pass(PASS, LEGAL, 4) == PASS
