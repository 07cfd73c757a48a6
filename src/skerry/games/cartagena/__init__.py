"""Cartagena: bring all your pirates out of the fortress first."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.options import Choice, FirstSeat, Number
from skerry.games.cartagena.rules.actions import VERBS
from skerry.games.cartagena.rules.components import (
    CREW,
    FEWEST_IN_A_HALF,
    FEWEST_PARTS,
    MOST_IN_A_HALF,
    PARTS,
    SEATS,
    STORIES,
    STORY_TITLES,
)
from skerry.games.cartagena.rules.events import ENDINGS, EVENTS, MAX_EVENTS
from skerry.games.cartagena.rules.options import DrawingMoveOption, PartSetOption, PartsOption, SwitchOption, check
from skerry.games.cartagena.rules.state import OBSERVATION, Options, State

GAME = Game(
    name="cartagena",
    title="Cartagena",
    summary="Bring all your pirates out of the fortress before the others do.",
    minutes=40,
    version=2,
    package=__name__,
    languages=LANGUAGES,
    seats=range(2, SEATS + 1),
    seat_kind="colour",
    cooperative=False,
    options_rule="CA-01",
    options=(
        Number("players", "how many players", 2, SEATS, 4),
        Choice("story", "the escape, the run across Tortuga, or both", STORIES, "escape", STORY_TITLES),
        PartsOption("parts", "how many parts make the path, or which", FEWEST_PARTS, PARTS, 6),
        PartsOption("tunnel", "full story: the parts of the tunnel", FEWEST_IN_A_HALF, MOST_IN_A_HALF, 3),
        PartsOption("island", "full story: the parts of the island", FEWEST_IN_A_HALF, MOST_IN_A_HALF, 3),
        PartSetOption("set", "the parts in the box: the house's, or those of a file"),
        Number("pirates", "pirates of each colour", 4, CREW, CREW),
        DrawingMoveOption("draw", "how players get cards: by moving back, or by moving others on (Morgan's move)"),
        SwitchOption("flibusters", "a dark card catches those who hold more than seven cards"),
        SwitchOption("magic", "Black Magic Woman: every card has a power"),
        FirstSeat(SEATS),
    ),
    check_options=check,
    state_struct=State,
    options_struct=Options,
    actions=VERBS,
    events=EVENTS,
    max_events=MAX_EVENTS,
    endings=ENDINGS,
    observation=OBSERVATION,
    bots=("skilled", "novice"),
)
