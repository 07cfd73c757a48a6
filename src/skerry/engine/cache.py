"""Where compiled kernels are kept between two starts.

numba keeps one file a function and checks only that function's own source file, so a kernel that calls an
edited helper would be loaded with the old helper inside. Here the folder's name is a digest of all sources
that kernels can come from: an edit anywhere leads to a new, empty folder, and the old ones are swept away.
"""

from __future__ import annotations

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


def root() -> Path:
    """A folder of our own in ``SKERRY_CACHE``, or in the user's cache folder."""
    base = os.environ.get("SKERRY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "skerry-kernels"


@functools.cache
def folder(package: Path = PACKAGE) -> Path:
    """This version's folder: ours is keyed by our sources, another package's by ours and its own."""
    digest = hashlib.sha256(sys.version.encode())
    for tree in dict.fromkeys((PACKAGE, package)):
        for source in sorted(tree.rglob("*.py")):
            digest.update(source.relative_to(tree).as_posix().encode())
            digest.update(source.read_bytes())
    path = root() / digest.hexdigest()[:16]
    if not path.exists():
        _sweep(root())
    return path


def _sweep(parent: Path) -> None:
    """Forget folders of older sources that nobody has used for a while. Only what we have named is ours to delete."""
    limit = time.time() - KEPT_DAYS * 86400
    for old in parent.glob("*"):
        if re.fullmatch("[0-9a-f]{16}", old.name) and old.is_dir() and old.stat().st_mtime < limit:
            shutil.rmtree(old, ignore_errors=True)


@functools.cache
def announce() -> None:
    """Say once that something has to be compiled."""
    print("Compiling, once for this version: it takes up to a minute …", file=sys.stderr, flush=True)


def package_of(function: Callable[..., Any]) -> Path:
    """The folder of the top-level package that a kernel belongs to; a lone module is its own."""
    path = Path(function.__code__.co_filename).resolve()
    depth = function.__module__.count(".") if function.__module__ != "__main__" else 0
    return path.parents[depth - 1] if depth else path.parent
