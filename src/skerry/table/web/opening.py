"""Setting up a table: every option of the fact sheet, who sits where, the clock."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.options import Option, heading
from skerry.engine.refusal import Refusal
from skerry.table.matches import OPEN, configured
from skerry.table.room import Reader, words_for
from skerry.table.web.pages import Asking, Here, form_of, go, new_router, number, render_of, seated

router = new_router()

Form = dict[str, str]


@router.get("/new/{game}")
async def new_table(request: Request, game: str, reader: Asking, room: Here) -> HTMLResponse:
    return _page(request, room.find(game), reader, {}, None)


def _page(request: Request, game: Game, reader: Reader, given: Form, problem: Refusal | None) -> HTMLResponse:
    request.state.game = game
    wrong = None if problem is None else dict(problem.message.arguments).get("name")
    return render_of(
        request,
        "new.html",
        reader,
        game,
        400 if problem else 200,
        heading=heading,
        options=[(option, option.describe(), _given(option, given)) for option in game.options],
        bots=bots.names(game),
        house=bots.house(game),
        given=given,
        problem=problem and {"message": problem.message.render(words_for(request)), "rule": problem.rule},
        wrong=wrong,
        seats=range(game.seats.stop - 1),
    )


def _given(option: Option, form: Form) -> list[str]:
    """What stands in an option's field; of one that is dealt, in the field of each seat."""
    shape = option.describe()
    if shape["type"] != "dealt":
        return [form.get(f"option-{option.name}", str(option.default))]
    return [form.get(f"option-{option.name}-{seat}", "random") for seat in range(shape["seats"])]


@router.post("/new/{game}")
async def open_table(request: Request, game: str, reader: Asking, room: Here) -> Response:
    found = room.find(game)
    form = await form_of(request)
    try:
        options = _options(found, form)
        players = configured(found, options).players
        sitting = [form.get(f"seat-{seat}", OPEN) for seat in range(players)]
        clock = number(form, "clock") if form.get("clock") else None
        guest = await seated(request, room, reader)
        live = await room.matches.open(guest.id, found.name, options, sitting, "listed" in form, clock)
    except Refusal as refusal:
        return _page(request, found, reader, form, refusal)
    return go(request, f"/m/{live.id}")


def _options(game: Game, form: Form) -> dict[str, Any]:
    """What was chosen; what was left as it is takes its default."""
    players = form.get("option-players", "")
    chosen = {option.name: _chosen(option, form, players) for option in game.options}
    return {option.name: chosen[option.name] for option in game.options if chosen[option.name] != str(option.default)}


def _chosen(option: Option, form: Form, players: str) -> str:
    shape = option.describe()
    if shape["type"] != "dealt":
        return form.get(f"option-{option.name}", "") or str(option.default)
    seats = min(shape["seats"], int(players)) if players.isdecimal() and len(players) < 3 else shape["seats"]
    dealt = [form.get(f"option-{option.name}-{seat}", "random") for seat in range(seats)]
    return ",".join(dealt) if set(dealt) - {"random"} else "random"
