"""A cache of rendered fragments that is bounded by bytes, whatever is rendered and in how many languages."""

from __future__ import annotations

import sys
from collections.abc import Hashable

OVERHEAD = 400  # bytes of an entry besides its text: the key and the place in the dict


class FragmentCache:
    """Texts by key, in two generations. What is asked for moves to the young one; once that is full, it becomes the old
    one, and what was in the old one is dropped. So the size is bounded, and what is used often stays."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._young: dict[Hashable, bytes] = {}
        self._old: dict[Hashable, bytes] = {}
        self._young_bytes = 0
        self._old_bytes = 0

    @property
    def size(self) -> int:
        """At most this much memory is used by the entries, if their keys are not larger than their texts."""
        return self._young_bytes + self._old_bytes

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> bytes | None:
        text = self._young.get(key)
        if text is None:
            text = self._old.pop(key, None)
            if text is not None:
                self._old_bytes -= _size(text)
                self.put(key, text)
        return text

    def put(self, key: Hashable, text: bytes) -> None:
        """Add a text whose key is not in the cache."""
        self._young[key] = text
        self._young_bytes += _size(text)
        if self._young_bytes > self.max_bytes // 2:
            self._old, self._old_bytes = self._young, self._young_bytes
            self._young, self._young_bytes = {}, 0


def _size(text: bytes) -> int:
    return 2 * sys.getsizeof(text) + OVERHEAD
