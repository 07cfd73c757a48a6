"""Forbidden Desert: dig out a flying machine and leave before the storm, the sand or thirst gets you."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.options import Choice, Dealt, FirstSeat, Number, Values
from skerry.engine.refusal import BadOption, say
from skerry.games.forbidden_desert.actions import VERBS
from skerry.games.forbidden_desert.facts import DIFFICULTIES, ROLES, SEATS
from skerry.games.forbidden_desert.happenings import ENDINGS, EVENTS
from skerry.games.forbidden_desert.state import OBSERVATION, Choices, State


def _check(values: Values) -> None:
    """FD-01: what is chosen for a seat needs that seat."""
    players = values["players"]
    if values["first"] != "random" and values["first"] >= players:
        raise BadOption(
            say("with {players} players there is no seat {seat}", players=players, seat=values["first"]), "FD-01"
        )
    chosen = values["roles"].split(",")
    if len(chosen) > players:
        raise BadOption(say("{roles} roles for {players} players", roles=len(chosen), players=players), "FD-01")


GAME = Game(
    name="forbidden-desert",
    title="Forbidden Desert",
    summary="Dig four parts of a flying machine out of the sand together and leave before the storm is too strong.",
    minutes=45,
    version=1,
    package=__name__,
    seats=range(2, SEATS + 1),
    cooperative=True,
    options=(
        Number("players", "how many adventurers", 2, SEATS, 4),
        Choice("difficulty", "how strong the storm begins", DIFFICULTIES, "novice"),
        Dealt("roles", "who plays whom, in seat order", ROLES, SEATS),
        FirstSeat(SEATS),
    ),
    check=_check,
    state=State,
    choices=Choices,
    actions=VERBS,
    events=EVENTS,
    endings=ENDINGS,
    observation=OBSERVATION,
    bots=("simple",),
)
