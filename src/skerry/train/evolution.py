"""What a player cares about, found by evolution (CMA-ES): trials of slightly different weights play the same games, and
the next ones are drawn nearer to those that did best.

    python -m skerry.train.evolution forbidden-island --vary players=3 --games 200 --seconds 1800
    python -m skerry.train.evolution forbidden-desert --vary players=5 --cuda --json weights.json
    python -m skerry.train.evolution hashi --vary players=1 --vary board=A,B --games 50

Where all win together, a trial is judged by the mean over all cells of the arcsine of the root of its win rate: wins
count more where they are rare, as far as chance allows. Alone, its points count; for rivals there is nothing here.
In the end the mean of all trials is compared with the weights at the start in new games.
``pip install cma``; ``--cuda`` plays on an NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cma
import numba
import numpy as np
from numpy.typing import NDArray

from skerry.bots.rollout import LIMIT
from skerry.bots.turn_order import PASS, interrupting_of, next_asked
from skerry.engine.bitset import plain
from skerry.engine.event_log import new_log
from skerry.engine.game import Game
from skerry.engine.rng import seeded
from skerry.engine.struct import batch, dtype_of
from skerry.games import find
from skerry.train.variants import Cell, cells

FIXED = ("ahead", "foresight")  # how far to look: not a matter of degree
REACH = 0.3, 2.0  # a first step changes a weight by so much of itself and so much more
LEAST = 10  # times what is below 0 at the start; nothing else gets there
SEATS = 8
THREADS, WORKERS = 128, 132 * 512  # a block; in all
CHECK = 20_000  # games a cell, to see what it was good for


def reader(kind: Any) -> Callable[..., Any]:
    """A compiled function that takes weights from an array."""
    fields = ", ".join(f"row[{i}]" for i in range(len(kind._fields)))
    space: dict[str, Any] = {"kind": kind}
    exec(f"def read(row):\n    return kind({fields})", space)
    return numba.njit(space["read"])


def forcing(game: Game) -> Callable[..., Any]:
    """A compiled function that plays on to where somebody has a choice, or to the end: who waits, who chooses, from how
    many actions, and the chance that is left. ``passed`` are those who have let be what they could do since the last
    step."""
    rules, interrupting = game.rules, interrupting_of(game)
    waiting, legal, step = rules.waiting, rules.legal, rules.step

    @numba.njit(nogil=True, error_model="numpy")
    def play_forced(state, passed, counter, buffer, log):  # type: ignore[no-untyped-def]
        waited, seat, number = waiting(state), 0, 0
        while waited:
            free = interrupting(state) & ~passed
            seat, counter = next_asked(free, waited, counter)
            number = legal(state, seat, buffer)
            if free or number > 1:
                break
            step(state, seat, plain(buffer[0]), log)
            passed, waited = 0, waiting(state)
        return waited, seat, number, counter

    return play_forced


def player(game: Game) -> Callable[..., Any]:
    """A compiled function in which worker ``worker`` of ``workers`` plays its share of all trials' games. A game that
    is over makes room for the next at once, so that on a GPU none waits for the longest."""
    bot = importlib.import_module(f"{game.package}.bot.policies")
    rules, answer, read, together = game.rules, bot.answer, reader(bot.Weights), game.cooperative
    setup, step, result, play_forced = rules.setup, rules.step, rules.result, forcing(game)

    @numba.njit(nogil=True, error_model="numpy")
    def play(worker, workers, weights, options, games, seed, won, blank, state, buffer, scores, log, values):  # type: ignore[no-untyped-def]
        jobs, job, left, passed, counter = len(values), worker, 0, 0, np.uint64(0)
        mine = read(weights[0])
        while job < jobs:
            if not left:
                trial, cell = job // (games * len(options)), job // games % len(options)
                state[0] = blank[0]
                setup(state[0], options[cell], seeded(seed, job % games))
                mine, left, passed, counter = read(weights[trial]), LIMIT, 0, seeded(seed, job % games)
            seats, seat, number, counter = play_forced(state[0], passed, counter, buffer, log)
            if seats:
                index = answer(state[0], seat, buffer, number, mine)
                passed |= 1 << seat
                if index != PASS:
                    step(state[0], seat, plain(buffer[index]), log)
                    passed = 0
                left -= 1
            if not seats or not left:
                ending = result(state[0], scores)
                left, values[job] = 0, won[ending] if together else scores[0]
                job += workers

    return play


class Arena:
    """Where trials play: ``results`` are wins or points a game, a row a trial, a column a cell."""

    def __init__(self, game: Game, played: list[Cell], cores: int) -> None:
        self.game, self.played, self.cores = game, played, cores
        self.options = np.concatenate([game.configure(cell).encoded.array for cell in played])
        self.won = np.array([False, *(ending.won for ending in game.endings)])
        self.blank = batch(game.state, 1)
        self.code = player(game)

    def results(self, weights: NDArray[np.int64], games: int, seed: int) -> NDArray[np.float64]:
        values = self.play(weights, games, np.uint64(seed), len(weights) * len(self.played) * games)
        means: NDArray[np.float64] = values.reshape(len(weights), len(self.played), games).mean(axis=2)
        return means

    def worth(self, results: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is to be as high as possible."""
        each = np.arcsin(np.sqrt(results)) if self.game.cooperative else results
        worth: NDArray[np.float64] = each.mean(axis=-1)
        return worth

    def play(self, weights: NDArray[np.int64], games: int, seed: Any, jobs: int) -> NDArray[np.float64]:
        values, workers = np.zeros(jobs), 4 * self.cores

        def work(worker: int) -> None:
            room = np.zeros(self.game.actions.size + 1, np.int16), np.zeros(SEATS), new_log(0)
            state = batch(self.game.state, 1)
            self.code(worker, workers, weights, self.options, games, seed, self.won, self.blank, state, *room, values)

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(work, range(workers)))
        return values


