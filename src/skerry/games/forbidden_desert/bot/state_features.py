"""The features of a state for the networks: tiles, parts, seats and the whole game.

They depend on public information only: what lies under the sand and in the decks is counted, not looked at.
``feature_blocks`` names the features.
"""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.distances import note_pawn_distances
from skerry.games.forbidden_desert.bot.feature_blocks import (
    N_GLOBAL_FEATURES,
    N_PART_FEATURES,
    N_SEAT_FEATURES,
    N_TILE_FEATURES,
    STATE_NOTES_END,
    STORM_CARDS_LEFT,
)
from skerry.games.forbidden_desert.bot.global_features import write_global_features
from skerry.games.forbidden_desert.bot.part_features import write_part_features
from skerry.games.forbidden_desert.bot.public_info import note_storm_forecast, public_info
from skerry.games.forbidden_desert.bot.seat_features import write_seat_features
from skerry.games.forbidden_desert.bot.thirst import StormDeck
from skerry.games.forbidden_desert.bot.tile_features import write_tile_features
from skerry.games.forbidden_desert.rules.components import N_PARTS, PLACES, SEATS, SUN
from skerry.games.forbidden_desert.rules.state import State

ENTITY_GROUPS = (
    EntityGroup(PLACES, N_TILE_FEATURES, 16),
    EntityGroup(N_PARTS, N_PART_FEATURES, 24),
    EntityGroup(SEATS, N_SEAT_FEATURES, 32),
    EntityGroup(1, N_GLOBAL_FEATURES, 32),
)
ROLLOUT_TURNS = 2
VALUE_SPAN = 1.0  # a probability of winning


@kernel
def write_state_features(state: State, out: Any) -> float:
    """Write the features of a state. Nothing of the value is certain before the end, so the result is 0."""
    for i in range(STATE_NOTES_END):
        out[i] = 0.0
    info = public_info(state, out)
    note_storm_forecast(state, out)
    for seat in range(state.players):
        note_pawn_distances(state, seat, out, info)
    deck = StormDeck(as_int(state.storm_left), int(out[STORM_CARDS_LEFT + SUN]), 0, 0, 0)
    for place in range(PLACES):
        if place != state.storm:
            write_tile_features(state, place, out, info)
    for part in range(N_PARTS):
        if not state.taken >> part & 1:
            write_part_features(state, part, out, info)
    for seat in range(state.players):
        write_seat_features(state, seat, out, info, deck)
    write_global_features(state, out, info, deck)
    return 0.0
