"""The feature modules of a game."""

from __future__ import annotations

from typing import cast

from skerry.botkit.protocols import ActionFeaturesModule, StateFeaturesModule
from skerry.engine.game import Game
from skerry.engine.game_package import find_module


def state_features_of(game: Game) -> StateFeaturesModule:
    """The game's module ``bot.state_features``."""
    return cast(StateFeaturesModule, find_module(game.packages, "bot.state_features"))


def action_features_of(game: Game) -> ActionFeaturesModule:
    """The game's module ``bot.action_features``."""
    return cast(ActionFeaturesModule, find_module(game.packages, "bot.action_features"))
