"""A game's judgement, learnt by going by it: temporal differences (Sutton 1988).

    python -m skerry.train.self_play hashi --vary players=1 --vary board=A,B --games 600 --rounds 175

Each round plays games in which players go by the judgement so far (``follow`` in the game's ``sketch``), and then
learns: a position is worth what the next ones were thought to be worth and, the further off the less, what the game
came to. To see something new, each game is played with a slightly disturbed judgement, less so from round to round.
``--weights`` goes on from what there is. ``pip install 'skerry[train]'``; ``--device cuda`` learns on an NVIDIA GPU.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skerry.bots import own_best
from skerry.bots.rollout import LIMIT, valuing
from skerry.bots.rollout_policy import following
from skerry.bots.turn_order import PASS, interrupting_of, next_asked
from skerry.bots.value_net import NAME, Judgement, judgement_with
from skerry.bots.workspace import new_room
from skerry.engine.bitset import plain
from skerry.engine.game import Game
from skerry.engine.rng import seeded
from skerry.engine.struct import dtype_of
from skerry.games import find
from skerry.train.supervised import Net, school
from skerry.train.variants import cells

CHUNK = 25  # games a call
STEPS = 400  # of a game; later ones are not learnt from
PART = 1 << 15  # positions that are looked at in one go
TRUST = 0.93  # in what came later, a step ahead; the rest in what the next position was thought to be worth
KEPT = 4  # rounds that are learnt from
STEADY = 0.998  # of the judgement that is followed: it comes after the one that learns


@dataclass
class Lessons:
    """What was seen, what of it was sure, and what it was worth in the end."""

    seen: Tensor
    sure: Tensor
    worth: Tensor


class Pupil:
    def __init__(self, game: Game, options: NDArray[Any], device: str, threads: int) -> None:
        self.game, self.options, self.device, self.threads = game, options, device, threads
        module = importlib.import_module(f"{game.package}.bot.state_features")
        self.judgement = judgement_with(game)
        self.shape, self.span = self.judgement.shape, module.SPAN
        self.net = Net(self.shape).to(device)
        self.steady = deepcopy(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters())
        self.player = _player(game, self.judgement)
        self.look = _looking(module.sketch, self.shape.inputs)
        self.won = np.array([False, *(ending.won for ending in game.endings)])

    def load(self, weights: NDArray[Any]) -> None:
        self.net.load(weights)
        self.steady.load(weights)

    def play(
        self, games: int, seed: int, share: float, disturbed: float
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """A share of the positions, what they were worth, and what the games came to."""
        weights, dtype = self.steady.flat().astype(np.float64), dtype_of(self.game.state)

        def work(first: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
            last = min(games, first + CHUNK)
            size = (last - first) * STEPS
            states, worth, ends = np.zeros(size, dtype), np.zeros(size), np.zeros(last - first)
            room = new_room(self.game, self.judgement, None, weights.copy(), self.won)
            given = first, last, self.options, seed, weights, self.shape.second + 1, disturbed, share
            count = self.player(*given, np.zeros(1, dtype), room, np.zeros((2, STEPS)), states, worth, ends)
            return states[:count].copy(), worth[:count].copy(), ends

        with ThreadPoolExecutor(self.threads) as pool:
            parts = list(pool.map(work, range(0, games, CHUNK)))
        states, worth, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
        return states, worth, ends

    def lessons(self, states: NDArray[Any], worth: NDArray[Any]) -> Lessons:
        parts, sure = [], np.zeros(len(states), np.float32)
        seen = np.zeros((PART, self.shape.inputs), np.float32)

        def look(start: int, stop: int, base: int) -> None:
            part = slice(base + start, base + stop)
            self.look(states[part], seen[start:stop], sure[part], np.zeros(self.shape.desk))

        with ThreadPoolExecutor(self.threads) as pool:
            for base in range(0, len(states), PART):
                size = min(PART, len(states) - base)
                edges = np.linspace(0, size, self.threads + 1).astype(int).tolist()
                list(pool.map(look, edges, edges[1:], [base] * self.threads))
                parts.append(torch.from_numpy(seen[:size]).to(self.device, copy=True))
        given = (torch.from_numpy(numbers).float().to(self.device) for numbers in (sure, worth))
        return Lessons(torch.cat(parts), *given)

    def learn(self, kept: list[Lessons], size: int, rate: float) -> float:
        """Once through all lessons; by how much the last ones were off."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        seen, sure, worth = (
            torch.cat([getattr(lessons, name) for lessons in kept]) for name in ("seen", "sure", "worth")
        )
        error = torch.zeros(())
        for rows in torch.randperm(len(sure), device=self.device).split(size):
            error = (sure[rows] + self.span * self.net(seen[rows]) - worth[rows]).square().mean()
            self.optimizer.zero_grad()
            (error / self.span**2).backward()
            self.optimizer.step()
            self._steady()
        return float(error.detach().sqrt())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _steady(self) -> None:
        for slow, fast in zip(self.steady.parameters(), self.net.parameters(), strict=True):
            slow.lerp_(fast, 1 - STEADY)


