"""The guest's own page: a name, a language, another device, and the way out."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from skerry.server.identity import COOKIE
from skerry.server.routes.pages.common import Asking, Here, form_of, go, new_router, render, seated, set_cookie
from skerry.server.services import Reader

router = new_router()


@router.get("/me")
async def me(request: Request, reader: Asking, kept: bool = False) -> HTMLResponse:
    return render(request, "me.html", reader, link=None, kept=kept)


@router.post("/me")
async def change_me(request: Request, reader: Asking, room: Here) -> Response:
    """A name, a language; and back to where one was."""
    form = await form_of(request)
    guest = await seated(request, room, reader)
    await room.guests.change(guest, form.get("name"), form.get("language"))
    await room.matches.renamed(guest.id)
    back = form.get("back", "")
    return go(request, back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/me?kept=1")


@router.post("/me/link")
async def personal_link(request: Request, reader: Asking, room: Here) -> HTMLResponse:
    guest = await seated(request, room, reader)
    link = str(request.url_for("enter", mark=room.guests.personal_link(guest)))
    answer = render(request, "me.html", Reader(guest, reader.language, reader.address), link=link, kept=False)
    if reader.guest is None:
        set_cookie(request, answer, guest)
    return answer


@router.post("/me/forget")
async def forget_me(request: Request, reader: Asking, room: Here) -> Response:
    guest = reader.known()
    await room.matches.forget_guest(guest.id)
    room.guests.forget(guest)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/enter/{mark}", name="enter")
async def enter(request: Request, mark: str, reader: Asking, room: Here) -> HTMLResponse:
    """A personal link: nothing happens until the button is pressed, so that a preview cannot use it."""
    guest = await room.guests.by_personal_link(mark)
    return render(request, "enter.html", reader, guest=guest, mark=mark)


@router.post("/enter/{mark}")
async def entered(request: Request, mark: str, room: Here) -> Response:
    guest = await room.guests.by_personal_link(mark)
    answer = RedirectResponse("/", 303)
    set_cookie(request, answer, guest)
    return answer
