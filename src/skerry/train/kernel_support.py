"""What the kernels of several training programs need."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import INTERPRETED, argument, kernel
from skerry.engine.rng import seeded


def kernel_array(array: NDArray[Any]) -> Any:
    """An array of any number of dimensions for a kernel that indexes it row by row (``a[i][j]``).

    Interpreted kernels take memoryviews, which have no rows of their own: they get nested lists of flat ones.
    """
    if not INTERPRETED or array.ndim == 1:
        return argument(array)
    return [kernel_array(row) for row in array]


@kernel
def policy_seed(seed: Any, number: int) -> Any:
    """The seed of the policies' random choices in game ``number``; the game itself uses ``seeded(seed, number)``."""
    other_number: Any = ~np.uint64(number)
    return seeded(seed, other_number)
