"""Players that are programs.

A policy is a kernel, ``policy(world, seat, legal, count, counter) -> (index, counter)``: ``world`` is a sample of
what the seat cannot know, never the truth; ``index`` points into the seat's legal actions; ``counter`` is the
policy's own chance (``engine.random.bounded``). ``expert`` is no policy: it searches with the game's own best one.
"""

from __future__ import annotations

import importlib

from skerry.bots.bot import Bot, Policy
from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say

__all__ = ["Bot", "Policy", "default_bot", "default_policy", "find", "is_bot", "names"]

RANDOM, EXPERT = "random", "expert"


def names(game: Game) -> tuple[str, ...]:
    return (RANDOM, *game.bots, EXPERT)


def is_bot(game: Game, name: str) -> bool:
    """Whether a bot is called so."""
    try:
        find(game, name)
    except BadOption:
        return False
    return True


def find(game: Game, name: str) -> Bot:
    """A bot that can play a game, by its name; ``expert:2000`` imagines so many games for each decision."""
    kind, _, rollouts = name.partition(":")
    if name == EXPERT or (kind == EXPERT and rollouts.isdecimal() and int(rollouts)):
        from skerry.bots.expert import Expert

        return Expert(name, default_policy(game), blind=False, game=game, rollouts=int(rollouts or 0))
    if name == RANDOM or name in game.bots:
        return Bot(name, _policy(game, name), blind=name == RANDOM)
    known = ", ".join(names(game))
    raise BadOption(say("{title} has no bot {name!r}; it has {known}", title=game.title, name=name, known=known))


def default_bot(game: Game) -> str:
    """Who plays where nobody else was asked for: the game's own best player, if it has one."""
    return game.bots[0] if game.bots else RANDOM


def default_policy(game: Game) -> Policy:
    return _policy(game, default_bot(game))


def _policy(game: Game, name: str) -> Policy:
    if name == RANDOM:
        from skerry.bots.random_policy import choose

        return choose
    policy: Policy = getattr(importlib.import_module(f"{game.package}.bot.policies"), name)
    return policy
