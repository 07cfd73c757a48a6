"""Named blocks of a vector of numbers: an observation, or the features of a state.

A game declares its blocks once; kernels take their offsets from the declaration, and so do the tables in the docs.

    OBSERVATION = Blocks(Block("flooded", TILES, "tile is flooded"), Block("water", 10, "water meter, one-hot"))
    WATER = OBSERVATION.offset("water")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Some consecutive numbers: a name for programs, how many, and what they mean."""

    name: str
    size: int
    text: str


class Blocks:
    """Blocks one behind the other."""

    def __init__(self, *blocks: Block) -> None:
        self._blocks = blocks
        self._offsets: dict[str, int] = {}
        self.size = 0
        for block in blocks:
            if block.name in self._offsets:
                raise ValueError(f"two blocks are called {block.name!r}")
            self._offsets[block.name] = self.size
            self.size += block.size

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks)

    def offset(self, name: str) -> int:
        """Where a block begins."""
        return self._offsets[name]
