"""What environments render: the table as a spectator sees it, as text or as a picture."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from rich.console import Console

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.engine.struct import StructBuffer

WIDTH = 100
ANSI, HUMAN, RGB_ARRAY = "ansi", "human", "rgb_array"  # returned as text, printed after every step, or drawn
MODES = (ANSI, HUMAN, RGB_ARRAY)


def check_mode(mode: str | None, *known: str) -> None:
    if mode is not None and mode not in known:
        listed = ", ".join(map(repr, known))
        raise BadOption(say("there is no render_mode {mode!r} here; there is {listed}", mode=mode, listed=listed))


def rendered(game: Game, states: NDArray[Any], mode: str | None) -> Any:
    """What ``render`` returns in Gymnasium's modes: ``human`` prints the text instead of returning it."""
    if mode == RGB_ARRAY:
        from skerry.envs.drawing import pixels

        return pixels(game, states)
    if mode != HUMAN:
        return text_picture(game, states) if mode == ANSI else None
    print(text_picture(game, states), flush=True)
    return None


def text_picture(game: Game, states: NDArray[Any]) -> str:
    """The first of some games as a spectator sees it, without hidden information."""
    shown = StructBuffer(game.state_struct, states[:1].tobytes()).struct
    console = Console(width=WIDTH, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(game.ui.board(game.ui.view(shown, None), WIDTH))
        console.print(str(game.ui.prompt(shown, None)))
    return captured.get()
