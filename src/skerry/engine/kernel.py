"""``@kernel``: compile a plain Python function with numba.

    @kernel
    def flood(state: State, place: int) -> None: ...

The numba options, and why:

- ``nogil``: a simulation runs one thread per core, and a bot thinks while the server answers requests.
- ``error_model="numpy"``: no zero check at every division; the rules divide by constants only.
- ``_nrt=False``: code that allocates memory does not compile. Kernels work on the structs and arrays they are given,
  which makes them fast and lets the same functions run on a GPU.
- no ``fastmath`` and no ``parallel``: results must be the same bytes everywhere.

``SKERRY_INTERPRET=1`` leaves functions uncompiled and does not even import numba. Structs and tables are then
memoryviews: every number is a Python int, and every index and range is checked.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

# A kernel may have any signature: numba compiles it for the argument types of each call.
F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("SKERRY_INTERPRET", "") not in ("", "0")


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, wraps: bool) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, wraps: bool = False) -> F | Callable[[F], F]:
    """Compile ``function`` on its first call. ``wraps``: its unsigned arithmetic overflows on purpose."""
    if function is None:
        return functools.partial(_kernel, wraps=wraps)
    return _kernel(function, wraps=wraps)


def _kernel(function: F, *, wraps: bool) -> F:
    if INTERPRETED:
        return _without_overflow_warnings(function) if wraps else function
    from skerry.engine.numba_kernel import Kernel

    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    return cast(F, Kernel(cast(FunctionType, function), **options))


def _without_overflow_warnings(function: F) -> F:
    """NumPy warns when a scalar overflows, which a random generator does in every call."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, call)


def lookup_table(values: ArrayLike, dtype: DTypeLike = np.int32) -> NDArray[Any]:
    """A read-only table of constants for kernels, as ``kernel_array`` makes it."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return kernel_array(array)


def kernel_array(array: NDArray[Any]) -> NDArray[Any]:
    """An array as kernels take it: the array itself, or its memoryview when kernels are interpreted."""
    return cast(NDArray[Any], array.data) if INTERPRETED else array
