"""A game: its fact sheet, which leads to its rules and its user interface, and a variant of it with chosen options."""

from __future__ import annotations

import datetime
import importlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from skerry.engine.blocks import Blocks
from skerry.engine.derived_facts import DerivedOptions, derive_facts
from skerry.engine.errors import BadGame, BadOption
from skerry.engine.events import EventKind
from skerry.engine.fact_types import check_types
from skerry.engine.game_package import find_module
from skerry.engine.layout import Component
from skerry.engine.messages import Msgid, say
from skerry.engine.notation import Actions
from skerry.engine.options import Option, Values, read_options
from skerry.engine.protocols import (
    CommandsModule,
    DailyModule,
    OptionsCheck,
    PageModule,
    Rules,
    TutorialModule,
    UpgradesModule,
    View,
)
from skerry.engine.scene import Scene
from skerry.engine.struct import StructBuffer, dtype_of
from skerry.engine.tutorial import Tutorial

if TYPE_CHECKING:
    from typer import Typer

    from skerry.engine.match import Match
    from skerry.engine.ui import UI
    from skerry.engine.upgrades import Upgrade

SEED_LIMIT = 1 << 64
CONTRACT = 1  # the version of what a game and Skerry expect of each other
NO_BLOCKS = Blocks()
MAX_EVENT_ROWS = 32_000  # of an event log, which counts them in an int16


@dataclass(frozen=True)
class Ending:
    """One way in which a game ends."""

    name: str  # for programs and records
    text: Msgid  # a sentence for people
    rule: str = ""  # its id in the rulebook
    won: bool = False  # by all, in a cooperative game


