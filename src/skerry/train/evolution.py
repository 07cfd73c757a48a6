"""Finds the weights of a hand-written policy by evolution (CMA-ES).

The candidates of a generation are slightly different weights that play the same games; the next generation is sampled
nearer to the fittest. In co-operative games the fitness of a candidate is the mean over all variants of the arcsine of
the square root of its win rate. That makes the sampling error of each variant the same, whatever its win rate, so that
a gain counts for more where wins are rare. In solo games the fitness is the mean score. Competitive games are not
supported.
"""

from __future__ import annotations

import functools
import importlib
import json
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from skerry.bots.illegal_choice import IllegalChoice
from skerry.bots.interrupts import interrupting_of
from skerry.bots.rollout import MAX_ROLLOUT_STEPS
from skerry.engine.errors import Refusal
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, NOBODY, PASS, action_at, answer_kernel, ask_driver, is_answer, play_loop
from skerry.engine.messages import say
from skerry.engine.rng import derive_seed
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import dtype_of, struct_array, struct_views
from skerry.train.kernel_support import BatchKernel, kernel_rows
from skerry.train.settings import EvolutionSettings, Report
from skerry.train.variants import VariantOptions, describe, encode_variants, training_variants

FIXED_WEIGHTS = ("search_depth", "foresight")  # numbers of actions and turns: not a matter of degree
RELATIVE_SCALE, ABSOLUTE_SCALE = 0.3, 2.0  # the search scale of a weight is 0.3 times its start value, plus 2
LOWEST_FACTOR = 10  # a weight that starts below 0 may fall to this many times its start; others not below 0
THREADS_PER_BLOCK, MAX_GPU_WORKERS = 128, 132 * 512
REPORT_EVERY = 10  # generations
CMA_SEED = 1


class Strategy(Protocol):
    """An evolution strategy that minimises, such as ``cma.CMAEvolutionStrategy``."""

    @property
    def sigma(self) -> float: ...
    @property
    def best_guess(self) -> NDArray[np.float64]: ...
    def ask(self) -> Sequence[NDArray[np.float64]]: ...
    def tell(self, points: Sequence[NDArray[np.float64]], losses: Sequence[float]) -> None: ...


class Objective(Protocol):
    """What candidates are judged by, such as a ``CpuEvaluator``."""

    def mean_results(self, weights: NDArray[np.int64], games: int, seed: int) -> NDArray[np.float64]: ...
    def fitness(self, mean_results: NDArray[np.float64]) -> NDArray[np.float64]: ...


class CmaStrategy:
    """CMA-ES of the package cma, from the origin of the search space."""

    def __init__(self, dimensions: int, settings: EvolutionSettings) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # cma warns at import where it cannot plot
            import cma
        options = {
            "popsize": settings.candidates,
            "seed": CMA_SEED,
            "verbose": -9,
            "maxiter": 10**6,
            "tolflatfitness": 10**6,
        }
        self._search = cma.CMAEvolutionStrategy(np.zeros(dimensions), settings.step_size, options)

    @property
    def sigma(self) -> float:
        return float(self._search.sigma)

    @property
    def best_guess(self) -> NDArray[np.float64]:
        """The mean of the search distribution."""
        mean: NDArray[np.float64] = self._search.result.xfavorite
        return mean

    def ask(self) -> Sequence[NDArray[np.float64]]:
        points: Sequence[NDArray[np.float64]] = self._search.ask()
        return points

    def tell(self, points: Sequence[NDArray[np.float64]], losses: Sequence[float]) -> None:
        self._search.tell(points, list(losses))


class SearchSpace:
    """Maps points of the search, around the origin, to integer weights around a start."""

    def __init__(self, start: Any) -> None:
        self.start = np.array(start, np.float64)
        self.is_free = np.array([name not in FIXED_WEIGHTS for name in start._fields])
        self.scale = RELATIVE_SCALE * np.abs(self.start[self.is_free]) + ABSOLUTE_SCALE

    @property
    def dimensions(self) -> int:
        return int(self.is_free.sum())

    def weights(self, point: NDArray[np.float64]) -> NDArray[np.int64]:
        values = self.start.copy()
        values[self.is_free] += self.scale * point
        lowest = np.minimum(self.start, 0) * LOWEST_FACTOR
        weights: NDArray[np.int64] = np.rint(np.maximum(lowest, values)).astype(np.int64)
        return weights


