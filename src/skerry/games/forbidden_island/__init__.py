"""Forbidden Island: capture four treasures and leave before the island sinks."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.options import Choice, DistinctChoices, FirstSeat, Number, check_seat_options
from skerry.games.forbidden_island.rules.actions import VERBS
from skerry.games.forbidden_island.rules.components import (
    DIFFICULTIES,
    LAYOUT_SHAPES,
    LAYOUT_TITLES,
    ROLES,
    SEATS,
)
from skerry.games.forbidden_island.rules.events import ENDINGS, EVENTS, MAX_EVENTS
from skerry.games.forbidden_island.rules.state import OBSERVATION, Options, State

GAME = Game(
    name="forbidden-island",
    title="Forbidden Island",
    summary="Capture four treasures together and leave before the island sinks.",
    minutes=30,
    version=1,
    package=__name__,
    languages=LANGUAGES,
    seats=range(2, SEATS + 1),
    seat_kind="pawn",
    cooperative=True,
    options_rule="FI-01",
    options=(
        Number("players", "how many adventurers", 2, SEATS, 4),
        Choice("difficulty", "where the water begins", DIFFICULTIES, "novice"),
        Choice("layout", "the shape of the island", tuple(LAYOUT_SHAPES), "forbidden-island", LAYOUT_TITLES),
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
