"""The features of a state for the networks: tiles, treasures, seats and the whole game.

They depend on public information only. ``feature_blocks`` names them.
"""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.distances import note_pawn_distances
from skerry.games.forbidden_island.bot.feature_blocks import (
    FEATURES_END,
    N_GLOBAL_FEATURES,
    N_SEAT_FEATURES,
    N_TILE_FEATURES,
    N_TREASURE_FEATURES,
)
from skerry.games.forbidden_island.bot.global_features import write_global_features
from skerry.games.forbidden_island.bot.seat_features import write_seat_features
from skerry.games.forbidden_island.bot.threat import (
    flood_piles,
    probabilities_this_turn,
    probabilities_within,
    tiles_by_loss,
)
from skerry.games.forbidden_island.bot.tile_features import write_tile_features
from skerry.games.forbidden_island.bot.treasure_features import write_treasure_features
from skerry.games.forbidden_island.rules.components import N_TREASURES, SEATS, TILES
from skerry.games.forbidden_island.rules.state import State

ENTITY_GROUPS = (
    EntityGroup(TILES, N_TILE_FEATURES, 16),
    EntityGroup(N_TREASURES, N_TREASURE_FEATURES, 32),
    EntityGroup(SEATS, N_SEAT_FEATURES, 32),
    EntityGroup(1, N_GLOBAL_FEATURES, 32),
)
ROLLOUT_TURNS = 2
LOOKAHEAD_STEPS = 3  # a turn's actions
VALUE_SPAN = 1.0  # a probability of winning


@kernel
def write_state_features(state: State, out: Any) -> float:
    """Write the features of a state. Nothing of the value is certain before the end, so the result is 0."""
    for i in range(FEATURES_END):
        out[i] = 0.0
    for seat in range(state.players):
        note_pawn_distances(state, seat, out)
    piles, tiles = flood_piles(state), tiles_by_loss(state)
    this_turn, this_round = probabilities_this_turn(state, piles), probabilities_within(state, piles, state.players)
    for place in range(TILES):
        write_tile_features(state, place, out, piles, tiles, this_turn, this_round)
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            write_treasure_features(state, treasure, out, piles, this_turn, this_round)
    for seat in range(state.players):
        write_seat_features(state, seat, out, tiles)
    write_global_features(state, out, piles)
    return 0.0
