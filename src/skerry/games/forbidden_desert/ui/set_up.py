"""Setting up a match of Forbidden Desert: presets, and what choices bring."""

from __future__ import annotations

from typing import Any

from skerry.engine.messages import Message, say
from skerry.engine.set_up import Preset
from skerry.games.forbidden_desert.rules.components import DIFFICULTIES, ROLE_OF_NAME

PRESETS = (
    Preset("first-game", "First game", "Two of you, and a storm that is slow to rise.", {"players": 2}),
    Preset("family", "Family", "Three adventurers, and the storm still at the bottom of its meter.", {"players": 3}),
    Preset(
        "the-works",
        "The works",
        "Five thirsty adventurers, and a storm that has begun without you.",
        {"players": 5, "difficulty": "elite"},
    ),
)
TEXTS = tuple(text for preset in PRESETS for text in (preset.title, preset.summary))


def about_choice(option: str, value: Any) -> Message | None:
    """Where the storm meter begins, and the power of a role."""
    if option == "difficulty":
        return say("The storm meter begins at step {step}", step=DIFFICULTIES.index(value) + 1)
    if option == "roles" and value in ROLE_OF_NAME:
        return say(ROLE_OF_NAME[value].power)
    return None


def choice_picture(option: str, value: Any) -> None:
    """Nothing is drawn."""
