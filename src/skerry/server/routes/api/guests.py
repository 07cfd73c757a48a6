"""The JSON API of guests: becoming one, changing it, forgetting it."""

from __future__ import annotations

from fastapi import Request

from skerry.server.dependencies import AppServices, CurrentVisitor
from skerry.server.routes.api import models
from skerry.server.routes.api.common import new_router

router = new_router("guests")


@router.post("/guests", status_code=201)
async def become_a_guest(given: models.GuestIn, visitor: CurrentVisitor, services: AppServices) -> models.NewGuest:
    """Become a guest; the token is what you send from then on."""
    services.new_guest_limit.take(visitor.address)
    guest = await services.guests.add(given.name, given.language)
    return models.NewGuest(**vars(guest), token=services.guests.token(guest))


@router.get("/me")
async def who_am_i(visitor: CurrentVisitor) -> models.GuestOut:
    guest = visitor.require_guest()
    return models.GuestOut(**vars(guest))


@router.patch("/me")
async def change_me(given: models.GuestChange, visitor: CurrentVisitor, services: AppServices) -> models.GuestOut:
    """Change your name, your language, or whether cards turn over by themselves at your seats."""
    changed = given.model_dump()
    guest = await services.guests.change(visitor.require_guest(), **changed)
    await services.seats.guest_changed(guest.id)
    return models.GuestOut(**vars(guest))


@router.get("/me/export")
async def export(visitor: CurrentVisitor, services: AppServices) -> models.Export:
    """Everything that is stored about you: matches, statistics, challenges."""
    return models.Export(**await services.history.export(visitor.require_guest()))


@router.delete("/me", status_code=204)
async def forget_me(visitor: CurrentVisitor, services: AppServices) -> None:
    """Delete your name, your token and the matches in which no other guest has a seat; the other matches stay."""
    guest = visitor.require_guest()
    await services.seats.forget_guest(guest.id)
    services.guests.forget(guest)


@router.post("/me/link")
async def personal_link(request: Request, visitor: CurrentVisitor, services: AppServices) -> models.Link:
    """A link that makes another device the same guest. It works for a day; keep it secret."""
    token = services.guests.personal_link_token(visitor.require_guest())
    return models.Link(link=str(request.url_for("enter", token=token)))
