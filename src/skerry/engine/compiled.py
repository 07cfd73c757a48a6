"""What numba has to be told: where compiled kernels are kept, and how to take a readable row for a record."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
from collections.abc import Callable
from types import CodeType
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import typeof_impl

from skerry.engine.cache import announce, folder, sources_of
from skerry.engine.record import Row, dtype_of


@functools.cache
def _numba_type(row: type[Row]) -> Any:
    return numba.from_dtype(dtype_of(row.record))


typeof_impl.register(Row, lambda row, context: _numba_type(type(row)))  # type: ignore[arg-type]


class _Locator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file = source
        self._line = function.__code__.co_firstlineno
        self._path = folder(sources_of(function)) / function.__module__

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> _Locator | None:
        """None where there is no source file to be keyed by, or no place to keep anything."""
        try:
            return cls(function, source) if os.path.isfile(source) else None
        except (OSError, RuntimeError):  # a folder that may not be read; a user without a home
            return None

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> int:
        return 0  # the folder's name is the stamp

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]  # noqa: RUF012 (numba's own name and shape)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, for kernels made inside a function too (a loop over one game's rules, say).

    numba's key of such a closure contains a pickle of the kernels it closes over, which differs in every
    process; here they are told apart by name.
    """

    _impl_class = _Implementation

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Nothing, where it was never compiled or no folder can be read."""
        found = None
        with contextlib.suppress(OSError):
            found = super().load_overload(signature, context)
        if found is None:
            announce()
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """A disk that is full or read-only costs the next start its time, not this one its game."""
        with contextlib.suppress(OSError):
            super().save_overload(signature, data)

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        captured = tuple(_identity(cell.cell_contents) for cell in self._py_func.__closure__ or ())
        code: CodeType = self._py_func.__code__
        content = repr((code.co_code, code.co_consts, code.co_names)).encode()
        return (signature, codegen.magic_tuple(), hashlib.sha256(content).hexdigest(), captured)


def _identity(captured: Any) -> str:
    """A kernel by its name and the sources it comes from, with all that it captures; a value by its content."""
    function = getattr(captured, "py_func", None)
    if function is None:
        return hashlib.sha256(pickle.dumps(captured)).hexdigest()
    inner = ",".join(_identity(cell.cell_contents) for cell in function.__closure__ or ())
    return f"{folder(sources_of(function)).name}:{function.__module__}.{function.__qualname__}({inner})"


def keep(function: Callable[..., Any]) -> KernelCache | None:
    """A cache for a kernel, or None where nothing can be kept: then it is compiled in every process."""
    with contextlib.suppress(RuntimeError):
        return KernelCache(function)
    return None
