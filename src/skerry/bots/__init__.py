"""Programs that play: policies, search, and the networks that guide it.

- ``bot``: a policy at a seat; ``random_policy``: the simplest one
- ``custom``: bots of other people; ``function_bot``: those that are Python functions
- ``asked``: bots that are asked outside of kernels, about many positions at once
- ``expert``: a bot that searches; ``advice``: its search as a ranking of all actions
- ``halving``, ``arms``: sequential halving, the bandit algorithm that shares out rollouts
- ``rollout``, ``rollout_pool``, ``rollout_policy``, ``lookahead``: determinized rollouts and how seats play in them
- ``policy_net``, ``value_net``, ``feature_modules``, ``net_weights``: the networks
- ``interrupts``: whether a game's bots want to act out of turn; ``dispatch``: one kernel for the policies of all seats
- ``workspace``: the buffers that all this works in

What a game provides for it is in ``skerry.botkit.protocols``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skerry.botkit.protocols import Policy
from skerry.bots.custom import bot_options, custom_bots, find_custom, register, register_place, unregister
from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.game_package import find_module
from skerry.engine.messages import say

if TYPE_CHECKING:  # the names of the bots are read without numba, which takes long to import
    from skerry.bots.bot import Bot

__all__ = [
    "EXPERT",
    "RANDOM",
    "Policy",
    "bot_options",
    "default_bot",
    "default_policy",
    "find",
    "is_bot",
    "names",
    "opponent_of_beginner",
    "register",
    "register_place",
    "unregister",
]

RANDOM, EXPERT = "random", "expert"


def names(game: Game) -> tuple[str, ...]:
    """The names of all bots of a game."""
    return (RANDOM, *game.bots, *(one.name for one in custom_bots(game)), EXPERT)


def is_bot(game: Game, name: str) -> bool:
    """Whether there is a bot of this name."""
    try:
        find(game, name)
    except BadOption:
        return False
    return True


def find(game: Game, name: str) -> Bot:
    """A bot of a game by its name; ``expert:2000`` is an expert with 2000 rollouts for each decision."""
    from skerry.bots.bot import Bot

    kind, _, rollouts = name.partition(":")
    if name == EXPERT or (kind == EXPERT and rollouts.isdecimal() and int(rollouts)):
        from skerry.bots.expert import Expert

        return Expert(name, default_policy(game), blind=False, game=game, rollouts=int(rollouts or 0))
    if name == RANDOM or name in game.bots:
        return Bot(name, _policy(game, name), blind=name == RANDOM)
    if (custom := find_custom(game, name)) is not None:
        return custom.bot(game)
    known = ", ".join(names(game))
    raise BadOption(say("{title} has no bot {name!r}; it has {known}", title=game.title, name=name, known=known))


def default_bot(game: Game) -> str:
    """The bot that plays where no other was chosen: the game's best one that does not search."""
    return game.bots[0] if game.bots else RANDOM


def opponent_of_beginner(game: Game) -> str:
    """The bot that plays against somebody's first games: one that can be beaten. In cooperative games bots help."""
    return "novice" if "novice" in game.bots and not game.cooperative else default_bot(game)


def default_policy(game: Game) -> Policy:
    """The policy of the default bot."""
    return _policy(game, default_bot(game))


def _policy(game: Game, name: str) -> Policy:
    if name == RANDOM:
        from skerry.bots.random_policy import choose

        return choose
    policy: Policy = getattr(find_module(game.packages, "bot.policies"), name)
    return policy
