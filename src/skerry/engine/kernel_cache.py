"""The folder in which compiled kernels are kept between two starts.

numba keeps one file for each function and checks only that function's own source file, so that a kernel which calls an
edited helper would be loaded with the old helper inside. Here the folder is named after a digest of all sources that
kernels can come from: any edit leads to a new, empty folder, and unused folders are removed after a while.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import time
from pathlib import Path
from types import FunctionType

PACKAGE = Path(__file__).parents[1]
KEPT_DAYS = 14
NO_KERNELS = frozenset(("server", "cli", "ui", "report"))  # folders whose edits cannot change a kernel


def cache_root() -> Path:
    """The folder of all our caches: in ``SKERRY_CACHE``, or in the user's cache folder."""
    base = os.environ.get("SKERRY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "skerry-kernels"


@functools.cache
def source_digest(sources: Path = PACKAGE) -> str:
    """A digest of the Python version, our sources, and those of another package or single file."""
    digest = hashlib.sha256(sys.version.encode())
    for tree in dict.fromkeys((PACKAGE, sources)):
        for source in _kernel_sources(tree):
            digest.update(source.relative_to(tree).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(sources: Path = PACKAGE) -> Path:
    """The folder for the kernels of a package or single file."""
    path = cache_root() / source_digest(sources)
    if path.exists():
        os.utime(path)  # marks it as used
    else:
        _remove_unused(cache_root())
    return path


def _kernel_sources(tree: Path) -> list[Path]:
    """The files of a package, or the single file, that kernels can come from."""
    found = tree.rglob("*.py") if tree.is_dir() else [tree]
    return sorted(path for path in found if path.is_file() and not NO_KERNELS & set(path.relative_to(tree).parts[:-1]))


def _remove_unused(parent: Path) -> None:
    """Remove the folders of older sources that were not used for a while. Nothing that we did not name is touched."""
    limit = time.time() - KEPT_DAYS * 86400
    for old in parent.glob("*"):
        with contextlib.suppress(OSError):  # another process may be removing it too
            if re.fullmatch("[0-9a-f]{16}", old.name) and old.is_dir() and old.stat().st_mtime < limit:
                shutil.rmtree(old, ignore_errors=True)


@functools.cache
def announce_compilation() -> None:
    """Print once per process that kernels have to be compiled."""
    print("Compiling, once for this version: it can take a minute or two …", file=sys.stderr, flush=True)


def source_tree(function: FunctionType) -> Path:
    """The folder of the top-level package that a function belongs to, or the file of a single module."""
    path = Path(function.__code__.co_filename).resolve()
    depth = function.__module__.count(".")
    return path.parents[depth - 1] if depth else path
