"""Where compiled kernels are kept between two starts.

numba keeps one file a function and checks only that function's own source file, so a kernel that calls an
edited helper would be loaded with the old helper inside. Here the folder's name is a digest of all sources
that kernels can come from: an edit anywhere leads to a new, empty folder, and the old ones are swept away.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
KEPT_DAYS = 14
NO_KERNELS = frozenset(("server", "cli", "ui", "report"))  # folders whose edits cannot change a kernel


def cache_root() -> Path:
    """A folder of our own in ``SKERRY_CACHE``, or in the user's cache folder."""
    base = os.environ.get("SKERRY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "skerry-kernels"


@functools.cache
def source_digest(sources: Path = PACKAGE) -> str:
    """A digest of our sources and of those of a package or a lone file."""
    digest = hashlib.sha256(sys.version.encode())
    for tree in dict.fromkeys((PACKAGE, sources)):
        for source in _sources(tree):
            digest.update(source.relative_to(tree).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(sources: Path = PACKAGE) -> Path:
    """The place for kernels of a package or a lone file."""
    path = cache_root() / source_digest(sources)
    if path.exists():
        os.utime(path)  # in use: not swept
    else:
        _remove_unused(cache_root())
    return path


def _sources(tree: Path) -> list[Path]:
    """The files of a package, or the lone file, that kernels can come from."""
    found = tree.rglob("*.py") if tree.is_dir() else [tree]
    return sorted(path for path in found if path.is_file() and not NO_KERNELS & set(path.relative_to(tree).parts[:-1]))


def _remove_unused(parent: Path) -> None:
    """Forget folders of older sources that nobody has used for a while. Only what we have named is ours to delete."""
    limit = time.time() - KEPT_DAYS * 86400
    for old in parent.glob("*"):
        with contextlib.suppress(OSError):  # another process may sweep too
            if re.fullmatch("[0-9a-f]{16}", old.name) and old.is_dir() and old.stat().st_mtime < limit:
                shutil.rmtree(old, ignore_errors=True)


@functools.cache
def announce_compilation() -> None:
    """Say once that something has to be compiled."""
    print("Compiling, once for this version: it can take a minute or two …", file=sys.stderr, flush=True)


def source_tree(function: Callable[..., Any]) -> Path:
    """The folder of the top-level package that a kernel belongs to; a lone module is its own file."""
    path = Path(function.__code__.co_filename).resolve()
    depth = function.__module__.count(".")
    return path.parents[depth - 1] if depth else path
