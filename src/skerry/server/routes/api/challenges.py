"""The JSON API of challenges: the same deal for several groups."""

from __future__ import annotations

import datetime

from fastapi import Request

from skerry.engine.errors import BadOption
from skerry.server.challenges import Challenge, levels_of, today
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor, get_session, services_of
from skerry.server.routes.api import models
from skerry.server.routes.api.common import new_router
from skerry.server.routes.api.matches import match_out
from skerry.server.routes.api.models import ChallengeId

router = new_router("challenges")


async def challenge_out(request: Request, challenge: Challenge, visitor: Visitor) -> models.ChallengeOut:
    services = services_of(request)
    board = await services.challenges.board(challenge, visitor.id)
    return models.ChallengeOut(
        id=challenge.id,
        game=challenge.game,
        options=challenge.options,
        day=challenge.day,
        level=challenge.level or None,
        link=str(request.url_for("challenge_page", challenge=challenge.id)),
        results=None
        if board is None
        else [
            models.ChallengeResult(
                match=entry.summary.id,
                names=[holder.name or None for holder in entry.summary.seats],
                bots=[holder.bot for holder in entry.summary.seats],
                result=entry.summary.result,
                steps=entry.steps,
                first_try=entry.first_try,
            )
            for entry in board
        ],
    )


@router.post("/challenges", status_code=201)
async def make_challenge(
    request: Request, given: models.ChallengeIn, visitor: CurrentVisitor, services: AppServices
) -> models.ChallengeOut:
    """Make a challenge of a finished match or with chosen options, or get the deal of a day."""
    guest = visitor.require_guest()
    if given.match is not None:
        session = await get_session(request, given.match)
        return await challenge_out(request, await services.challenges.of_match(session, guest.id), visitor)
    if given.game is None:
        raise BadOption("name a game or a finished match")
    game = services.find(given.game)
    if given.day is None:
        challenge = await services.challenges.new(guest.id, game, given.options)
    else:
        level = levels_of(game)[0] if given.level is None else given.level
        challenge = await services.challenges.begin_day(game, _day(given.day), level)
    return await challenge_out(request, challenge, visitor)


def _day(given: str) -> datetime.date:
    try:
        return today() if given == "today" else datetime.date.fromisoformat(given)
    except ValueError:
        raise BadOption("a day is written like 2026-11-15") from None


@router.get("/challenges/{challenge}")
async def one_challenge(
    request: Request, challenge: ChallengeId, visitor: CurrentVisitor, services: AppServices
) -> models.ChallengeOut:
    """A challenge. Its results are `null` until you have finished your own game of it."""
    return await challenge_out(request, await services.challenges.get(challenge), visitor)


@router.post("/challenges/{challenge}/matches", status_code=201)
async def play_challenge(
    request: Request, challenge: ChallengeId, given: models.SeatsIn, visitor: CurrentVisitor, services: AppServices
) -> models.MatchOut:
    """Open a match with the deal of a challenge, or get the one that you still play. Your first match counts."""
    found = await services.challenges.get(challenge)
    session = await services.challenges.begin(found, visitor.require_guest().id, given.seats)
    request.state.game = session.game
    return match_out(request, session, visitor)
