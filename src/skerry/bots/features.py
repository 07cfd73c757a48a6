"""The feature modules of a game."""

from __future__ import annotations

import importlib
from typing import cast

from skerry.botkit.protocols import ActionFeaturesModule, StateFeaturesModule
from skerry.engine.game import Game


def state_features_of(game: Game) -> StateFeaturesModule:
    """The game's module ``bot.state_features``."""
    return cast(StateFeaturesModule, importlib.import_module(f"{game.package}.bot.state_features"))


def action_features_of(game: Game) -> ActionFeaturesModule:
    """The game's module ``bot.action_features``."""
    return cast(ActionFeaturesModule, importlib.import_module(f"{game.package}.bot.action_features"))
