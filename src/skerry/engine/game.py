"""What a game is: its fact sheet, and where its rules and its user interface are."""

from __future__ import annotations

import datetime
import importlib
import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

from numpy.typing import NDArray

from skerry.engine.blocks import Blocks
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.events import EventKind
from skerry.engine.messages import Message, say
from skerry.engine.notation import Actions, Names
from skerry.engine.options import Option, Values, read_options
from skerry.engine.scene import Scene
from skerry.engine.struct import StructBuffer, dtype_of
from skerry.engine.tutorial import Tutorial

if TYPE_CHECKING:
    from rich.console import RenderableType

    from skerry.engine.match import Match

SEED_LIMIT = 1 << 64


class Rules(Hashable, Protocol):
    """The kernels of a game, in its module ``rules.kernels``. ``state`` and ``options`` are its structs."""

    def setup(self, state: Any, options: Any, seed: Any) -> None:
        """Lay out a game. The record arrives zeroed."""

    def waiting(self, state: Any) -> int:
        """The seats whose decision the game waits for, as a bit set; 0 when it is over."""

    def legal(self, state: Any, seat: int, out: Any) -> int:
        """Write the ids of what a seat may do now, ascending, also where it may only interrupt; how many."""

    def step(self, state: Any, seat: int, action: int, log: Any) -> bool:
        """Do a legal action. True when it showed something hidden or drew by chance: then it is not undone."""

    def determinize(self, state: Any, seat: int, seed: Any) -> None:
        """Replace what a seat (or, with -1, a spectator) cannot know by a sample that fits all it does know."""

    def observe(self, state: Any, seat: int, out: Any) -> None:
        """Write the numbers that a learner at this seat sees."""

    def result(self, state: Any, scores: Any) -> int:
        """0 while the game runs; then the ending's number, counted from 1, and a score a seat."""


class ViewModule(Protocol):
    """A game's module ``ui.view``: what a seat may see."""

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        """All that a seat may see, and nothing else, as plain data."""


class NamesModule(Protocol):
    """A game's module ``ui.names``: what things are called."""

    def names(self, state: Any) -> Names:
        """What the entities of this match are called; the same from the first step to the last."""


class PromptModule(Protocol):
    """A game's module ``ui.prompt``: what the game waits for."""

    def prompt(self, state: Any, seat: int | None) -> Message:
        """One line: what the game waits for, said to this reader."""


class ReasonsModule(Protocol):
    """A game's module ``ui.reasons``: why something is not allowed."""

    def explain(self, state: Any, seat: int, action: int) -> Refusal:
        """Why an action is not legal for a seat now."""


class TerminalModule(Protocol):
    """A game's module ``ui.terminal``: the board in a terminal."""

    def board(self, view: dict[str, Any], width: int) -> RenderableType:
        """The board of a view, drawn for a terminal of this width."""


@dataclass(frozen=True)
class UI:
    """What people see of a game, gathered from the modules of its package ``ui``."""

    names: Callable[[Any], Names]
    view: Callable[[Any, int | None], dict[str, Any]]
    prompt: Callable[[Any, int | None], Message]
    explain: Callable[[Any, int, int], Refusal]
    board: Callable[[dict[str, Any], int], RenderableType]

    @classmethod
    def load(cls, package: str) -> UI:
        return cls(
            names=cast(NamesModule, importlib.import_module(f"{package}.ui.names")).names,
            view=cast(ViewModule, importlib.import_module(f"{package}.ui.view")).view,
            prompt=cast(PromptModule, importlib.import_module(f"{package}.ui.prompt")).prompt,
            explain=cast(ReasonsModule, importlib.import_module(f"{package}.ui.reasons")).explain,
            board=cast(TerminalModule, importlib.import_module(f"{package}.ui.terminal")).board,
        )


class Page(Protocol):
    """How the browser shows a game, in its package ``ui.page``; ``ui/page/parts.html`` has the macros that draw it."""

    def shared_parts(self, view: dict[str, Any]) -> Scene:
        """The parts that look the same to everybody, and the data of each."""

    def personal_parts(self, view: dict[str, Any]) -> Scene:
        """The parts that depend on who looks."""


