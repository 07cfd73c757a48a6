"""What all pages share: rendering, forms, redirects and the guest's cookie. Every form works without a script too."""

from __future__ import annotations

import functools
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.i18n.translations import translations
from skerry.engine.messages import say
from skerry.server.dependencies import Visitor, services_of, translations_for
from skerry.server.identity import COOKIE, COOKIE_DAYS, Guest
from skerry.server.renderer import renderer_for
from skerry.server.template_environment import TemplateEnvironment, template_environment

Form = dict[str, str]

MAX_FIELDS = 100
LONGEST_NUMBER = 9  # digits


def new_router() -> APIRouter:
    return APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


# Rendering


@functools.cache
def templates(language: str) -> TemplateEnvironment:
    """The templates of pages that are not about one game."""
    return template_environment(translations(language, "skerry.server", "skerry.engine.i18n"))


def render(request: Request, template: str, visitor: Visitor, **context: Any) -> HTMLResponse:
    page = templates(visitor.language).get_template(f"server/{template}")
    return HTMLResponse(page.render(visitor=visitor, languages=LANGUAGES, path=return_path(request), **context))


def render_for_game(
    request: Request, template: str, visitor: Visitor, game: Game, status: int = 200, **context: Any
) -> HTMLResponse:
    """A page about one game, with that game's translations."""
    renderer = renderer_for(game, visitor.language)
    page = renderer.render(
        template,
        visitor=visitor,
        languages=LANGUAGES,
        path=return_path(request),
        game=game,
        renderer=renderer,
        **context,
    )
    return HTMLResponse(page, status)


def return_path(request: Request) -> str:
    """Where a visitor comes back to after changing the language."""
    query = request.url.query if request.method == "GET" else ""
    return request.url.path + (f"?{query}" if query else "")


# Forms


async def read_form(request: Request) -> Form:
    try:
        body = (await request.body()).decode()
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=MAX_FIELDS)
        return {name: values[-1] for name, values in fields.items()}
    except ValueError:
        raise BadOption("the form could not be read") from None


def number_field(form: Form, name: str) -> int:
    text = form.get(name, "")
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise BadOption("the form could not be read")
    return int(text)


# Guests


async def ensure_guest(request: Request, visitor: Visitor, name: str = "") -> Guest:
    """The visitor as a guest. A stranger becomes one, by the name given."""
    if visitor.guest is not None:
        return visitor.guest
    services = services_of(request)
    services.new_guest_limit.take(visitor.address)
    guest = await services.guests.add(name.strip() or say("Guest").render(translations_for(request)), visitor.language)
    request.state.new_guest = guest
    return guest


def redirect(request: Request, path: str) -> Response:
    """Redirect the browser, and set the cookie of somebody who has just become a guest."""
    response = RedirectResponse(path, 303)
    new_guest: Guest | None = getattr(request.state, "new_guest", None)
    if new_guest is not None:
        set_cookie(request, response, new_guest)
    return response


def set_cookie(request: Request, response: Response, guest: Guest) -> None:
    services = services_of(request)
    response.set_cookie(
        COOKIE,
        services.guests.token(guest),
        max_age=COOKIE_DAYS * 86400,
        httponly=True,
        samesite="lax",
        secure=services.settings.secure or request.url.scheme == "https",
    )
