"""Structs: annotated classes with a fixed memory layout, shared by kernels and Python.

    @struct
    class State:
        rng: u64
        water: i8
        hands: Annotated[i8s, SEATS, CARDS]

Type checkers see ordinary fields; kernels get a NumPy struct of fixed size. Copying one is a memcpy, saving one is
writing its bytes, and a batch is a structured array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

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

S = TypeVar("S")


def struct(cls: type[S]) -> type[S]:
    """Make an annotated class a struct: it gets a ``dtype`` with C alignment and a ``StructView`` subclass."""
    fields = [_field(name, hint) for name, hint in _hints(cls).items()]
    dtype = np.dtype(fields, align=True)
    setattr(cls, "dtype", np.dtype((np.record, dtype)))  # noqa: B010 (mypy sees a plain class)
    setattr(cls, "_struct_view", _view_class(cls, dtype))  # noqa: B010
    return cls


def dtype_of(cls: type[Any]) -> np.dtype[Any]:
    """The NumPy dtype of a struct."""
    return cast("np.dtype[Any]", cls.dtype)


def struct_array(cls: type[S], count: int) -> NDArray[Any]:
    """An array of zeroed structs."""
    return np.zeros(count, dtype=dtype_of(cls))


def struct_views(cls: type[S], array: NDArray[Any]) -> Sequence[S]:
    """An array of structs as kernels take it: the array itself, or a list of views when kernels are interpreted."""
    if not INTERPRETED:
        return cast(Sequence[S], array)
    size = array.dtype.itemsize
    data = array.view(np.uint8).data.cast("B")
    return _StructViews(struct_view(cls, data[i * size : (i + 1) * size]) for i in range(len(array)))


class _StructViews(list[Any]):
    """Views on the structs of one array. Assigning to an index copies the struct, as it does in an array."""

    def __setitem__(self, index: Any, view: Any) -> None:
        self[index].data[:] = view.data


def struct_view(cls: type[S], data: memoryview) -> S:
    """A view on the bytes of one struct. Its numbers are Python ints; a value that does not fit raises ValueError.

    Kernels take it too, compiled or interpreted. NumPy's own record scalars would give ``int8``, in which a small sum
    or a shift silently overflows.
    """
    return cast(S, cast(Any, cls)._struct_view(data))


class StructBuffer(Generic[S]):
    """One struct that owns its memory. ``struct`` is the view for kernels and readers, ``content`` its bytes."""

    def __init__(self, cls: type[S], content: bytes | None = None) -> None:
        self.struct_class = cls
        self.array = struct_array(cls, 1)
        self.struct: S = struct_view(cls, self.array.view(np.uint8).data)
        if content is not None:
            self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        return StructBuffer, (self.struct_class, self.content)

    def __deepcopy__(self, memo: dict[int, Any]) -> StructBuffer[S]:
        return StructBuffer(self.struct_class, self.content)

    @property
    def content(self) -> bytes:
        return self.array.tobytes()

    @content.setter
    def content(self, content: bytes) -> None:
        if len(content) != self.array.nbytes:
            raise ValueError(f"the struct has {self.array.nbytes} bytes, not {len(content)}")
        self.array.view(np.uint8)[:] = np.frombuffer(content, np.uint8)


def _hints(cls: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def _field(name: str, hint: Any) -> tuple[str, type[np.generic], tuple[int, ...]]:
    _, scalar, *shape = get_args(hint)
    return name, scalar, tuple(shape)


class _FieldLayout(NamedTuple):
    """Where a field lies in its struct; ``code`` is its type for ``memoryview.cast``."""

    offset: int
    size: int
    code: str
    shape: tuple[int, ...]


class StructView:
    """A view on the bytes of one struct. The memoryview of an array is made when it is first used; the numbers of one
    type share one on the whole struct.

    numba unboxes ``data``.
    """

    __slots__ = ("__dict__", "data")
    struct_class: ClassVar[type[Any]]
    _layout: ClassVar[dict[str, _FieldLayout]]

    def __init__(self, data: memoryview) -> None:
        self.data = data

    def __getitem__(self, name: str) -> Any:
        """A field by its name, as kernels read it that serve several games."""
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def _field_view(self, name: str) -> memoryview:
        view = self.__dict__.get(name)
        if view is None:
            offset, size, code, shape = self._layout[name]
            view = self.data[offset : offset + size].cast(code, shape or [1])  # type: ignore[call-overload]
            self.__dict__[name] = view
        return cast(memoryview, view)

    def _numbers(self, code: str) -> memoryview:
        """The whole struct as numbers of one type."""
        name = f"numbers {code}"
        view = self.__dict__.get(name)
        if view is None:
            view = self.data.cast("B").cast(code)  # type: ignore[call-overload]
            self.__dict__[name] = view
        return cast(memoryview, view)


def _scalar_property(field: _FieldLayout) -> property:
    code, index, name = field.code, field.offset // field.size, f"numbers {field.code}"

    def get(self: StructView) -> int:
        view = self.__dict__.get(name)  # inlined from _numbers: reading a field is the hot path of a player's view
        return (view if view is not None else self._numbers(code))[index]

    def put(self: StructView, value: int) -> None:
        self._numbers(code)[index] = int(value)

    return property(get, put)


def _array_property(name: str) -> property:
    return property(lambda self: self._field_view(name))


def _view_class(cls: type[Any], dtype: np.dtype[Any]) -> type[StructView]:
    layout: dict[str, _FieldLayout] = {}
    members: dict[str, Any] = {"struct_class": cls, "_layout": layout, "__slots__": ()}
    assert dtype.fields is not None and dtype.names is not None
    for name in dtype.names:
        field_type, offset = dtype.fields[name][:2]
        layout[name] = _FieldLayout(offset, field_type.itemsize, field_type.base.char, field_type.shape)
        members[name] = _array_property(name) if field_type.shape else _scalar_property(layout[name])
    return type(cls.__name__, (StructView,), members)
