"""Extensions of numba: how kernels are named and cached, and how a ``StructView`` becomes a NumPy record."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from pathlib import Path
from types import FunctionType
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps
from numba.extending import typeof_impl

from skerry.engine.kernel_cache import announce_compilation, cache_folder, source_digest, source_tree
from skerry.engine.struct import StructView, dtype_of


@typeof_impl.register(StructView)  # type: ignore[untyped-decorator]
def _typeof(view: StructView, context: Any) -> Any:
    """The numba type of a struct. It is stored on the view's class, where numba looks first from then on."""
    view_class: Any = type(view)
    view_class._numba_type_ = numba.from_dtype(dtype_of(view_class.struct_class))
    return view_class._numba_type_


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Places the cache of a function in ``cache_folder``."""

    def __init__(self, function: FunctionType, source: str) -> None:
        self._py_file = source
        self._line = function.__code__.co_firstlineno
        self._path = cache_folder(source_tree(function)) / function.__module__

    @classmethod
    def from_function(cls, function: FunctionType, source: str) -> _Locator | None:
        """None if there is no source file to key the cache by, or no folder to put it in."""
        try:
            return cls(function, source) if os.path.isfile(source) else None
        except (OSError, RuntimeError):  # a folder that cannot be read; a user without a home
            return None

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> int:
        return 0  # the folder's name already depends on the sources

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]  # noqa: RUF012 (numba's own name and shape)


class _CacheFiles:
    """Stores each compiled kernel in a file named by its key, so that processes can save at the same time.

    numba would number the files by an index of its own, in which two processes can give one number to two kernels.
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
        temporary = path.with_suffix(f".{uuid4().hex}")
        try:
            temporary.write_bytes(dumps(data))
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _path(self, key: tuple[Any, ...]) -> Path:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        return self._base.with_name(f"{self._base.name}-{digest}.nbc")


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, for kernels that are made inside a function too (a loop over one game's rules, for example)."""

    _impl_class = _Implementation

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)
        self._cache_file = _CacheFiles(Path(self.cache_path) / self._impl.filename_base)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled kernel, or None if it is not cached or the folder cannot be read."""
        found = None
        with contextlib.suppress(OSError):
            found = super().load_overload(signature, context)
        if found is None:
            announce_compilation()
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save a compiled kernel. If the disk is full or read-only, the next start has to compile it again."""
        with contextlib.suppress(OSError):
            super().save_overload(signature, data)

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """The key of a kernel. numba's own contains a pickle of captured kernels, which differs in every process; here
        the unique name tells kernels apart."""
        return numba.__version__, signature, codegen.magic_tuple(), self._py_func.__qualname__


def widen_integers(kernel: Any) -> None:
    """Make a kernel take all integers as int64 when other kernels call it.

    Otherwise numba would compile it, with all that it calls, once for each width and each literal.
    """
    fold = kernel._compiler.fold_argument_types

    def fold_widened(args: Any, kwargs: Any) -> Any:
        signature, types = fold(args, kwargs)
        return signature, tuple(map(_widened, types))

    kernel._compiler.fold_argument_types = fold_widened


def _widened(numba_type: Any) -> Any:
    numba_type = numba.types.unliteral(numba_type)
    is_narrow = isinstance(numba_type, numba.types.Integer) and numba_type.bitwidth < 64
    return numba.types.int64 if is_narrow else numba_type


def make_name_unique(function: FunctionType) -> None:
    """Add a digest of what a kernel captures to its name.

    numba links cached kernels by their name and a number that starts again in every process. If two processes cached
    kernels of the same name, a third that loads both would call the first for both.
    """
    if function.__closure__:
        captured = [_identity(cell.cell_contents) for cell in function.__closure__]
        content = repr((function.__code__.co_firstlineno, captured)).encode()
        function.__qualname__ += f"_{hashlib.sha256(content).hexdigest()[:16]}"


def _identity(captured: Any) -> str:
    """Identifies a captured kernel by its name and sources, and any other value by its content."""
    function = getattr(captured, "py_func", None)
    if function is None:
        return hashlib.sha256(pickle.dumps(captured)).hexdigest()
    return f"{source_digest(source_tree(function))}:{function.__module__}.{function.__qualname__}"


def make_cache(function: FunctionType) -> KernelCache | None:
    """The cache of a kernel, or None if nothing can be cached: then every process compiles it."""
    with contextlib.suppress(RuntimeError):
        return KernelCache(function)
    return None
