"""Many games side by side, each up to its next choice, with what a learner sees of it. On a GPU the games are played
there, too, a thread each: nothing that is seen has to travel."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skerry.botkit.deep_sets import Shape
from skerry.bots import own_best
from skerry.bots.turn_order import PASS, interrupting_of, next_asked
from skerry.engine.bitset import plain
from skerry.engine.event_log import new_log
from skerry.engine.game import Game
from skerry.engine.rng import seeded
from skerry.engine.struct import batch

MOST = 96  # actions that are looked at; the last one may be any beyond
LIMIT = 1200  # steps after which a game is lost
NEW = -1  # steps of a game that has not begun
GOES_ON, LOST, WON = range(3)
BLOCK = 64  # threads of a GPU


@dataclass
class Sight:
    """What a batch of choices looks like: a row a choice in the first three, a row an action in the others."""

    seen: Tensor
    seats: Tensor
    counts: Tensor
    actions: Tensor
    regards: Tensor

    @property
    def owners(self) -> Tensor:
        """To which choice each action belongs."""
        return torch.repeat_interleave(torch.arange(len(self.counts), device=self.counts.device), self.counts)

    @property
    def starts(self) -> Tensor:
        """Which is the first action of each choice."""
        return torch.cumsum(self.counts, 0) - self.counts

    def part(self, rows: Tensor) -> Sight:
        """Some of the choices, in full precision."""
        counts = self.counts[rows]
        first = torch.repeat_interleave(self.starts[rows] - torch.cumsum(counts, 0) + counts, counts)
        at = first + torch.arange(len(first), device=first.device)
        return Sight(
            self.seen[rows].float(), self.seats[rows], counts, self.actions[at].long(), self.regards[at].float()
        )

    def to(self, device: str) -> Sight:
        return Sight(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))

    def small(self) -> Sight:
        """The same in half the memory, to be kept."""
        return Sight(self.seen.half(), self.seats, self.counts, self.actions.short(), self.regards.half())

    @classmethod
    def join(cls, parts: list[Sight]) -> Sight:
        return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))


class Rehearsal:
    """Games that are played by a learner. ``imitated``: whoever interrupts plays as the game's own best player, whose
    choice is at hand everywhere (``own``); else who can end the game so, and win, is all who interrupt. ``over`` says
    which games have ended in the last step, and ``tally`` counts games and wins of each variant."""

    def __init__(
        self, game: Game, options: NDArray[Any], games: int, seed: int, threads: int, device: str, imitated: bool
    ) -> None:
        sketching = importlib.import_module(f"{game.package}.bot.state_features")
        regarding = importlib.import_module(f"{game.package}.bot.action_features")
        self.games, self.inputs, self.variants = games, Shape(sketching.GROUPS).inputs, len(options)
        self.seen = torch.zeros((games, regarding.ROOM), device=device)
        self.actions = torch.zeros((games, MOST), dtype=torch.int16, device=device)
        self.regards = torch.zeros((games, MOST, regarding.REGARDED), device=device)
        self.seats, self.counts, self.own, self.variant = (
            torch.zeros(games, dtype=torch.int64, device=device) for _ in range(4)
        )
        self.over = torch.zeros(games, dtype=torch.int8, device=device)
        self.tally = torch.zeros((self.variants, 2), dtype=torch.int64, device=device)
        self.stage = Stage(
            seed=np.uint64(seed),
            options=options,
            won=np.array([False, *(ending.won for ending in game.endings)]),
            log=new_log(0),
            blank=batch(game.state, 1),
            states=batch(game.state, games),
            worlds=batch(game.state, games),
            numbers=np.arange(games),
            counters=np.zeros(games, np.uint64),
            passed=np.zeros(games, np.int64),
            steps=np.full(games, NEW),
            variant=self.variant,
            seats=self.seats,
            seen=self.seen,
            actions=self.actions,
            regards=self.regards,
            counts=self.counts,
            own=self.own,
            over=self.over,
        )
        self.play_on = _playing_on(game, _asking(game) if imitated else _winning(game))
        launch, size = _on_gpu if device.startswith("cuda") else _on_cores, game.actions.size + 1
        self._launch = launch(self.play_on, self.stage, size, threads)
        self.play(torch.zeros(games, dtype=torch.int64, device=device))

    def play(self, choices: Tensor) -> None:
        """Play what was chosen, an index into the actions of each game, and what follows up to the next choice."""
        self._launch(choices.to(self.over.device))
        ended = self.over != GOES_ON
        counted = torch.bincount(self.variant[ended] * 2 + (self.over[ended] == WON), minlength=2 * self.variants)
        lost, won = counted.view(-1, 2).T
        self.tally += torch.stack((lost + won, won), 1)

    def look(self) -> Sight:
        listed = torch.arange(MOST, device=self.counts.device) < self.counts[:, None]
        actions, regards = self.actions[listed].long(), self.regards[listed]
        return Sight(self.seen[:, : self.inputs].clone(), self.seats.clone(), self.counts.clone(), actions, regards)


class Stage(NamedTuple):
    """What the games need: what is given, where each of them stands, and what is shown of it."""

    seed: Any
    options: Any
    won: Any
    log: Any
    blank: Any
    states: Any
    worlds: Any
    numbers: Any
    counters: Any
    passed: Any
    steps: Any
    variant: Any
    seats: Any
    seen: Any
    actions: Any
    regards: Any
    counts: Any
    own: Any
    over: Any


Launch = Callable[[Tensor], None]


def as_array(item: Any) -> Any:
    return item.numpy() if isinstance(item, Tensor) else item


def _on_cores(play_on: Callable[..., Any], stage: Stage, size: int, threads: int) -> Launch:
    arrays = Stage(*map(as_array, stage))
    edges = np.linspace(0, len(stage.states), threads + 1).astype(int).tolist()
    buffers, pool = np.zeros((threads, size), np.int16), ThreadPoolExecutor(threads)

    @numba.njit(nogil=True)
    def play_some(first, last, stage, choices, buffer, scores):  # type: ignore[no-untyped-def]
        for i in range(first, last):
            play_on(i, stage, choices[i], buffer, scores)

    def launch(choices: Tensor) -> None:
        def work(k: int) -> None:
            play_some(edges[k], edges[k + 1], arrays, choices.numpy(), buffers[k], np.zeros(8))

        list(pool.map(work, range(threads)))

    return launch


def _on_gpu(play_on: Callable[..., Any], stage: Stage, size: int, threads: int) -> Launch:
    play_all = on_each_thread(play_on, size)
    from numba import cuda

    def upload(item: Any) -> Any:
        if isinstance(item, Tensor):
            return cuda.as_cuda_array(item)
        return cuda.to_device(item) if isinstance(item, np.ndarray) else item

    arrays, blocks = Stage(*map(upload, stage)), (len(stage.states) + BLOCK - 1) // BLOCK
    return lambda choices: play_all[blocks, BLOCK](arrays, cuda.as_cuda_array(choices))


def on_each_thread(play_on: Callable[..., Any], size: int) -> Any:
    """A CUDA kernel that plays one of the games on a thread."""
    importlib.import_module("skerry.lab.cuda")  # has the names that numba-cuda wants at import
    from numba import cuda

    @cuda.jit
    def play_all(stage, choices):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(choices):
            buffer, scores = cuda.local.array(size, np.int16), cuda.local.array(8, np.float64)
            play_on(i, stage, choices[i], buffer, scores)

    return play_all


def _asking(game: Game) -> Callable[..., Any]:
    """The game's own best player, whoever is asked."""
    policy = own_best(game)

    @numba.njit(nogil=True)
    def ask(i, stage, seat, buffer, count, free, scores):  # type: ignore[no-untyped-def]
        index = 0
        if free or count > 1:
            index, stage.counters[i] = policy(stage.states[i], seat, buffer, count, stage.counters[i])
        return index

    return ask


