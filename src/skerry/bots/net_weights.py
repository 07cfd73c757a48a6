"""The trained weights of a game's networks, read from the ``.npy`` files of its package ``bot``.

``policy.npy`` is for any number of players; where there is a ``policy-2.npy``, two players use that instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from skerry.engine.game import Game
from skerry.engine.game_package import find_file


@dataclass(frozen=True, eq=False)
class NetWeights:
    """The weights of one network for all numbers of players: ``weights[players]``."""

    common: NDArray[np.float64]
    by_players: dict[int, NDArray[np.float64]] = field(default_factory=dict)

    def __getitem__(self, players: int) -> NDArray[np.float64]:
        return self.by_players.get(players, self.common)

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        """All different weights."""
        yield self.common
        yield from self.by_players.values()


def read_weights(game: Game, name: str) -> NetWeights:
    """The weights of a game's network: ``name`` is ``policy`` or ``value``."""
    common = find_file(game.packages, f"bot/{name}.npy")
    if common is None:
        raise FileNotFoundError(f"{game.name} has no weights bot/{name}.npy")
    found = {players: find_file(game.packages, f"bot/{name}-{players}.npy") for players in game.seats}
    return NetWeights(_load(common), {players: _load(file) for players, file in found.items() if file is not None})


def _load(file: Traversable) -> NDArray[np.float64]:
    with file.open("rb") as opened:
        weights: NDArray[np.float64] = np.load(opened).astype(np.float64)
    return weights