@dataclass(frozen=True)
class Ending:
    """One way a game ends."""

    name: str
    text: str
    rule: str
    won: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """The fact sheet of a game."""

    name: str
    title: str
    summary: str
    minutes: int
    version: int  # of the rules: a record replays under the version that wrote it
    package: str  # where ``rules``, ``ui``, ``bot`` and the rulebook are
    seats: range
    seat_kind: str = "pawn"  # the kind of entity that names the seats, in their order
    cooperative: bool
    options: tuple[Option, ...]
    options_rule: str  # the rule that lists them
    check: Callable[[Values], None] = lambda values: None
    state_struct: type[Any]
    options_struct: type[Any]
    actions: Actions
    events: tuple[EventKind, ...]
    endings: tuple[Ending, ...]
    observation: Blocks
    bots: tuple[str, ...] = ()  # the game's own bots: policies of these names in its module ``bot.policies``
    value_net: bool = False  # it has a value network: a module ``bot.state_features``, and weights in ``bot/value.npy``
    policy_net: bool = False  # it has a policy network: a module ``bot.action_features``, and ``bot/policy.npy``
    daily: str = ""  # a line about its puzzle of the day, the ``daily`` of its module ``daily``; empty: it has none
    commands: str = ""  # the name of its own group of commands, the typer ``app`` of its module ``commands``

    @cached_property
    def rules(self) -> Rules:
        """The kernels; the first use imports numba and, once for all, compiles."""
        return cast(Rules, importlib.import_module(f"{self.package}.rules.kernels"))

    @cached_property
    def ui(self) -> UI:
        return UI.load(self.package)

    @cached_property
    def page(self) -> Page:
        return cast(Page, importlib.import_module(f"{self.package}.ui.page"))

    @cached_property
    def tutorial(self) -> Tutorial:
        """The commented first game."""
        return cast(Tutorial, importlib.import_module(f"{self.package}.ui.tutorial").TUTORIAL)

    def daily_match(self, date: datetime.date | str | None = None) -> Match:
        """The puzzle of a day (today in UTC if none is named), the same for everybody."""
        if not self.daily:
            raise BadOption(say("{title} has no puzzle of the day", title=self.title))
        return cast("Match", importlib.import_module(f"{self.package}.daily").daily(date))

    def scene(self, view: dict[str, Any]) -> Scene:
        """All that the page shows of a view."""
        return {**self.page.shared_parts(view), **self.page.personal_parts(view)}

    @property
    def state_size(self) -> int:
        return dtype_of(self.state_struct).itemsize

    @property
    def observation_size(self) -> int:
        return self.observation.size

    def configure(self, given: Mapping[str, Any]) -> Variant:
        """The game with these options, or a refusal that names the wrong one and the rule that lists them."""
        try:
            values = read_options(self.options, given)
            self.check(values)
        except BadOption as refusal:
            raise BadOption(refusal.message, refusal.rule or self.options_rule) from None
        return Variant(self, values)


@dataclass(frozen=True)
class Variant:
    """A game with its options chosen."""

    game: Game
    options: Values = field(default_factory=dict)

    @property
    def players(self) -> int:
        return cast(int, self.options["players"])

    @cached_property
    def encoded_options(self) -> StructBuffer[Any]:
        """The options as the record that ``setup`` reads."""
        single = StructBuffer(self.game.options_struct)
        for option in self.game.options:
            single.array[option.name] = option.encode(self.options[option.name])
        return single

    def new(self, seed: int | None = None, seats: Sequence[str] = ()) -> Match:
        """A match. Without a seed it gets one that nobody can guess; ``seats`` are names for the record."""
        from skerry.engine.match import Match

        if not isinstance(seats, (list, tuple)) or not all(isinstance(name, str) for name in seats):
            raise BadOption("seats are a list of names")
        return Match(self, secrets.randbits(64) if seed is None else read_seed(seed), tuple(seats))


def read_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise BadOption(say("a seed is a whole number from 0 to 2**64 - 1, not {seed!r}", seed=seed))
    return seed


def as_ints(array: NDArray[Any], count: int) -> list[int]:
    """The first numbers of an array that a kernel filled, as Python ints."""
    return cast("list[int]", array[:count].tolist())
