"""Bots that are asked outside of kernels, about many positions at once: those that search, and those of other people.

Whoever plays games with such bots stops where they have to decide, collects the positions, and asks once for all. What
they are handed is a determinization, never the true state.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.bots.bot import Bot, nothing_to_do
from skerry.engine.bitset import as_int
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.match import Match
from skerry.engine.protocols import Rules
from skerry.engine.rng import advance
from skerry.engine.struct import struct_views

Actions = NDArray[np.int16]  # an action for each position, or ``PASS``


@dataclass(frozen=True)
class Positions:
    """Positions to decide in: determinized states, and for each the seat that decides and a random seed."""

    game: Game
    states: NDArray[Any]
    seats: NDArray[np.int8]
    seeds: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.seats)


class Answer(Protocol):
    """The actions that a bot chooses in some positions."""

    def __call__(self, positions: Positions, /) -> Actions: ...


@dataclass(frozen=True)
class AskedBot(Bot):
    """A bot that is asked outside of kernels. Its ``policy`` is the one that kernels would ask instead."""

    def answering(self, threads: int = 0) -> Answer:
        """The function that answers for the bot, on a number of threads (0: one per core), without a clock, so that
        games are the same on every machine."""
        raise NotImplementedError

    def _action_or_pass(self, match: Match, seat: int, seed: int) -> int:
        if not match.legal_ids(seat):
            raise nothing_to_do(seat)
        return int(self.answering()(determinize_match(match, seat, seed))[0])


def determinize_match(match: Match, seat: int, seed: int) -> Positions:
    """The position of a match as a seat knows it: whatever is hidden from the seat is resampled."""
    world = match.determinized(seat, seed)
    return Positions(match.game, world.array, np.array([seat], np.int8), np.array([seed], np.uint64))


class SampleWorlds(Protocol):
    """Resample what the seats do not know, and advance the random generators that it is drawn from."""

    def __call__(self, worlds: Any, seats: Any, rngs: Any, /) -> None: ...


@functools.cache
def sample_worlds(rules: Rules) -> SampleWorlds:
    """The kernel that resamples what seats do not know."""
    determinize = rules.determinize

    @kernel
    def sample(worlds: Any, seats: Any, rngs: Any) -> None:
        for i in range(len(worlds)):
            rngs[i] = advance(rngs[i])
            determinize(worlds[i], as_int(seats[i]), rngs[i])

    return sample


def known_positions(game: Game, states: NDArray[Any], seats: NDArray[np.int8], rngs: NDArray[np.uint64]) -> Positions:
    """What seats know in some states; ``rngs``, one for each, are advanced."""
    worlds = states.copy()
    sample_worlds(game.rules)(struct_views(game.state_struct, worlds), kernel_array(seats), kernel_array(rngs))
    return Positions(game, worlds, seats, rngs.copy())
