"""What the browser shows of Cartagena: the sheet with its pirates, the piles, what lies before each seat."""

from __future__ import annotations

from typing import Any

from skerry.engine.scene import PartFamily, Scene
from skerry.games.cartagena.ui.page import board, table
from skerry.games.cartagena.ui.page.stage import stage_of


def shared_parts(view: dict[str, Any]) -> Scene:
    stage = stage_of(view)
    return {
        "ground": stage.sheet.ground,
        "space": board.spaces(view, stage),
        **board.places(view, stage),
        "pirate": board.pirates(view, stage),
        **table.piles(view),
        "crew": PartFamily({str(seat["seat"]): table.crew(view, seat) for seat in view["seats"]}),
    }


def personal_parts(view: dict[str, Any]) -> Scene:
    """What shows where a move of the reader's would end, and cards as far as the reader knows them."""
    stage = stage_of(view)
    return {
        "draws": board.drawing_moves(view, stage),
        "aims": board.aims(view, stage),
        **table.known_piles(view),
        "hand": PartFamily({str(seat["seat"]): table.hand(view, seat) for seat in view["seats"]}),
    }
