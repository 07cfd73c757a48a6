"""All features of a solo paper. ``feature_blocks`` names them."""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.feature_blocks import (
    FIRST_FLAG,
    GLOBAL,
    N_FLAGS,
    N_GLOBAL_FEATURES,
    N_ISLAND_FEATURES,
    N_LINE_FEATURES,
    NOTES_END,
)
from skerry.games.hashi.bot.global_features import write_bonuses, write_cards_to_come, write_conditions
from skerry.games.hashi.bot.island_features import write_island_bonuses, write_island_condition
from skerry.games.hashi.bot.line_features import write_line_features
from skerry.games.hashi.bot.progress import read_progress
from skerry.games.hashi.rules.components import ISLANDS, LINES
from skerry.games.hashi.rules.state import State

ENTITY_GROUPS = (
    EntityGroup(ISLANDS, N_ISLAND_FEATURES, 40),
    EntityGroup(N_FLAGS, N_ISLAND_FEATURES, 24),  # the islands with a flag once more
    EntityGroup(LINES, N_LINE_FEATURES, 20),
    EntityGroup(1, N_GLOBAL_FEATURES, 32),
)


@kernel
def write_paper_features(state: State, out: Any, played: int, due: int) -> float:
    """Write the features of seat 0's paper after ``played`` rounds; returns the points that are certain.

    ``due`` is how many bridges of the last of those rounds are still to be drawn.
    """
    for i in range(NOTES_END):
        out[i] = 0.0
    progress = read_progress(state, out, played, due)
    write_cards_to_come(state, out, played)
    for line in range(state.lines):
        write_line_features(state, line, out, progress)
    lost, flags = 0, 0  # islands that can no longer be finished; how many flags were written
    for island in range(ISLANDS):
        features = out[island * N_ISLAND_FEATURES : (island + 1) * N_ISLAND_FEATURES]
        lost |= write_island_condition(state, island, features, out, progress) << island
        write_island_bonuses(state, island, features, out, progress)
        if (state.red | state.blue) >> island & 1:
            flagged = out[FIRST_FLAG + flags * N_ISLAND_FEATURES :]
            for i in range(N_ISLAND_FEATURES):
                flagged[i] = features[i]
            flags += 1
    write_conditions(state, out[GLOBAL:], lost, progress)
    write_bonuses(state, out[GLOBAL:], lost, progress)
    return float(progress.points)
