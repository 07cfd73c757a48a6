"""Kernels: compilation, what is compiled again after an edit, and interpretation."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skerry.engine.kernel import kernel, lookup_table
from tests.python_process import run_code

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


def test_a_kernel_is_compiled_again_when_a_helper_is_edited(tmp_path: Path) -> None:
    package = tmp_path / "helping"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "caller.py").write_text(CALLER)
    (package / "helper.py").write_text(HELPER.format(factor=10))
    code = "from helping.caller import caller; print(caller(4))"
    assert run_code(tmp_path, code) == "41"
    assert list((tmp_path / "cache").rglob("*.kernel")), "nothing was cached"
    (package / "helper.py").write_text(HELPER.format(factor=20))
    assert run_code(tmp_path, code) == "81"


def test_kernels_made_inside_a_function_are_cached_separately(tmp_path: Path) -> None:
    package = tmp_path / "helping"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "made.py").write_text(CLOSURE)
    code = (
        "from helping.made import *; a, b = made(one), made(two); print(a(0), b(0), "
        "sum(sum(k.stats.cache_hits.values()) for k in (a, b)))"
    )
    assert run_code(tmp_path, code) == "101 102 0"
    assert run_code(tmp_path, code) == "101 102 2"


def test_kernels_cached_by_different_processes_can_be_loaded_together(tmp_path: Path) -> None:
    """Each process numbers its functions from one: by name and number alone, the two kernels would be linked as one."""
    long = "".join(f"        x = (x * {n} + inner(x)) % 1000003\n" for n in range(3, 200))  # too long to be inlined
    (tmp_path / "made.py").write_text(CLOSURE.replace("        return", f"{long}        return"))
    wanted = [run_code(tmp_path, f"from made import *; print(made(made({inner}))(0))") for inner in ("one", "two")]
    both = "from made import *; print(made(made(one))(0), made(made(two))(0))"
    assert run_code(tmp_path, both) == " ".join(wanted) and wanted[0] != wanted[1]


def test_kernels_work_if_the_cache_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from skerry.engine.bitset import popcount; print(popcount(7))"
    assert run_code(tmp_path, code, SKERRY_CACHE=str(tmp_path / "file" / "cache")) == "3"


POLICY = """
from skerry.engine.kernel import kernel

@kernel
def policy(world, seat, legal, count, counter):
    return {choice}, counter
"""
PLAY = """
import skerry
from skerry.lab.game_kernels import game_kernels
from skerry.lab import series as lab
from helping.policy import policy

series = lab.Series(skerry.game("forbidden-island"), ("random",) * 4, 1)
made = game_kernels(skerry.game("forbidden-island").game.rules, (policy,), True)
lab.Series.kernels = lambda self: made
print(lab.play(series, 0, 1)[1][0])
"""


def test_our_loop_is_compiled_again_when_a_policy_of_another_package_is_edited(tmp_path: Path) -> None:
    package = tmp_path / "helping"
    package.mkdir()
    (package / "__init__.py").write_text("")
    results = []
    for choice in ("0", "count - 1", "0"):
        (package / "policy.py").write_text(POLICY.format(choice=choice))
        results.append(run_code(tmp_path, PLAY, SKERRY_CACHE=os.environ.get("SKERRY_CACHE", str(tmp_path / "cache"))))
    assert results[0] == results[2] != results[1]


def test_kernels_without_a_source_file_are_told_apart(tmp_path: Path) -> None:
    code = "from skerry.engine.kernel import kernel\n@kernel\ndef f(x): return x + {n}\nprint(f(0))"
    assert [run_code(tmp_path, code.format(n=n)) for n in (1, 2)] == ["1", "2"]


def test_kernels_with_different_captured_values_are_cached_separately(tmp_path: Path) -> None:
    (tmp_path / "capture.py").write_text(
        "import numpy as np\nfrom skerry.engine.kernel import kernel\n"
        "def made(values):\n    @kernel\n    def pick(i):\n        return values[i]\n    return pick\n"
        "first = np.zeros(5000, np.int64); second = first.copy(); second[2500] = 7\n"
    )
    code = "from capture import *; print(made(first)(2500), made(second)(2500))"
    assert [run_code(tmp_path, code) for _ in range(2)] == ["0 7", "0 7"]


def test_importing_skerry_imports_no_numba(tmp_path: Path) -> None:
    assert (
        run_code(tmp_path, "import skerry, sys; skerry.game('forbidden-island'); print('numba' in sys.modules)")
        == "False"
    )


def test_interpreting_imports_no_numba_at_all(tmp_path: Path) -> None:
    code = (
        "import skerry, sys; m = skerry.all_games()[0].configure({}).new(1); m.legal(0); print('numba' in sys.modules)"
    )
    assert run_code(tmp_path, code, SKERRY_INTERPRET="1") == "False"


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels made in the test are compiled even if the test run interprets kernels."""
    monkeypatch.setattr(sys.modules[kernel.__module__], "INTERPRETED", False)


@pytest.mark.usefixtures("compiling")
def test_code_that_allocates_does_not_compile() -> None:
    import numba

    def arrays(n: int) -> Any:
        return np.zeros(n)[0]

    def lists(n: int) -> Any:
        return len([n, n])

    for function in (arrays, lists):
        assert numba.njit(function)(3) in (0, 2), "without the option of kernels it compiles"
        with pytest.raises(numba.core.errors.NumbaError):
            kernel(function)(3)


@pytest.mark.usefixtures("compiling")
def test_a_kernel_releases_the_gil() -> None:
    @kernel
    def one() -> int:
        return 1

    assert one.targetoptions["nogil"]  # type: ignore[attr-defined]


def test_a_table_cannot_be_changed() -> None:
    facts = lookup_table([1, 2, 3])
    with pytest.raises((ValueError, TypeError)):
        facts[0] = 5
