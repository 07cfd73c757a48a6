"""What a game provides: the modules of its package, written down as protocols.

``daily`` and ``commands`` are optional. What a game provides to bots is in ``skerry.botkit.protocols``.
"""

from __future__ import annotations

import datetime
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, Translate
from skerry.engine.notation import Names
from skerry.engine.options import Values
from skerry.engine.scene import Scene
from skerry.engine.tutorial import Tutorial

if TYPE_CHECKING:
    from rich.console import RenderableType
    from typer import Typer

    from skerry.engine.event_log import EventLog
    from skerry.engine.match import Match
    from skerry.engine.set_up import Preset
    from skerry.engine.upgrades import Upgrade

# Each game has structs of its own, so that code which serves all games cannot name their types.
State = Any  # an instance of the game's ``state_struct``
Options = Any  # an instance of the game's ``options_struct``
Seed = Any  # a ``numpy.uint64``
View = dict[str, Any]  # what a seat may see, as plain data


class Rules(Hashable, Protocol):
    """``rules.kernels``: the kernels of the rules."""

    def setup(self, state: State, options: Options, seed: Seed) -> None:
        """Set up a game in a zeroed state."""

    def waiting(self, state: State) -> int:
        """The seats whose decision the game waits for, as a bit set; 0 when the game is over."""

    def legal(self, state: State, seat: int, out: NDArray[Any]) -> int:
        """Write the ids of a seat's legal actions in ascending order and return how many they are.

        A seat that the game does not wait for may have some too: it may interrupt with them. Of a game without the
        kernel ``waiting`` only the seat whose turn it is is asked, and nobody after the end.
        """

    def step(self, state: State, seat: int, action: int, log: EventLog) -> bool:
        """Do a legal action. True if it revealed something hidden or used chance, after which undo is refused."""

    def determinize(self, state: State, seat: int, seed: Seed) -> None:
        """Resample everything that a seat, or a spectator (-1), cannot know, consistent with all that it does know."""

    def observe(self, state: State, seat: int, out: NDArray[Any]) -> None:
        """Write the observation of a seat: the numbers that a learning agent gets."""

    def result(self, state: State, scores: NDArray[Any]) -> int:
        """0 while the game runs; afterwards the number of its ending, counted from 1, and the score of each seat."""


class Interrupts(Protocol):
    """A kernel that a game without the kernel ``waiting`` may have."""

    def interrupts(self, state: State, seat: int, out: NDArray[Any]) -> int:
        """``legal`` for a seat in another's turn."""


class NamesModule(Protocol):
    """``ui.names``: what things are called."""

    def names(self, state: State) -> Names:
        """The names of the entities of a match, by kind. They stay the same from the first step to the last.

        They take the place of all names of the fact sheet.
        """


class ViewModule(Protocol):
    """``ui.view``: what a seat may see."""

    def view(self, state: State, seat: int | None) -> View:
        """All that a seat, or a spectator (None), may see, and nothing else."""


class PromptModule(Protocol):
    """``ui.prompt``: what the game waits for."""

    def prompt(self, state: State, seat: int | None) -> Message | None:
        """One line that says what the game waits for, worded for this reader; None for the default line."""


class ReasonsModule(Protocol):
    """``ui.reasons``: why an action is not allowed."""

    def explain(self, state: State, seat: int, action: int) -> Refusal:
        """Why an action is not legal for a seat now."""


class QuestionsModule(Protocol):
    """``ui.questions`` (optional): what is asked before some legal actions."""

    def question(self, state: State, seat: int, action: int) -> Message | None:
        """What a page asks before a legal action, such as a play without effect; None if it asks nothing."""


class SetUpModule(Protocol):
    """``ui.set_up`` (optional): what helps people to choose options."""

    PRESETS: tuple[Preset, ...]  # ready-made choices, the first for a first game

    def about_choice(self, option: str, value: Any) -> Message | None:
        """What a value of an option brings, such as the power of a role; None if its title says all."""

    def choice_picture(self, option: str, value: Any) -> Any:
        """What the macro ``OPTION(data)`` in ``ui/page/choices.html`` draws for a value; None if nothing is drawn."""


class LabelsModule(Protocol):
    """``ui.labels`` (optional): buttons that say more in a position than the labels of their verbs."""

    def label(self, state: State, seat: int, action: int) -> Message | None:
        """The button of a legal action, such as where it leads and what it brings; None for its verb's label.

        It may say what the seat knows, and nothing else.
        """


class FinalModule(Protocol):
    """``ui.final`` (optional): what a line about a finished match says of its end."""

    def final(self, state: State) -> Message:
        """A few words on how it ended, such as a level reached. They say nothing about the deal."""


class TerminalModule(Protocol):
    """``ui.terminal``: the board in a terminal."""

    def board(self, view: View, width: int, translate: Translate = str, low: bool = False) -> RenderableType:
        """The board of a view in the reader's language, for a terminal of this width.

        ``low``: the terminal has few lines, so that the board should leave room for the actions below it.
        """


class PageModule(Protocol):
    """``ui.page``: the parts of the game's page, which the macros in ``ui/page/parts.html`` draw."""

    def shared_parts(self, view: View) -> Scene:
        """The parts that look the same to everybody, made from a spectator's view."""

    def personal_parts(self, view: View) -> Scene:
        """The parts that depend on the reader."""


class TutorialModule(Protocol):
    """``ui.tutorial``: a first game with comments."""

    TUTORIAL: Tutorial


class UpgradesModule(Protocol):
    """``rules.upgrades``: how stored matches of earlier versions are read, if the rules have a version after 1."""

    UPGRADES: tuple[Upgrade, ...]


class DailyModule(Protocol):
    """``daily`` (optional): a puzzle for each day."""

    def daily(self, date: datetime.date | str | None = None) -> Match:
        """The match of a day at its start, the same for everybody; today in UTC by default."""


class CommandsModule(Protocol):
    """``commands`` (optional): the game's own group of commands on the command line."""

    app: Typer


class OptionsCheck(Protocol):
    """A check of options that depend on each other. It raises ``BadOption`` if they do not fit together."""

    def __call__(self, values: Values, /) -> None: ...
