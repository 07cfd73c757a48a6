"""What all pages share: rendering, forms, and the guest who asks. Every form works without a script too."""

from __future__ import annotations

import functools
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.engine.errors import BadOption, say
from skerry.engine.game import Game
from skerry.engine.i18n.translations import words
from skerry.engine.rulebook import LANGUAGES
from skerry.server.identity import COOKIE, COOKIE_DAYS, Guest
from skerry.server.renderer import artist, environment
from skerry.server.services import Reader, Room, here, reader_of, room_of, words_for

Asking = Annotated[Reader, Depends(reader_of)]
Here = Annotated[Room, Depends(here)]


def new_router() -> APIRouter:
    return APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@functools.cache
def templates(language: str) -> Any:
    return environment(words(language, "skerry.server", "skerry.engine.i18n"))


def render(request: Request, template: str, reader: Reader, **context: Any) -> HTMLResponse:
    page = templates(reader.language).get_template(f"server/{template}")
    return HTMLResponse(page.render(reader=reader, languages=LANGUAGES, path=here_again(request), **context))


def render_of(
    request: Request, template: str, reader: Reader, game: Game, status: int = 200, **context: Any
) -> HTMLResponse:
    """A page about one game, in that game's words too."""
    art = artist(game, reader.language)
    page = art.render(
        template, reader=reader, languages=LANGUAGES, path=here_again(request), game=game, art=art, **context
    )
    return HTMLResponse(page, status)


def here_again(request: Request) -> str:
    """Where a reader who changes the language comes back to."""
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


async def seated(request: Request, room: Room, reader: Reader, name: str = "") -> Guest:
    """The guest who asks; a newcomer becomes one, by the name given."""
    if reader.guest is not None:
        return reader.guest
    room.newcomers.take(reader.address)
    guest = await room.guests.add(name.strip() or say("Guest").render(words_for(request)), reader.language)
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
    room = room_of(request)
    answer.set_cookie(
        COOKIE,
        room.guests.token(guest),
        max_age=COOKIE_DAYS * 86400,
        httponly=True,
        samesite="lax",
        secure=room.settings.secure or request.url.scheme == "https",
    )
