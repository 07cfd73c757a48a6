"""Learning a game: its rulebook, its guided first game, and its style sheet."""

from __future__ import annotations

from importlib.resources import files

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.rulebook import read_rulebook
from skerry.server.dependencies import AppServices, CurrentVisitor
from skerry.server.match_service import ME
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import ensure_guest, new_router, redirect, render_for_game

router = new_router()


@router.get("/rules/{game}")
async def rules(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    found = services.find(game)
    book = read_rulebook(found.package, visitor.language)
    cover = renderer_for(found, visitor.language).macro("cover")
    return render_for_game(request, "rules.html", visitor, found, book=book, cover=cover)


@router.post("/guide/{game}")
async def guide(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a guided first game: the same deal for everybody, with comments beside it."""
    found = services.find(game)
    tutorial = found.tutorial
    opponents = [bots.default_bot(found)] * (found.configure(tutorial.options).players - 1)
    guest = await ensure_guest(request, visitor)
    session = await services.matches.open(
        guest.id, found.name, tutorial.options, [ME, *opponents], seed=tutorial.seed, guide=True
    )
    return redirect(request, f"/m/{session.id}")


@router.get("/games/{game}/style.css")
async def style(game: str, services: AppServices) -> Response:
    """The style sheet of a game's own elements."""
    css = (files(services.find(game).package) / "ui" / "page" / "style.css").read_bytes()
    return Response(css, media_type="text/css", headers={"cache-control": "max-age=300"})
