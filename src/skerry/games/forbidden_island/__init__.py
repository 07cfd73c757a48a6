"""Forbidden Island: capture four treasures and leave before the island sinks."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.options import Choice, Dealt, FirstSeat, Number, Values
from skerry.engine.refusal import BadOption, say
from skerry.games.forbidden_island.actions import VERBS
from skerry.games.forbidden_island.facts import DIFFICULTIES, LAYOUTS, ROLES, SEATS
from skerry.games.forbidden_island.happenings import ENDINGS, EVENTS
from skerry.games.forbidden_island.state import OBSERVATION, Choices, State


def _check(values: Values) -> None:
    """FI-01: what is chosen for a seat needs that seat."""
    players = values["players"]
    if values["first"] != "random" and values["first"] >= players:
        raise BadOption(
            say("with {players} players there is no seat {seat}", players=players, seat=values["first"]), "FI-01"
        )
    chosen = values["roles"].split(",")
    if len(chosen) > players:
        raise BadOption(say("{roles} roles for {players} players", roles=len(chosen), players=players), "FI-01")


GAME = Game(
    name="forbidden-island",
    title="Forbidden Island",
    summary="Capture four treasures together and leave before the island sinks.",
    minutes=30,
    version=1,
    package=__name__,
    seats=range(2, SEATS + 1),
    cooperative=True,
    options=(
        Number("players", "how many adventurers", 2, SEATS, 4),
        Choice("difficulty", "where the water begins", DIFFICULTIES, "novice"),
        Choice("layout", "the shape of the island", tuple(LAYOUTS), "forbidden-island"),
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
