"""Hashi: write numbers on islands, join them with bridges, and finish as many as you can."""

from __future__ import annotations

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.options import Number
from skerry.games.hashi.rules.actions import VERBS
from skerry.games.hashi.rules.components import SEATS
from skerry.games.hashi.rules.events import ENDINGS, EVENTS, MAX_EVENTS
from skerry.games.hashi.rules.options import BoardOption, StartOption, check
from skerry.games.hashi.rules.state import OBSERVATION, Options, State

GAME = Game(
    name="hashi",
    title="Hashi",
    summary="Write numbers on islands and join them with bridges, all at the same time.",
    minutes=20,
    version=1,
    package=__name__,
    languages=LANGUAGES,
    seats=range(1, SEATS + 1),
    seat_kind="player",
    cooperative=False,
    open_handed=True,
    options_rule="HA-01",
    options=(
        Number("players", "how many play, each on a paper of their own", 1, SEATS, 2),
        BoardOption(),
        StartOption(),
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
    value_net=True,
    daily_text="One board, one start and one order of cards, the same for everybody until midnight UTC.",
    command_name="board",
)
