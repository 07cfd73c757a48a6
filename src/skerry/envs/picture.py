"""A game as text, for environments that are asked to show it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from rich.console import Console

from skerry.engine.game import Game
from skerry.engine.record import Single

WIDTH = 100


def picture(game: Game, states: NDArray[Any]) -> str:
    """The first of some games as a spectator sees it: nothing hidden is in it."""
    shown = Single(game.state, states[:1].tobytes()).row
    console = Console(width=WIDTH, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(game.face.board(game.face.view(shown, None), WIDTH))
        console.print(str(game.face.prompt(shown, None)))
    return captured.get()
