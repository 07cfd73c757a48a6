"""How often somebody may ask: a bucket of tokens each."""

from __future__ import annotations

import time

from skerry.server.errors import TooMuch

MOST = 50_000  # buckets; then the fullest ones go


class RateLimiter:
    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when

    def take(self, who: str) -> None:
        """Take a token, or be refused with the time to wait."""
        now = time.monotonic()
        left, at = self._buckets.get(who, (float(self.burst), now))
        left = min(self.burst, left + (now - at) * self.rate)
        if left < 1:
            raise TooMuch("too many requests; slow down a little", (1 - left) / self.rate)
        self._buckets[who] = left - 1, now
        if len(self._buckets) > MOST:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Who has not asked for as long as a bucket takes to fill is as good as new."""
        full = now - self.burst / self.rate
        self._buckets = {who: bucket for who, bucket in self._buckets.items() if bucket[1] > full}