class Gpu(Arena):
    @functools.cached_property
    def kernel(self) -> Any:
        import skerry.lab.cuda  # noqa: F401 (gives NumPy what numba-cuda wants of it at import)

        from numba import cuda  # isort: skip

        play, length = self.code, self.game.actions.size + 1

        @cuda.jit
        def play_all(weights, options, games, seed, won, blank, states, log, values):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            buffer, scores = cuda.local.array(length, np.int16), cuda.local.array(SEATS, np.float64)
            room = states[i : i + 1], buffer, scores, log
            play(i, cuda.gridsize(1), weights, options, games, seed, won, blank, *room, values)

        return play_all

    def play(self, weights: NDArray[np.int64], games: int, seed: Any, jobs: int) -> NDArray[np.float64]:
        from numba import cuda

        values, workers = cuda.device_array(jobs, np.float64), min(WORKERS, -(-jobs // THREADS) * THREADS)
        given = [cuda.to_device(array) for array in (weights, self.options, self.won, self.blank)]
        states, log = cuda.device_array(workers, dtype_of(self.game.state)), cuda.to_device(new_log(0))
        self.kernel[workers // THREADS, THREADS](*given[:2], games, seed, *given[2:], states, log, values)
        played: NDArray[np.float64] = values.copy_to_host()
        return played


class Tuning:
    def __init__(self, arena: Arena, first: Any, given: argparse.Namespace) -> None:
        self.arena, self.first, self.given = arena, first, given
        self.start = np.array(first, np.float64)
        self.free = np.array([name not in FIXED for name in first._fields])
        self.scale = REACH[0] * np.abs(self.start[self.free]) + REACH[1]

    def weights(self, point: NDArray[np.float64]) -> NDArray[np.int64]:
        values = self.start.copy()
        values[self.free] += self.scale * point
        return np.rint(np.maximum(np.minimum(self.start, 0) * LEAST, values)).astype(np.int64)

    def run(self) -> NDArray[np.int64]:
        given, began = self.given, time.perf_counter()
        options = {"popsize": given.trials, "seed": 1, "verbose": -9, "maxiter": 10**6, "tolflatfitness": 10**6}
        search = cma.CMAEvolutionStrategy(np.zeros(self.free.sum()), given.step, options)
        generation = 0
        while time.perf_counter() - began < given.seconds:
            points = search.ask()
            trials = np.array([self.weights(point) for point in points])
            results = self.arena.results(trials, given.games, generation + 1)
            search.tell(points, list(-self.arena.worth(results)))
            generation += 1
            if generation % 10 == 1:
                spent = time.perf_counter() - began
                text = " ".join(f"{mean:.3f}" for mean in results.mean(axis=0))
                print(f"{spent:5.0f} s, generation {generation}, step {search.sigma:.3f}: {text}", flush=True)
        return self.weights(search.result.xfavorite)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…")
    parser.add_argument("--games", type=int, default=100, help="a cell and trial")
    parser.add_argument("--trials", type=int, default=24, help="a generation")
    parser.add_argument("--step", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--check", type=int, default=CHECK, help="games a cell for the comparison at the end")
    parser.add_argument("--from", dest="start", type=Path, metavar="FILE", help="weights to begin with")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the weights")
    given = parser.parse_args()
    game = find(given.game)
    played = list(cells(game, given.vary))
    arena = (Gpu if given.cuda else Arena)(game, played, given.cores)
    weights = importlib.import_module(f"{game.package}.bot.weights")
    first = weights.SKILLED
    if game.cooperative:
        first = first[int(played[0]["players"]) - weights.FEWEST]
    if given.start:
        first = first._replace(**json.loads(given.start.read_text()))
    best = Tuning(arena, first, given).run()
    both = arena.results(np.array([first, best], np.int64), given.check, 0)
    for cell, before, after in zip(played, *both, strict=True):
        print(f"{' '.join(cell.values()):24} {before:7.3f} → {after:7.3f}")
    print("judged {:.4f} → {:.4f}".format(*arena.worth(both)))
    names = dict(zip(first._fields, best.tolist(), strict=True))
    print(json.dumps(names))
    if given.json:
        given.json.write_text(json.dumps(names, indent=1))


if __name__ == "__main__":
    main()
