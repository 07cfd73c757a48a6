"""What numba has to be told: where compiled kernels are kept, and how to take a readable row for a record."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from types import CodeType
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import typeof_impl

from skerry.engine.cache import announce, folder, package_of
from skerry.engine.record import Row, dtype_of


@functools.cache
def _numba_type(row: type[Row]) -> Any:
    return numba.from_dtype(dtype_of(row.record))


typeof_impl.register(Row, lambda row, context: _numba_type(type(row)))  # type: ignore[arg-type]


class _Locator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file = source
        self._line = function.__code__.co_firstlineno
        self._path = folder(package_of(function)) / function.__module__

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> _Locator:
        return cls(function, source)

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
        cells = self._py_func.__closure__ or ()
        captured = tuple(_name(cell.cell_contents) for cell in cells)
        code: CodeType = self._py_func.__code__
        return (signature, codegen.magic_tuple(), hashlib.sha256(code.co_code).hexdigest(), captured)


def _name(captured: Any) -> str:
    function = getattr(captured, "py_func", None)
    if function is None:
        return repr(captured)
    inner = "".join(_name(cell.cell_contents) for cell in function.__closure__ or ())
    return f"{function.__module__}.{function.__qualname__}({inner})"
