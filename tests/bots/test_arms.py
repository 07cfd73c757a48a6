"""The statistics of arms: which rollouts are played next, which arms are eliminated, and which one is chosen."""

from __future__ import annotations

import numpy as np

from skerry.bots.arms import DUPLICATE_WORLDS, Arms, RolloutResults

BASELINE = np.array([True, False, False, True, False])
POSITIONS = np.array([0, 0, 0, 1, 1])  # three arms in one position, two in another


def new_arms() -> Arms:
    return Arms.of(POSITIONS, np.arange(5), BASELINE, 2)


def arms_with_wins(*wins: float, pulls: int = 100) -> Arms:
    """Arms that have won so many of their rollouts."""
    arms = new_arms()
    arms.pulls[:] = pulls
    arms.sums[:] = arms.squares[:] = wins
    return arms


def test_all_arms_of_a_position_are_played_in_the_same_worlds() -> None:
    arms = new_arms()
    arms.active[1] = False
    arms.pulls[0] = 1
    jobs = arms.jobs(np.array([3, 1]))
    assert jobs.tolist() == [[0, 0, 1], [0, 0, 2], [0, 2, 0], [0, 2, 1], [0, 2, 2], [1, 3, 0], [1, 4, 0]]


def test_results_are_added_to_the_statistics_of_their_arms() -> None:
    arms = new_arms()
    jobs = arms.jobs(np.array([2, 0]))
    arms.add(jobs, RolloutResults(np.array([1, 0, 1, 1, 0.5, 0]), np.array([1, 0, 1, 1, 0, 0], np.int8)))
    assert arms.pulls.tolist() == [2, 2, 2, 0, 0]
    assert arms.means.tolist() == [0.5, 1, 0.25, 0, 0]
    assert arms.gains.tolist() == [0, 1, -0.5, 0, 0] and arms.gain_squares.tolist() == [0, 1, 0.25, 0, 0]
    assert arms.endings.tolist() == [[1, 1], [0, 2], [2, 0], [0, 0], [0, 0]]


def test_gains_over_the_baseline_are_counted_world_by_world() -> None:
    arms = Arms.of(POSITIONS, np.arange(5), np.array([False, True, False, False, True]), 2)
    for _ in range(2):
        jobs = arms.jobs(arms.max_pulls(2) + 2)
        arms.add(jobs, RolloutResults(np.array([0, 1, 1, 0, 1, 1, 0, 0, 1, 0]), np.zeros(10, np.int8)))
    assert arms.gains.tolist() == [0, 0, 2, -2, 0]
    assert arms.gain_squares.tolist() == [4, 0, 2, 2, 0]


def test_arms_that_were_left_out_are_searched_on_their_own_and_merged() -> None:
    arms = new_arms()
    arms.active[2] = False
    arms.add(jobs := arms.jobs(np.array([2, 2])), RolloutResults(np.ones(len(jobs)), np.zeros(len(jobs), np.int8)))
    unplayed = arms.unplayed()
    assert unplayed.actions.tolist() == [0, 2, 3]
    unplayed.add(jobs := unplayed.jobs(np.array([1, 0])), RolloutResults(np.array([1, 0.5]), np.zeros(2, np.int8)))
    arms.merge(unplayed)
    assert arms.pulls.tolist() == [2, 2, 1, 2, 2] and arms.sums.tolist() == [2, 2, 0.5, 2, 2]


def test_elimination_keeps_the_best_arms_and_the_baseline() -> None:
    arms = arms_with_wins(50, 52, 51, 40, 41)
    arms.eliminate(np.array([1, 1]))
    assert arms.active.tolist() == [True, True, False, True, True]
    assert arms.leaders(2).tolist() == [1, 4]


def test_an_arm_that_clearly_lags_behind_is_eliminated_early() -> None:
    arms = arms_with_wins(90, 20, 88, 40, 41)
    arms.eliminate(np.array([3, 2]))
    assert arms.active.tolist() == [True, False, True, True, True]


def test_the_baseline_is_eliminated_when_the_only_other_arm_is_clearly_better() -> None:
    arms = arms_with_wins(20, 90, 88, 10, 80)
    arms.eliminate(np.array([3, 2]))
    assert arms.active.tolist() == [True, True, True, False, True]


def test_of_duplicates_the_baseline_is_kept() -> None:
    arms = arms_with_wins(50, 50, 49, 40, 41)
    arms.eliminate(np.array([3, 2]))
    assert arms.active.tolist() == [True, False, True, True, True]


def test_the_same_results_in_a_few_worlds_do_not_make_duplicates() -> None:
    arms = arms_with_wins(2, 2, 2, 3, 3, pulls=DUPLICATE_WORLDS - 1)
    arms.drop_duplicates()
    assert arms.active.all()


def test_arms_that_won_as_often_in_other_worlds_are_no_duplicates() -> None:
    arms = arms_with_wins(50, 50, 50, 40, 40)
    arms.gain_squares[:] = 0, 20, 20, 0, 6
    arms.drop_duplicates()
    assert arms.active.tolist() == [True, True, False, True, True]


def test_another_arm_is_chosen_only_if_its_confidence_bound_beats_the_baseline() -> None:
    arms = arms_with_wins(50, 53, 51, 40, 60)
    arms.gains[:] = arms.sums - np.array([50, 50, 50, 40, 40])
    arms.gain_squares[:] = 40
    assert arms.best(2).tolist() == [0, 4]


def test_a_small_gain_in_every_world_is_trusted_where_all_results_are_alike() -> None:
    arms = arms_with_wins(0.4, 0.6, 0.5, 10, 11, pulls=20)
    arms.squares[:3] = arms.sums[:3] ** 2 / 20 + 0.001
    arms.gains[:] = 0, 0.2, 0.1, 0, 1
    arms.gain_squares[:] = 0, 0.004, 0.003, 0, 5
    assert arms.best(2).tolist() == [1, 3]


def test_the_variance_of_a_mean_grows_with_the_variance_of_the_position() -> None:
    low, high = arms_with_wins(1, 1, 1, 1, 1, pulls=4), arms_with_wins(2, 2, 2, 1, 3, pulls=4)
    assert (low.mean_variances() < high.mean_variances()).all()
    assert (arms_with_wins(0, 0, 0, 4, 4, pulls=4).mean_variances() == 0).all()
