"""Bots of other people: the registry that finds them, and how they are asked.

A bot is a function. It is one of three kinds:

- a plain function ``policy(decision)``, which gets a ``Decision`` and returns an action: its text, its id, or None to
  pass;
- a batched function, marked ``@bot_options(batched=True)``, which gets ``Decisions`` as arrays, for networks;
- a kernel with the signature of ``skerry.botkit.Policy``, as fast as our own.

A package offers bots by entry points of the group ``skerry.bots``; a program calls ``register``; on the command line
``--bot NAME=MODULE:FUNCTION`` does. Child processes find registered bots by the variable ``SKERRY_BOTS``.

No server takes the name of a module from a request: only bots that whoever runs it has registered can be chosen.

A bot gets what its seat knows and nothing else: everything that it is handed is made from a determinization.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar, cast

from skerry.engine.errors import BadOption
from skerry.engine.game import Game

if TYPE_CHECKING:
    from skerry.bots.bot import Bot

logger = logging.getLogger(__name__)

GROUP = "skerry.bots"  # of the entry points
VARIABLE = "SKERRY_BOTS"  # NAME=MODULE:FUNCTION, separated by commas
NAME = re.compile(r"[a-z][a-z0-9_-]*")
RESERVED = ("random", "expert", "me", "open", "all")
MARK = "__skerry_bot__"
KERNEL_PARAMETERS = 5  # world, seat, legal, count, rng

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class BotMark:
    """What ``bot_options`` says about a function."""

    batched: bool = False
    games: tuple[str, ...] = ()  # that it can play; all if there are none


def bot_options(*, batched: bool = False, games: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Say how a function is asked, and which games it can play (by default all).

    @bot_options(batched=True, games=("hashi",))
    def policy(decisions): ...
    """

    def mark(function: F) -> F:
        setattr(function, MARK, BotMark(batched, tuple(games)))
        return function

    return mark


@dataclass(frozen=True)
class CustomBot:
    """A registered bot."""

    name: str
    function: Callable[..., Any]
    place: str = field(compare=False)  # MODULE:FUNCTION; empty if no other process could find it there

    @property
    def mark(self) -> BotMark:
        return cast(BotMark, getattr(self.function, MARK, BotMark()))

    @property
    def is_kernel(self) -> bool:
        return parameter_count(self.function) == KERNEL_PARAMETERS

    def plays(self, game: Game) -> bool:
        return not self.mark.games or game.name in self.mark.games

    def bot(self, game: Game) -> Bot:
        """The bot for a game."""
        from skerry.bots.bot import Bot
        from skerry.bots.function_bot import FunctionBot
        from skerry.bots.random_policy import choose

        if self.is_kernel:
            return Bot(self.name, cast(Any, self.function), blind=False)
        return FunctionBot(self.name, choose, blind=False, game=game, function=self.function, batched=self.mark.batched)


def parameter_count(function: Callable[..., Any]) -> int:
    return len(inspect.signature(getattr(function, "py_func", function)).parameters)


class BotRegistry:
    """The bots by name. Those of other packages are loaded when they are asked for first."""

    def __init__(self) -> None:
        self._bots: dict[str, CustomBot] = {}
        self._loaded = False
        self._lock = threading.RLock()

    def all(self) -> list[CustomBot]:
        with self._lock:
            if not self._loaded:
                self._loaded = True
                self._load()
            return list(self._bots.values())

    def _load(self) -> None:
        offers = [(point.name, point.value) for point in sorted(entry_points(group=GROUP), key=lambda one: one.name)]
        offers += [_split(text) for text in filter(None, os.environ.get(VARIABLE, "").split(","))]
        for name, place in offers:
            try:
                self.add(name, load_function(place), place)
            except Exception as error:  # whatever is wrong with one bot, the others work
                logger.warning("the bot %s (%s) cannot be used: %s", name, place, error)

    def add(self, name: str, function: Callable[..., Any], place: str) -> CustomBot:
        with self._lock:
            if not NAME.fullmatch(name) or name in RESERVED:
                raise BadOption(f"a bot cannot be called {name!r}: write a word of a-z, 0-9, - and _")
            if parameter_count(function) not in (1, KERNEL_PARAMETERS):
                raise BadOption(f"{name} is no bot: it takes neither one decision nor the five arguments of a kernel")
            found = CustomBot(name, function, place)
            taken = self._bots.get(name)
            if taken is not None and taken != found:
                raise BadOption(f"there are two bots called {name}")
            self._bots[name] = found
            return found

    def remove(self, name: str) -> None:
        with self._lock:
            self._bots.pop(name, None)


_registry = BotRegistry()


def register(function: Callable[..., Any], name: str | None = None) -> str:
    """Make a function a bot for everything that finds bots by name, also in child processes. Returns its name."""
    name = name or str(getattr(function, "__name__", "bot")).replace("_", "-")
    module, qualified = getattr(function, "__module__", ""), getattr(function, "__qualname__", "<>")
    place = f"{module}:{qualified}" if qualified.isidentifier() and module != "__main__" else ""
    _registry.add(name, function, place)
    if place:
        _announce(name, place)
    return name


def register_place(text: str) -> str:
    """Register ``NAME=MODULE:FUNCTION``, or ``MODULE:FUNCTION`` by the function's name. Returns the name."""
    name, place = _split(text)
    _registry.add(name, load_function(place), place)
    _announce(name, place)
    return name


def unregister(name: str) -> None:
    """Forget a registered bot."""
    _registry.remove(name)
    kept = [text for text in filter(None, os.environ.get(VARIABLE, "").split(",")) if _split(text)[0] != name]
    os.environ[VARIABLE] = ",".join(kept)


def _announce(name: str, place: str) -> None:
    """Tell child processes."""
    announced = list(filter(None, os.environ.get(VARIABLE, "").split(",")))
    if f"{name}={place}" not in announced:
        os.environ[VARIABLE] = ",".join([*announced, f"{name}={place}"])


def _split(text: str) -> tuple[str, str]:
    name, equals, place = text.strip().partition("=")
    if not equals:
        name, place = name.rpartition(":")[2].replace("_", "-"), name
    return name, place


def load_function(place: str) -> Callable[..., Any]:
    """The function at ``MODULE:FUNCTION``, or a refusal that says what is wrong."""
    module, colon, name = place.partition(":")
    if not colon or not module or not name:
        raise BadOption(f"a bot is written MODULE:FUNCTION, not {place!r}")
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise BadOption(f"{module} cannot be imported: {error}") from error
    if not callable(found):
        raise BadOption(f"{module} has no function {name}")
    return cast(Callable[..., Any], found)


def custom_bots(game: Game) -> list[CustomBot]:
    """The registered bots that can play a game."""
    return [one for one in _registry.all() if one.plays(game) and one.name not in game.bots]


def find_custom(game: Game, name: str) -> CustomBot | None:
    """A registered bot by its name."""
    return next((one for one in custom_bots(game) if one.name == name), None)
