"""A small network over things of some groups, in the same arithmetic everywhere.

Its inputs are numbers about things (tiles, seats, …). All things of a group are judged by the same weights and their
impressions added up; two layers make one number of that, between 0 and 1.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from skerry.engine.kernel import kernel

HIDDEN = 64, 32  # units of the two layers
SPARE = 256  # numbers that may be noted behind the inputs


class EntityGroup(NamedTuple):
    """Entities of one kind, such as all tiles: the network encodes each with the same weights."""

    entities: int  # how many there are
    features: int  # of each
    embedding: int  # size of the encoding of each


EntityGroups = tuple[EntityGroup, ...]


@dataclass(frozen=True)
class DeepSetsShape:
    """How large a network is; its weights stand in one array, layer after layer, a row an input, the biases last."""

    groups: EntityGroups
    first: int = HIDDEN[0]
    second: int = HIDDEN[1]

    @property
    def inputs(self) -> int:
        return sum(things * numbers for things, numbers, _ in self.groups)

    @property
    def impressions(self) -> int:
        return sum(size for _, _, size in self.groups)

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of each layer."""
        groups = tuple((numbers, size) for _, numbers, size in self.groups)
        return (*groups, (self.impressions, self.first), (self.first, self.second), (self.second, 1))

    @property
    def size(self) -> int:
        return sum((numbers + 1) * size for numbers, size in self.layers)

    @property
    def desk(self) -> int:
        """Room for the inputs and all layers."""
        layers = self.impressions + max(size for _, _, size in self.groups) + self.first + self.second + 1
        return self.inputs + max(SPARE, layers)


@kernel
def add(weights: Any, inputs: Any, numbers: int, out: Any, size: int) -> None:
    """Add what some numbers mean. (Row by row, so that a processor does several columns at once and the sums come out
    the same on all of them.)"""
    for i in range(numbers):
        x = inputs[i]
        if x != 0.0:
            row = weights[i * size : (i + 1) * size]
            for j in range(size):
                out[j] += row[j] * x


@kernel
def layer(weights: Any, inputs: Any, numbers: int, out: Any, size: int) -> None:
    """One thing through one layer."""
    bias = weights[numbers * size : (numbers + 1) * size]
    for j in range(size):
        out[j] = bias[j]
    add(weights, inputs, numbers, out, size)


@kernel
def rectify(values: Any, size: int) -> None:
    for j in range(size):
        if values[j] < 0.0:
            values[j] = 0.0


@kernel
def _group(weights: Any, inputs: Any, things: int, numbers: int, out: Any, part: Any, size: int) -> None:
    """The impressions of all things of a group; of a thing without any numbers there is none."""
    for j in range(size):
        out[j] = 0.0
    for thing in range(things):
        mine = inputs[thing * numbers : (thing + 1) * numbers]
        if mine[0] != 0.0:
            layer(weights, mine, numbers, part, size)
            for j in range(size):
                if part[j] > 0.0:
                    out[j] += part[j]


@functools.cache
def forward_kernel(shape: DeepSetsShape) -> Callable[..., Any]:
    """A kernel that makes a number between 0 and 1 of the inputs on a desk: ``weigh(weights, desk)``."""
    table = tuple(tuple(group) for group in shape.groups)
    inputs, impressions = shape.inputs, shape.impressions
    widest = max(size for _, _, size in shape.groups)
    first, second = shape.first, shape.second

    @kernel
    def weigh(weights: Any, desk: Any) -> float:
        part = desk[inputs : inputs + widest]
        seen = desk[inputs + widest : inputs + widest + impressions]
        rest = desk[inputs + widest + impressions :]
        at, start, n = 0, 0, 0
        for things, numbers, size in table:
            _group(weights[at:], desk[start:], things, numbers, seen[n:], part, size)
            at += (numbers + 1) * size
            start += things * numbers
            n += size
        layer(weights[at:], seen, impressions, rest, first)
        rectify(rest, first)
        at += (impressions + 1) * first
        inner = rest[first:]
        layer(weights[at:], rest, first, inner, second)
        rectify(inner, second)
        at += (first + 1) * second
        out = inner[second:]
        layer(weights[at:], inner, second, out, 1)
        return squash(out[0])

    return weigh


@kernel
def squash(x: float) -> float:
    """From all numbers to between 0 and 1; with a plain division, that every processor does alike."""
    return 0.5 + 0.5 * x / (1.0 + abs(x))
