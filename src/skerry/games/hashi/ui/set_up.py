"""Setting up a match of Hashi: presets, and pictures of the boards."""

from __future__ import annotations

from typing import Any

from skerry.engine.messages import Message
from skerry.engine.set_up import Preset
from skerry.games.hashi.rules.options import SIDES, board_of

PRESETS = (
    Preset("alone", "Alone", "Eighteen cards, one sheet, and the ranks to climb.", {"players": 1}),
    Preset("first-game", "First game", "Two sheets of side A, side by side."),
    Preset("family", "Family", "Four at the table, all writing at once.", {"players": 4}),
    Preset("harder", "The other side", "Side B asks for more planning.", {"board": "B"}),
)
TEXTS = tuple(text for preset in PRESETS for text in (preset.title, preset.summary))


def about_choice(option: str, value: Any) -> Message | None:
    """Titles say all."""
    return None


def choice_picture(option: str, value: Any) -> dict[str, Any] | None:
    """A printed board: its islands, as (column, row, flag), and its lines, as (column, row, column, row)."""
    if option != "board" or value not in SIDES:
        return None
    board = board_of(value)
    places = [(island.column, island.row) for island in board.islands]
    return {
        "width": board.width,
        "height": board.height,
        "islands": [(island.column, island.row, island.flag) for island in board.islands],
        "lines": [(*places[first], *places[second]) for first, second in board.lines],
    }
