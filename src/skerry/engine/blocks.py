"""Named blocks of a vector: the layout of an observation or of the features of a state.

A game declares its blocks once. Kernels take their offsets from the declaration, and so do the tables in the docs.

    OBSERVATION = Blocks(Block("flooded", TILES, "tile is flooded"), Block("water", 10, "water meter, one-hot"))
    WATER = OBSERVATION.offset("water")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Consecutive numbers of a vector: their name for programs, how many they are, and what they mean."""

    name: str
    size: int
    text: str

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"block {self.name!r} needs a size of at least 1, not {self.size}")


class Blocks:
    """The blocks of a vector in their order; ``size`` is the length of the vector."""

    def __init__(self, *blocks: Block) -> None:
        self._blocks = blocks
        self._offsets: dict[str, int] = {}
        self.size = 0
        for block in blocks:
            if block.name in self._offsets:
                raise ValueError(f"two blocks are named {block.name!r}")
            self._offsets[block.name] = self.size
            self.size += block.size

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks)

    def offset(self, name: str) -> int:
        """The index of a block's first number."""
        return self._offsets[name]
