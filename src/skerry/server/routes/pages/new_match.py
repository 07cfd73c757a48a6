"""Setting up a match: every option of the game, who plays each seat, the clock."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.options import Option, option_title
from skerry.engine.set_up import read_win_rates
from skerry.server.dependencies import AppServices, CurrentVisitor, Visitor, translations_for
from skerry.server.match_service import OPEN, configured
from skerry.server.routes.pages.common import (
    Form,
    ensure_guest,
    new_router,
    number_field,
    read_form,
    redirect,
    render_for_game,
)
from skerry.server.routes.pages.getting_ready import require_ready

router = new_router()

LISTED_TYPES = ("number", "choice", "seat")  # types of options whose values a list can show


@router.get("/new/{game}")
async def new_match_page(
    request: Request, game: str, visitor: CurrentVisitor, services: AppServices, preset: str = ""
) -> HTMLResponse:
    """The form, filled in with the options of a preset if one is named."""
    found = services.find(game)
    options = next((one.options for one in found.ui.presets if one.name == preset), {})
    given = {f"option-{name}": str(value) for name, value in options.items()}
    return _render_form(request, found, visitor, given, None, preset)


def _render_form(
    request: Request, game: Game, visitor: Visitor, given: Form, problem: Refusal | None, preset: str = ""
) -> HTMLResponse:
    request.state.game = game
    fields = [_field(game, option, given) for option in game.options]
    wrong = None if problem is None else dict(problem.message.arguments).get("name")
    return render_for_game(
        request,
        "new.html",
        visitor,
        game,
        400 if problem else 200,
        heading=option_title,
        options=[one for one in fields if not one.is_dealt],
        dealt=[one for one in fields if one.is_dealt],
        presets=game.ui.presets,
        preset=preset,
        ui=game.ui,
        win_rates=read_win_rates(game),
        bots=bots.names(game),
        default_bot=bots.default_bot(game),
        given=given,
        problem=problem and {"message": problem.message.render(translations_for(request)), "rule": problem.rule},
        wrong=wrong,
        seats=range(game.seats.stop - 1),
    )


class Field(NamedTuple):
    """The form field of an option, or the fields of one that is dealt: one at each seat."""

    option: Option
    shape: dict[str, Any]
    values: list[str]  # the current value; of an option that is dealt, one for each seat
    plain: list[str]  # the values to choose from
    own: str | None  # a value that was typed instead; None if none can be typed
    is_pictured: bool = False  # whether its values are offered as cards that say or show what they bring

    @property
    def is_dealt(self) -> bool:
        return self.shape["type"] == "dealt"


def _field(game: Game, option: Option, form: Form) -> Field:
    shape = option.describe()
    name = f"option-{option.name}"
    if shape["type"] == "dealt":
        dealt = [form.get(f"{name}-{seat}", "random") for seat in range(shape["seats"])]
        return Field(option, shape, dealt, [], None)
    value = form.get(name, str(option.default))
    plain = _plain_values(option, shape)
    listed = shape["type"] in LISTED_TYPES and not shape.get("open")
    own = None if listed else form.get(f"{name}-own", "") or (value if value not in plain else "")
    is_pictured = shape["type"] == "choice" and any(
        game.ui.about_choice(option.name, choice) or game.ui.choice_picture(option.name, choice) for choice in plain
    )
    return Field(option, shape, [value], plain, own, is_pictured)


def _plain_values(option: Option, shape: dict[str, Any]) -> list[str]:
    if "low" in shape:
        return [str(number) for number in range(shape["low"], shape["high"] + 1)]
    return shape.get("choices", [str(option.default)])


@router.post("/new/{game}")
async def open_match(request: Request, game: str, visitor: CurrentVisitor, services: AppServices) -> Response:
    found = services.find(game)
    await require_ready(request, found)
    form = await read_form(request)
    try:
        options = _changed_options(found, form)
        if "challenge" in form:
            guest = await ensure_guest(request, visitor)
            challenge = await services.challenges.new(guest.id, found, options)
            return redirect(request, f"/c/{challenge.id}")
        seats = range(configured(found, options).players)
        players = [form.get(f"seat-{seat}", OPEN) for seat in seats]
        clock = number_field(form, "clock") if form.get("clock") else None
        guest = await ensure_guest(request, visitor)
        session = await services.matches.open(
            guest.id, found.name, options, players, "listed" in form, clock, hints="hints" in form
        )
    except Refusal as refusal:
        return _render_form(request, found, visitor, form, refusal)
    return redirect(request, f"/m/{session.id}")


def _changed_options(game: Game, form: Form) -> dict[str, Any]:
    """The options whose values differ from their defaults."""
    players = form.get("option-players", "")
    chosen = {option.name: _chosen_value(option, form, players) for option in game.options}
    return {option.name: chosen[option.name] for option in game.options if chosen[option.name] != str(option.default)}


def _chosen_value(option: Option, form: Form, players: str) -> str:
    shape = option.describe()
    name = f"option-{option.name}"
    if shape["type"] != "dealt":
        own = form.get(f"{name}-own", "")
        return own if own.strip() else form.get(name, "") or str(option.default)
    seats = min(shape["seats"], int(players)) if players.isdecimal() and len(players) < 3 else shape["seats"]
    dealt = [form.get(f"{name}-{seat}", "random") for seat in range(seats)]
    return ",".join(dealt) if set(dealt) - {"random"} else "random"