def _winning(game: Game) -> Callable[..., Any]:
    """Who may interrupt does so to win at once; what ends a game stands last among what is legal."""
    step, waiting, result = game.rules.step, game.rules.waiting, game.rules.result

    @numba.njit(nogil=True)
    def ask(i, stage, seat, buffer, count, free, scores):  # type: ignore[no-untyped-def]
        if not free:
            return 0
        stage.worlds[i] = stage.states[i]
        step(stage.worlds[i], seat, plain(buffer[count - 1]), stage.log)
        wins = not waiting(stage.worlds[i]) and stage.won[result(stage.worlds[i], scores)]
        return count - 1 if wins else PASS

    return ask


def _showing(game: Game) -> Callable[..., Any]:
    sketch = importlib.import_module(f"{game.package}.bot.state_features").sketch
    regarding = importlib.import_module(f"{game.package}.bot.action_features")
    survey, regard = regarding.survey, regarding.regard

    @numba.njit(nogil=True, error_model="numpy")
    def show(state, seat, own, count, buffer, seen, actions, regards):  # type: ignore[no-untyped-def]
        """Write down what a choice looks like; where what the own best player would do stands in it."""
        sketch(state, seen)
        survey(state, seen)
        if count > MOST:
            buffer[MOST - 1] = buffer[own if own >= MOST else count - 1]
            own, count = min(own, MOST - 1), MOST
        for k in range(count):
            actions[k] = buffer[k]
            regard(state, seat, plain(buffer[k]), seen, regards[k])
        return own

    return show


