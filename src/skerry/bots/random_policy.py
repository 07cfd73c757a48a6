"""The player that does anything."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below


@kernel
def choose(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
    """Any legal action, each as likely as the others."""
    return next_below(counter, count)