class CpuEvaluator:
    """Plays the games of candidates, on CPU threads."""

    def __init__(self, game: Game, variants: Sequence[VariantOptions], cores: int) -> None:
        self.game, self.variants, self.cores = game, variants, cores
        self.options = encode_variants(game, variants)
        self.is_win = game.is_win
        self.blank_state = struct_array(game.state_struct, 1)
        self.play_share = _evaluation_kernel(game)

    def mean_results(self, weights: NDArray[np.int64], games: int, seed: int) -> NDArray[np.float64]:
        """Win rates, or mean scores: a row for each candidate, a column for each variant."""
        count = len(weights) * len(self.variants) * games
        results = self._play(weights, games, np.uint64(seed), count)
        if np.isnan(results).any():
            raise IllegalChoice(f"choose_index of {self.game.name} chose an action that is not legal, with seed {seed}")
        means: NDArray[np.float64] = results.reshape(len(weights), len(self.variants), games).mean(axis=2)
        return means

    def fitness(self, mean_results: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each candidate; higher is better."""
        values = np.arcsin(np.sqrt(mean_results)) if self.game.cooperative else mean_results
        fitness: NDArray[np.float64] = values.mean(axis=-1)
        return fitness

    def _play(self, weights: NDArray[np.int64], games: int, seed: np.uint64, count: int) -> NDArray[np.float64]:
        results, workers = np.zeros(count), 4 * self.cores

        def work(worker: int) -> None:
            self.play_share(
                worker,
                workers,
                kernel_rows(weights),
                struct_views(self.game.options_struct, self.options),
                games,
                seed,
                kernel_array(self.is_win),
                struct_views(self.game.state_struct, self.blank_state),
                struct_views(self.game.state_struct, struct_array(self.game.state_struct, 1)),
                kernel_array(np.zeros(self.game.actions.size + 1, np.int16)),
                kernel_array(np.zeros(MAX_SEATS)),
                kernel_array(new_event_log(0)),
                kernel_array(results),
            )

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(work, range(workers)))
        return results


class GpuEvaluator(CpuEvaluator):
    """Plays the games of candidates on an NVIDIA GPU."""

    @functools.cached_property
    def cuda_kernel(self) -> Any:
        """A CUDA kernel in which each thread is a worker."""
        importlib.import_module("skerry.lab.cuda")  # restores a NumPy name that numba-cuda needs at import
        from numba import cuda

        play_share, legal_size = self.play_share, self.game.actions.size + 1

        @cuda.jit  # type: ignore[untyped-decorator]
        def play_all(
            weights: Any,
            options: Any,
            games: int,
            seed: Any,
            is_win: Any,
            blank_state: Any,
            states: Any,
            log: Any,
            results: Any,
        ) -> None:
            i = cuda.grid(1)
            legal_actions = cuda.local.array(legal_size, np.int16)
            scores = cuda.local.array(MAX_SEATS, np.float64)
            state = states[i : i + 1]
            play_share(
                i,
                cuda.gridsize(1),
                weights,
                options,
                games,
                seed,
                is_win,
                blank_state,
                state,
                legal_actions,
                scores,
                log,
                results,
            )

        return play_all

    def _play(self, weights: NDArray[np.int64], games: int, seed: np.uint64, count: int) -> NDArray[np.float64]:
        play_all = self.cuda_kernel
        from numba import cuda

        workers = min(MAX_GPU_WORKERS, -(-count // THREADS_PER_BLOCK) * THREADS_PER_BLOCK)
        results = cuda.device_array(count, np.float64)
        play_all[workers // THREADS_PER_BLOCK, THREADS_PER_BLOCK](
            cuda.to_device(weights),
            cuda.to_device(self.options),
            games,
            seed,
            cuda.to_device(self.is_win),
            cuda.to_device(self.blank_state),
            cuda.device_array(workers, dtype_of(self.game.state_struct)),
            cuda.to_device(new_event_log(0)),
            results,
        )
        on_host: NDArray[np.float64] = results.copy_to_host()
        return on_host


def _weights_reader(kind: Any) -> Callable[[Any], Any]:
    """A kernel that makes named weights of an array.

    Its source is generated, ``return kind(values[0], values[1], …)``: numba cannot unpack an array on a GPU.
    """
    if INTERPRETED:
        return lambda values: kind(*values)
    arguments = ", ".join(f"values[{i}]" for i in range(len(kind._fields)))
    source = compile(f"def read(values):\n    return kind({arguments})", __file__, "exec")
    namespace: dict[str, Any] = {"kind": kind, "__name__": __name__}
    exec(source, namespace)
    return cast(Callable[[Any], Any], kernel(namespace["read"]))


def _evaluation_kernel(game: Game) -> BatchKernel:
    """A kernel that plays one worker's share of all candidates' games.

    A worker begins its next game as soon as one is over, so that on a GPU none waits for the longest game. The policy
    reads the true state, because the choices of a game's own policies do not depend on hidden information. The result
    of a game in which it chose no legal action is not a number.
    """
    policies = importlib.import_module(f"{game.package}.bot.policies")
    bot_weights = importlib.import_module(f"{game.package}.bot.weights")
    rules, choose_index, cooperative = game.rules, policies.choose_index, game.cooperative
    read_weights = _weights_reader(bot_weights.Weights)
    setup, answer, result = rules.setup, answer_kernel(rules), rules.result
    play_on = play_loop(rules, interrupting_of(game), ask_driver)

    @kernel
    def play_share(
        worker: int,
        workers: int,
        weights: Any,
        options: Any,
        games: int,
        seed: Any,
        is_win: Any,
        blank_state: Any,
        state_array: Any,
        legal_actions: Any,
        scores: Any,
        log: Any,
        results: Any,
    ) -> None:
        job, left, loop_state, rng, illegal = worker, 0, 0, np.uint64(0), False
        named_weights = read_weights(weights[0])
        while job < len(results):
            if not left:
                candidate, variant = job // (games * len(options)), job // games % len(options)
                state_array[0] = blank_state[0]
                setup(state_array[0], options[variant], derive_seed(seed, job % games))
                named_weights, left, loop_state = read_weights(weights[candidate]), MAX_ROLLOUT_STEPS, 0
                rng = derive_seed(seed, job % games)
            state = state_array[0]
            asked = play_on(state, 0, 0, loop_state, rng, NO_LIMIT, NO_LIMIT, legal_actions, log)
            loop_state, rng = asked.loop_state, asked.rng
            if asked.seat != NOBODY:
                index = choose_index(state, asked.seat, legal_actions, asked.legal, named_weights)
                if not is_answer(index, asked.legal, asked.is_interrupt):
                    index, illegal = PASS if asked.is_interrupt else 0, True
                loop_state = answer(state, asked.seat, action_at(legal_actions, index), loop_state, log)
                left -= 1
            if asked.seat == NOBODY or not left:
                ending = result(state, scores)
                left = 0
                if cooperative:
                    results[job] = 1.0 if is_win[ending] else 0.0
                else:
                    results[job] = scores[0]
                if illegal:
                    results[job], illegal = np.nan, False
                job += workers

    return play_share


class Comparison(NamedTuple):
    """Mean results and fitness before and after the search, in games that the search has not played."""

    before: NDArray[np.float64]
    after: NDArray[np.float64]
    fitness_before: float
    fitness_after: float


def evolve(
    objective: Objective, space: SearchSpace, strategy: Strategy, settings: EvolutionSettings, report: Report
) -> NDArray[np.int64]:
    """Run generations until the time or their number is reached; the weights in the middle of the last one."""
    began, generation = time.perf_counter(), 0
    while time.perf_counter() - began < settings.seconds and generation < settings.generations:
        points = strategy.ask()
        candidates = np.array([space.weights(point) for point in points])
        generation += 1
        results = objective.mean_results(candidates, settings.games, generation)
        strategy.tell(points, [-fitness for fitness in objective.fitness(results).tolist()])
        if generation % REPORT_EVERY == 1:
            seconds = time.perf_counter() - began
            means = " ".join(f"{mean:.3f}" for mean in results.mean(axis=0))
            report(f"{seconds:5.0f} s, generation {generation}, step size {strategy.sigma:.3f}: {means}")
    return space.weights(strategy.best_guess)


def compare(objective: Objective, before: Any, after: NDArray[np.int64], games: int) -> Comparison:
    results = objective.mean_results(np.array([before, after], np.int64), games, seed=0)
    fitness = objective.fitness(results)
    return Comparison(results[0], results[1], float(fitness[0]), float(fitness[1]))


def starting_weights(game: Game, variants: Sequence[VariantOptions], settings: EvolutionSettings) -> Any:
    """The game's own weights for the first variant's number of players, changed as the file ``start`` says."""
    module = importlib.import_module(f"{game.package}.bot.weights")
    start = module.SKILLED
    if game.cooperative:
        start = start[int(variants[0]["players"]) - module.FEWEST]
    if settings.start:
        start = start._replace(**json.loads(settings.start.read_text()))
    return start


def train(game: Game, settings: EvolutionSettings, report: Report) -> None:
    """Search, compare the result with the start, and write it down."""
    variants = training_variants(game, settings.vary)
    _refuse_rivals(game, variants)
    start = starting_weights(game, variants, settings)
    space = SearchSpace(start)
    strategy = CmaStrategy(space.dimensions, settings)
    evaluator = (GpuEvaluator if settings.cuda else CpuEvaluator)(game, variants, settings.cores)
    best = evolve(evaluator, space, strategy, settings, report)
    compared = compare(evaluator, start, best, settings.check_games)
    for variant, before, after in zip(variants, compared.before, compared.after, strict=True):
        report(f"{describe(variant):24} {before:7.3f} → {after:7.3f}")
    report(f"fitness {compared.fitness_before:.4f} → {compared.fitness_after:.4f}")
    weights = dict(zip(start._fields, best.tolist(), strict=True))
    report(json.dumps(weights))
    if settings.json:
        settings.json.write_text(json.dumps(weights, indent=1))


def _refuse_rivals(game: Game, variants: Sequence[VariantOptions]) -> None:
    """A candidate plays all seats: among rivals that tells nothing."""
    policies = importlib.import_module(f"{game.package}.bot.policies")
    solo = all(game.configure(variant).players == 1 for variant in variants)
    if not hasattr(policies, "choose_index") or not (game.cooperative or solo):
        raise Refusal(say("{title} has no policy that can be evolved in these variants", title=game.title))
