"""Faults: which of them a history has and how often, drawn from its seed, and how many were injected."""

from __future__ import annotations

import random
from collections import Counter

# By kind: how often it happens at most, per occasion. Each history has some of the kinds, at rates of its own, so that
# rare combinations are not drowned by the frequent ones.
HIGHEST_RATES = {
    "store: error before the commit": 0.08,
    "store: error after the commit": 0.08,
    "store: slow": 0.25,
    "store: no answer until a timeout": 0.02,
    "hub: message lost": 0.5,
    "hub: message doubled": 0.3,
    "hub: message late": 0.5,
    "hub: publishing fails": 0.2,
    "hub: subscriber cut off": 0.05,
    "network: request lost": 0.1,
    "network: response lost": 0.15,
    "network: request doubled": 0.15,
    "network: request late": 0.2,
    "network: stream cut": 0.02,
}
SHARE_OF_KINDS = 0.4  # that one history has


class Faults:
    """Draws whether a fault happens, and counts those that did."""

    def __init__(self, chance: random.Random, counts: Counter[str]) -> None:
        self._chance = chance
        self._counts = counts
        self.active = False
        self.rates = {
            kind: highest * chance.random() ** 2
            for kind, highest in HIGHEST_RATES.items()
            if chance.random() < SHARE_OF_KINDS
        }

    def strikes(self, kind: str) -> bool:
        """Whether a fault of this kind happens now."""
        rate = self.rates.get(kind, 0.0) if self.active else 0.0
        if not rate or self._chance.random() >= rate:
            return False
        self.count(kind)
        return True

    def count(self, kind: str) -> None:
        self._counts[kind] += 1
