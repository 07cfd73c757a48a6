"""What value networks are trained on: positions, features and targets."""

from __future__ import annotations

import numpy as np

from skerry.bots.feature_modules import state_features_of
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import StructBuffer
from skerry.games import find_game
from skerry.train.feature_extraction import FeatureExtractor
from skerry.train.labelled_positions import best_policy_games
from skerry.train.self_play_games import TD_LAMBDA, write_td_targets
from skerry.train.variants import encode_variants

ISLAND = find_game("forbidden-island")


def test_td_targets_mix_later_values_and_the_result() -> None:
    values, targets = np.array([4.0, 6.0, 8.0]), np.zeros(2)
    rows = np.array([0, -1, 1])
    write_td_targets(10.0, 3, kernel_array(values), kernel_array(rows), kernel_array(targets))
    after_second = TD_LAMBDA * 10 + (1 - TD_LAMBDA) * 8
    after_first = TD_LAMBDA * after_second + (1 - TD_LAMBDA) * 6
    assert targets.tolist() == [after_first, 10.0], "the position in row -1 is left out"


def test_positions_are_labelled_with_the_result_of_their_game() -> None:
    options = encode_variants(ISLAND, [{"players": "2", "difficulty": "legendary"}])
    positions = best_policy_games(ISLAND, options, games=2, seed=1, threads=1)
    assert len(positions.states) == len(positions.targets)
    assert set(positions.targets) <= {0.0, 1.0}
    (second,) = np.flatnonzero(np.diff(positions.states["turns"]) <= 0) + 1
    for game in (positions.targets[:second], positions.targets[second:]):
        assert len(set(game)) == 1


def test_features_are_those_of_the_bots_on_any_number_of_threads() -> None:
    options = encode_variants(ISLAND, [{"players": "2", "difficulty": "legendary"}])
    states = best_policy_games(ISLAND, options, games=1, seed=1, threads=1).states
    alone, together = FeatureExtractor(ISLAND, 1).extract(states), FeatureExtractor(ISLAND, 3).extract(states)
    assert (alone.inputs == together.inputs).all() and (alone.certain == together.certain).all()
    scratch = kernel_array(np.zeros(FeatureExtractor(ISLAND, 1).shape.scratch_size))
    state = StructBuffer(ISLAND.state_struct, states[-1].tobytes()).struct
    state_features_of(ISLAND).write_state_features(state, scratch)
    assert alone.inputs[-1].tolist() == np.asarray(scratch)[: alone.inputs.shape[1]].astype(np.float32).tolist()
