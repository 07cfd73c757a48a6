"""What a game has learnt: the weights of a network, in files beside its modules. ``instinct.npy`` is for any number of
players; where there is an ``instinct-2.npy``, two have learnt for themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from skerry.engine.game import Game


@dataclass(frozen=True, eq=False)
class NetWeights:
    """``weights[players]`` are those to go by."""

    common: NDArray[np.float64]
    own: dict[int, NDArray[np.float64]] = field(default_factory=dict)

    def __getitem__(self, players: int) -> NDArray[np.float64]:
        return self.own.get(players, self.common)

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        yield self.common
        yield from self.own.values()


def read(game: Game, name: str) -> NetWeights:
    folder = resources.files(game.package) / "bot"
    files = {players: folder.joinpath(f"{name}-{players}.npy") for players in game.seats}
    return NetWeights(
        _load(folder.joinpath(f"{name}.npy")),
        {players: _load(file) for players, file in files.items() if file.is_file()},
    )


def _load(file: Traversable) -> NDArray[np.float64]:
    with file.open("rb") as opened:
        weights: NDArray[np.float64] = np.load(opened).astype(np.float64)
    return weights
