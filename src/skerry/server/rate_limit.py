"""Rate limits: a token bucket for each guest or address."""

from __future__ import annotations

import time

from skerry.server.errors import RateLimited

MAX_BUCKETS = 10_000  # beyond that, full buckets are dropped


class RateLimiter:
    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate  # tokens per second
        self.burst = burst  # tokens in a full bucket
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens left, and when that was
        self._limit = MAX_BUCKETS

    def take(self, client: str) -> None:
        """Take a token, or refuse with the time to wait."""
        now = time.monotonic()
        left, at = self._buckets.get(client, (float(self.burst), now))
        left = min(self.burst, left + (now - at) * self.rate)
        if left < 1:
            raise RateLimited("too many requests; please slow down", (1 - left) / self.rate)
        self._buckets[client] = left - 1, now
        if len(self._buckets) > self._limit:
            self._drop_full(now)
            self._limit = max(MAX_BUCKETS, 2 * len(self._buckets))  # so that not every request looks for full ones

    def _drop_full(self, now: float) -> None:
        """Drop the buckets that are full again: they are as good as new."""
        full = now - self.burst / self.rate
        self._buckets = {client: bucket for client, bucket in self._buckets.items() if bucket[1] > full}
