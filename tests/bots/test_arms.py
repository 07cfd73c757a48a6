"""Plans that compete: who is tried how often, and who stays in the race."""

from __future__ import annotations

import numpy as np

from skerry.bots.arms import ALIKE, Arms

OWN = np.array([True, False, False, True, False])  # what the policy would do
TWO = np.array([0, 0, 0, 1, 1])  # three plans of one position, two of another


def field_of(*sums: float, tries: int = 100) -> Arms:
    """Plans that have won so many of their games."""
    field = Arms.of(TWO, np.arange(5), OWN, 2)
    field.tries[:] = tries
    field.sums[:] = field.squares[:] = sums
    return field


def test_every_plan_of_a_position_is_tried_in_the_same_worlds() -> None:
    field = Arms.of(TWO, np.arange(5), OWN, 2)
    field.alive[1] = False
    field.tries[0] = 1
    jobs = field.jobs(np.array([3, 1]))
    assert jobs.tolist() == [[0, 0, 1], [0, 0, 2], [0, 2, 0], [0, 2, 1], [0, 2, 2], [1, 3, 0], [1, 4, 0]]


def test_what_came_of_the_jobs_is_added_up() -> None:
    field = Arms.of(TWO, np.arange(5), OWN, 2)
    jobs = field.jobs(np.array([2, 0]))
    field.add(jobs, np.array([1, 0, 1, 1, 0.5, 0]), np.array([1, 0, 1, 1, 0, 0], np.int8))
    assert field.tries.tolist() == [2, 2, 2, 0, 0]
    assert field.means.tolist() == [0.5, 1, 0.25, 0, 0]
    assert field.gains.tolist() == [0, 1, -0.5, 0, 0] and field.gain_squares.tolist() == [0, 1, 0.25, 0, 0]
    assert field.endings.tolist() == [[1, 1], [0, 2], [2, 0], [0, 0], [0, 0]]


def test_gains_are_counted_world_by_world() -> None:
    field = Arms.of(TWO, np.arange(5), np.array([False, True, False, False, True]), 2)
    for _ in range(2):
        jobs = field.jobs(field.most_tries(2) + 2)
        field.add(jobs, np.array([0, 1, 1, 0, 1, 1, 0, 0, 1, 0]), np.zeros(10, np.int8))
    assert field.gains.tolist() == [0, 0, 2, -2, 0]
    assert field.gain_squares.tolist() == [4, 0, 2, 2, 0]


def test_the_best_of_each_position_stay_and_the_policys_own() -> None:
    field = field_of(50, 52, 51, 40, 41)
    field.keep(np.array([1, 1]))
    assert field.alive.tolist() == [True, True, False, True, True]
    assert field.leaders(2).tolist() == [1, 4]


def test_what_lags_clearly_is_dropped_early() -> None:
    field = field_of(90, 20, 88, 40, 41)
    field.keep(np.array([3, 2]))
    assert field.alive.tolist() == [True, False, True, True, True]


def test_the_policys_own_goes_when_a_single_other_is_clearly_better() -> None:
    field = field_of(20, 90, 88, 10, 80)
    field.keep(np.array([3, 2]))
    assert field.alive.tolist() == [True, True, True, False, True]


def test_of_plans_that_fared_alike_the_policys_own_stays() -> None:
    field = field_of(50, 50, 49, 40, 41)
    field.keep(np.array([3, 2]))
    assert field.alive.tolist() == [True, False, True, True, True]


def test_in_a_few_worlds_faring_alike_means_nothing() -> None:
    field = field_of(2, 2, 2, 3, 3, tries=ALIKE - 1)
    field.drop_alike()
    assert field.alive.all()


def test_plans_that_won_as_often_but_in_other_worlds_are_not_alike() -> None:
    field = field_of(50, 50, 50, 40, 40)
    field.gain_squares[:] = 0, 20, 20, 0, 6
    field.drop_alike()
    assert field.alive.tolist() == [True, True, False, True, True]


def test_another_plan_is_followed_only_if_it_is_better_beyond_doubt() -> None:
    field = field_of(50, 53, 51, 40, 60)
    field.gains[:] = field.sums - np.array([50, 50, 50, 40, 40])
    field.gain_squares[:] = 40
    assert field.best(2).tolist() == [0, 4]


def test_a_small_gain_in_every_world_is_trusted_where_little_is_at_stake() -> None:
    field = field_of(0.4, 0.6, 0.5, 10, 11, tries=20)
    field.squares[:3] = field.sums[:3] ** 2 / 20 + 0.001
    field.gains[:] = 0, 0.2, 0.1, 0, 1
    field.gain_squares[:] = 0, 0.004, 0.003, 0, 5
    assert field.best(2).tolist() == [1, 3]


def test_doubt_grows_with_what_is_at_stake() -> None:
    low, high = field_of(1, 1, 1, 1, 1, tries=4), field_of(2, 2, 2, 1, 3, tries=4)
    assert (low.errors() < high.errors()).all()
    assert (field_of(0, 0, 0, 4, 4, tries=4).errors() == 0).all()