def _looking(sketch: Callable[..., Any], inputs: int) -> Callable[..., None]:
    @numba.njit(nogil=True, error_model="numpy")
    def look(states, seen, sure, desk):  # type: ignore[no-untyped-def]
        for i in range(len(states)):
            sure[i] = sketch(states[i], desk)
            for j in range(inputs):
                seen[i, j] = desk[j]

    return look


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _look_back(goal: float, steps: int, thought: NDArray[Any], kept: NDArray[Any], worth: NDArray[Any]) -> None:
    """From the end of a game: what each position that was kept turned out to be worth."""
    for i in range(steps - 1, -1, -1):
        if kept[i] >= 0:
            worth[int(kept[i])] = goal
        goal = TRUST * goal + (1 - TRUST) * thought[i]


def _player(game: Game, judgement: Judgement) -> Callable[..., int]:
    rules, judge, interrupting = game.rules, judgement.worth, interrupting_of(game)
    setup, step, legal, waiting = rules.setup, rules.step, rules.legal, rules.waiting
    value = valuing(rules, game.cooperative)
    ask = following(rules, own_best(game), value, judgement, None)

    @numba.njit(nogil=True, error_model="numpy")
    def play(  # type: ignore[no-untyped-def]
        first,
        last,
        options,
        seed,
        weights,
        outer,
        disturbed,
        share,
        blank,
        room,
        noted,
        states,
        worth,
        ends,
    ):
        np.random.seed(seed + first)
        thought, kept, count = noted[0], noted[1], 0
        world, mine, buffer = room.worlds, room.weights, room.legal
        for number in range(first, last):
            for i in range(len(weights) - outer, len(weights)):
                mine[i] = weights[i] * (1 + disturbed * np.random.normal())
            world[0] = blank[0]
            setup(world[0], options[number % len(options)], seeded(np.uint64(seed), number))
            counter, passed, left, steps = seeded(np.uint64(seed), ~number), 0, LIMIT, 0
            waited = waiting(world[0])
            while waited and left:
                left -= 1
                free = interrupting(world[0]) & ~passed
                seat, counter = next_asked(free, waited, counter)
                choices, index = legal(world[0], seat, buffer), 0
                if free or choices > 1:
                    index, counter = ask(room, seat, choices, counter)
                passed |= 1 << seat
                if index != PASS:
                    step(world[0], seat, plain(buffer[index]), room.log)
                    passed, waited = 0, waiting(world[0])
                    if waited and steps < STEPS:
                        thought[steps], kept[steps] = judge(world[0], weights, room.desk), -1
                        if np.random.random() < share:
                            states[count], kept[steps] = world[0], count
                            count += 1
                        steps += 1
            ends[number - first], _ = value(world[0], 0, room.won, room.scores)
            _look_back(ends[number - first], steps, thought, kept, worth)
        return count

    return play


def main() -> None:
    parser = school(__doc__)
    parser.add_argument("--games", type=int, default=2000, help="a round")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--share", type=float, default=1.0, help="of the positions, that is learnt from")
    parser.add_argument("--disturbed", type=float, default=0.4, help="the judgement that is followed, at first")
    given = parser.parse_args()
    game = find(given.game)
    wanted = list(cells(game, given.vary))
    options = np.concatenate([game.configure(cell).encoded.array for cell in wanted])
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    pupil = Pupil(game, options, given.device, given.threads)
    if given.weights:
        pupil.load(np.load(given.weights))
    out = given.out or Path(str(importlib.import_module(game.package).__file__)).with_name(f"{NAME}.npy")
    kept: list[Lessons] = []
    begin = time.perf_counter()
    for number in range(given.rounds):
        left = 1 - number / given.rounds
        seed = given.seed * 1_000_003 + number
        states, worth, ends = pupil.play(given.games, seed, given.share, left * given.disturbed)
        kept = [*kept, pupil.lessons(states, worth)][-KEPT:]
        error = pupil.learn(kept, given.batch, left * given.rate)
        np.save(out, pupil.steady.flat())
        came = " ".join(f"{ends[i :: len(wanted)].mean():.2f}" for i in range(len(wanted)))
        told = f"round {number + 1}: on average {came}, off by {error:.2f}"
        print(f"{told}, {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
