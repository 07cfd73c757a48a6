"""A game as text, for environments that are asked to show it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from rich.console import Console

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.engine.struct import StructBuffer

WIDTH = 100
ANSI, HUMAN = "ansi", "human"  # a text to be had, or printed after every step


def check_mode(mode: str | None, *known: str) -> None:
    if mode is not None and mode not in known:
        listed = ", ".join(map(repr, known))
        raise BadOption(say("there is no render_mode {mode!r} here; there is {listed}", mode=mode, listed=listed))


def rendered(game: Game, states: NDArray[Any], mode: str | None) -> str | None:
    """What ``render`` returns, as Gymnasium has it: who watches reads what is printed."""
    if mode != HUMAN:
        return picture(game, states) if mode == ANSI else None
    print(picture(game, states), flush=True)
    return None


def picture(game: Game, states: NDArray[Any]) -> str:
    """The first of some games as a spectator sees it: nothing hidden is in it."""
    shown = StructBuffer(game.state_struct, states[:1].tobytes()).struct
    console = Console(width=WIDTH, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(game.ui.board(game.ui.view(shown, None), WIDTH))
        console.print(str(game.ui.prompt(shown, None)))
    return captured.get()
