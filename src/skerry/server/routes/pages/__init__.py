"""The pages: rendered here, from the view of who asks. One file for each thing people come for."""

from __future__ import annotations

from skerry.server.routes.pages import account, help, learn, lobby, match, new_match, replay
from skerry.server.routes.pages.common import new_router, templates

__all__ = ["router", "templates"]

router = new_router()
for part in (lobby, new_match, match, help, replay, learn, account):
    router.include_router(part.router)
