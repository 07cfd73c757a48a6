"""The registry of games: ours, those of installed packages, and those that a program registers.

A package offers games by entry points of the group ``skerry.games``, each of which names a ``Game``. A program or a
notebook calls ``skerry.register(GAME)``; its child processes find the game by the variable ``SKERRY_GAMES``, which can
also be set by hand: ``SKERRY_GAMES=my_game`` names modules with a ``GAME``, separated by commas.

A game that cannot be loaded is reported by name and leaves the others working.
"""

from __future__ import annotations

import importlib
import logging
import os
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from typing import cast

from skerry.engine.errors import Refusal, UnknownGame
from skerry.engine.game import CONTRACT, Game
from skerry.engine.messages import say

logger = logging.getLogger(__name__)

FOLDERS = {
    "forbidden-island": "forbidden_island",
    "forbidden-desert": "forbidden_desert",
    "cartagena": "cartagena",
    "hashi": "hashi",
}
GROUP = "skerry.games"  # of the entry points
VARIABLE = "SKERRY_GAMES"  # modules with a ``GAME``, separated by commas


@dataclass(frozen=True)
class BrokenGame:
    """A game that was offered and cannot be used."""

    name: str
    origin: str  # what offers it: a distribution, a module
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.origin}): {self.reason}"


class Registry:
    """The games by name. Those of other packages are loaded when they are asked for first."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self.broken: list[BrokenGame] = []
        self._loaded = False

    def load(self) -> None:
        """Load the games of other packages, once."""
        if self._loaded:
            return
        self._loaded = True
        for name, origin, load in (*_from_entry_points(), *_from_variable()):
            self._try(name, origin, load)

    def _try(self, name: str, origin: str, load: Callable[[], object]) -> None:
        try:
            self.add(load(), name)
        except Exception as error:  # whatever is wrong with one package, the other games work
            reason = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
            reason += _place_of(error)
            self.broken.append(BrokenGame(name, origin, reason))
            logger.warning("a game cannot be used: %s", self.broken[-1])

    def add(self, game: object, name: str | None = None) -> Game:
        """Add a game. One that does not fit, or whose name is taken, is refused."""
        if not isinstance(game, Game):
            raise Refusal(f"this is of type {type(game).__name__}, not a Game")
        if name is not None and name != game.name:
            raise Refusal(f"its entry point is called {name}, but the game {game.name}")
        if game.contract != CONTRACT:
            raise Refusal(
                f"it is written for version {game.contract} of the contract of games, and this Skerry has {CONTRACT}"
            )
        taken = find_own(game.name) or self.games.get(game.name)
        if taken is not None and taken.package != game.package:
            raise Refusal(f"there is already a game of this name, in {taken.package}")
        self.games[game.name] = game
        return game


def _place_of(error: Exception) -> str:
    """The line outside of Skerry and of Python's own library that raised an error."""
    own, library = str(Path(__file__).parents[1]), sysconfig.get_path("stdlib")
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if frame.line
        and not frame.filename.startswith(own)
        and (not frame.filename.startswith(library) or "site-packages" in frame.filename)
    ]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno}: {frames[-1].line})" if frames else ""


def _from_entry_points() -> Iterator[tuple[str, str, Callable[[], object]]]:
    for point in sorted(entry_points(group=GROUP), key=lambda point: (_distribution(point), point.name)):
        yield point.name, _distribution(point), point.load


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def _from_variable() -> Iterator[tuple[str, str, Callable[[], object]]]:
    for module in filter(None, os.environ.get(VARIABLE, "").split(",")):
        yield from _games_of_module(module)


def _games_of_module(module: str) -> Iterator[tuple[str, str, Callable[[], object]]]:
    def load() -> object:
        return importlib.import_module(module).GAME

    try:
        name = cast(Game, load()).name
    except Exception:
        name = module
    yield name, module, load


_registry = Registry()


def find_own(name: str) -> Game | None:
    """The fact sheet of one of our games."""
    if name not in FOLDERS:
        return None
    return cast(Game, importlib.import_module(f"{__name__}.{FOLDERS[name]}").GAME)


def find_game(name: str) -> Game:
    """The fact sheet of a game, by its name or its title in upper or lower case."""
    slug = str(name).strip().lower().replace(" ", "-")
    own = find_own(slug)
    if own is not None:
        return own
    if slug not in _registry.games:
        _registry.load()
    if slug in _registry.games:
        return _registry.games[slug]
    for broken in _registry.broken:
        if broken.name == slug:
            raise UnknownGame(say("the game {name} cannot be loaded: {reason}", name=slug, reason=broken.reason))
    known = ", ".join((*FOLDERS, *_registry.games))
    raise UnknownGame(say("there is no game {name!r}; there are {known}", name=name, known=known))


def all_games() -> list[Game]:
    """The fact sheets of all games: ours, then those of other packages."""
    _registry.load()
    return [*(cast(Game, find_own(name)) for name in FOLDERS), *_registry.games.values()]


def own_games() -> list[Game]:
    """The fact sheets of our own games."""
    return [cast(Game, find_own(name)) for name in FOLDERS]


def broken_games() -> list[BrokenGame]:
    """The games that were offered and cannot be used, and why."""
    _registry.load()
    return list(_registry.broken)


def register(game: Game) -> Game:
    """Make a game known to everything that finds games by name, also in child processes."""
    _registry.add(game)
    modules = list(filter(None, os.environ.get(VARIABLE, "").split(",")))
    if game.package not in modules:
        os.environ[VARIABLE] = ",".join([*modules, game.package])
    return game
