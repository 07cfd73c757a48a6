"""The package of a game: which of its modules and files there are. Only the rules are required.

A game can also be a single module, with its kernels beside its fact sheet. A variant of another game (``Game.base``)
has what its own package lacks from the package of that game.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType


@functools.cache
def find_module(packages: tuple[str, ...], name: str) -> ModuleType | None:
    """The module of the first package that has one of this name. A module that fails to import is an error."""
    for package in packages:
        path = f"{package}.{name}"
        if _exists(path):
            return importlib.import_module(path)
    return None


def _exists(path: str) -> bool:
    try:
        spec = importlib.util.find_spec(path)
        return spec is not None and spec.has_location  # a folder of files alone is no module
    except ModuleNotFoundError as error:
        if error.name is not None and f"{path}.".startswith(f"{error.name}."):
            return False  # a package on the way is missing, or is a single module
        raise


@functools.cache
def find_file(packages: tuple[str, ...], path: str) -> Traversable | None:
    """The file of the first package that has one at this path."""
    for package in packages:
        if is_folder(package) and (file := files(package).joinpath(*path.split("/"))).is_file():
            return file
    return None


def is_folder(package: str) -> bool:
    """Whether a package is a folder, which can hold files, and not a single module."""
    return hasattr(importlib.import_module(package), "__path__")
