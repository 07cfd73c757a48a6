"""Forbidden Desert: dig out a flying machine and leave before the storm, the sand or thirst gets you."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.options import Choice, DistinctChoices, FirstSeat, Number, check_seat_options
from skerry.games.forbidden_desert.rules.actions import VERBS
from skerry.games.forbidden_desert.rules.components import DIFFICULTIES, ROLE_TITLES, ROLES, SEATS
from skerry.games.forbidden_desert.rules.events import ENDINGS, EVENTS
from skerry.games.forbidden_desert.rules.state import OBSERVATION, Choices, State

GAME = Game(
    name="forbidden-desert",
    title="Forbidden Desert",
    summary="Dig four parts of a flying machine out of the sand together and leave before the storm is too strong.",
    minutes=45,
    version=1,
    package=__name__,
    seats=range(2, SEATS + 1),
    cooperative=True,
    options_rule="FD-01",
    options=(
        Number("players", "how many adventurers", 2, SEATS, 4),
        Choice("difficulty", "how strong the storm begins", DIFFICULTIES, "novice"),
        DistinctChoices("roles", "who plays whom, in seat order", ROLES, SEATS, ROLE_TITLES),
        FirstSeat(SEATS),
    ),
    check_options=check_seat_options,
    state_struct=State,
    options_struct=Choices,
    actions=VERBS,
    events=EVENTS,
    endings=ENDINGS,
    observation=OBSERVATION,
    value_net=True,
    policy_net=True,
    bots=("skilled", "novice"),
)
