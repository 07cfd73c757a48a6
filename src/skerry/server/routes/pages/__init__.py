"""The pages, rendered on the server. One module for each thing that people come for."""

from __future__ import annotations

from skerry.server.routes.pages import (
    account,
    analysis,
    getting_ready,
    help,
    learn,
    lobby,
    match,
    new_match,
    replay,
    what_if,
)
from skerry.server.routes.pages.common import new_router, templates

__all__ = ["router", "templates"]

router = new_router()
for section in (lobby, new_match, match, help, replay, analysis, what_if, learn, account, getting_ready):
    router.include_router(section.router)