def _playing_on(game: Game, ask: Callable[..., Any]) -> Callable[..., None]:
    """A function that plays one of the games on, for cores and for a GPU."""
    rules, interrupting, show = game.rules, interrupting_of(game), _showing(game)
    setup, step, result, legal, waiting = rules.setup, rules.step, rules.result, rules.legal, rules.waiting

    @numba.njit(nogil=True, error_model="numpy")
    def play_on(i, stage, choice, buffer, scores):  # type: ignore[no-untyped-def]
        state, options, games = stage.states[i], stage.options, len(stage.states)
        steps, passed, numbers, counters = stage.steps, stage.passed, stage.numbers, stage.counters
        stage.over[i] = GOES_ON
        begins, seat, action, chosen = steps[i] == NEW, stage.seats[i], stage.actions[i, choice], PASS
        while chosen == PASS:
            if begins:
                stage.states[i] = stage.blank[0]
                setup(state, options[numbers[i] % len(options)], seeded(stage.seed, numbers[i]))
                counters[i] = seeded(stage.seed, ~numbers[i])
                numbers[i] += games
                steps[i] = passed[i] = 0
                begins, action = False, PASS
            if action != PASS:
                step(state, plain(seat), plain(action), stage.log)
                steps[i] += 1
                passed[i] = 0
            waited = waiting(state)
            if not waited or steps[i] > LIMIT:
                stage.over[i] = WON if stage.won[result(state, scores)] else LOST
                stage.variant[i] = (numbers[i] - games) % len(options)
                begins = True
                continue
            free = interrupting(state) & ~passed[i]
            seat, counters[i] = next_asked(free, waited, counters[i])
            count = legal(state, seat, buffer)
            index = ask(i, stage, seat, buffer, count, free, scores)
            if count > 1 and not free:
                seen, actions, regards = stage.seen[i], stage.actions[i], stage.regards[i]
                chosen = show(state, seat, index, count, buffer, seen, actions, regards)
                stage.counts[i], stage.own[i], stage.seats[i] = min(count, MOST), chosen, seat
                continue
            passed[i] |= 1 << seat
            action = buffer[index] if index != PASS else PASS

    return play_on