def accept_all(values: Values) -> None:
    """The ``OptionsCheck`` of games whose options do not depend on each other."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """The fact sheet of a game."""

    name: str  # words of a-z joined by hyphens, by which it is found
    title: str  # as people read it
    summary: Msgid  # one sentence for the lobby
    package: str  # with the modules ``rules``, ``ui`` and ``bot`` and the rulebook, or a single module with the kernels
    seats: range  # the numbers of players
    state_struct: type[Any]  # everything that changes during a match
    actions: Actions  # the verbs, in the order of the ids of their actions
    endings: tuple[Ending, ...]  # in the order of the numbers that `result` returns, from 1
    version: int = 1  # of the rules; each later one has an upgrade from the version before
    contract: int = 1  # the version of this contract that the game is written for
    base: Game | None = None  # the game that this one varies: what its own package lacks comes from there
    minutes: int = 0  # how long a game takes; 0 if that is not known
    languages: tuple[str, ...] = ("en",)  # of the words and the rulebook; other readers get English
    seat_kind: str = "player"  # the kind of entity whose names are those of the seats, in their order
    cooperative: bool = False  # whether all win or lose together
    open_handed: bool = False  # whether opponents who share one device may see all that each of them sees
    options: tuple[Option, ...] = ()  # without ``players`` that is added
    options_rule: str = ""  # the id of the rule that lists the options
    check_options: OptionsCheck = accept_all  # refuses options that do not fit together
    options_struct: type[Any] = DerivedOptions  # with a field for each option; without it all are numbers of 32 bits
    events: tuple[EventKind, ...] = ()  # what `step` can tell, by the numbers that `emit` takes
    max_events: int = 63  # the most events that one step can write
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of entities by kind, unless ``ui.names`` says
    layout: tuple[Component, ...] = ()  # what the board shows, unless ``ui.view`` and ``ui.page`` say
    observation: Blocks = NO_BLOCKS  # what the numbers of `observe` mean; without it they are what the layout shows
    bots: tuple[str, ...] = ()  # the game's own bots: policies of these names in its module ``bot.policies``
    value_net: bool = False  # whether it has a value network: ``bot.state_features`` and the weights ``bot/value*.npy``
    policy_net: bool = False  # whether it has a policy network: ``bot.action_features`` and ``bot/policy*.npy``
    daily_text: Msgid = ""  # a line about the puzzle of the day; empty if the game has no module ``daily``
    command_name: str = ""  # of the game's own commands; empty if it has no module ``commands``

    def __post_init__(self) -> None:
        check_types(self, Ending)
        if not 1 <= self.max_events <= MAX_EVENT_ROWS:
            raise ValueError(f"{self.name}: max_events must be a number from 1 to {MAX_EVENT_ROWS}")
        for name, value in derive_facts(self).items():
            object.__setattr__(self, name, value)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The fact sheet itself: it never changes, and the kernels of its rules cannot be copied."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the name of its package, from which another process imports it."""
        if getattr(importlib.import_module(self.package), "GAME", None) is not self:
            raise PicklingError(f"{self.name} cannot be pickled: it is not the GAME of {self.package}")
        return game_of, (self.package,)

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The packages that its modules and files are looked for in: its own, then those of the games it varies."""
        return (self.package, *(() if self.base is None else self.base.packages))

    @cached_property
    def rules(self) -> Rules:
        """The kernels. Their first use imports numba and, unless they are cached, compiles them."""
        from skerry.engine.rules import rules_of

        return rules_of(self)

    @cached_property
    def ui(self) -> UI:
        from skerry.engine.ui import UI

        return UI(self)

    @cached_property
    def page(self) -> PageModule:
        from skerry.engine.default_ui.page import DefaultPage

        return cast(PageModule, find_module(self.packages, "ui.page") or DefaultPage(self))

    @cached_property
    def has_page(self) -> bool:
        """Whether it has a page of its own; otherwise its layout is drawn."""
        return find_module(self.packages, "ui.page") is not None

    @cached_property
    def has_tutorial(self) -> bool:
        """Whether there is a first game with comments. A variant needs its own: the same deal goes otherwise in it."""
        return find_module((self.package,), "ui.tutorial") is not None

    @cached_property
    def tutorial(self) -> Tutorial:
        """The first game with comments."""
        if not self.has_tutorial:
            raise BadOption(say("{title} has no tutorial", title=self.title))
        return cast(TutorialModule, find_module((self.package,), "ui.tutorial")).TUTORIAL

    @property
    def command_group(self) -> Typer:
        """The game's own commands, if ``command_name`` is not empty."""
        return cast(CommandsModule, find_module(self.packages, "commands")).app

    @cached_property
    def upgrades(self) -> tuple[Upgrade, ...]:
        """What leads from each version of the rules to the next: from 1 to 2 first."""
        if self.version == 1:
            return ()
        module = cast(UpgradesModule, find_module(self.packages, "rules.upgrades"))
        if len(module.UPGRADES) != self.version - 1:
            raise ValueError(f"{self.name} is at version {self.version}, but has {len(module.UPGRADES)} upgrades")
        return module.UPGRADES

    def daily_match(self, date: datetime.date | str | None = None) -> Match:
        """The puzzle of a day (today in UTC by default), the same for everybody."""
        if not self.daily_text:
            raise BadOption(say("{title} has no puzzle of the day", title=self.title))
        return cast(DailyModule, find_module(self.packages, "daily")).daily(date)

    def scene(self, view: View) -> Scene:
        """All parts of the page for a view."""
        return {**self.page.shared_parts(view), **self.page.personal_parts(view)}

    @property
    def hides_hands(self) -> bool:
        """Whether players who share one device must not see what another of them sees."""
        return not (self.cooperative or self.open_handed)

    @property
    def state_size(self) -> int:
        """The size of the state in bytes."""
        return dtype_of(self.state_struct).itemsize

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.observation.size

    def ending(self, number: int) -> Ending:
        """The ending of a number that ``result`` returned."""
        if not 1 <= number <= len(self.endings):
            known = ", ".join(f"{place} is {ending.name}" for place, ending in enumerate(self.endings, 1))
            raise BadGame(f"the game ended with the number {number}, but the endings of its fact sheet are: {known}")
        return self.endings[number - 1]

    @property
    def is_win(self) -> NDArray[np.bool_]:
        """Whether a game that ended so is won, by the number that ``Rules.result`` returns: 0 is no ending."""
        return np.array([False, *(ending.won for ending in self.endings)])

    def configure(self, given: Mapping[str, Any]) -> Variant:
        """The game with these options. A wrong option is refused with its name and the rule that lists the options."""
        try:
            values = read_options(self.options, given)
            self.check_options(values)
        except BadOption as refusal:
            raise BadOption(refusal.message, refusal.rule or self.options_rule) from None
        return Variant(self, values)


@dataclass(frozen=True)
class Variant:
    """A game with chosen options."""

    game: Game
    options: Values = field(default_factory=dict)

    @property
    def players(self) -> int:
        return cast(int, self.options["players"])

    @cached_property
    def encoded_options(self) -> StructBuffer[Any]:
        """The options as the struct that ``setup`` reads."""
        encoded = StructBuffer(self.game.options_struct)
        for option in self.game.options:
            encoded.array[option.name] = option.encode(self.options[option.name])
        return encoded

    def new(self, seed: int | None = None, seats: Sequence[str] = ()) -> Match:
        """A new match. By default its seed is one that nobody can guess; ``seats`` are names for the game record."""
        from skerry.engine.match import Match

        if not isinstance(seats, (list, tuple)) or not all(isinstance(name, str) for name in seats):
            raise BadOption("seats are a list of names")
        return Match(self, secrets.randbits(64) if seed is None else read_seed(seed), tuple(seats))


def game_of(package: str) -> Game:
    """The game of a package."""
    return cast(Game, importlib.import_module(package).GAME)


def read_seed(seed: Any) -> int:
    """A seed given by a program or a person, or a refusal."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise BadOption(say("a seed is a whole number from 0 to 2**64 - 1, not {seed!r}", seed=seed))
    return seed


def as_ints(array: NDArray[Any], count: int) -> list[int]:
    """The first numbers of an array as Python ints."""
    return cast("list[int]", array[:count].tolist())
