"""The files in which compiled kernels are kept between two starts.

A file is named by the digest of the kernel in it (``kernel_digest``), and lies in a folder named after the Python,
the libraries and the modules of ours that compile it. An edit or an upgrade therefore never loads an old kernel, and
recompiles only what it changes. Files that were not used for a while are removed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import sys
import time
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

PACKAGE = Path(__file__).parents[1]
COMPILER = ("kernel.py", "kernel_digest.py", "numba_kernel.py")  # our modules that decide what a kernel is compiled to
LIBRARIES = ("numba", "llvmlite", "numpy")
DAY = 86_400
KEPT_DAYS = 14


def cache_root() -> Path:
    """The folder of all our caches: in ``SKERRY_CACHE``, or in the user's cache folder."""
    base = os.environ.get("SKERRY_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "skerry-kernels"


@functools.cache
def cache_folder() -> Path:
    """The folder for the kernels that this Python, these libraries and this version of our compiler make."""
    digest = hashlib.sha256(sys.version.encode())
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}".encode())
    for module in COMPILER:
        digest.update((PACKAGE / "engine" / module).read_bytes())
    return cache_root() / digest.hexdigest()[:16]


def is_writable() -> bool:
    """Whether compiled kernels can be saved."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a user without a home
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        return os.access(folder, os.W_OK)
    return False


def read(name: str) -> bytes | None:
    """The content of a kernel's file, or None if it is missing or cannot be read."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a user without a home
        path = cache_folder() / name
        content = path.read_bytes()
        _mark_as_used(path)
        return content
    return None


def has(name: str) -> bool:
    """Whether a kernel's file is there."""
    with contextlib.suppress(OSError, RuntimeError):
        return (cache_folder() / name).exists()
    return False


def write(name: str, content: bytes) -> None:
    """Save a compiled kernel. If the disk is full or read-only, the next start has to compile it again."""
    with contextlib.suppress(OSError, RuntimeError):
        _remove_unused()
        path = cache_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)  # a process that is killed leaves no half file under this name
        finally:
            temporary.unlink(missing_ok=True)


def _mark_as_used(path: Path) -> None:
    """Set the time of a file, once a day."""
    if time.time() - path.stat().st_mtime > DAY:
        with contextlib.suppress(OSError):  # a cache that may only be read
            os.utime(path)


@functools.cache
def _remove_unused() -> None:
    """Remove the files of kernels that were not used for a while. Nothing that we did not name is touched."""
    limit = time.time() - KEPT_DAYS * DAY
    for folder in cache_root().glob("*"):
        if re.fullmatch("[0-9a-f]{16}", folder.name) and folder.is_dir():
            _remove_old_files(folder, limit)


def _remove_old_files(folder: Path, limit: float) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):  # the files of a folder come before it
        with contextlib.suppress(OSError):  # another process may be removing it too; a folder may have files left
            if path.is_dir():
                path.rmdir()
            elif path.stat().st_mtime < limit:
                path.unlink()
    with contextlib.suppress(OSError):
        folder.rmdir()
