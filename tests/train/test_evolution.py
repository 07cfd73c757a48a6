"""Evolution of a policy's weights, with few games and without the package cma where it is not what is tested."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.engine.errors import Refusal
from skerry.games import find_game
from skerry.train.evolution import CpuEvaluator, SearchSpace, compare, evolve, starting_weights, train
from skerry.train.settings import EvolutionSettings

HASHI = find_game("hashi")
SMALL = EvolutionSettings(vary=("players=1", "board=A"), games=2, candidates=4, generations=2, check_games=2, cores=1)
SOLO = [{"players": "1", "board": "A"}]


class ToyWeights(NamedTuple):
    search_depth: int
    gain: int
    loss: int


class ToyEvaluator:
    """Candidates are the better, the nearer they are to a hidden optimum."""

    optimum = np.array([3, 40, -60])

    def mean_results(self, weights: NDArray[np.int64], games: int, seed: int) -> NDArray[np.float64]:
        return -np.abs(weights - self.optimum).sum(axis=1, keepdims=True).astype(np.float64)

    def fitness(self, mean_results: NDArray[np.float64]) -> NDArray[np.float64]:
        fitness: NDArray[np.float64] = mean_results.mean(axis=-1)
        return fitness


class RandomSearch:
    """An evolution strategy for tests: the best point so far, and random points around it."""

    def __init__(self, dimensions: int, population: int) -> None:
        self.best_guess = np.zeros(dimensions)
        self.population, self.sigma = population, 1.0
        self.lowest_loss = np.inf
        self.chance = np.random.default_rng(5)

    def ask(self) -> Sequence[NDArray[np.float64]]:
        return list(self.best_guess + self.chance.normal(size=(self.population, len(self.best_guess))))

    def tell(self, points: Sequence[NDArray[np.float64]], losses: Sequence[float]) -> None:
        best = int(np.argmin(losses))
        if losses[best] < self.lowest_loss:
            self.best_guess, self.lowest_loss = points[best], losses[best]


def test_the_search_space_keeps_fixed_weights_and_signs() -> None:
    space = SearchSpace(ToyWeights(search_depth=3, gain=10, loss=-5))
    assert space.dimensions == 2
    assert space.weights(np.zeros(2)).tolist() == [3, 10, -5]
    assert space.weights(np.array([1.0, 1.0])).tolist() == [3, 15, -2]
    assert space.weights(np.array([-100.0, -100.0])).tolist() == [3, 0, -50], "limits below"


def test_evolution_approaches_the_optimum_of_a_toy_problem() -> None:
    lines: list[str] = []
    space = SearchSpace(ToyWeights(search_depth=3, gain=10, loss=-10))
    settings = replace(SMALL, generations=60, seconds=60)
    best = evolve(ToyEvaluator(), space, RandomSearch(space.dimensions, 12), settings, lines.append)
    assert best[0] == 3
    assert np.abs(best - ToyEvaluator.optimum).max() <= 3
    assert len(lines) == 6 and "generation 51" in lines[-1]


def test_each_candidate_plays_by_its_own_weights() -> None:
    weights = importlib.import_module("skerry.games.hashi.bot.weights").SKILLED
    evaluator = CpuEvaluator(HASHI, SOLO, cores=1)
    candidates = np.array([weights, weights, [0] * len(weights)], np.int64)
    results = evaluator.mean_results(candidates, games=3, seed=2)
    assert results.shape == (3, 1)
    assert results[0] == results[1] > results[2]
    assert evaluator.fitness(results)[0] == results[0, 0], "alone, the score counts"


def test_fitness_counts_wins_more_where_they_are_rare() -> None:
    evaluator = CpuEvaluator(find_game("forbidden-island"), [{"players": "2"}], cores=1)
    gains = evaluator.fitness(np.array([[0.02], [0.01], [0.52], [0.51]]))
    assert gains[0] - gains[1] > gains[2] - gains[3]


def test_start_and_result_are_compared_in_the_same_games() -> None:
    weights = importlib.import_module("skerry.games.hashi.bot.weights").SKILLED
    compared = compare(CpuEvaluator(HASHI, SOLO, cores=1), weights, np.array(weights, np.int64), games=2)
    assert compared.before == compared.after and compared.fitness_before == compared.fitness_after


def test_evolution_starts_from_a_file(tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps({"no_number": 5}))
    weights = starting_weights(HASHI, SOLO, replace(SMALL, start=start))
    assert weights.no_number == 5 and weights.extra_bridge == starting_weights(HASHI, SOLO, SMALL).extra_bridge


def test_rivals_are_refused() -> None:
    with pytest.raises(Refusal, match="no policy that can be evolved"):
        train(HASHI, replace(SMALL, vary=("players=2",)), print)
    with pytest.raises(Refusal, match="no policy that can be evolved"):
        train(find_game("cartagena"), replace(SMALL, vary=("players=2",)), print)


@pytest.mark.slow
def test_evolution_with_cma_writes_the_weights(tmp_path: Path) -> None:
    """Needs the extra ``train``."""
    lines: list[str] = []
    out = tmp_path / "weights.json"
    train(HASHI, replace(SMALL, json=out), lines.append)
    assert json.loads(out.read_text()).keys() == starting_weights(HASHI, SOLO, SMALL)._asdict().keys()
    assert any(line.startswith("fitness") for line in lines)
