"""The random policy."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below


@kernel
def choose(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Any legal action, all equally likely."""
    return next_below(rng, count)
