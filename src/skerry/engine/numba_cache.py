"""What numba has to be told: how kernels are named and kept, and how to take a readable row for a record."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps
from numba.extending import typeof_impl

from skerry.engine.kernel_cache import announce_compilation, cache_folder, source_digest, source_tree
from skerry.engine.struct import StructView, dtype_of


@typeof_impl.register(StructView)  # type: ignore[untyped-decorator]
def _typeof(row: StructView, context: Any) -> Any:
    """A record, as numba knows it. Kept with the class, it is asked for only once."""
    kind: Any = type(row)
    kind._numba_type_ = numba.from_dtype(dtype_of(kind.struct_class))
    return kind._numba_type_


class _Locator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file = source
        self._line = function.__code__.co_firstlineno
        self._path = cache_folder(source_tree(function)) / function.__module__

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


class _Files:
    """A file a compiled kernel, named by its key: processes that keep at the same time never meet.

    numba numbers its files by an index of its own, in which two processes can give one number to two kernels.
    """

    def __init__(self, base: Path) -> None:
        self._base = base

    def load(self, key: tuple[Any, ...]) -> Any:
        try:
            return pickle.loads(self._path(key).read_bytes())
        except FileNotFoundError:
            return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        path = self._path(key)
        half = path.with_suffix(f".{uuid4().hex}")
        try:
            half.write_bytes(dumps(data))
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)

    def _path(self, key: tuple[Any, ...]) -> Path:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        return self._base.with_name(f"{self._base.name}-{digest}.nbc")


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, for kernels made inside a function too (a loop over one game's rules, say)."""

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(Path(self.cache_path) / self._impl.filename_base)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Nothing, where it was never compiled or no folder can be read."""
        found = None
        with contextlib.suppress(OSError):
            found = super().load_overload(signature, context)
        if found is None:
            announce_compilation()
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """A disk that is full or read-only costs the next start its time, not this one its game."""
        with contextlib.suppress(OSError):
            super().save_overload(signature, data)

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """numba's holds a pickle of the captured kernels, which differs in every process; here names tell them
        apart."""
        return numba.__version__, signature, codegen.magic_tuple(), self._py_func.__qualname__


def widen_integers(kernel: Any) -> None:
    """Let kernels call this one with ints as wide as they come: it would be compiled anew, with all that it calls, for
    every width and for every number that is written out."""
    fold = kernel._compiler.fold_argument_types

    def folded(given: Any, named: Any) -> Any:
        signature, kinds = fold(given, named)
        return signature, tuple(map(_wide, kinds))

    kernel._compiler.fold_argument_types = folded


def _wide(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.bitwidth < 64 else kind


def make_name_unique(function: Callable[..., Any]) -> None:
    """Give a kernel that captures something a name that says what.

    numba links kept kernels by their names and a number that starts anew in every process: of two that are named
    alike, kept by two processes and loaded by a third, it would call the first for both.
    """
    if function.__closure__:
        captured = [_identity(cell.cell_contents) for cell in function.__closure__]
        content = repr((function.__code__.co_firstlineno, captured)).encode()
        function.__qualname__ += f"_{hashlib.sha256(content).hexdigest()[:16]}"


def _identity(captured: Any) -> str:
    """A kernel by its name and the sources it comes from; a value by its content."""
    function = getattr(captured, "py_func", None)
    if function is None:
        return hashlib.sha256(pickle.dumps(captured)).hexdigest()
    return f"{source_digest(source_tree(function))}:{function.__module__}.{function.__qualname__}"


def make_cache(function: Callable[..., Any]) -> KernelCache | None:
    """A cache for a kernel, or None where nothing can be kept: then it is compiled in every process."""
    with contextlib.suppress(RuntimeError):
        return KernelCache(function)
    return None
