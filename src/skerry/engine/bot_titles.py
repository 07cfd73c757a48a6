"""The names of bots as players read them. In options, the notation and the API, bots keep the names they have there."""

from __future__ import annotations

from skerry.engine.messages import Message, say

BOT_TITLES = {"random": "Random", "novice": "Beginner", "skilled": "Skilled", "expert": "Expert"}
TEXTS = tuple(BOT_TITLES.values())


def bot_title(name: str) -> Message:
    """What a bot is called; ``expert:2000`` is an expert with a number of rollouts. Other names stay as they are."""
    kind, colon, rollouts = name.partition(":")
    title = say(BOT_TITLES.get(kind, kind))
    return say("{bot} ({rollouts})", bot=title, rollouts=rollouts) if colon else title
