"""The pages, rendered on the server. One module for each thing that people come for."""

from __future__ import annotations

from skerry.server.routes.pages import (
    account,
    analysis,
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
    what_if,
)
from skerry.server.routes.pages.common import new_router, templates

__all__ = ["router", "templates"]

router = new_router()
SECTIONS = (
    *(lobby, new_match, match, help, replay, analysis, what_if),
    *(learn, challenges, my_games, pictures, account, getting_ready),
)
for section in SECTIONS:
    router.include_router(section.router)
