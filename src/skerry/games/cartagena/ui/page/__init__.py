"""The scene of Cartagena for the browser: the sheet with its pirates, the piles, and each seat's cards."""

from __future__ import annotations

from typing import Any

from skerry.engine.scene import PartFamily, Scene
from skerry.games.cartagena.ui.page import board, table
from skerry.games.cartagena.ui.page.sheet import sheet_of


def shared_parts(view: dict[str, Any]) -> Scene:
    sheet = sheet_of(view)
    return {
        "ground": sheet.layout.ground,
        "space": board.space_parts(view, sheet),
        **board.place_parts(view, sheet),
        "pirate": board.pirate_parts(view, sheet),
        **table.shared_piles(view),
        "strip": table.strip(view),
        "crew": PartFamily({str(seat["seat"]): table.crew_part(view, seat) for seat in view["seats"]}),
    }


def personal_parts(view: dict[str, Any]) -> Scene:
    """The previews of the reader's moves, and the cards that the reader knows."""
    sheet = sheet_of(view)
    return {
        "draws": board.drawing_move_previews(view, sheet),
        "aims": board.card_previews(view, sheet),
        **table.personal_piles(view),
        "hand": PartFamily({str(seat["seat"]): table.hand_part(view, seat) for seat in view["seats"]}),
    }
