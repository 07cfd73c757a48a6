"""Pictures that pages show several times, as files that browsers keep."""

from __future__ import annotations

from fastapi import Response

from skerry.engine.i18n.languages import ENGLISH
from skerry.server.dependencies import AppServices
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import new_router

router = new_router()

NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'


@router.get("/games/{game}/cover.svg")
async def cover(game: str, services: AppServices) -> Response:
    """The cover of a game. There are no words in it."""
    drawn = str(renderer_for(services.find(game), ENGLISH).macro("cover")).strip()
    headers = {"cache-control": "public, max-age=86400"}
    return Response(drawn.replace("<svg", f"<svg {NAMESPACE}", 1), media_type="image/svg+xml", headers=headers)
