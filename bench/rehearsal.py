"""Many games side by side, each up to its next choice, with what a learner sees of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skerry.bots import own_best
from skerry.bots.asking import PASS, interrupting_of, next_asked
from skerry.engine.bits import plain
from skerry.engine.game import Game
from skerry.engine.log import new_log
from skerry.engine.network import Shape
from skerry.engine.random import seeded
from skerry.engine.record import batch

MOST = 96  # actions that are looked at; the last one may be any beyond
LIMIT = 1200  # steps after which a game is lost
NEW = -1  # steps of a game that has not begun
GOES_ON, LOST, WON = range(3)


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

    def small(self) -> Sight:
        """The same in half the memory, to be kept."""
        return Sight(self.seen.half(), self.seats, self.counts, self.actions.short(), self.regards.half())

    @classmethod
    def join(cls, parts: list[Sight]) -> Sight:
        return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))


class Rehearsal:
    """Games that are played by a learner; whoever interrupts plays as the game's own best player, whose choice is at
    hand everywhere (``own``). ``over`` says which games have ended in the last step, and ``tally`` counts games and
    wins of each variant, a row a thread."""

    def __init__(self, game: Game, options: NDArray[Any], games: int, seed: int, threads: int) -> None:
        sketching = importlib.import_module(f"{game.package}.sketch")
        regarding = importlib.import_module(f"{game.package}.regard")
        self.games, inputs, size = games, Shape(sketching.GROUPS).inputs, game.actions.size + 1
        pinned = torch.cuda.is_available()
        self.seen = torch.zeros((games, inputs), pin_memory=pinned)
        self.actions = torch.zeros((games, MOST), dtype=torch.int16, pin_memory=pinned)
        self.regards = torch.zeros((games, MOST, regarding.REGARDED), pin_memory=pinned)
        self.seats, self.counts, self.own = (np.zeros(games, np.int64) for _ in range(3))
        self.over = np.zeros(games, np.int8)
        self.tally = np.zeros((threads, len(options), 2), np.int64)
        self._play_on = _playing_on(game, sketching.sketch, regarding, inputs)
        won = np.array([False, *(ending.won for ending in game.endings)])
        self._given = games, options, np.uint64(seed), won, batch(game.state, 1)
        running = np.arange(games), np.zeros(games, np.uint64), np.zeros(games, np.int64), np.full(games, NEW)
        shown = self.seats, self.seen.numpy(), self.actions.numpy(), self.regards.numpy(), self.counts, self.own
        self._kept = batch(game.state, games), np.zeros(games, np.int64), *running, *shown, self.over
        self._rooms = [
            (np.zeros(size, np.int16), np.zeros(8), new_log(0), np.zeros(regarding.ROOM), np.zeros(regarding.REGARDED))
            for _ in range(threads)
        ]
        self._pool, self._running = ThreadPoolExecutor(threads), list[Future[None]]()
        self._edges = np.linspace(0, games, threads + 1).astype(int).tolist()
        self.start(np.zeros(games, np.int64))

    def start(self, choices: NDArray[np.int64]) -> None:
        """Begin to play what was chosen, an index into the actions of each game, and what follows up to the next
        choice."""

        def work(k: int) -> None:
            first, last = self._edges[k], self._edges[k + 1]
            self._play_on(first, last, *self._given, choices, *self._kept, self.tally[k], *self._rooms[k])

        self._running = [self._pool.submit(work, k) for k in range(len(self._rooms))]

    def wait(self) -> None:
        for future in self._running:
            future.result()

    def look(self, device: str) -> Sight:
        counts = torch.from_numpy(self.counts.copy()).to(device)
        listed = torch.arange(MOST, device=device) < counts[:, None]
        actions = self.actions.to(device)[listed].long()
        seats = torch.from_numpy(self.seats.copy()).to(device)
        return Sight(self.seen.to(device, copy=True), seats, counts, actions, self.regards.to(device)[listed])


def _showing(game: Game, sketch: Callable[..., Any], regarding: Any, inputs: int) -> Callable[..., int]:
    survey, regard, regarded = regarding.survey, regarding.regard, regarding.REGARDED

    @numba.njit(nogil=True, error_model="numpy")
    def show(state, seat, own, count, buffer, seen, actions, regards, desk, one):  # type: ignore[no-untyped-def]
        """Write down what a choice looks like; where what the own best player would do stands in it."""
        sketch(state, desk)
        for j in range(inputs):
            seen[j] = desk[j]
        survey(state, desk)
        if count > MOST:
            buffer[MOST - 1] = buffer[own if own >= MOST else count - 1]
            own, count = min(own, MOST - 1), MOST
        for k in range(count):
            actions[k] = buffer[k]
            regard(state, seat, plain(buffer[k]), desk, one)
            for j in range(regarded):
                regards[k, j] = one[j]
        return own

    return show


def _playing_on(game: Game, sketch: Callable[..., Any], regarding: Any, inputs: int) -> Callable[..., None]:
    rules, policy, interrupting = game.rules, own_best(game), interrupting_of(game)
    setup, step, result, legal, waiting = rules.setup, rules.step, rules.result, rules.legal, rules.waiting
    show = _showing(game, sketch, regarding, inputs)

    @numba.njit(nogil=True, error_model="numpy")
    def play_on(  # type: ignore[no-untyped-def]
        first,
        last,
        games,
        options,
        seed,
        won,
        blank,
        choices,
        states,
        variant,
        numbers,
        counters,
        passed,
        steps,
        seats,
        seen,
        actions,
        regards,
        counts,
        own,
        over,
        tally,
        buffer,
        scores,
        log,
        desk,
        one,
    ):
        for i in range(first, last):
            state = states[i]
            over[i] = GOES_ON
            if steps[i] != NEW:
                step(state, plain(seats[i]), plain(actions[i, choices[i]]), log)
                steps[i] += 1
                passed[i] = 0
            chosen = PASS
            while chosen == PASS:
                if steps[i] == NEW:
                    states[i] = blank[0]
                    variant[i] = numbers[i] % len(options)
                    setup(state, options[variant[i]], seeded(seed, numbers[i]))
                    counters[i] = seeded(seed, ~numbers[i])
                    numbers[i] += games
                    steps[i] = passed[i] = 0
                waited = waiting(state)
                if not waited or steps[i] > LIMIT:
                    over[i] = WON if won[result(state, scores)] else LOST
                    tally[variant[i], 0] += 1
                    tally[variant[i], 1] += over[i] == WON
                    steps[i] = NEW
                    continue
                free = interrupting(state) & ~passed[i]
                seat, counters[i] = next_asked(free, waited, counters[i])
                count, index = legal(state, seat, buffer), 0
                if free or count > 1:
                    index, counters[i] = policy(state, seat, buffer, count, counters[i])
                if count > 1 and not free:
                    chosen = show(state, seat, index, count, buffer, seen[i], actions[i], regards[i], desk, one)
                    counts[i], own[i], seats[i] = min(count, MOST), chosen, seat
                    continue
                passed[i] |= 1 << seat
                if index != PASS:
                    step(state, seat, plain(buffer[index]), log)
                    steps[i] += 1
                    passed[i] = 0

    return play_on
