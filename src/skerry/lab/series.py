"""A series of seeded games: the unit of every simulation.

Game ``i`` depends on the series' seed and on ``i`` alone, so a series can be cut into chunks, played anywhere and in
any order, and always gives the same results.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.bots import find, register_place
from skerry.bots.asked import AskedBot
from skerry.bots.custom import find_custom
from skerry.bots.illegal_choice import raise_for_seats
from skerry.bots.interrupts import interrupting_of
from skerry.engine.errors import BadOption
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel_array
from skerry.engine.messages import say
from skerry.engine.source_digest import PACKAGE, package_version, source_digest, sources_outside
from skerry.engine.struct import struct_array, struct_views
from skerry.lab.game_kernels import GameKernels, game_kernels
from skerry.lab.lockstep import Lockstep

STEP_LIMIT = 20_000  # a game that takes more steps is counted as unfinished


class PlayedGames(NamedTuple):
    """The final state of each game, and the number of steps it took."""

    states: NDArray[Any]
    steps: NDArray[np.int32]


@dataclass(frozen=True)
class Series:
    """A number of games of one variant with the same bots at the seats."""

    variant: Variant
    seats: tuple[str, ...]  # the name of each seat's bot
    games: int
    seed: int = 0
    limit: int = STEP_LIMIT
    compiled_with: tuple[str, ...] = ()  # further bots in the same kernels, so that several series share them

    def __post_init__(self) -> None:
        if len(self.seats) != self.variant.players:
            given, wanted = len(self.seats), self.variant.players
            raise BadOption(say("{given} bots for {wanted} seats", given=given, wanted=wanted))
        if self.games < 1:
            raise BadOption("a series needs at least one game")

    @property
    def bots(self) -> list[str]:
        """The distinct bots whose policies are compiled into the kernels; ``policy_of`` has indices into this list."""
        return sorted({*self.seats, *self.compiled_with})

    @property
    def policy_of(self) -> NDArray[np.int8]:
        """The index of each seat's policy."""
        return np.array([self.bots.index(name) for name in self.seats], np.int8)

    @property
    def asks_bots(self) -> bool:
        """Whether a bot is asked outside of kernels. Such games are played in lockstep, so that many are asked for
        together."""
        return any(is_asked_bot(self.variant.game, name) for name in self.seats)

    def lockstep(self, threads: int = 0) -> Lockstep:
        bots = {name: find(self.variant.game, name) for name in self.seats}
        return Lockstep(self.variant, [bots[name] for name in self.seats], self.limit, threads)

    def kernels(self) -> GameKernels:
        found = [find(self.variant.game, name) for name in self.bots]
        policies = tuple(bot.policy for bot in found)
        game = self.variant.game
        return game_kernels(game.rules, policies, all(bot.blind for bot in found), interrupting_of(game))

    def as_dict(self) -> dict[str, Any]:
        """Everything another machine needs to play the same games, and the digest of the code that plays them.

        Checkpoint files contain this description, and ``key`` is a hash of it: the names must not change.
        """
        game = self.variant.game
        return {
            "package": game.package,
            "options": self.variant.options,
            "seats": list(self.seats),
            "seed": self.seed,
            "limit": self.limit,
            "company": list(self.compiled_with),
            "code": self.code,
        } | ({"bots": places} if (places := self._bot_places) else {})

    @property
    def code(self) -> str:
        """The digest of the code that plays the games."""
        return code_digest(self.variant.game, *(place.partition(":")[0] for place in self._bot_places.values()))

    @property
    def _bot_places(self) -> dict[str, str]:
        """Where the registered bots at the seats are found."""
        found = {name: find_custom(self.variant.game, name) for name in sorted(set(self.seats))}
        return {name: custom.place for name, custom in found.items() if custom is not None}

    @classmethod
    def from_dict(cls, data: dict[str, Any], games: int) -> Series:
        """The series of a description; refused if it was made with other code, which might play other games."""
        game: Game = importlib.import_module(data["package"]).GAME
        for name, place in data.get("bots", {}).items():
            register_place(f"{name}={place}")
        seats, compiled_with = tuple(data["seats"]), tuple(data["company"])
        series = cls(game.configure(data["options"]), seats, games, data["seed"], data["limit"], compiled_with)
        if data["code"] != series.code:
            raise BadOption("this machine runs another version of Skerry, which may play different games")
        return series

    @property
    def key(self) -> str:
        """Identifies the games in checkpoint files, whatever their number and the other bots in the kernels."""
        data = {name: value for name, value in self.as_dict().items() if name != "company"}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def is_asked_bot(game: Game, bot: str) -> bool:
    """Whether a bot is asked outside of kernels, and is therefore hundreds or thousands of times slower."""
    return isinstance(find(game, bot), AskedBot)


def code_digest(game: Game, *others: str) -> str:
    """A digest of everything a game's course can depend on: the sources and the weights of the networks, and the
    sources of ``others``, the modules of registered bots."""
    outside = sources_outside((*game.packages, *filter(None, others)))
    return f"{source_digest(*outside)}-{weights_digest(*outside)}"


@functools.cache
def weights_digest(*others: Path) -> str:
    """A digest of all weight files in our package and in others."""
    digest = hashlib.sha256()
    for folder in (PACKAGE, *others):
        for weights in sorted(folder.rglob("*.npy")):
            digest.update(weights.read_bytes())
    return digest.hexdigest()[:8]


def provenance(series: Series) -> dict[str, str | int]:
    """What results were made with: the version of Skerry, that of the game's rules, and the digest of the code."""
    return {"skerry": package_version(), "rules": series.variant.game.version, "code": series.code}


def play(series: Series, first: int, count: int, threads: int = 0) -> PlayedGames:
    """Play games ``first`` to ``first + count - 1`` of a series.

    ``threads`` is the number of threads that bots search with; 0 means one for each core.
    """
    if series.asks_bots:
        return PlayedGames(*series.lockstep(threads).play(series.seed, first, count))
    game = series.variant.game
    states, steps = struct_array(game.state_struct, count), np.zeros(count, np.int32)
    series.kernels().play_batch(
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
    check_choices(series, first, steps)
    return PlayedGames(states, steps)


def check_choices(series: Series, first: int, steps: NDArray[np.int32]) -> None:
    """Raise ``IllegalChoice`` if a bot chose no legal action in a game. ``steps`` is what ``PlayBatch`` wrote."""
    for index in np.flatnonzero(steps < 0)[:1].tolist():
        where = f"in game {first + index} of seed {series.seed} with {series.variant.options}"
        raise_for_seats(series.variant.game, series.seats, ~int(steps[index]), where)
