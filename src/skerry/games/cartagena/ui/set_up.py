"""Setting up a match of Cartagena: presets, what choices bring, and the ways that the stories lead."""

from __future__ import annotations

from typing import Any

from skerry.engine.messages import Message, Msgid, say
from skerry.engine.set_up import Preset

PRESETS = (
    Preset(
        "first-game",
        "First game",
        "Two players, four pirates each and a short tunnel.",
        {"players": 2, "pirates": 4, "parts": 4},
    ),
    Preset("family", "Family", "The escape for four, with every pirate and six parts of tunnel."),
    Preset("morgans-way", "Morgan's way", "No steps back: you draw by helping others on.", {"draw": "morgan"}),
    Preset(
        "the-works",
        "The works",
        "The full story with Morgan, flibusters and black magic.",
        {"story": "full", "draw": "back-then-morgan", "flibusters": "on", "magic": "on"},
    ),
)
_STORIES: dict[str, Msgid] = {
    "escape": "Through the tunnel, onto the sloop.",
    "tortuga": "From the half-sunk sloop across the island to the hideout.",
    "full": "The tunnel, the crossing and the island in one game.",
}
_DRAWING_MOVES: dict[str, Msgid] = {
    "back": "Your pirate falls back to others.",
    "morgan": "You move an opponent's pirate on.",
    "both": "As you like, each time.",
    "back-then-morgan": "Back in the tunnel, Morgan's on the island.",
}
TEXTS = (
    *(text for preset in PRESETS for text in (preset.title, preset.summary)),
    *_STORIES.values(),
    *_DRAWING_MOVES.values(),
)


def about_choice(option: str, value: Any) -> Message | None:
    """What a story and a way of drawing bring."""
    texts = {"story": _STORIES, "draw": _DRAWING_MOVES}.get(option, {})
    return say(texts[value]) if value in texts else None


def choice_picture(option: str, value: Any) -> str | None:
    """The name of a story."""
    return str(value) if option == "story" else None
