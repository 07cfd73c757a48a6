"""The digest of a kernel: equal in two processes if, and only if, both would compile it to the same machine code.

It covers the bytecode and constants of the kernel's function, every global and captured value that the bytecode reads,
and the digests of all kernels it calls. Comments, type annotations, line numbers and other functions of the same file
do not count, so that an edit recompiles what it changes and nothing else.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import pickle
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_digests: dict[FunctionType, str] = {}
_callees: dict[FunctionType, list[FunctionType]] = {}


def kernel_digest(function: FunctionType) -> str:
    """The digest of a kernel, from the plain function it is compiled from.

    Raises TypeError if it reads a value that cannot be compared with those of other processes.
    """
    found = _digests.get(function)
    if found is None:
        digest, _callees[function] = hashlib.sha256(), []
        for part in _describe_function(function):
            digest.update(part)
            digest.update(b"\0")
        found = _digests[function] = digest.hexdigest()[:32]
    return found


def reachable_kernels(*functions: FunctionType) -> set[FunctionType]:
    """The given kernels and all that they call, directly or not: what has to be compiled before they can run."""
    found: set[FunctionType] = set()
    left = list(functions)
    while left:
        function = left.pop()
        if function not in found:
            found.add(function)
            kernel_digest(function)
            left += _callees[function]
    return found


def _describe_function(function: FunctionType) -> Iterator[bytes]:
    yield f"{function.__module__}.{function.__qualname__}".encode()
    yield from _describe_code(function.__code__, docstring=function.__doc__)
    yield from _describe_value(function, function.__defaults__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name.encode()
        yield from _describe_value(function, cell.cell_contents)
    for path in dict.fromkeys(_global_reads(function.__code__)):
        yield ".".join(path).encode()
        yield from _describe_global(function, path)


def _describe_code(code: CodeType, docstring: str | None = None) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _describe_code(constant)
        elif constant is not docstring:
            yield repr(constant).encode()


def _global_reads(code: CodeType) -> Iterator[tuple[str, ...]]:
    """The globals that a function reads, each with the attributes it reads of them: ``("components", "TILES")``."""
    path: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            if path:
                yield path
            path = (instruction.argval,)
        elif path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = (*path, instruction.argval)
        elif path:
            yield path
            path = ()
    if path:
        yield path
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_reads(constant)


def _describe_global(function: FunctionType, path: tuple[str, ...]) -> Iterator[bytes]:
    name, *attributes = path
    if name not in function.__globals__:
        yield b"builtin"
        return
    value = function.__globals__[name]
    while attributes and isinstance(value, ModuleType):
        value = getattr(value, attributes.pop(0))
    yield from _describe_value(function, value)


def _describe_value(function: FunctionType, value: Any) -> Iterator[bytes]:
    """Describe a value that a function reads."""
    callee = getattr(value, "py_func", None)
    if isinstance(callee, FunctionType):
        _callees[function].append(callee)
        yield kernel_digest(callee).encode()
    elif isinstance(value, (np.ndarray, np.generic)):
        yield f"{value.dtype.descr} {value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, enum.EnumMeta):
        yield repr([(member.name, member.value) for member in value]).encode()  # type: ignore[var-annotated]
    elif isinstance(value, (tuple, list)):
        yield f"{type(value).__qualname__} {len(value)}".encode()
        for item in value:
            yield from _describe_value(function, item)
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.dtype)):
        yield repr(value).encode()
    elif isinstance(value, (type, ModuleType)) or callable(value):
        yield from _describe_named(value)
    else:
        yield _pickled(value)


def _describe_named(value: Any) -> Iterator[bytes]:
    """A class, module or function that numba knows by its name, such as ``NamedTuple`` classes and ``math.sqrt``."""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is None:
        raise TypeError(f"a kernel cannot read {value!r}, which has no name")
    yield f"{getattr(value, '__module__', '')}.{name} {getattr(value, '_fields', '')}".encode()


def _pickled(value: Any) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise TypeError(f"a kernel cannot read {value!r}, which cannot be pickled") from error
