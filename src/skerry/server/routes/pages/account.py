"""The guest's own page: name, language, another device, and deletion."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor
from skerry.server.identity import COOKIE
from skerry.server.routes.pages.common import ensure_guest, new_router, read_form, redirect, render, set_cookie

router = new_router()


@router.get("/me")
async def me(request: Request, visitor: CurrentVisitor, kept: bool = False) -> HTMLResponse:
    return render(request, "me.html", visitor, link=None, kept=kept)


@router.post("/me")
async def change_me(request: Request, visitor: CurrentVisitor, services: AppServices) -> Response:
    """Change the name, the language or a setting, and go back to the page where this was asked for."""
    form = await read_form(request)
    guest = await ensure_guest(request, visitor)
    by_hand = form["by_hand"] == "yes" if "by_hand" in form else None
    await services.guests.change(guest, form.get("name"), form.get("language"), by_hand)
    await services.seats.guest_changed(guest.id)
    back = form.get("back", "")
    is_own_path = back.startswith("/") and not back.startswith(("//", "/\\"))
    return redirect(request, back if is_own_path else "/me?kept=1")


@router.post("/me/link")
async def personal_link(request: Request, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    guest = await ensure_guest(request, visitor)
    link = str(request.url_for("enter", token=services.guests.personal_link_token(guest)))
    known = Visitor(guest, visitor.language, visitor.address)
    response = render(request, "me.html", known, link=link, kept=False)
    if visitor.guest is None:
        set_cookie(request, response, guest)
    return response


@router.post("/me/forget")
async def forget_me(request: Request, visitor: CurrentVisitor, services: AppServices) -> Response:
    guest = visitor.require_guest()
    await services.seats.forget_guest(guest.id)
    services.guests.forget(guest)
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE)
    return response


@router.get("/enter/{token}", name="enter")
async def enter(request: Request, token: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    """A personal link. It takes effect when the button is pressed, so that a link preview cannot use it."""
    guest = await services.guests.by_personal_link(token)
    return render(request, "enter.html", visitor, guest=guest, token=token)


@router.post("/enter/{token}")
async def entered(request: Request, token: str, services: AppServices) -> Response:
    guest = await services.guests.by_personal_link(token)
    response = RedirectResponse("/", 303)
    set_cookie(request, response, guest)
    return response
