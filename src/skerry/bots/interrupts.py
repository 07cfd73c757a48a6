"""Interrupts: which seats' bots want to be asked, and which actions bots leave to people.

In which order they are asked, and how often, is decided in ``skerry.engine.loop``.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from skerry.engine.game import Game
from skerry.engine.game_package import find_module
from skerry.engine.loop import Interrupting, no_interrupts

__all__ = ["interrupting_of", "moves_a_persons_piece"]


def interrupting_of(game: Game) -> Interrupting:
    """The kernel ``interrupting`` of a game's policies; ``no_interrupts`` where there is none."""
    policies = find_module(game.packages, "bot.policies")
    return cast(Interrupting, getattr(policies, "interrupting", no_interrupts))


def moves_a_persons_piece(game: Game, action: int, people: Collection[int]) -> bool:
    """Whether an action moves a person's piece: bots do not interrupt with such an action."""
    verb, parts = game.actions.decode(action)
    kinds = [slot.kind for slot in verb.slots]
    moved = [seat for kind, seats in zip(kinds, parts, strict=True) if kind == game.seat_kind for seat in seats]
    return verb.moves_others and not set(people).isdisjoint(moved)
