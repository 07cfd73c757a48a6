"""What a co-operative game's player cares about, found by evolution (CMA-ES): trials of slightly different weights play
the same games, and the next ones are drawn nearer to those that won most.

    python bench/tune.py forbidden-island --vary players=3 --games 200 --seconds 1800
    python bench/tune.py forbidden-desert --vary players=5 --vary difficulty=novice,normal --cuda --json weights.json

A trial is judged by the mean over all cells of the arcsine of the root of its win rate: wins count more where they are
rare, as far as chance allows. At the end the mean of all trials is compared with the weights at the start in new games.
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
from strength import Cell, cells

from skerry.bots.imagining import LIMIT, pick
from skerry.engine.bits import plain
from skerry.engine.game import Game
from skerry.engine.log import new_log
from skerry.engine.random import seeded
from skerry.engine.record import batch, dtype_of
from skerry.games import find

FIXED = ("ahead", "foresight")  # how far to look: not a matter of degree
REACH = 0.3, 2.0  # a first step changes a weight by so much of itself and so much more
SEATS = 8
THREADS, WORKERS = 128, 132 * 512  # a block; in all
CHECK = 20_000  # games a cell, to see what it was good for


def reader(kind: Any) -> Callable[..., Any]:
    """A compiled function that takes weights from an array."""
    fields = ", ".join(f"row[{i}]" for i in range(len(kind._fields)))
    space: dict[str, Any] = {"kind": kind}
    exec(f"def read(row):\n    return kind({fields})", space)
    return numba.njit(space["read"])


def player(game: Game) -> Callable[..., Any]:
    """A compiled function in which worker ``worker`` of ``workers`` plays its share of all trials' games. A game that
    is over makes room for the next at once, so that on a GPU none waits for the longest."""
    bot = importlib.import_module(f"{game.package}.bot")
    rules, answer, read = game.rules, bot.answer, reader(bot.Weights)
    setup, waiting, legal, step, result = rules.setup, rules.waiting, rules.legal, rules.step, rules.result

    @numba.njit(nogil=True, error_model="numpy")
    def play(worker, workers, weights, options, games, seed, won, blank, state, buffer, scores, log, wins):  # type: ignore[no-untyped-def]
        jobs, job, left, counter = len(wins), worker, 0, np.uint64(0)
        mine = read(weights[0])
        while job < jobs:
            if not left:
                trial, cell = job // (games * len(options)), job // games % len(options)
                state[0] = blank[0]
                setup(state[0], options[cell], seeded(seed, job % games))
                mine, left, counter = read(weights[trial]), LIMIT, seeded(seed, job % games)
            seats, seat, number = waiting(state[0]), 0, 0
            while seats:
                seat, counter = pick(seats, counter)
                number = legal(state[0], seat, buffer)
                if number > 1:
                    break
                step(state[0], seat, plain(buffer[0]), log)
                seats = waiting(state[0])
            if seats:
                step(state[0], seat, plain(buffer[answer(state[0], seat, buffer, number, mine)]), log)
                left -= 1
            if not seats or not left:
                left, wins[job] = 0, won[result(state[0], scores)]
                job += workers

    return play


class Arena:
    """Where trials play: ``wins(weights, games, seed)`` is the share of games won, a row a trial, a column a cell."""

    def __init__(self, game: Game, played: list[Cell], cores: int) -> None:
        self.game, self.played, self.cores = game, played, cores
        self.options = np.concatenate([game.configure(cell).encoded.array for cell in played])
        self.won = np.array([False, *(ending.won for ending in game.endings)])
        self.blank = batch(game.state, 1)
        self.code = player(game)

    def wins(self, weights: NDArray[np.int64], games: int, seed: int) -> NDArray[np.float64]:
        won = self.play(weights, games, np.uint64(seed), len(weights) * len(self.played) * games)
        shares: NDArray[np.float64] = won.reshape(len(weights), len(self.played), games).mean(axis=2)
        return shares

    def play(self, weights: NDArray[np.int64], games: int, seed: Any, jobs: int) -> NDArray[np.int8]:
        wins, workers = np.zeros(jobs, np.int8), 4 * self.cores

        def work(worker: int) -> None:
            room = np.zeros(self.game.actions.size + 1, np.int16), np.zeros(SEATS), new_log(0)
            state = batch(self.game.state, 1)
            self.code(worker, workers, weights, self.options, games, seed, self.won, self.blank, state, *room, wins)

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(work, range(workers)))
        return wins


class Gpu(Arena):
    @functools.cached_property
    def kernel(self) -> Any:
        from numba import cuda

        import skerry.lab.cuda  # noqa: F401 (what numba-cuda wants of NumPy at import)

        play, length = self.code, self.game.actions.size + 1

        @cuda.jit
        def play_all(weights, options, games, seed, won, blank, states, log, wins):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            buffer, scores = cuda.local.array(length, np.int16), cuda.local.array(SEATS, np.float64)
            room = states[i : i + 1], buffer, scores, log
            play(i, cuda.gridsize(1), weights, options, games, seed, won, blank, *room, wins)

        return play_all

    def play(self, weights: NDArray[np.int64], games: int, seed: Any, jobs: int) -> NDArray[np.int8]:
        from numba import cuda

        wins, workers = cuda.device_array(jobs, np.int8), min(WORKERS, -(-jobs // THREADS) * THREADS)
        given = [cuda.to_device(array) for array in (weights, self.options, self.won, self.blank)]
        states, log = cuda.device_array(workers, dtype_of(self.game.state)), cuda.to_device(new_log(0))
        self.kernel[workers // THREADS, THREADS](*given[:2], games, seed, *given[2:], states, log, wins)
        played: NDArray[np.int8] = wins.copy_to_host()
        return played


def worth(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.arcsin(np.sqrt(wins)).mean(axis=-1)
    return values


class Tuning:
    def __init__(self, arena: Arena, first: Any, given: argparse.Namespace) -> None:
        self.arena, self.first, self.given = arena, first, given
        self.start = np.array(first, np.float64)
        self.free = np.array([name not in FIXED for name in first._fields])
        self.scale = REACH[0] * np.abs(self.start[self.free]) + REACH[1]

    def weights(self, point: NDArray[np.float64]) -> NDArray[np.int64]:
        values = self.start.copy()
        values[self.free] += self.scale * point
        return np.maximum(0, np.rint(values)).astype(np.int64)

    def run(self) -> NDArray[np.int64]:
        given, began = self.given, time.perf_counter()
        options = {"popsize": given.trials, "seed": 1, "verbose": -9, "maxiter": 10**6, "tolflatfitness": 10**6}
        search = cma.CMAEvolutionStrategy(np.zeros(self.free.sum()), given.step, options)
        generation = 0
        while time.perf_counter() - began < given.seconds:
            points = search.ask()
            trials = np.array([self.weights(point) for point in points])
            wins = self.arena.wins(trials, given.games, generation + 1)
            search.tell(points, list(-worth(wins)))
            generation += 1
            if generation % 10 == 1:
                spent = time.perf_counter() - began
                text = " ".join(f"{100 * share:.1f}" for share in wins.mean(axis=0))
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
    weights = importlib.import_module(f"{game.package}.weights")
    first = weights.SKILLED[int(played[0]["players"]) - weights.FEWEST]
    if given.start:
        first = first._replace(**json.loads(given.start.read_text()))
    best = Tuning(arena, first, given).run()
    both = arena.wins(np.array([first, best], np.int64), given.check, 0)
    for cell, before, after in zip(played, *both, strict=True):
        print(f"{' '.join(cell.values()):24} {100 * before:5.1f} → {100 * after:5.1f} %")
    print(f"judged {worth(both)[0]:.4f} → {worth(both)[1]:.4f}")
    names = dict(zip(first._fields, best.tolist(), strict=True))
    print(json.dumps(names))
    if given.json:
        given.json.write_text(json.dumps(names, indent=1))


if __name__ == "__main__":
    main()
