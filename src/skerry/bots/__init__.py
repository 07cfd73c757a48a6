"""Players that are programs.

A policy is a kernel, ``policy(world, seat, legal, count, counter) -> (index, counter)``: ``world`` is a sample of
what the seat cannot know, never the truth; ``index`` points into the seat's legal actions; ``counter`` is the
policy's own chance (``engine.random.bounded``).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.game import Game
from skerry.engine.kernel import argument
from skerry.engine.match import Match
from skerry.engine.record import Single
from skerry.engine.refusal import BadOption, Illegal, say

Policy = Callable[..., Any]


@dataclass(frozen=True)
class Bot:
    name: str
    policy: Policy
    blind: bool  # it never looks at the world

    def choose(self, match: Match, seat: int, counter: int) -> int:
        """The action this bot takes at a seat of a match, knowing what the seat knows."""
        legal = np.zeros(match.game.actions.size + 1, np.int16)
        count = match.game.rules.legal(match.state, seat, argument(legal))
        if not count:
            raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
        world = Single(match.game.state, match.content)
        match.game.rules.determinize(world.row, seat, np.uint64(counter))
        index, _ = self.policy(world.row, seat, argument(legal), count, np.uint64(counter))
        return int(legal[index])


def names(game: Game) -> tuple[str, ...]:
    return ("random", *game.bots)


def find(game: Game, name: str) -> Bot:
    """A bot that can play a game, by its name."""
    if name == "random":
        from skerry.bots.random import choose

        return Bot(name, choose, blind=True)
    if name not in game.bots:
        known = ", ".join(names(game))
        raise BadOption(say("{title} has no bot {name!r}; it has {known}", title=game.title, name=name, known=known))
    module = importlib.import_module(f"{game.package}.bot")
    return Bot(name, getattr(module, name), blind=False)
