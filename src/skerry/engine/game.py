"""A game: its fact sheet, which leads to its rules and its user interface, and a variant of it with chosen options."""

from __future__ import annotations

import datetime
import importlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from skerry.engine.blocks import Blocks
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.events import EventKind
from skerry.engine.messages import Message, Msgid, say
from skerry.engine.notation import Actions, Names
from skerry.engine.options import Option, Values, read_options
from skerry.engine.protocols import (
    CommandsModule,
    DailyModule,
    NamesModule,
    OptionsCheck,
    PageModule,
    PromptModule,
    ReasonsModule,
    Rules,
    State,
    TerminalModule,
    TutorialModule,
    View,
    ViewModule,
)
from skerry.engine.scene import Scene
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import StructBuffer, dtype_of
from skerry.engine.tutorial import Tutorial

if TYPE_CHECKING:
    from rich.console import RenderableType
    from typer import Typer

    from skerry.engine.match import Match

SEED_LIMIT = 1 << 64


class UI:
    """The user interface of a game, gathered from the modules of its package ``ui``."""

    def __init__(self, package: str) -> None:
        self._names = cast(NamesModule, importlib.import_module(f"{package}.ui.names"))
        self._view = cast(ViewModule, importlib.import_module(f"{package}.ui.view"))
        self._prompt = cast(PromptModule, importlib.import_module(f"{package}.ui.prompt"))
        self._reasons = cast(ReasonsModule, importlib.import_module(f"{package}.ui.reasons"))
        self._terminal = cast(TerminalModule, importlib.import_module(f"{package}.ui.terminal"))

    def names(self, state: State) -> Names:
        """The names of the entities of a match."""
        return self._names.names(state)

    def view(self, state: State, seat: int | None) -> View:
        """All that a seat, or a spectator (None), may see."""
        return self._view.view(state, seat)

    def prompt(self, state: State, seat: int | None) -> Message:
        """What the game waits for."""
        return self._prompt.prompt(state, seat)

    def explain(self, state: State, seat: int, action: int) -> Refusal:
        """Why an action is not legal."""
        return self._reasons.explain(state, seat, action)

    def board(self, view: View, width: int) -> RenderableType:
        """The board in a terminal."""
        return self._terminal.board(view, width)


@dataclass(frozen=True)
class Ending:
    """One way in which a game ends."""

    name: str
    text: Msgid
    rule: str
    won: bool


def accept_all(values: Values) -> None:
    """The ``OptionsCheck`` of games whose options do not depend on each other."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """The fact sheet of a game."""

    name: str
    title: str
    summary: Msgid
    minutes: int
    version: int  # of the rules: a game record replays under the version that wrote it
    package: str  # with the modules ``rules``, ``ui`` and ``bot``, and the rulebook
    seats: range  # the numbers of players
    seat_kind: str = "pawn"  # the kind of entity whose names are those of the seats, in their order
    cooperative: bool
    options: tuple[Option, ...]
    options_rule: str  # the id of the rule that lists the options
    check_options: OptionsCheck = accept_all
    state_struct: type[Any]
    options_struct: type[Any]
    actions: Actions
    events: tuple[EventKind, ...]
    endings: tuple[Ending, ...]
    observation: Blocks
    bots: tuple[str, ...] = ()  # the game's own bots: policies of these names in its module ``bot.policies``
    value_net: bool = False  # whether it has a value network: ``bot.state_features`` and the weights ``bot/value*.npy``
    policy_net: bool = False  # whether it has a policy network: ``bot.action_features`` and ``bot/policy*.npy``
    daily_text: Msgid = ""  # a line about the puzzle of the day; empty if the game has no module ``daily``
    command_name: str = ""  # of the game's own commands; empty if it has no module ``commands``

    def __post_init__(self) -> None:
        if not self.seats or self.seats.step != 1 or self.seats[0] < 1 or self.seats[-1] > MAX_SEATS:
            raise ValueError(f"{self.name}: seats must be a range of consecutive numbers from 1 to {MAX_SEATS}")

    @cached_property
    def rules(self) -> Rules:
        """The kernels. Their first use imports numba and, unless they are cached, compiles them."""
        return cast(Rules, importlib.import_module(f"{self.package}.rules.kernels"))

    @cached_property
    def ui(self) -> UI:
        return UI(self.package)

    @cached_property
    def page(self) -> PageModule:
        return cast(PageModule, importlib.import_module(f"{self.package}.ui.page"))

    @cached_property
    def tutorial(self) -> Tutorial:
        """The first game with comments."""
        return cast(TutorialModule, importlib.import_module(f"{self.package}.ui.tutorial")).TUTORIAL

    @property
    def command_group(self) -> Typer:
        """The game's own commands, if ``command_name`` is not empty."""
        return cast(CommandsModule, importlib.import_module(f"{self.package}.commands")).app

    def daily_match(self, date: datetime.date | str | None = None) -> Match:
        """The puzzle of a day (today in UTC by default), the same for everybody."""
        if not self.daily_text:
            raise BadOption(say("{title} has no puzzle of the day", title=self.title))
        return cast(DailyModule, importlib.import_module(f"{self.package}.daily")).daily(date)

    def scene(self, view: View) -> Scene:
        """All parts of the page for a view."""
        return {**self.page.shared_parts(view), **self.page.personal_parts(view)}

    @property
    def state_size(self) -> int:
        """The size of the state in bytes."""
        return dtype_of(self.state_struct).itemsize

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.observation.size

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


def read_seed(seed: Any) -> int:
    """A seed given by a program or a person, or a refusal."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise BadOption(say("a seed is a whole number from 0 to 2**64 - 1, not {seed!r}", seed=seed))
    return seed


def as_ints(array: NDArray[Any], count: int) -> list[int]:
    """The first numbers of an array as Python ints."""
    return cast("list[int]", array[:count].tolist())
