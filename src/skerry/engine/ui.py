"""The user interface of a game: the modules of its package ``ui``, and defaults for those that it does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from skerry.engine.default_ui.names import default_names
from skerry.engine.default_ui.prompt import default_prompt, default_refusal
from skerry.engine.default_ui.view import default_view
from skerry.engine.game_package import find_module

if TYPE_CHECKING:
    from rich.console import RenderableType

    from skerry.engine.errors import Refusal
    from skerry.engine.game import Game
    from skerry.engine.messages import Message, Translate
    from skerry.engine.notation import Names
    from skerry.engine.protocols import (
        FinalModule,
        LabelsModule,
        NamesModule,
        PromptModule,
        QuestionsModule,
        ReasonsModule,
        SetUpModule,
        State,
        TerminalModule,
        View,
        ViewModule,
    )
    from skerry.engine.set_up import Preset


class UI:
    def __init__(self, game: Game) -> None:
        self.game = game
        self._names = cast("NamesModule | None", find_module(game.packages, "ui.names"))
        self._view = cast("ViewModule | None", find_module(game.packages, "ui.view"))
        self._prompt = cast("PromptModule | None", find_module(game.packages, "ui.prompt"))
        self._reasons = cast("ReasonsModule | None", find_module(game.packages, "ui.reasons"))
        self._questions = cast("QuestionsModule | None", find_module(game.packages, "ui.questions"))
        self._set_up = cast("SetUpModule | None", find_module(game.packages, "ui.set_up"))
        self._labels = cast("LabelsModule | None", find_module(game.packages, "ui.labels"))
        self._final = cast("FinalModule | None", find_module(game.packages, "ui.final"))

    def names(self, state: State) -> Names:
        """The names of the entities of a match."""
        return default_names(self.game) if self._names is None else self._names.names(state)

    def view(self, state: State, seat: int | None) -> View:
        """All that a seat, or a spectator (None), may see."""
        return default_view(self.game, state, seat) if self._view is None else self._view.view(state, seat)

    def prompt(self, state: State, seat: int | None) -> Message:
        """What the game waits for."""
        said = None if self._prompt is None else self._prompt.prompt(state, seat)
        return default_prompt(self.game, state, seat) if said is None else said

    def explain(self, state: State, seat: int, action: int) -> Refusal:
        """Why an action is not legal."""
        if self._reasons is None:
            return default_refusal(self.game, state, seat, action)
        return self._reasons.explain(state, seat, action)

    def question(self, state: State, seat: int, action: int) -> Message | None:
        """What a page asks before a legal action; None if it asks nothing."""
        return None if self._questions is None else self._questions.question(state, seat, action)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Ready-made choices of options."""
        return () if self._set_up is None else self._set_up.PRESETS

    def about_choice(self, option: str, value: Any) -> Message | None:
        """What a value of an option brings; None if its title says all."""
        return None if self._set_up is None else self._set_up.about_choice(option, value)

    def choice_picture(self, option: str, value: Any) -> Any:
        """What the macro of an option in ``ui/page/choices.html`` draws for a value; None if nothing is drawn."""
        return None if self._set_up is None else self._set_up.choice_picture(option, value)

    def label(self, state: State, seat: int, action: int) -> Message | None:
        """What the button of a legal action says now; None for the label of its verb."""
        return None if self._labels is None else self._labels.label(state, seat, action)

    def final(self, state: State) -> Message | None:
        """A few words on how a match ended; None if there is no more to say than who won."""
        return None if self._final is None else self._final.final(state)

    def board(self, view: View, width: int, translate: Translate = str, low: bool = False) -> RenderableType:
        """The board in a terminal, in the reader's language. ``low``: the terminal has few lines."""
        terminal = cast("TerminalModule | None", find_module(self.game.packages, "ui.terminal"))
        if terminal is None:
            from skerry.engine.default_ui.terminal import default_board  # imports rich, which a server does without

            return default_board(self.game, view, width, translate)
        return terminal.board(view, width, translate, low)
