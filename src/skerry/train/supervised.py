"""A game's judgement, learnt from games: what came of the positions in them.

    python -m skerry.train.supervised forbidden-island --games 300000 --out value.npy
    python -m skerry.train.supervised forbidden-island --weights judgement.npy --rounds 4 --games 2000 --rollouts 300

The first learns from games of the game's own best player. The second goes on from there: each round the expert plays
with the judgement so far, and what it saw coming counts beside how the games ended. With ``--ahead 1`` twenty imagined
games a decision are enough for that. What is found replaces ``judgement.npy`` in the game's folder.
``pip install 'skerry[train]'``; ``--device cuda`` learns on an NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import importlib
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skerry.botkit.deep_sets import Shape
from skerry.bots import find as find_bot
from skerry.bots import house
from skerry.bots.rollout import LIMIT
from skerry.bots.turn_order import PASS, interrupting_of, next_asked
from skerry.bots.value_net import NAME, judgement_of
from skerry.engine.bitset import plain
from skerry.engine.event_log import new_log
from skerry.engine.game import Game
from skerry.engine.rng import seeded
from skerry.engine.struct import Single, dtype_of
from skerry.games import find
from skerry.lab.lockstep import Lockstep
from skerry.train.variants import cells

CHUNK = 50  # games a call
TURNS = 100  # of a game, at most; later ones are not learnt from
TRUST = 0.05  # in what the expert saw coming, a decision ahead; the rest in what came later
SHARE = 0.25  # of what the expert decides, that is learnt from
PART = 1 << 17  # positions that are looked at in one go


@dataclass
class Lessons:
    """Positions, and how likely they were won."""

    states: NDArray[Any]
    goals: NDArray[np.float64]

    @classmethod
    def join(cls, parts: list[Lessons]) -> Lessons:
        return cls(np.concatenate([part.states for part in parts]), np.concatenate([part.goals for part in parts]))


def own_games(game: Game, options: NDArray[Any], games: int, seed: int, threads: int) -> Lessons:
    """Games of the game's own best player, all options in turn."""
    play, dtype = _player(game), dtype_of(game.state)
    won = np.array([False, *(ending.won for ending in game.endings)])

    def work(first: int) -> Lessons:
        states, goals = np.zeros(CHUNK * TURNS, dtype), np.zeros(CHUNK * TURNS)
        room = (
            np.zeros(1, dtype),
            np.zeros(1, dtype),
            np.zeros(game.actions.size + 1, np.int16),
            np.zeros(8),
            new_log(0),
        )
        last = min(games, first + CHUNK)
        count = play(first, last, options, np.uint64(seed), won, *room, states, goals)
        return Lessons(states[:count].copy(), goals[:count].copy())

    with ThreadPoolExecutor(threads) as pool:
        return Lessons.join(list(pool.map(work, range(0, games, CHUNK))))


def _player(game: Game) -> Callable[..., int]:
    rules, policy, interrupting = game.rules, find_bot(game, house(game)).policy, interrupting_of(game)
    setup, step, result, legal, waiting = rules.setup, rules.step, rules.result, rules.legal, rules.waiting

    @numba.njit(nogil=True, error_model="numpy")
    def play(first, last, options, seed, won, blank, world, buffer, scores, log, states, goals):  # type: ignore[no-untyped-def]
        count = 0
        for number in range(first, last):
            world[0] = blank[0]
            setup(world[0], options[number % len(options)], seeded(seed, number))
            counter, start, turn, left, passed = seeded(seed, ~number), count, -1, LIMIT, 0
            waited = waiting(world[0])
            while waited and left:
                if world[0].turns != turn and count < len(states):
                    turn = world[0].turns
                    states[count] = world[0]
                    count += 1
                free = interrupting(world[0]) & ~passed
                seat, counter = next_asked(free, waited, counter)
                index, choices = 0, legal(world[0], seat, buffer)
                if free or choices > 1:
                    index, counter = policy(world[0], seat, buffer, choices, counter)
                    left -= 1
                passed |= 1 << seat
                if index != PASS:
                    step(world[0], seat, plain(buffer[index]), log)
                    passed, waited = 0, waiting(world[0])
            ending = result(world[0], scores)
            for i in range(start, count):
                goals[i] = 1.0 if won[ending] else 0.0
        return count

    return play


