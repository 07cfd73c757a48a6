"""The part of the view for a board, made without the rules."""

from __future__ import annotations

from typing import Any

from skerry.games.hashi.rules.board import FLAG_NAMES, Board


def board_view(board: Board) -> dict[str, Any]:
    """The board as plain data: islands in reading order, and lines by the names of their ends."""
    return {
        "width": board.width,
        "height": board.height,
        "islands": [
            {"island": i.name, "row": i.row, "column": i.column, "flag": FLAG_NAMES[i.flag]} for i in board.islands
        ],
        "lines": [{"line": name, "ends": name.split("-")} for name in map(board.line_name, range(len(board.lines)))],
    }
