"""Features of the islands: number, bridges, neighbours, and what they mean for the bonuses."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.feature_blocks import (
    CARDS_UP_TO_NOTE,
    EXISTS,
    GLOBAL,
    GROUP_SIZE_NOTE,
    ISLAND_FEATURES,
    MAX_SPARE,
    N_FLAG_COLOURS,
    N_ISLAND_FEATURES,
    N_NEIGHBOUR_KINDS,
    OPEN_BRIDGES_NOTE,
)
from skerry.games.hashi.bot.global_features import write_place_for_cards
from skerry.games.hashi.bot.progress import Progress, full_points_time, need_class
from skerry.games.hashi.rules.components import (
    MAX_CARD_BRIDGES,
    MAX_ISLAND_BRIDGES,
    MAX_ISLAND_LINES,
    MAX_LINE_BRIDGES,
    N_CARDS,
    RED,
    ROUNDS,
    SIX,
    SIX_ISLANDS,
)
from skerry.games.hashi.rules.state import State

NUMBER = ISLAND_FEATURES.offset("number")
MISSING_BRIDGES = ISLAND_FEATURES.offset("missing_bridges")
BRIDGES = ISLAND_FEATURES.offset("bridges")
SPARE_BRIDGES = ISLAND_FEATURES.offset("spare_bridges")
HIGHEST_NUMBER = ISLAND_FEATURES.offset("highest_number")
NEIGHBOURS = ISLAND_FEATURES.offset("neighbours")
FLAG = ISLAND_FEATURES.offset("flag")
FULL_POINTS_TIME = ISLAND_FEATURES.offset("full_points_time")
FITTING_CARDS = ISLAND_FEATURES.offset("fitting_cards")
ROUNDS_LEFT = ISLAND_FEATURES.offset("rounds_left")
GROUP_SIZE = ISLAND_FEATURES.offset("group_size")
ADJACENT_GROUP_SIZE = ISLAND_FEATURES.offset("adjacent_group_size")
BRIDGES_DUE = ISLAND_FEATURES.offset("bridges_due")
WANTED_BRIDGES = ISLAND_FEATURES.offset("wanted_bridges")


@kernel
def write_neighbour(state: State, island: int, neighbour: int, built: int, out: Any) -> None:
    """What an open line to a neighbour means for an island."""
    bridges = min(MAX_LINE_BRIDGES - built, state.room[0, neighbour])
    need = need_class(state, neighbour)
    kind = need + 1 if need else (state.red | state.blue) >> neighbour & 1
    features = out[island * N_ISLAND_FEATURES :]
    features[NEIGHBOURS + (bridges - 1) * N_NEIGHBOUR_KINDS + kind] += 0.5
    if need:
        features[WANTED_BRIDGES] += bridges / MAX_ISLAND_LINES
    out[OPEN_BRIDGES_NOTE + island] += bridges


@kernel
def write_adjacent_group(out: Any, a: int, b: int, finished: int) -> None:
    """A bridge joins an unfinished island to a group of finished ones."""
    unfinished, member = (a, b) if finished >> b & 1 else (b, a)
    features = out[unfinished * N_ISLAND_FEATURES :]
    size = out[GROUP_SIZE_NOTE + member] / SIX_ISLANDS
    features[ADJACENT_GROUP_SIZE] = max(features[ADJACENT_GROUP_SIZE], size)


@kernel
def write_island_condition(state: State, island: int, features: Any, out: Any, progress: Progress) -> int:
    """An island's number and bridges. Returns 1 if it can no longer be finished, else 0."""
    number, room, open_bridges = state.number[0, island], state.room[0, island], int(out[OPEN_BRIDGES_NOTE + island])
    features[EXISTS] = 1.0
    features[NUMBER + number] = 1.0
    if progress.finished >> island & 1:
        features[MISSING_BRIDGES] = 1.0
        return 0
    if number:
        spare = max(-1, min(open_bridges - room, MAX_SPARE))
        features[MISSING_BRIDGES + room] = 1.0
        features[SPARE_BRIDGES + 1 + spare] = 1.0
        return 1 if spare < 0 else 0
    return _write_island_without_number(features, out, MAX_ISLAND_BRIDGES - room, open_bridges, progress.played)


@kernel
def _write_island_without_number(features: Any, out: Any, bridges: int, open_bridges: int, played: int) -> int:
    """An island that has some bridges and no number. Returns 1 if no card to come fits it, else 0."""
    highest = min(bridges + open_bridges, MAX_ISLAND_BRIDGES)
    fitting = out[CARDS_UP_TO_NOTE + highest] - out[CARDS_UP_TO_NOTE + max(bridges, 1) - 1]
    features[BRIDGES + bridges] = 1.0
    features[HIGHEST_NUMBER + highest] = 1.0
    write_place_for_cards(out[GLOBAL:], max(bridges, 1), highest)
    features[FITTING_CARDS] = fitting / (N_CARDS - played)
    return 1 if fitting <= 0.0 else 0


@kernel
def write_island_bonuses(state: State, island: int, features: Any, out: Any, progress: Progress) -> None:
    """What an island means for the bonuses, and the time that is left."""
    for bonus in range(N_FLAG_COLOURS):
        islands = state.red if bonus == RED else state.blue
        if islands >> island & 1 and not progress.earned >> bonus & 1:
            features[FLAG + bonus] = 1.0
            features[FULL_POINTS_TIME] = full_points_time(bonus, progress.played)
    features[ROUNDS_LEFT] = (ROUNDS - progress.played) / ROUNDS
    features[BRIDGES_DUE] = progress.due / MAX_CARD_BRIDGES
    if progress.earned >> SIX & 1:
        features[ADJACENT_GROUP_SIZE] = 0.0
    elif progress.finished >> island & 1:
        features[GROUP_SIZE] = out[GROUP_SIZE_NOTE + island] / SIX_ISLANDS
