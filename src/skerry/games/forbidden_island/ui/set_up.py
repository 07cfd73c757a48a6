"""Setting up a match of Forbidden Island: presets, what choices bring, and the shapes of the layouts."""

from __future__ import annotations

from typing import Any

from skerry.engine.messages import Message, say
from skerry.engine.set_up import Preset
from skerry.games.forbidden_island.rules.components import DIFFICULTIES, LAYOUT_SHAPES, ROLE_OF_NAME, SKULL_TICK

PRESETS = (
    Preset("first-game", "First game", "The water begins low, and there is time to look around.", {"players": 2}),
    Preset("family", "Family", "Four adventurers and a little more water.", {"difficulty": "normal"}),
    Preset(
        "the-works",
        "The works",
        "Another island, and the water begins high.",
        {"difficulty": "elite", "layout": "skull-island"},
    ),
)
TEXTS = tuple(text for preset in PRESETS for text in (preset.title, preset.summary))


def about_choice(option: str, value: Any) -> Message | None:
    """How far below the skull the water begins, and the power of a role."""
    if option == "difficulty":
        return say("{steps} steps below the skull", steps=SKULL_TICK - DIFFICULTIES.index(value))
    if option == "roles" and value in ROLE_OF_NAME:
        return say(ROLE_OF_NAME[value].power)
    return None


def choice_picture(option: str, value: Any) -> list[str] | None:
    """The rows of a layout's shape."""
    return LAYOUT_SHAPES[value].split("/") if option == "layout" and value in LAYOUT_SHAPES else None
