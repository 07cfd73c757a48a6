"""The page that is shown while the rules of a game are compiled, once after an installation or an upgrade."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from skerry.engine.game import Game
from skerry.server import dependencies
from skerry.server.dependencies import AppServices, Visitor, get_visitor, services_of
from skerry.server.game_stages import Stage
from skerry.server.match_session import MatchSession
from skerry.server.renderer import renderer_for
from skerry.server.routes.pages.common import Form, new_router, read_form, render_for_game

router = new_router()

PATIENCE = 1.5  # seconds that a page waits by itself: longer than loading compiled rules takes


class GettingReady(Exception):
    """A game is not ready yet. ``form`` are the fields of the form that was posted, if any."""

    def __init__(self, game: Game, form: Form | None) -> None:
        super().__init__(game.name)
        self.game = game
        self.form = form


async def require_ready(request: Request, game: Game) -> None:
    """Wait a moment for the rules of a game; then show a page that goes on by itself."""
    if not await services_of(request).warm_up.wait(game, Stage.RULES, PATIENCE):
        raise GettingReady(game, await read_form(request) if request.method == "POST" else None)


async def get_session(request: Request, match: str) -> MatchSession:
    """The session of a match that the visitor may see, for a page, once the rules of its game are ready."""
    await _require_ready_for(request, match)
    return await dependencies.get_session(request, match)


async def get_session_unseen(request: Request, match: str) -> MatchSession:
    """The same for a visitor who is shown nothing of the deal."""
    await _require_ready_for(request, match)
    return await dependencies.get_session_unseen(request, match)


async def _require_ready_for(request: Request, match: str) -> None:
    services = services_of(request)
    if match not in services.sessions.in_memory:
        game = await services.sessions.game_of(match)
        if game is not None:
            await require_ready(request, game)


async def show_getting_ready(request: Request, error: Exception) -> HTMLResponse:
    """The exception handler: a page that asks ``/getting-ready`` until it can go on, with what was posted."""
    assert isinstance(error, GettingReady)
    visitor: Visitor = getattr(request.state, "visitor", None) or await get_visitor(request)
    cover = renderer_for(error.game, visitor.language).macro("cover")
    return render_for_game(request, "getting_ready.html", visitor, error.game, status=202, cover=cover, form=error.form)


@router.get("/getting-ready/{game}")
async def getting_ready(game: str, services: AppServices) -> Response:
    """How far it is: ``done`` of ``total`` kernels; ``total`` is 0 while other games come first."""
    found = services.find(game)
    progress = services.warm_up.progress(found, Stage.RULES)
    ready = await services.warm_up.wait(found, Stage.RULES, 0)
    return JSONResponse({"ready": ready, "done": progress.done, "total": progress.total})
