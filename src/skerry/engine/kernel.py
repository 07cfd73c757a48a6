"""The one decorator that turns plain Python into compiled rules.

    @kernel
    def flood(state: State, place: int) -> None: ...

Why each of numba's options:

- ``nogil``: a simulation runs one thread a core; a bot thinks beside a table that answers.
- ``error_model="numpy"``: no check of every division by zero; the rules divide by constants only.
- ``_nrt=False``: code that would allocate does not compile. Kernels work on records and arrays they are
  given, which makes them fast, and lets the same functions run on a GPU.
- no ``fastmath``, no ``parallel``: results must be the same bytes everywhere.

``SKERRY_INTERPRET=1`` leaves the functions as they are. Then numba is not even imported, and records and
tables are memoryviews, so that every number is a Python int and every index and range is checked.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("SKERRY_INTERPRET", "") not in ("", "0")


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, wraps: bool) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, wraps: bool = False) -> F | Callable[[F], F]:
    """Compile ``function`` on its first call; ``wraps`` says that its unsigned sums overflow on purpose."""
    if function is None:
        return functools.partial(_kernel, wraps=wraps)
    return _kernel(function, wraps=wraps)


def _kernel(function: F, *, wraps: bool) -> F:
    if INTERPRETED:
        return _quiet(function) if wraps else function
    import numba

    from skerry.engine.numba_cache import make_cache, make_name_unique, widen_integers

    make_name_unique(function)
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    widen_integers(compiled)
    compiled._cache = make_cache(function) or compiled._cache
    return cast(F, compiled)


def _quiet(function: F) -> F:
    """NumPy warns when a scalar overflows; a generator's mixing does so in every call."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, call)


def lookup_table(values: ArrayLike, dtype: DTypeLike = np.int32) -> NDArray[Any]:
    """Constant facts for kernels: an array, or when interpreted a memoryview, whose numbers are Python ints."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return kernel_array(array)


def kernel_array(array: NDArray[Any]) -> NDArray[Any]:
    """An array as kernels want it in this mode."""
    return cast(NDArray[Any], array.data) if INTERPRETED else array
