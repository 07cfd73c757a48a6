"""Rate limits: a token bucket for each guest or address."""

from __future__ import annotations

import time

from skerry.server.errors import TooMuch

MAX_BUCKETS = 50_000  # beyond that, full buckets are dropped


class RateLimiter:
    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate  # tokens per second
        self.burst = burst  # tokens in a full bucket
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens left, and when that was

    def take(self, client: str) -> None:
        """Take a token, or refuse with the time to wait."""
        now = time.monotonic()
        left, at = self._buckets.get(client, (float(self.burst), now))
        left = min(self.burst, left + (now - at) * self.rate)
        if left < 1:
            raise TooMuch("too many requests; slow down a little", (1 - left) / self.rate)
        self._buckets[client] = left - 1, now
        if len(self._buckets) > MAX_BUCKETS:
            self._drop_full(now)

    def _drop_full(self, now: float) -> None:
        """Drop the buckets that are full again: they are as good as new."""
        full = now - self.burst / self.rate
        self._buckets = {client: bucket for client, bucket in self._buckets.items() if bucket[1] > full}
