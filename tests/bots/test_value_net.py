"""The value network: it computes what its definition says, predicts results, and sees public information only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape, EntityGroup
from skerry.bots import default_bot, find
from skerry.bots.feature_modules import state_features_of
from skerry.bots.value_net import ValueNet, value_kernel, value_net_of
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.match import Match
from skerry.games import all_games
from tests.modes import output_in_both_modes

WITH_VALUE_NET = pytest.mark.parametrize(
    "game", [game for game in all_games() if game.value_net], ids=lambda game: game.name
)
GAMES = 120


def value_net(game: Game) -> ValueNet:
    found = value_net_of(game)
    assert found is not None
    return found


def value_of(match: Match) -> float:
    net = value_net(match.game)
    weights, scratch = net.weights[match.variant.players], np.zeros(net.shape.scratch_size)
    return float(net.value(match.state, kernel_array(weights), kernel_array(scratch)))


def state_features(match: Match) -> NDArray[np.float64]:
    shape = value_net(match.game).shape
    scratch = np.zeros(shape.scratch_size)
    state_features_of(match.game).write_state_features(match.state, kernel_array(scratch))
    return scratch[: shape.inputs]


def with_fewest_players(game: Game) -> Variant:
    """A variant to which the value network applies in every game."""
    return game.configure({"players": game.seats[0]})


def starts_of_turns(variant: Variant, seed: int) -> tuple[list[Match], float]:
    """The positions at the start of each turn of a game by the default bot, and its result: 1 for a win of the team, or
    the score of a single player."""
    match, bot = variant.new(seed=seed), find(variant.game, default_bot(variant.game))
    starts: list[Match] = []
    while match.result is None:
        if not starts or match.state.turns != starts[-1].state.turns:
            starts.append(match.copy())
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    won = match.result.ending.won
    return starts, float(won if variant.game.cooperative else match.result.scores[0])


def reference_forward(shape: DeepSetsShape, weights: NDArray[np.float64], inputs: NDArray[np.float64]) -> float:
    """The network in terms of matrices."""
    layers, at = [], 0
    for n_inputs, n_outputs in shape.layers:
        matrix = weights[at : at + n_inputs * n_outputs].reshape(n_inputs, n_outputs)
        layers.append((matrix, weights[at + n_inputs * n_outputs : at + (n_inputs + 1) * n_outputs]))
        at += (n_inputs + 1) * n_outputs
    pooled, start = [], 0
    for group, (matrix, bias) in zip(shape.groups, layers, strict=False):
        size = group.entities * group.features
        entities = inputs[start : start + size].reshape(group.entities, group.features)
        pooled.append((np.maximum(entities @ matrix + bias, 0) * (entities[:, :1] != 0)).sum(0))
        start += size
    hidden = np.concatenate(pooled)
    for matrix, bias in layers[-3:-1]:
        hidden = np.maximum(hidden @ matrix + bias, 0)
    output = float((hidden @ layers[-1][0] + layers[-1][1])[0])
    return 0.5 + 0.5 * output / (1 + abs(output))


def test_the_kernel_computes_the_network() -> None:
    shape = DeepSetsShape((EntityGroup(3, 4, 5), EntityGroup(1, 6, 2)), 7, 3)
    random = np.random.default_rng(1)
    weights, inputs = random.normal(size=shape.weight_count), random.normal(size=shape.inputs)
    inputs[4:8] = 0  # the second entity is absent

    @kernel
    def write_state_features(state: Any, out: Any) -> float:
        for i in range(len(state)):
            out[i] = state[i]
        return 3.0

    scratch = kernel_array(np.zeros(shape.scratch_size))
    value = value_kernel(write_state_features, shape, 20.0)(kernel_array(inputs), kernel_array(weights), scratch)
    share = reference_forward(shape, weights, inputs)
    assert 0 < share < 1
    assert value == pytest.approx(3 + 20 * share, abs=1e-12)


@WITH_VALUE_NET
def test_state_features_depend_on_public_information_only(game: Game) -> None:
    for seed in range(3):
        starts, _ = starts_of_turns(with_fewest_players(game), seed)
        for match in starts[1::5]:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(seed))
            assert other.content != match.content
            assert state_features(other).tolist() == state_features(match).tolist()


@WITH_VALUE_NET
def test_state_features_are_of_the_order_of_one(game: Game) -> None:
    for players in game.seats:
        starts, _ = starts_of_turns(game.configure({"players": players}), 2)
        features = np.array([state_features(match) for match in starts])
        assert np.isfinite(features).all() and np.abs(features).max() <= 5


@WITH_VALUE_NET
def test_values_predict_results(game: Game) -> None:
    """They correlate far more than by chance, so the weights belong to the features as they are. (The mean is another
    matter: the network was trained with stronger play than the default bot's.)"""
    values, results = [], []
    for seed in range(GAMES):
        starts, result = starts_of_turns(with_fewest_players(game), seed)
        values += [value_of(match) for match in starts]
        results += [result] * len(starts)
    predicted, actual = np.array(values), np.array(results)
    assert actual.std() > 0.2  # at least one game in twenty is won, and one lost
    assert np.corrcoef(predicted, actual)[0, 1] ** 2 > 0.15


@WITH_VALUE_NET
def test_values_are_the_same_interpreted(game: Game) -> None:
    code = f"""
from skerry.games import find_game
from tests.bots.test_value_net import starts_of_turns, value_of, with_fewest_players
starts, _ = starts_of_turns(with_fewest_players(find_game({game.name!r})), 1)
print([value_of(match).hex() for match in starts[:3]])
"""
    compiled, interpreted = output_in_both_modes(code)
    assert compiled and compiled == interpreted
