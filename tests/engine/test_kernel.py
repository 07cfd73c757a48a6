"""Kernels: compiled, cached by all sources, without allocation, interpretable."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skerry.engine.kernel import INTERPRETED, kernel, table

CALLER = """
from skerry.engine.kernel import kernel
from helping.helper import helper

@kernel
def caller(x):
    return helper(x) + 1
"""
HELPER = """
from skerry.engine.kernel import kernel

@kernel
def helper(x):
    return x * {factor}
"""
CLOSURE = """
from skerry.engine.kernel import kernel

def made(inner):
    @kernel
    def outer(x):
        return inner(x) + 100
    return outer

@kernel
def one(x):
    return x + 1

@kernel
def two(x):
    return x + 2
"""


def run(folder: Path, code: str, **environment: str) -> str:
    """Python in a process of its own that finds packages in a folder and keeps kernels beside it."""
    settings = {**os.environ, "PYTHONPATH": str(folder), "SKERRY_CACHE": str(folder / "cache"), "SKERRY_INTERPRET": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=settings | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_an_edited_helper_never_meets_a_stale_cache(tmp_path: Path) -> None:
    package = tmp_path / "helping"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "caller.py").write_text(CALLER)
    (package / "helper.py").write_text(HELPER.format(factor=10))
    code = "from helping.caller import caller; print(caller(4))"
    assert run(tmp_path, code) == "41"
    assert list((tmp_path / "cache").rglob("*.nbc")), "nothing was kept"
    (package / "helper.py").write_text(HELPER.format(factor=20))
    assert run(tmp_path, code) == "81"


def test_kernels_made_in_a_function_are_kept_and_told_apart(tmp_path: Path) -> None:
    package = tmp_path / "helping"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "made.py").write_text(CLOSURE)
    code = (
        "from helping.made import *; a, b = made(one), made(two); print(a(0), b(0), "
        "sum(sum(k.stats.cache_hits.values()) for k in (a, b)))"
    )
    assert run(tmp_path, code) == "101 102 0"
    assert run(tmp_path, code) == "101 102 2"


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from skerry.engine.bits import count; print(count(7))"
    assert run(tmp_path, code, SKERRY_CACHE=str(tmp_path / "file" / "cache")) == "3"


def test_importing_skerry_imports_no_numba(tmp_path: Path) -> None:
    assert (
        run(tmp_path, "import skerry, sys; skerry.game('forbidden-island'); print('numba' in sys.modules)") == "False"
    )


def test_interpreting_imports_no_numba_at_all(tmp_path: Path) -> None:
    code = "import skerry, sys; m = skerry.games()[0].configure({}).new(1); m.legal(0); print('numba' in sys.modules)"
    assert run(tmp_path, code, SKERRY_INTERPRET="1") == "False"


def test_code_that_allocates_does_not_compile() -> None:
    def arrays(n: int) -> Any:
        return np.zeros(n)[0]

    def lists(n: int) -> Any:
        return len([n, n])

    if not INTERPRETED:
        import numba

        for function in (arrays, lists):
            assert numba.njit(function)(3) in (0, 2), "it is the kernel's option that forbids it"
            with pytest.raises(numba.core.errors.NumbaError):
                kernel(function)(3)


def test_a_kernel_releases_the_gil() -> None:
    if not INTERPRETED:
        from skerry.engine.bits import count

        assert count.targetoptions["nogil"]  # type: ignore[attr-defined]


def test_a_table_cannot_be_changed() -> None:
    facts = table([1, 2, 3])
    with pytest.raises((ValueError, TypeError)):
        facts[0] = 5
