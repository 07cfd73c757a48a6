"""Setting up a table: every option of the fact sheet, who sits where, the clock."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.options import Option, option_title
from skerry.server.match_service import OPEN, configured
from skerry.server.routes.pages.common import (
    AppServices,
    CurrentVisitor,
    form_of,
    go,
    new_router,
    number,
    render_of,
    seated,
)
from skerry.server.services import Visitor, words_for

router = new_router()

Form = dict[str, str]

LISTED = ("number", "choice", "seat")  # options of which a list can show all values


@router.get("/new/{game}")
async def new_table(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> HTMLResponse:
    return _page(request, services.find(game), visitor, {}, None)


def _page(request: Request, game: Game, visitor: Visitor, given: Form, problem: Refusal | None) -> HTMLResponse:
    request.state.game = game
    wrong = None if problem is None else dict(problem.message.arguments).get("name")
    return render_of(
        request,
        "new.html",
        visitor,
        game,
        400 if problem else 200,
        heading=option_title,
        options=[_field(option, given) for option in game.options],
        bots=bots.names(game),
        house=bots.default_bot(game),
        given=given,
        problem=problem and {"message": problem.message.render(words_for(request)), "rule": problem.rule},
        wrong=wrong,
        seats=range(game.seats.stop - 1),
    )


class Field(NamedTuple):
    """How an option is filled in."""

    option: Option
    shape: dict[str, Any]
    values: list[str]  # what stands there; of an option that is dealt, for each seat
    plain: list[str]  # what can be chosen from a list
    own: str | None  # what was written instead; None where nothing can be


def _field(option: Option, form: Form) -> Field:
    shape, name = option.describe(), f"option-{option.name}"
    if shape["type"] == "dealt":
        return Field(option, shape, [form.get(f"{name}-{seat}", "random") for seat in range(shape["seats"])], [], None)
    value = form.get(name, str(option.default))
    plain = _plain(option, shape)
    listed = shape["type"] in LISTED and not shape.get("open")
    own = None if listed else form.get(f"{name}-own", "") or (value if value not in plain else "")
    return Field(option, shape, [value], plain, own)


def _plain(option: Option, shape: dict[str, Any]) -> list[str]:
    if "low" in shape:
        return [str(number) for number in range(shape["low"], shape["high"] + 1)]
    return shape.get("choices", [str(option.default)])


@router.post("/new/{game}")
async def open_table(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    found = services.find(game)
    form = await form_of(request)
    try:
        options = _options(found, form)
        players = configured(found, options).players
        sitting = [form.get(f"seat-{seat}", OPEN) for seat in range(players)]
        clock = number(form, "clock") if form.get("clock") else None
        guest = await seated(request, services, visitor)
        session = await services.matches.open(guest.id, found.name, options, sitting, "listed" in form, clock)
    except Refusal as refusal:
        return _page(request, found, visitor, form, refusal)
    return go(request, f"/m/{session.id}")


def _options(game: Game, form: Form) -> dict[str, Any]:
    """What was chosen; what was left as it is takes its default."""
    players = form.get("option-players", "")
    chosen = {option.name: _chosen(option, form, players) for option in game.options}
    return {option.name: chosen[option.name] for option in game.options if chosen[option.name] != str(option.default)}


def _chosen(option: Option, form: Form, players: str) -> str:
    shape = option.describe()
    if shape["type"] != "dealt":
        own = form.get(f"option-{option.name}-own", "")
        return own if own.strip() else form.get(f"option-{option.name}", "") or str(option.default)
    seats = min(shape["seats"], int(players)) if players.isdecimal() and len(players) < 3 else shape["seats"]
    dealt = [form.get(f"option-{option.name}-{seat}", "random") for seat in range(seats)]
    return ",".join(dealt) if set(dealt) - {"random"} else "random"
