"""Learning a game: its rulebook, its guided first game, and its style sheet."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.game_package import find_file
from skerry.engine.rulebook import read_rulebook
from skerry.server.dependencies import AppServices, CurrentVisitor, require_own_seat
from skerry.server.guided_matches import rejoin_tutorial
from skerry.server.match_service import ME
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import ensure_guest, new_router, redirect, render_for_game
from skerry.server.routes.pages.getting_ready import get_session, require_ready

router = new_router()

LAYOUT_SHEET = files("skerry.server") / "static" / "layout.css"


@router.get("/rules/{game}")
async def rules(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    found = services.find(game)
    book = read_rulebook(found, visitor.language)
    cover = renderer_for(found, visitor.language).macro("cover")
    return render_for_game(request, "rules.html", visitor, found, book=book, cover=cover)


@router.post("/guide/{game}")
async def guide(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Open a guided first game: the same deal for everybody, with comments beside it."""
    found = services.find(game)
    tutorial = found.tutorial
    await require_ready(request, found)
    opponents = [bots.opponent_of_beginner(found)] * (found.configure(tutorial.options).players - 1)
    guest = await ensure_guest(request, visitor)
    session = await services.matches.open(
        guest.id, found.name, tutorial.options, [ME, *opponents], seed=tutorial.seed, guide=True
    )
    return redirect(request, f"/m/{session.id}")


@router.post("/m/{match}/guide")
async def back_to_guide(request: Request, match: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Go on with a tutorial where its line was left."""
    session = await get_session(request, match)
    await require_own_seat(request, session, visitor, 0)
    again = await rejoin_tutorial(services.matches, session, visitor.require_guest().id)
    return redirect(request, f"/m/{again.id}")


def _sheets(game: Game) -> Iterator[str]:
    """The style sheets of the games that a game varies, under its own name, and its own."""
    if game.base is not None:
        yield from (sheet.replace(f".game-{game.base.name}", f".game-{game.name}") for sheet in _sheets(game.base))
    sheet = find_file((game.package,), "ui/page/style.css")
    if sheet is not None:
        yield sheet.read_text(encoding="utf-8")


@router.get("/games/{game}/style.css")
async def style(game: str, services: AppServices) -> Response:
    """The style sheet of a game's own elements. That of a variant follows the one of its base."""
    found = services.find(game)
    css = "\n".join(_sheets(found)) or LAYOUT_SHEET.read_text(encoding="utf-8")
    return Response(css, media_type="text/css", headers={"cache-control": "max-age=300"})
