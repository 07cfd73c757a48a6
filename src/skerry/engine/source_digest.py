"""The digest of all Python sources that can change how a game is played."""

from __future__ import annotations

import functools
import hashlib
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
NO_KERNELS = frozenset(("server", "cli", "ui", "report"))  # folders whose edits cannot change a kernel


@functools.cache
def source_digest(*others: Path) -> str:
    """A digest of the Python version, our sources, and those of other packages or single files."""
    digest = hashlib.sha256(sys.version.encode())
    for tree in dict.fromkeys((PACKAGE, *others)):
        for source in _kernel_sources(tree):
            digest.update(source.relative_to(tree).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def package_version() -> str:
    """The version of Skerry."""
    return str(importlib.import_module(PACKAGE.name).__version__)


def sources_outside(packages: Iterable[str]) -> tuple[Path, ...]:
    """The folders or single files that packages which are not ours come from.

    It is the outermost package, because rules also call what lies beside them.
    """
    outside = [package for package in packages if package.partition(".")[0] != PACKAGE.name]
    return tuple(dict.fromkeys(outermost_source(package) for package in outside))


def outermost_source(package: str) -> Path:
    """The folder of the outermost package that a package or module lies in, or its single file."""
    outermost = package.partition(".")[0]
    is_namespace = importlib.import_module(outermost).__file__ is None
    return source_of(package if is_namespace else outermost)


def source_of(package: str) -> Path:
    """The folder of a package, or the single file of a module."""
    file = importlib.import_module(package).__file__
    if file is None:
        raise ValueError(f"the package {package} has no __init__.py")
    path = Path(file)
    return path.parent if path.name == "__init__.py" else path


def _kernel_sources(tree: Path) -> list[Path]:
    """The files of a package, or the single file, that kernels can come from."""
    found = tree.rglob("*.py") if tree.is_dir() else [tree]
    return sorted(path for path in found if path.is_file() and not NO_KERNELS & set(path.relative_to(tree).parts[:-1]))
