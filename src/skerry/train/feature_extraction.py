"""State features of many positions at once."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape
from skerry.botkit.protocols import WriteStateFeatures
from skerry.bots.feature_modules import state_features_of
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.struct import struct_views
from skerry.train.kernel_support import kernel_rows


def weights_folder(game: Game) -> Path:
    """Where the game's bots read the weights of their networks."""
    bot = importlib.import_module(f"{game.package}.bot")
    return Path(str(bot.__file__)).parent


class Features(NamedTuple):
    """One row for each position: the network's inputs, and the part of the value that is certain already."""

    inputs: NDArray[np.float32]
    certain: NDArray[np.float32]


class FeatureExtractor:
    """Computes the state features of positions, on several threads."""

    def __init__(self, game: Game, threads: int) -> None:
        module = state_features_of(game)
        self.game, self.threads = game, threads
        self.shape = DeepSetsShape(module.ENTITY_GROUPS)
        self._extract = _feature_kernel(module.write_state_features, self.shape.inputs)

    def extract(self, states: NDArray[Any]) -> Features:
        features = Features(
            np.zeros((len(states), self.shape.inputs), np.float32),
            np.zeros(len(states), np.float32),
        )
        edges = np.linspace(0, len(states), self.threads + 1).astype(int).tolist()

        def extract_part(start: int, stop: int) -> None:
            if start < stop:
                self._extract(
                    struct_views(self.game.state_struct, states[start:stop]),
                    kernel_rows(features.inputs[start:stop]),
                    kernel_array(features.certain[start:stop]),
                    kernel_array(np.zeros(self.shape.scratch_size)),
                )

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(extract_part, edges, edges[1:]))
        return features


# Kernels take structs and arrays of any mode, which have no type in common.
_ExtractKernel = Callable[[Any, Any, Any, Any], None]


def _feature_kernel(write_state_features: WriteStateFeatures, size: int) -> _ExtractKernel:
    @kernel
    def extract(states: Any, inputs: Any, certain: Any, scratch: Any) -> None:
        for i in range(len(states)):
            certain[i] = write_state_features(states[i], scratch)
            row = inputs[i]
            for j in range(size):
                row[j] = scratch[j]

    return extract
