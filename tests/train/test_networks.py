"""The networks in training compute what the compiled networks compute. Needs the extra ``train``."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.bots import policy_net, value_net
from skerry.bots.feature_modules import action_features_of, state_features_of
from skerry.games import find_game
from skerry.train.rollout_env import RolloutEnv
from skerry.train.variants import encode_variants

ISLAND = find_game("forbidden-island")
PLAYERS = 3


@pytest.mark.slow
def test_networks_in_training_agree_with_the_compiled_ones() -> None:
    import torch

    from skerry.botkit.deep_sets import DeepSetsShape
    from skerry.train.decisions import DecisionBatch
    from skerry.train.networks import PolicyNetModule, ValueNetModule

    policy, value = policy_net.policy_net_of(ISLAND), value_net.value_net_of(ISLAND)
    assert policy is not None and value is not None
    groups = state_features_of(ISLAND).ENTITY_GROUPS
    parts = policy_net.action_parts(ISLAND, groups)
    policy_module = PolicyNetModule(groups, parts, action_features_of(ISLAND).N_ACTION_FEATURES)
    value_module = ValueNetModule(DeepSetsShape(groups))
    policy_module.load_flat_weights(policy.weights[PLAYERS])
    value_module.load_flat_weights(value.weights[PLAYERS])

    env = RolloutEnv(ISLAND, encode_variants(ISLAND, [{"players": str(PLAYERS)}]), games=40, seed=1)
    scratch, logits = np.zeros(policy.shape.scratch.size), np.zeros(ISLAND.actions.size + 1)
    for step in range(60):
        batch = DecisionBatch.current(env)
        with torch.no_grad():
            log_probs, values = policy_module(batch), value_module(batch.state_features)
        for i in range(env.games):
            first, count = int(batch.first_action[i]), int(batch.action_counts[i])
            legal = batch.actions[first : first + count].numpy().astype(np.int16)
            state = env.buffers.states[i]
            policy.write_logits(state, int(batch.seats[i]), legal, count, policy.weights[PLAYERS], scratch, logits)
            expected = log_softmax(logits[:count])
            assert np.abs(log_probs[first : first + count].numpy() - expected).max() < 1e-4
            expected_value = value.value(state, value.weights[PLAYERS], np.zeros(value.shape.scratch_size))
            assert abs(float(values[i]) - expected_value) < 1e-4
        last_or_first = env.buffers.action_counts - 1 if step % 2 else np.zeros(env.games, np.int64)
        env.step(last_or_first)


def log_softmax(logits: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


@pytest.mark.slow
def test_weights_written_flat_are_read_back() -> None:
    from skerry.botkit.deep_sets import DeepSetsShape
    from skerry.train.networks import PolicyNetModule, ValueNetModule

    groups = state_features_of(ISLAND).ENTITY_GROUPS
    parts = policy_net.action_parts(ISLAND, groups)
    for module in (
        ValueNetModule(DeepSetsShape(groups)),
        PolicyNetModule(groups, parts, action_features_of(ISLAND).N_ACTION_FEATURES),
    ):
        weights = np.arange(len(module.flat_weights()), dtype=np.float32)
        module.load_flat_weights(weights)
        assert (module.flat_weights() == weights).all()
        with pytest.raises(ValueError, match="weights given for a network"):
            module.load_flat_weights(np.append(weights, 0))
