"""What the kernels of several training programs need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.rng import derive_seed

# A kernel that works through many games at once and is called in one place. It takes structs and arrays, which are of
# other types when compiled, interpreted or on a GPU, so that its signature says nothing.
BatchKernel = Callable[..., Any]


def kernel_rows(array: NDArray[Any]) -> Any:
    """An array of any number of dimensions for a kernel that indexes it row by row (``a[i][j]``).

    Interpreted kernels take memoryviews, which have no rows of their own: they get nested lists of flat ones.
    """
    if not INTERPRETED or array.ndim == 1:
        return kernel_array(array)
    return [kernel_rows(row) for row in array]


@kernel
def policy_seed(seed: Any, number: int) -> Any:
    """The seed of the policies' random choices in game ``number``.

    The game itself has ``derive_seed(seed, number)``.
    """
    other_number: Any = ~np.uint64(number)
    return derive_seed(seed, other_number)
