"""Players as kernels: ``policy(world, seat, legal, count, counter) -> (index, counter)``.

``world`` is a sample of what the seat cannot know, never the truth; ``index`` points into the seat's legal
actions; ``counter`` is the policy's own chance (``engine.random.bounded``).
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.engine.random import bounded


@kernel
def random(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
    """Any legal action, each as likely as the others."""
    return bounded(counter, count)
