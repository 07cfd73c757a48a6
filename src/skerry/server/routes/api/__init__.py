"""The JSON API: all that the pages can do, for programs."""

from __future__ import annotations

from skerry.server.routes.api import analysis, challenges, games, guests, matches, playing
from skerry.server.routes.api.playing import ACTION_ROUTE, act

__all__ = ["ACTION_ROUTE", "act", "routers"]

# Routes are tried in this order: the most frequent ones come first.
routers = [playing.router, guests.router, games.router, matches.router, analysis.router, challenges.router]
