"""A series of seeded games."""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots import find
from skerry.bots.expert import Expert
from skerry.bots.interrupts import interrupting_of
from skerry.engine import kernel_cache
from skerry.engine.errors import BadOption
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel_array
from skerry.engine.messages import say
from skerry.engine.struct import struct_array, struct_views
from skerry.lab.lockstep import Lockstep
from skerry.lab.playout import Playout, playout

PlayedGames = tuple[NDArray[Any], NDArray[np.int32]]  # final states, and how many steps were taken
STEP_LIMIT = 20_000  # steps after which a game is counted as unfinished


@dataclass(frozen=True)
class Series:
    """What is played: game ``i`` of a series is the same wherever and beside whichever others it is played."""

    variant: Variant
    seats: tuple[str, ...]  # a bot each
    games: int
    seed: int = 0
    limit: int = STEP_LIMIT
    compiled_with: tuple[str, ...] = ()  # further bots in the same kernels, so that several series share them

    def __post_init__(self) -> None:
        if len(self.seats) != self.variant.players:
            given, wanted = len(self.seats), self.variant.players
            raise BadOption(say("{given} bots for {wanted} seats", given=given, wanted=wanted))
        if self.games < 1:
            raise BadOption("a series has at least one game")

    @property
    def bots(self) -> list[str]:
        """Each bot once; a seat's policy is its place in this list."""
        return sorted({*self.seats, *self.compiled_with})

    @property
    def policy_of(self) -> NDArray[np.int8]:
        return np.array([self.bots.index(name) for name in self.seats], np.int8)

    @property
    def uses_search(self) -> bool:
        """Whether a bot searches: then games are played side by side, not one after another."""
        return any(is_search_bot(self.variant.game, name) for name in self.seats)

    def lockstep(self, threads: int = 0) -> Lockstep:
        bots = {name: find(self.variant.game, name) for name in self.seats}
        return Lockstep(self.variant, [bots[name] for name in self.seats], self.limit, threads)

    def playout(self) -> Playout:
        found = [find(self.variant.game, name) for name in self.bots]
        policies = tuple(bot.policy for bot in found)
        game = self.variant.game
        return playout(game.rules, policies, all(bot.blind for bot in found), interrupting_of(game))

    def as_dict(self) -> dict[str, Any]:
        """All that another machine must know to play some of its games, and the code they are played by."""
        game = self.variant.game
        return {
            "package": game.package,
            "options": self.variant.options,
            "seats": list(self.seats),
            "seed": self.seed,
            "limit": self.limit,
            "company": list(self.compiled_with),
            "code": code_digest(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], games: int) -> Series:
        """The series on another machine, where the same code must be."""
        if data["code"] != code_digest():
            raise BadOption("this machine has another version of Skerry: its games would be others")
        game = importlib.import_module(data["package"]).GAME
        seats, compiled_with = tuple(data["seats"]), tuple(data["company"])
        return cls(game.configure(data["options"]), seats, games, data["seed"], data["limit"], compiled_with)

    @property
    def key(self) -> str:
        """The same for two series of the same games, whoever else could have played."""
        data = {name: value for name, value in self.as_dict().items() if name != "company"}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def is_search_bot(game: Game, bot: str) -> bool:
    return isinstance(find(game, bot), Expert)


def code_digest() -> str:
    """A digest of all that a game's course can depend on: sources, and what players have learnt."""
    return f"{kernel_cache.cache_folder().name}-{weights_digest()}"


@functools.cache
def weights_digest() -> str:
    digest = hashlib.sha256()
    for weights in sorted(kernel_cache.PACKAGE.rglob("*.npy")):
        digest.update(weights.read_bytes())
    return digest.hexdigest()[:8]


def play(series: Series, first: int, count: int, threads: int = 0) -> PlayedGames:
    """Some games of a series. Bots that search think in so many threads, 0: one a core."""
    if series.uses_search:
        return series.lockstep(threads).play(series.seed, first, count)
    game = series.variant.game
    states, steps = struct_array(game.state_struct, count), np.zeros(count, np.int32)
    series.playout().play_batch(
        struct_views(game.state_struct, states),
        struct_views(game.state_struct, struct_array(game.state_struct, 1)),
        struct_views(game.options_struct, series.variant.encoded_options.array),
        kernel_array(series.policy_of),
        np.uint64(series.seed),
        first,
        kernel_array(np.zeros(game.actions.size + 1, np.int16)),
        kernel_array(new_event_log(0)),
        series.limit,
        kernel_array(steps),
    )
    return states, steps
