"""Learning a game: its rulebook, and a first game that is commented."""

from __future__ import annotations

from importlib.resources import files

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.rulebook import read_rulebook
from skerry.server.match_service import ME
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import AppServices, CurrentVisitor, go, new_router, render_of, seated

router = new_router()


@router.get("/rules/{game}")
async def rules(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    found = services.find(game)
    book = read_rulebook(found.package, visitor.language)
    cover = renderer_for(found, visitor.language).macro("cover")
    return render_of(request, "rules.html", visitor, found, book=book, cover=cover)


@router.post("/guide/{game}")
async def guide(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """A first game, the same for everybody, with comments beside it."""
    found = services.find(game)
    players = found.configure(found.tutorial.options).players
    guest = await seated(request, services, visitor)
    session = await services.matches.open(
        guest.id,
        found.name,
        found.tutorial.options,
        [ME, *[bots.default_bot(found)] * (players - 1)],
        seed=found.tutorial.seed,
        guide=True,
    )
    return go(request, f"/m/{session.id}")


@router.get("/games/{game}/style.css")
async def style(game: str, services: AppServices) -> Response:
    """A game's own colours and strokes."""
    css = (files(services.find(game).package) / "ui" / "page" / "style.css").read_bytes()
    return Response(css, media_type="text/css", headers={"cache-control": "max-age=300"})