class Watched(Lockstep):
    """The expert's games, with a look over its shoulder at some of what it decides."""

    def watch(self, seed: int, count: int) -> tuple[Lessons, float]:
        """What is to be learnt, and the share of games that were won."""
        self.chance = np.random.default_rng(seed)
        self.seen: list[tuple[int, Any, float]] = []
        states, _ = self.play(seed, 0, count)
        won = self.experts[0][1].won
        goals = np.array([won[self.game.rules.result(state, np.zeros(8))] for state in states], np.float64)
        share, lessons = float(goals.mean()), []
        for number, after, hope in reversed(self.seen):
            if after is not None:
                lessons.append((after, goals[number]))
            goals[number] += TRUST * (hope - goals[number])
        kept, hopes = zip(*lessons, strict=True)
        return Lessons(np.concatenate(kept), np.array(hopes)), share

    def think(self, number: int, states: Any, counters: Any, asked: Any, games: Any) -> Any:
        field = super().think(number, states, counters, asked, games)
        for game, plan in zip(games, field.best(len(games)), strict=True):
            after = None
            if self.chance.random() < SHARE and field.plans[plan] != PASS:
                after = self._after(states[game], int(asked[game]), int(field.plans[plan]))
            self.seen.append((game, after, float(field.means[plan])))
        return field

    def _after(self, state: Any, seat: int, action: int) -> Any:
        """The position that an action leads to, if the game goes on."""
        world = Single(self.game.state, state.tobytes())
        self.game.rules.step(world.row, seat, action, new_log(0))
        return world.array if self.game.rules.waiting(world.row) else None


