"""What all pages share: rendering, forms, and the guest who asks. Every form works without a script too."""

from __future__ import annotations

import functools
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.i18n.translations import LANGUAGES, translations
from skerry.engine.messages import say
from skerry.server.identity import COOKIE, COOKIE_DAYS, Guest
from skerry.server.renderer import environment, renderer_for
from skerry.server.services import Services, Visitor, get_services, get_visitor, services_of, words_for

CurrentVisitor = Annotated[Visitor, Depends(get_visitor)]
AppServices = Annotated[Services, Depends(get_services)]


def new_router() -> APIRouter:
    return APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@functools.cache
def templates(language: str) -> Any:
    return environment(translations(language, "skerry.server", "skerry.engine.i18n"))


def render(request: Request, template: str, visitor: Visitor, **context: Any) -> HTMLResponse:
    page = templates(visitor.language).get_template(f"server/{template}")
    return HTMLResponse(page.render(visitor=visitor, languages=LANGUAGES, path=here_again(request), **context))


def render_of(
    request: Request, template: str, visitor: Visitor, game: Game, status: int = 200, **context: Any
) -> HTMLResponse:
    """A page about one game, in that game's words too."""
    renderer = renderer_for(game, visitor.language)
    page = renderer.render(
        template,
        visitor=visitor,
        languages=LANGUAGES,
        path=here_again(request),
        game=game,
        renderer=renderer,
        **context,
    )
    return HTMLResponse(page, status)


def here_again(request: Request) -> str:
    """Where a visitor who changes the language comes back to."""
    query = request.url.query if request.method == "GET" else ""
    return request.url.path + (f"?{query}" if query else "")


async def form_of(request: Request) -> dict[str, str]:
    try:
        body = (await request.body()).decode()
        return {name: values[-1] for name, values in parse_qs(body, keep_blank_values=True, max_num_fields=100).items()}
    except ValueError:
        raise BadOption("this form cannot be read") from None


def number(form: dict[str, str], name: str) -> int:
    text = form.get(name, "")
    if not text.isdecimal() or len(text) > 9:
        raise BadOption("this form cannot be read")
    return int(text)


async def seated(request: Request, services: Services, visitor: Visitor, name: str = "") -> Guest:
    """The guest who asks; a newcomer becomes one, by the name given."""
    if visitor.guest is not None:
        return visitor.guest
    services.newcomers.take(visitor.address)
    guest = await services.guests.add(name.strip() or say("Guest").render(words_for(request)), visitor.language)
    request.state.newcomer = guest
    return guest


def go(request: Request, path: str) -> Response:
    """Send the browser on, with the cookie of somebody who became a guest just now."""
    answer = RedirectResponse(path, 303)
    newcomer: Guest | None = getattr(request.state, "newcomer", None)
    if newcomer is not None:
        set_cookie(request, answer, newcomer)
    return answer


def set_cookie(request: Request, answer: Response, guest: Guest) -> None:
    services = services_of(request)
    answer.set_cookie(
        COOKIE,
        services.guests.token(guest),
        max_age=COOKIE_DAYS * 86400,
        httponly=True,
        samesite="lax",
        secure=services.settings.secure or request.url.scheme == "https",
    )
