"""The pages: rendered here, from the view of who asks. One file for each thing people come for."""

from __future__ import annotations

from skerry.table.web import asking, learning, lobby, match, opening, person, replay
from skerry.table.web.pages import new_router, templates

__all__ = ["router", "templates"]

router = new_router()
for part in (lobby, opening, match, asking, replay, learning, person):
    router.include_router(part.router)
