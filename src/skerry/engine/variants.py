"""Variants of a game from other packages: its modules with other facts, without a copy of them.

    GAME = vary(ISLAND, package=__name__, name="harbour-island", title="Harbour Island", …,
                facts={"rules.components": {"TILE_TITLES": …}})

``facts`` gives module constants of the game other values. The constants that are computed from them, the kernels that
read them and everything else that depends on them are made anew, under the name of the variant's package: each module
of the game that imports a changed one, directly or not, is loaded again from its own source, with its imports led to
the modules of the variant. A module that the variant's package has itself takes the place of the game's module of the
same name in the same way. What depends on no change is shared with the game.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from skerry.engine.errors import BadGame
from skerry.engine.game import Game
from skerry.engine.game_package import is_folder
from skerry.engine.source_digest import source_of

Facts = Mapping[str, Mapping[str, Any]]  # values of constants by the module that defines them
NOT_VARIED = {"ui.tutorial"}  # plays a certain game, which goes otherwise under other facts
ROOT = "varied_game"  # the game's own ``__init__``, as a module of the variant's package
GIVEN = "__facts__"  # a global of the modules that are loaded again


def vary(base: Game, *, package: str, facts: Facts | None = None, **changes: Any) -> Game:
    """A variant of a game: its fact sheet with some changes, and its modules with other facts.

    ``package`` is the variant's own package: its modules, pictures and words come before those of the game.
    """
    if base.base is not None:
        raise BadGame(f"{base.name} is a variant itself: vary {base.base.name} instead")
    if not is_folder(package):
        raise BadGame(f"a variant is a package with a folder of its own; {package} is a single module")
    varied = _VariedModules(package, base.package, facts or {})
    sys.meta_path[:] = [finder for finder in sys.meta_path if not varied.replaces(finder)]
    sys.meta_path.insert(0, varied)
    found = importlib.import_module(f"{package}.{ROOT}").GAME if "" in varied.loaded_again else base
    return dataclasses.replace(found, package=package, base=base, **changes)


def modules_made_anew(package: str) -> Iterator[str]:
    """The modules of a variant that come from the game that it varies and are loaded again for it."""
    for finder in sys.meta_path:
        if isinstance(finder, _VariedModules) and finder.package == package:
            yield from map(finder.name_in_variant, sorted(finder.loaded_again))


class _VariedModules(MetaPathFinder):
    """Finds the modules of a game that are loaded again for a variant. ``""`` is the game's package itself."""

    def __init__(self, package: str, base: str, facts: Facts) -> None:
        self.package, self.base, self.facts = package, base, facts
        self.folder = source_of(package)
        self.sources = _modules(source_of(base))
        self.own = set(_modules(self.folder)) - {""}
        for module, values in facts.items():
            self._check_facts(module, values)
        changed = {*facts, *(self.own & set(self.sources))}
        self.loaded_again = self._dependents(changed) - self.own - NOT_VARIED

    def replaces(self, finder: object) -> bool:
        """Whether a finder is of the same package, which has been imported again."""
        return isinstance(finder, _VariedModules) and finder.package == self.package

    def name_in_variant(self, module: str) -> str:
        return f"{self.package}.{module or ROOT}"

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        prefix = f"{self.package}."
        if not fullname.startswith(prefix):
            return None
        module = fullname.removeprefix(prefix)
        module = "" if module == ROOT else module
        folder = [str(self.folder.joinpath(*module.split(".")))]  # of further modules of the variant
        if module in self.loaded_again:
            source = self.sources[module]
            loader = _VariedLoader(fullname, str(source), self, module)
            inside = folder if source.name == "__init__.py" else None
            return spec_from_file_location(fullname, loader=loader, submodule_search_locations=inside)
        if module not in self.own and any(other.startswith(f"{module}.") for other in self.loaded_again):
            spec = ModuleSpec(fullname, None, is_package=True)  # a folder that has nothing itself
            spec.submodule_search_locations = folder
            return spec
        return None

    def led(self, module: str, name: str) -> str:
        """Where modules of the variant import a name from that the game's import from one of its modules."""
        if not f"{module}.".startswith(f"{self.base}."):
            return module
        inside = module[len(self.base) + 1 :]
        submodule = f"{inside}.{name}".lstrip(".")
        if submodule in self.sources:
            return self._place(submodule, f"{module}.{name}").rpartition(".")[0]
        return self._place(inside, module)

    def _place(self, module: str, otherwise: str) -> str:
        return self.name_in_variant(module) if module in self.own | self.loaded_again else otherwise

    def _dependents(self, changed: set[str]) -> set[str]:
        """The modules that import a changed one, directly or not, and the changed ones."""
        imports = {name: set(self._imported(source)) for name, source in self.sources.items()}
        found = set(changed)
        while more := {name for name, used in imports.items() if used & found} - found:
            found |= more
        return found

    def _imported(self, source: Path) -> Iterator[str]:
        """The modules of the game that one of its files imports."""
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{self.base}."):
                inside = (node.module or "")[len(self.base) + 1 :]
                for alias in node.names:
                    submodule = f"{inside}.{alias.name}".lstrip(".")
                    yield submodule if submodule in self.sources else inside

    def _check_facts(self, module: str, values: Mapping[str, Any]) -> None:
        if module not in self.sources:
            known = ", ".join(sorted(name for name in self.sources if name.startswith("rules.")))
            raise BadGame(f"{self.base} has no module {module!r}; its rules are in {known}")
        constants = set(_constants(ast.parse(self.sources[module].read_text(encoding="utf-8"))))
        for name in values:
            if name not in constants:
                known = ", ".join(sorted(constants))
                raise BadGame(
                    f"{self.base}.{module} has no constant {name!r} that a variant can change; it has {known}"
                )


class _VariedLoader(SourceFileLoader):
    """Loads a module of the game for a variant, with other facts and with its imports led to the variant."""

    def __init__(self, fullname: str, path: str, varied: _VariedModules, module: str) -> None:
        super().__init__(fullname, path)
        self.varied, self.facts = varied, varied.facts.get(module, {})

    def get_code(self, fullname: str) -> Any:
        """The changed code. It is never kept: the file beside the source is that of the game's own module."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        tree.body = [new for node in tree.body for new in self._changed(node)]
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[GIVEN] = self.facts
        super().exec_module(module)

    def _changed(self, node: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                source = self.varied.led(node.module, alias.name)
                yield ast.copy_location(ast.ImportFrom(source, [alias], 0), node)
            return
        for name in _constants(ast.Module([node], [])):
            if name in self.facts and isinstance(node, (ast.Assign, ast.AnnAssign)):
                given = ast.Subscript(ast.Name(GIVEN, ast.Load()), ast.Constant(name), ast.Load())
                node.value = ast.copy_location(given, node)
        yield node


def _modules(source: Path) -> dict[str, Path]:
    """The modules of a package by their names inside it; ``""`` is the package itself."""
    root = source if source.is_dir() else source.parent
    names = {path: ".".join(path.relative_to(root).with_suffix("").parts) for path in root.rglob("*.py")}
    return {"" if name == "__init__" else name.removesuffix(".__init__"): path for path, name in names.items()}


def _constants(tree: ast.Module) -> Iterator[str]:
    """The constants that a module assigns one by one: a variant can give them other values."""
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            yield targets[0].id
