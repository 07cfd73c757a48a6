"""The pages, rendered on the server. One module for each thing that people come for."""

from __future__ import annotations

from skerry.server.routes.pages import (
    account,
    challenges,
    getting_ready,
    help,
    learn,
    lobby,
    match,
    my_games,
    new_match,
    pictures,
    replay,
)
from skerry.server.routes.pages.common import new_router, templates

__all__ = ["router", "templates"]

router = new_router()
for section in (lobby, new_match, match, help, replay, learn, challenges, my_games, pictures, account, getting_ready):
    router.include_router(section.router)
