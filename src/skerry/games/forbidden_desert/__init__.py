"""Forbidden Desert: dig out a flying machine and leave before the storm, the sand or thirst gets you."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.options import Choice, DistinctChoices, FirstSeat, Number, check_seat_options
from skerry.games.forbidden_desert.rules.actions import VERBS
from skerry.games.forbidden_desert.rules.components import DIFFICULTIES, ROLES, SEATS
from skerry.games.forbidden_desert.rules.events import ENDINGS, EVENTS, MAX_EVENTS
from skerry.games.forbidden_desert.rules.state import OBSERVATION, Options, State

GAME = Game(
    name="forbidden-desert",
    title="Forbidden Desert",
    summary="Dig four parts of a flying machine out of the sand together and leave before the storm is too strong.",
    minutes=45,
    version=1,
    package=__name__,
    languages=LANGUAGES,
    seats=range(2, SEATS + 1),
    seat_kind="pawn",
    cooperative=True,
    options_rule="FD-01",
    options=(
        Number("players", "how many adventurers", 2, SEATS, 4),
        Choice("difficulty", "how strong the storm begins", DIFFICULTIES, "novice"),
        DistinctChoices(
            "roles",
            "who plays whom, in seat order",
            tuple(role.name for role in ROLES),
            SEATS,
            tuple(role.title for role in ROLES),
        ),
        FirstSeat(SEATS),
    ),
    check_options=check_seat_options,
    state_struct=State,
    options_struct=Options,
    actions=VERBS,
    events=EVENTS,
    max_events=MAX_EVENTS,
    endings=ENDINGS,
    observation=OBSERVATION,
    value_net=True,
    policy_net=True,
    bots=("skilled", "novice"),
)
