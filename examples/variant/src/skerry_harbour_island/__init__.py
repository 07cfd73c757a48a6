"""Harbour Island: Forbidden Island with a harbour on it.

Its own are some facts (three tiles, the shape of the island, one more card with sandbags), with their pictures and
their words in Spanish and Portuguese. The rules, the bots and all else are those of Forbidden Island, made anew from
these facts.
"""

from __future__ import annotations

from skerry import toolkit as tk
from skerry.games.forbidden_island import GAME as ISLAND
from skerry.games.forbidden_island.rules import components

HARBOUR = {"Watchtower": "Lighthouse", "Misty Marsh": "Fish Market", "Twilight Hollow": "Old Dockyard"}
SHAPE = "##..##/##..##/######/######/##..##"

GAME = tk.vary(
    ISLAND,
    package=__name__,
    name="harbour-island",
    title="Harbour Island",
    summary="Capture four treasures together before the sea takes the harbour.",
    facts={
        "rules.components": {
            "TILE_TITLES": tuple(HARBOUR.get(title, title) for title in components.TILE_TITLES),
            "CARD_COPIES": (5, 5, 5, 5, 3, 3, 3),
            "LAYOUT_SHAPES": {"harbour": SHAPE, **components.LAYOUT_SHAPES},
            "LAYOUT_TITLES": ("Harbour", *components.LAYOUT_TITLES),
        }
    },
)
