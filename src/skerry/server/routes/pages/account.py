"""The guest's own page: a name, a language, another device, and the way out."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.identity import COOKIE
from skerry.server.routes.pages.common import (
    AppServices,
    CurrentVisitor,
    form_of,
    go,
    new_router,
    render,
    seated,
    set_cookie,
)
from skerry.server.services import Visitor

router = new_router()


@router.get("/me")
async def me(request: Request, visitor: CurrentVisitor, kept: bool = False) -> HTMLResponse:
    return render(request, "me.html", visitor, link=None, kept=kept)


@router.post("/me")
async def change_me(request: Request, visitor: CurrentVisitor, services: AppServices) -> Response:
    """A name, a language; and back to where one was."""
    form = await form_of(request)
    guest = await seated(request, services, visitor)
    await services.guests.change(guest, form.get("name"), form.get("language"))
    await services.matches.renamed(guest.id)
    back = form.get("back", "")
    return go(request, back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/me?kept=1")


@router.post("/me/link")
async def personal_link(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    guest = await seated(request, services, visitor)
    link = str(request.url_for("enter", mark=services.guests.personal_link(guest)))
    answer = render(request, "me.html", Visitor(guest, visitor.language, visitor.address), link=link, kept=False)
    if visitor.guest is None:
        set_cookie(request, answer, guest)
    return answer


@router.post("/me/forget")
async def forget_me(request: Request, visitor: CurrentVisitor, services: AppServices) -> Response:
    guest = visitor.known()
    await services.matches.forget_guest(guest.id)
    services.guests.forget(guest)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/enter/{mark}", name="enter")
async def enter(request: Request, mark: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """A personal link: nothing happens until the button is pressed, so that a preview cannot use it."""
    guest = await services.guests.by_personal_link(mark)
    return render(request, "enter.html", visitor, guest=guest, mark=mark)


@router.post("/enter/{mark}")
async def entered(request: Request, mark: str, services: AppServices) -> Response:
    guest = await services.guests.by_personal_link(mark)
    answer = RedirectResponse("/", 303)
    set_cookie(request, answer, guest)
    return answer
