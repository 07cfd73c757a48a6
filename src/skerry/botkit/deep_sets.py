"""A Deep Sets network (Zaheer et al. 2017) over entities of several groups, as compiled kernels.

Every entity of a group, such as every tile, is encoded by the same dense layer, and the embeddings of a group are added
up, so their order does not matter. Two dense layers and an output make a number between 0 and 1 of the sums.

All arithmetic is in an order that gives the same bytes on every processor.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel

HIDDEN_SIZES = 64, 32  # of the two dense layers
MIN_NOTES_SIZE = 256  # space behind the inputs that a game may use while it computes its features

Floats = NDArray[np.float64]


class EntityGroup(NamedTuple):
    """Entities of one kind: the network encodes each with the same weights."""

    entities: int  # how many there are
    features: int  # of each
    embedding: int  # size of the embedding of each


EntityGroups = tuple[EntityGroup, ...]


class LayerSize(NamedTuple):
    """Inputs and outputs of a dense layer."""

    inputs: int
    outputs: int

    @property
    def weight_count(self) -> int:
        """A row of weights for each input, and a row of biases."""
        return (self.inputs + 1) * self.outputs


@dataclass(frozen=True)
class DeepSetsShape:
    """The sizes of a network.

    Its weights are one array, layer after layer; a layer has a row of weights for each input, then its biases.
    """

    groups: EntityGroups
    hidden_1: int = HIDDEN_SIZES[0]
    hidden_2: int = HIDDEN_SIZES[1]

    @property
    def inputs(self) -> int:
        return sum(group.entities * group.features for group in self.groups)

    @property
    def pooled(self) -> int:
        """Size of the summed embeddings of all groups."""
        return sum(group.embedding for group in self.groups)

    @property
    def largest_embedding(self) -> int:
        return max(group.embedding for group in self.groups)

    @property
    def layers(self) -> tuple[LayerSize, ...]:
        encoders = tuple(LayerSize(group.features, group.embedding) for group in self.groups)
        hidden_1 = LayerSize(self.pooled, self.hidden_1)
        hidden_2 = LayerSize(self.hidden_1, self.hidden_2)
        return (*encoders, hidden_1, hidden_2, LayerSize(self.hidden_2, 1))

    @property
    def weight_count(self) -> int:
        return sum(layer.weight_count for layer in self.layers)

    @property
    def scratch_size(self) -> int:
        """Size of the buffer for the inputs and, behind them, either a game's notes or the activations."""
        activations = self.largest_embedding + self.pooled + self.hidden_1 + self.hidden_2 + 1
        return self.inputs + max(MIN_NOTES_SIZE, activations)


class Forward(Protocol):
    """The forward pass: the output of the network for the inputs at the beginning of ``scratch``."""

    def __call__(self, weights: Floats, scratch: Floats, /) -> float: ...


@kernel
def add_linear(weights: Any, inputs: Any, n_inputs: int, out: Any, n_outputs: int) -> None:
    """Add a linear layer's output to ``out``.

    It goes row by row: processors vectorise that over the columns, and each sum is made in the same order everywhere.
    """
    for i in range(n_inputs):
        x = inputs[i]
        if x != 0.0:
            row = weights[i * n_outputs : (i + 1) * n_outputs]
            for j in range(n_outputs):
                out[j] += row[j] * x


@kernel
def dense(weights: Any, inputs: Any, n_inputs: int, out: Any, n_outputs: int) -> None:
    """A linear layer with biases."""
    bias = weights[n_inputs * n_outputs : (n_inputs + 1) * n_outputs]
    for j in range(n_outputs):
        out[j] = bias[j]
    add_linear(weights, inputs, n_inputs, out, n_outputs)


@kernel
def relu(values: Any, size: int) -> None:
    """Rectify values in place."""
    for j in range(size):
        if values[j] < 0.0:
            values[j] = 0.0


@kernel
def squash(x: float) -> float:
    """Softsign, scaled to 0..1. It needs only a division, which rounds the same way on every processor."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))


@kernel
def _pool_group(weights: Any, inputs: Any, entities: int, features: int, out: Any, embedding: Any, size: int) -> None:
    """The summed embeddings of a group. An entity whose first feature is 0 is absent."""
    for j in range(size):
        out[j] = 0.0
    for entity in range(entities):
        row = inputs[entity * features : (entity + 1) * features]
        if row[0] != 0.0:
            dense(weights, row, features, embedding, size)
            for j in range(size):
                if embedding[j] > 0.0:
                    out[j] += embedding[j]


@functools.cache
def forward_kernel(shape: DeepSetsShape) -> Forward:
    """Make the kernel that computes the network's output."""
    groups = tuple(tuple(group) for group in shape.groups)
    inputs, pooled_size, embedding_size = shape.inputs, shape.pooled, shape.largest_embedding
    size_1, size_2 = shape.hidden_1, shape.hidden_2

    @kernel
    def forward(weights: Any, scratch: Any) -> float:
        embedding = scratch[inputs : inputs + embedding_size]
        pooled = scratch[inputs + embedding_size : inputs + embedding_size + pooled_size]
        hidden_1 = scratch[inputs + embedding_size + pooled_size :]
        hidden_2 = hidden_1[size_1:]
        output = hidden_2[size_2:]
        layer, group_inputs, group_pooled = 0, 0, 0
        for entities, features, size in groups:
            _pool_group(
                weights[layer:], scratch[group_inputs:], entities, features, pooled[group_pooled:], embedding, size
            )
            layer += (features + 1) * size
            group_inputs += entities * features
            group_pooled += size
        dense(weights[layer:], pooled, pooled_size, hidden_1, size_1)
        relu(hidden_1, size_1)
        layer += (pooled_size + 1) * size_1
        dense(weights[layer:], hidden_1, size_1, hidden_2, size_2)
        relu(hidden_2, size_2)
        layer += (size_1 + 1) * size_2
        dense(weights[layer:], hidden_2, size_2, output, 1)
        return squash(output[0])

    return forward
