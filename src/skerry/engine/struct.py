"""Annotated classes that become NumPy records.

    @record
    class State:
        rng: u64
        water: i8
        hands: Annotated[i8s, SEATS, CARDS]

Editors and mypy see the fields; kernels get one fixed-size piece of memory. A copy is a memcpy, a save is
its bytes, a batch is an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import INTERPRETED

i8 = Annotated[int, np.int8]
i16 = Annotated[int, np.int16]
i32 = Annotated[int, np.int32]
i64 = Annotated[int, np.int64]
u64 = Annotated[int, np.uint64]
i8s = Annotated[NDArray[np.int8], np.int8]
i16s = Annotated[NDArray[np.int16], np.int16]
i32s = Annotated[NDArray[np.int32], np.int32]

R = TypeVar("R")


def struct(cls: type[R]) -> type[R]:
    """Give the class its ``dtype`` (C layout, so that every field is aligned) and a class of readable rows."""
    fields = [_field(name, hint) for name, hint in _hints(cls).items()]
    dtype = np.dtype(fields, align=True)
    setattr(cls, "dtype", np.dtype((np.record, dtype)))  # noqa: B010 (a plain class to mypy)
    setattr(cls, "_struct_view", _view_class(cls, dtype))  # noqa: B010
    return cls


def dtype_of(cls: type[Any]) -> np.dtype[Any]:
    return cast("np.dtype[Any]", cls.dtype)


def struct_array(cls: type[R], count: int) -> NDArray[Any]:
    """That many zeroed records."""
    return np.zeros(count, dtype=dtype_of(cls))


def struct_views(cls: type[R], records: NDArray[Any]) -> Sequence[R]:
    """The records as kernels take them in this mode: the array itself, or a list of readable rows."""
    if not INTERPRETED:
        return cast(Sequence[R], records)
    size = records.dtype.itemsize
    raw = records.view(np.uint8).data.cast("B")
    return _StructViews(struct_view(cls, raw[i * size : (i + 1) * size]) for i in range(len(records)))


class _StructViews(list[Any]):
    """Readable rows of one array: what is put in a place is copied there, as an array does."""

    def __setitem__(self, index: Any, record: Any) -> None:
        self[index].data[:] = record.data


def struct_view(cls: type[R], data: memoryview) -> R:
    """One record as Python reads it: its numbers are plain ints, and what does not fit is refused.

    Kernels take it too, compiled or not. (NumPy's own scalar records would give ``int8``, in which a small
    sum or a shift silently wraps.)
    """
    return cast(R, cast(Any, cls)._struct_view(data))


class StructBuffer(Generic[R]):
    """One record of its own: ``row`` is what kernels and readers take, ``content`` its bytes."""

    def __init__(self, cls: type[R], content: bytes | None = None) -> None:
        self.array = struct_array(cls, 1)
        self.struct: R = struct_view(cls, self.array.view(np.uint8).data)
        if content is not None:
            self.content = content

    @property
    def content(self) -> bytes:
        return self.array.tobytes()

    @content.setter
    def content(self, content: bytes) -> None:
        if len(content) != self.array.nbytes:
            raise ValueError(f"a record of {self.array.nbytes} bytes, not of {len(content)}")
        self.array.view(np.uint8)[:] = np.frombuffer(content, np.uint8)


def _hints(cls: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def _field(name: str, hint: Any) -> tuple[str, type[np.generic], tuple[int, ...]]:
    _, scalar, *shape = get_args(hint)
    return name, scalar, tuple(shape)


class StructView:
    """Memoryviews on a record's bytes, made when a field is first touched. ``data`` is what numba unboxes."""

    __slots__ = ("__dict__", "data")
    struct_class: ClassVar[type[Any]]
    _layout: ClassVar[dict[str, tuple[int, int, str, tuple[int, ...]]]]

    def __init__(self, data: memoryview) -> None:
        self.data = data

    def _part(self, name: str) -> memoryview:
        part = self.__dict__.get(name)
        if part is None:
            offset, size, code, shape = self._layout[name]
            part = self.data[offset : offset + size].cast(code, shape or [1])  # type: ignore[call-overload]
            self.__dict__[name] = part
        return cast(memoryview, part)


def _scalar_property(name: str) -> property:
    def get(self: StructView) -> int:
        part = self.__dict__.get(name)  # first, because views read a lot
        return (part if part is not None else self._part(name))[0]

    def put(self: StructView, value: int) -> None:
        self._part(name)[0] = int(value)

    return property(get, put)


def _array_property(name: str) -> property:
    return property(lambda self: self._part(name))


def _view_class(cls: type[Any], dtype: np.dtype[Any]) -> type[StructView]:
    layout: dict[str, tuple[int, int, str, tuple[int, ...]]] = {}
    members: dict[str, Any] = {"struct_class": cls, "_layout": layout, "__slots__": ()}
    assert dtype.fields is not None and dtype.names is not None
    for field in dtype.names:
        kind, offset = dtype.fields[field][:2]
        layout[field] = (offset, kind.itemsize, kind.base.char, kind.shape)
        members[field] = _array_property(field) if kind.shape else _scalar_property(field)
    return type(cls.__name__, (StructView,), members)
