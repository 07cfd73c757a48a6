"""Interrupting: which seats a bot may want to interrupt from, and what it leaves to people.

The order in which seats are asked is the engine's (``skerry.engine.loop``).
"""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import cast

from skerry.engine.game import Game
from skerry.engine.loop import Interrupting, nobody

__all__ = ["imposes", "interrupting_of", "nobody"]


def interrupting_of(game: Game) -> Interrupting:
    """The kernel ``interrupting`` of a game's policies; nobody interrupts where there is none."""
    if not game.bots:
        return nobody
    policies = importlib.import_module(f"{game.package}.bot.policies")
    return cast(Interrupting, getattr(policies, "interrupting", nobody))


def imposes(game: Game, action: int, people: Collection[int]) -> bool:
    """Whether an action moves a person's piece: bots do not interrupt with such an action."""
    verb, parts = game.actions.decode(action)
    kinds = [slot.kind for slot in verb.slots]
    moved = [seat for kind, seats in zip(kinds, parts, strict=True) if kind == game.seat_kind for seat in seats]
    return verb.moves_others and not set(people).isdisjoint(moved)
