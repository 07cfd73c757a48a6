"""Partition: which of several workers runs the bots and clocks of a match. Each match has exactly one."""

from __future__ import annotations

import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Partition:
    """One of ``count`` workers. With one, it runs everything."""

    index: int = 0
    count: int = 1

    def owns(self, match: str) -> bool:
        return zlib.crc32(match.encode()) % self.count == self.index


ALL = Partition()