class Net(nn.Module):  # type: ignore[misc]
    """The same network as ``skerry.bots.value_net``, to be taught."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.layers = nn.ModuleList(nn.Linear(numbers, size) for numbers, size in shape.layers)

    def forward(self, seen: Tensor) -> Tensor:
        parts, start = [], 0
        for layer, (things, numbers, _) in zip(self.layers, self.shape.groups, strict=False):
            mine = seen[:, start : start + things * numbers].reshape(-1, things, numbers)
            parts.append((torch.relu(layer(mine)) * (mine[:, :, :1] != 0)).sum(1))
            start += things * numbers
        inside = torch.cat(parts, 1)
        for layer in self.layers[-3:-1]:
            inside = torch.relu(layer(inside))
        out = self.layers[-1](inside).squeeze(-1)
        return 0.5 + 0.5 * out / (1 + out.abs())

    def flat(self) -> NDArray[np.float32]:
        """All weights in the order of ``Shape``."""
        parts = [part for layer in self.layers for part in (layer.weight.T.reshape(-1), layer.bias)]
        return torch.cat(parts).detach().cpu().numpy()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def load(self, flat: NDArray[Any]) -> None:
        rest = torch.from_numpy(flat).float()
        for layer in self.layers:
            size, numbers = layer.weight.shape
            weight, bias, rest = rest.split([size * numbers, size, len(rest) - size * (numbers + 1)])
            layer.weight.copy_(weight.reshape(numbers, size).T)
            layer.bias.copy_(bias)


class Teacher:
    def __init__(self, game: Game, device: str, threads: int) -> None:
        module = importlib.import_module(f"{game.package}.bot.state_features")
        self.shape = Shape(module.GROUPS)
        self.device, self.threads = device, threads
        self.net = Net(self.shape).to(device)
        sketch, size = module.sketch, self.shape.inputs

        @numba.njit(nogil=True, error_model="numpy")
        def look(states, out, desk):  # type: ignore[no-untyped-def]
            for i in range(len(states)):
                sketch(states[i], desk)
                for j in range(size):
                    out[i, j] = desk[j]

        self.look = look

    def sketches(self, states: NDArray[Any]) -> Tensor:
        out = np.zeros((len(states), self.shape.inputs), np.float32)
        edges = np.linspace(0, len(states), self.threads + 1).astype(int).tolist()

        def look(start: int, stop: int) -> None:
            self.look(states[start:stop], out[start:stop], np.zeros(self.shape.desk))

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(look, edges, edges[1:]))
        return torch.from_numpy(out).to(self.device)

    def teach(self, lessons: Lessons, epochs: int, rate: float, size: int) -> None:
        """Some times through all lessons, ever more slowly; one in fifty is kept to see what was learnt."""
        order = np.random.default_rng(len(lessons.goals)).permutation(len(lessons.goals))
        held, order = np.split(order, [len(order) // 50])
        optimizer = torch.optim.Adam(self.net.parameters(), lr=rate)
        steps = epochs * -(-len(order) // size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 1)
        for epoch in range(epochs):
            for start in range(0, len(order), PART):
                part = order[start : start + PART]
                seen, goals = self.sketches(lessons.states[part]), self.goals(lessons, part)
                for rows in torch.arange(len(part), device=self.device).split(size):
                    loss = nn.functional.binary_cross_entropy(self.guess(seen[rows]), goals[rows])
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    schedule.step()
            np.random.default_rng(epoch).shuffle(order)
            print(f"  epoch {epoch + 1}: loss on positions not learnt from {self.loss(lessons, held):.4f}", flush=True)

    def guess(self, seen: Tensor) -> Tensor:
        return self.net(seen).clamp(1e-4, 1 - 1e-4)

    def goals(self, lessons: Lessons, part: NDArray[Any]) -> Tensor:
        return torch.from_numpy(lessons.goals[part]).float().to(self.device)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def loss(self, lessons: Lessons, held: NDArray[Any]) -> float:
        guess = self.guess(self.sketches(lessons.states[held]))
        return float(nn.functional.binary_cross_entropy(guess, self.goals(lessons, held)))


def expert_games(game: Game, given: Any, number: int) -> Lessons:
    """A round of the expert's games in every cell."""
    lessons = []
    wanted = list(cells(game, given.vary))
    for cell in wanted:
        variant = game.configure(cell)
        bots = [find_bot(game, f"expert:{given.rollouts}")] * variant.players
        seen, share = Watched(variant, bots, LIMIT).watch(number, given.games // len(wanted))
        lessons.append(seen)
        print(f"  {' '.join(map(str, cell.values()))}: {100 * share:.1f} % won", flush=True)
    return Lessons.join(lessons)


def school(description: str | None) -> argparse.ArgumentParser:
    """What all who teach are told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…")
    parser.add_argument("--weights", type=Path, help="to go on from")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at first")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    return parser


def main() -> None:
    parser = school(__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="in all, or a round")
    parser.add_argument(
        "--rounds", type=int, default=0, help="of the expert's games; 0: games of the game's own player"
    )
    parser.add_argument("--rollouts", type=int, default=200, help="the expert's, for a decision")
    parser.add_argument("--ahead", type=int, help="turns that the expert imagines")
    parser.add_argument("--epochs", type=int, default=3)
    given = parser.parse_args()
    game = find(given.game)
    if given.ahead:
        vars(importlib.import_module(f"{game.package}.bot.state_features"))["AHEAD"] = given.ahead
    teacher = Teacher(game, given.device, given.threads)
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    if given.weights:
        teacher.net.load(np.load(given.weights))
    out = given.out or Path(str(importlib.import_module(game.package).__file__)).with_name(f"{NAME}.npy")
    options = np.concatenate([game.configure(cell).encoded.array for cell in cells(game, given.vary)])
    start = time.perf_counter()
    if not given.rounds:
        lessons = own_games(game, options, given.games, given.seed, given.threads)
        told = f"{len(lessons.goals):,} positions, {100 * lessons.goals.mean():.1f} % of them won"
        print(f"{told}, {time.perf_counter() - start:.0f} s", flush=True)
        teacher.teach(lessons, given.epochs, given.rate, given.batch)
        np.save(out, teacher.net.flat())
    kept: list[Lessons] = []
    for number in range(given.rounds):
        judgement = judgement_of(game)
        assert judgement is not None, f"{game.name} is not judged yet"
        for weights in judgement.weights:
            weights[:] = teacher.net.flat()
        print(f"round {number + 1}", flush=True)
        kept.append(expert_games(game, given, given.seed * 1000 + number))
        teacher.teach(Lessons.join(kept), given.epochs, given.rate, given.batch)
        np.save(out, teacher.net.flat())
        print(f"  {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
