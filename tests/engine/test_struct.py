"""Structs: annotated classes with a fixed memory layout."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

from skerry.engine.kernel import kernel
from skerry.engine.struct import StructBuffer, dtype_of, i8, i8s, i16, i32s, struct, struct_array, struct_views, u64


@struct
class Sample:
    rng: u64
    small: i8
    wide: i16
    grid: Annotated[i8s, 2, 3]
    line: Annotated[i32s, 4]


@kernel
def fill(sample: Sample) -> None:
    sample.small = -5
    sample.wide = sample.small * 100
    for i in range(2):
        for j in range(3):
            sample.grid[i, j] = 10 * i + j
    sample.line[3] = 1 << 20


def test_annotated_fields_become_a_dtype() -> None:
    dtype = dtype_of(Sample)
    assert dtype.names == ("rng", "small", "wide", "grid", "line")
    assert dtype.fields is not None
    assert dtype["grid"].shape == (2, 3) and dtype["rng"] == np.uint64
    assert dtype.itemsize % 8 == 0 and dtype.isalignedstruct


def test_kernels_and_python_see_the_same_memory() -> None:
    buffer = StructBuffer(Sample)
    fill(buffer.struct)
    assert (buffer.struct.small, buffer.struct.wide, buffer.struct.line[3]) == (-5, -500, 1 << 20)
    assert [buffer.struct.grid[1, j] for j in range(3)] == [10, 11, 12]
    assert buffer.array["wide"][0] == -500
    buffer.struct.wide = 7
    assert buffer.array["wide"][0] == 7


def test_a_struct_is_saved_and_loaded_as_its_bytes() -> None:
    buffer = StructBuffer(Sample)
    fill(buffer.struct)
    again = StructBuffer(Sample, buffer.content)
    assert again.content == buffer.content
    again.struct.small = 0
    assert buffer.struct.small == -5


def test_numbers_are_python_ints_and_values_that_do_not_fit_are_refused() -> None:
    sample = StructBuffer(Sample).struct
    sample.small = 100
    assert sample.small + sample.small == 200  # int8 would have wrapped
    assert type(sample.small) is int
    with pytest.raises(ValueError, match="invalid value"):
        sample.small = 128
    with pytest.raises(ValueError, match="invalid value"):
        sample.grid[0, 0] = -129
    with pytest.raises(IndexError):
        sample.line[4] = 1


def test_several_structs_are_an_array() -> None:
    samples = struct_array(Sample, 3)
    for sample in list(struct_views(Sample, samples)):
        assert int(sample.small) == 0
    assert samples.nbytes == 3 * dtype_of(Sample).itemsize


@kernel
def copy_first(samples: Any) -> None:
    samples[1] = samples[0]
    samples[0].small = 7


def test_assigning_a_struct_copies_it_compiled_and_interpreted() -> None:
    samples = struct_views(Sample, struct_array(Sample, 2))
    samples[0].small = 5
    copy_first(samples)
    assert (samples[0].small, samples[1].small) == (7, 5)
