"""The cache of compiled kernels: what is compiled again, what several processes share, and damaged or missing files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.python_process import process_environment, run_code

PACKAGE = """
from skerry.engine.kernel import kernel, lookup_table

SCALE = {scale}
TABLE = lookup_table([1, 2, {last}])

@kernel
def helper(x):
    {comment}
    return x * SCALE

@kernel
def caller(x):
    return helper(x) + 1

@kernel
def reader(i):
    return TABLE[i]
"""
PRINT = "from helping import *; print(caller(4), reader(2))"


def write_package(folder: Path, scale: int = 10, last: int = 3, comment: str = '"""A docstring."""') -> None:
    (folder / "helping.py").write_text(PACKAGE.format(scale=scale, last=last, comment=comment))


def cached(folder: Path) -> set[str]:
    return {path.name for path in (folder / "cache").rglob("helping/*.kernel")}


def names(files: set[str]) -> set[str]:
    return {file.split("-")[0] for file in files}


def test_an_edit_compiles_what_it_changes_and_nothing_else(tmp_path: Path) -> None:
    write_package(tmp_path)
    assert run_code(tmp_path, PRINT) == "41 3"
    first = cached(tmp_path)
    write_package(tmp_path, comment="# a comment\n")
    assert run_code(tmp_path, PRINT) == "41 3"
    assert cached(tmp_path) == first, "a comment is not code"
    write_package(tmp_path, last=7)
    assert run_code(tmp_path, PRINT) == "41 7"
    assert names(cached(tmp_path) - first) == {"reader"}
    second = cached(tmp_path)
    write_package(tmp_path, scale=20, last=7)
    assert run_code(tmp_path, PRINT) == "81 7"
    assert names(cached(tmp_path) - second) == {"helper", "caller"}


def test_only_kernels_that_python_calls_get_a_wrapper(tmp_path: Path) -> None:
    write_package(tmp_path)
    run_code(tmp_path, PRINT)
    assert names({file for file in cached(tmp_path) if file.endswith(".python.kernel")}) == {"caller", "reader"}


def test_programs_hear_of_each_kernel_that_is_compiled_and_know_how_many_there_are(tmp_path: Path) -> None:
    write_package(tmp_path)
    code = (
        "from helping import caller\n"
        "from skerry.engine.kernel_digest import reachable_kernels\n"
        "from skerry.engine.kernel_progress import listening\n"
        "heard = []\n"
        "with listening(lambda function: heard.append(function.__name__)): caller(4)\n"
        "print(sorted(heard), sorted(function.__name__ for function in reachable_kernels(caller.py_func)))"
    )
    assert run_code(tmp_path, code) == "['caller', 'helper'] ['caller', 'helper']"
    assert run_code(tmp_path, code) == "[] ['caller', 'helper']"


def test_python_can_call_a_kernel_that_only_kernels_have_called_before(tmp_path: Path) -> None:
    write_package(tmp_path)
    run_code(tmp_path, PRINT)
    assert run_code(tmp_path, "from helping import helper; print(helper(2), helper.stats.cache_hits)").startswith("20")
    assert len([file for file in cached(tmp_path) if file.startswith("helper")]) == 2, "the kernel and a wrapper"


def test_a_loaded_kernel_can_be_called_from_a_new_one(tmp_path: Path) -> None:
    write_package(tmp_path)
    run_code(tmp_path, PRINT)
    (tmp_path / "more.py").write_text(
        "from helping import caller, kernel\n@kernel\ndef twice(x):\n    return caller(caller(x))\n"
    )
    assert run_code(tmp_path, "from more import twice, caller; print(twice(4), caller(1))") == "411 11"
    assert run_code(tmp_path, "from more import twice, caller; print(twice(4), caller(1))") == "411 11"


@pytest.mark.parametrize("pattern", ["helper*.kernel", "caller*.kernel", "*.bc"])
@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "not a pickle"])
def test_a_damaged_file_is_compiled_again(tmp_path: Path, pattern: str, damage: str) -> None:
    write_package(tmp_path)
    run_code(tmp_path, PRINT)
    for path in (tmp_path / "cache").rglob(f"helping/{pattern}"):
        content = path.read_bytes()
        path.write_bytes({"truncated": content[: len(content) // 2], "not a pickle": b"\x80nothing"}.get(damage, b""))
        if damage == "missing":
            path.unlink()
    assert run_code(tmp_path, PRINT) == "41 3"
    assert run_code(tmp_path, PRINT) == "41 3"


def test_a_folder_that_cannot_be_written_or_read_is_no_error(tmp_path: Path) -> None:
    write_package(tmp_path)
    (tmp_path / "file").write_text("not a folder")
    assert run_code(tmp_path, PRINT, SKERRY_CACHE=str(tmp_path / "file" / "cache")) == "41 3"
    assert run_code(tmp_path, PRINT, SKERRY_CACHE="/proc/skerry") == "41 3"


def test_a_full_disk_is_no_error(tmp_path: Path) -> None:
    write_package(tmp_path)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); import signal; "
    ignore = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    no_bytecode = {"PYTHONDONTWRITEBYTECODE": "1"}  # Python itself would leave truncated files behind
    assert run_code(tmp_path, limit + ignore + PRINT, **no_bytecode) == "41 3"
    assert not cached(tmp_path), "a file that could not be finished was left under its name"
    assert run_code(tmp_path, PRINT) == "41 3"


def test_processes_that_start_together_share_the_cache_without_harm(tmp_path: Path) -> None:
    write_package(tmp_path)
    environment = process_environment(tmp_path)
    running = [
        subprocess.Popen([sys.executable, "-c", PRINT], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate()[0].strip() for process in running] == ["41 3"] * 3
    assert not list((tmp_path / "cache").rglob("*.kernel.*")), "a temporary file was left"
    assert run_code(tmp_path, PRINT) == "41 3"


def test_threads_that_call_a_kernel_for_the_first_time_together_compile_it_once(tmp_path: Path) -> None:
    write_package(tmp_path)
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from helping import caller\n"
        "with ThreadPoolExecutor(8) as pool: print(sum(pool.map(caller, [4] * 200)))\n"
        "print(sum(caller.stats.cache_misses.values()), len(caller.signatures))"
    )
    assert run_code(tmp_path, code).split() == ["8200", "1", "1"]


def test_a_process_killed_while_it_compiles_leaves_only_whole_files(tmp_path: Path) -> None:
    code = "import skerry; m = skerry.game('hashi').new(1); print(m.legal(0)[0])"
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=process_environment(tmp_path), stdout=quiet, stderr=quiet
    )
    while process.poll() is None and not list((tmp_path / "cache").rglob("*.kernel")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert run_code(tmp_path, code) == run_code(tmp_path, code)


def test_kernels_that_were_not_used_for_a_while_are_removed(tmp_path: Path) -> None:
    write_package(tmp_path)
    run_code(tmp_path, PRINT)
    root = tmp_path / "cache" / "skerry-kernels"
    (root / "photos").mkdir()
    (root / "photos" / "beach").write_text("not ours")
    (root / "0123456789abcdef").mkdir()
    (root / "0123456789abcdef" / "old").write_text("of an older numba")
    for path in root.rglob("*"):
        os.utime(path, (0, 0))
    write_package(tmp_path, scale=20)
    assert run_code(tmp_path, PRINT) == "81 3"
    assert (root / "photos" / "beach").exists() and not (root / "0123456789abcdef").exists()
    assert names(cached(tmp_path)) == {"helper", "caller", "reader"}
    assert len([file for file in cached(tmp_path) if file.startswith("helper")]) == 1, "the unused one was kept"
