"""Features of the whole game: meter, decks, phase, and what is still to be done and feared."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot import tile_features, treasure_features
from skerry.games.forbidden_island.bot.distances import pawn_distance
from skerry.games.forbidden_island.bot.feature_blocks import (
    FIRST_TILE,
    FIRST_TREASURE,
    GLOBAL,
    GLOBAL_FEATURES,
    MAX_DISTANCE,
    N_TILE_FEATURES,
    N_TREASURE_FEATURES,
)
from skerry.games.forbidden_island.bot.threat import PROBABILITY_ONE, FloodPiles, waters_rise_probability
from skerry.games.forbidden_island.rules.components import (
    CARD_COPIES,
    FLOOD_CARDS_AT_TICK,
    FOOLS_LANDING,
    HELICOPTER,
    N_TREASURES,
    SANDBAGS,
    SET_SIZE,
    TILES,
    TREASURE_DRAWS,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.legal import can_lift_off
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, FLOODING, State

EXISTS = GLOBAL + GLOBAL_FEATURES.offset("exists")
WATER_METER = GLOBAL + GLOBAL_FEATURES.offset("water_meter")
PLAYERS = GLOBAL + GLOBAL_FEATURES.offset("players")
CAPTURED = GLOBAL + GLOBAL_FEATURES.offset("captured")
HELICOPTER_LIFTS_HELD = GLOBAL + GLOBAL_FEATURES.offset("helicopter_lifts_held")
SANDBAGS_HELD = GLOBAL + GLOBAL_FEATURES.offset("sandbags_held")
HELICOPTER_LIFTS_DISCARDED = GLOBAL + GLOBAL_FEATURES.offset("helicopter_lifts_discarded")
SANDBAGS_DISCARDED = GLOBAL + GLOBAL_FEATURES.offset("sandbags_discarded")
WATERS_RISE_DISCARDED = GLOBAL + GLOBAL_FEATURES.offset("waters_rise_discarded")
WATERS_RISE_IN_DECK = GLOBAL + GLOBAL_FEATURES.offset("waters_rise_in_deck")
WATERS_RISE_DENSITY = GLOBAL + GLOBAL_FEATURES.offset("waters_rise_density")
TREASURE_DECK_SIZE = GLOBAL + GLOBAL_FEATURES.offset("treasure_deck_size")
ACTIONS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("actions_left")
TREASURE_DRAWS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("treasure_draws_left")
FLOOD_DRAWS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("flood_draws_left")
FLIGHT_USED = GLOBAL + GLOBAL_FEATURES.offset("flight_used")
FLOOD_DECK_SIZE = GLOBAL + GLOBAL_FEATURES.offset("flood_deck_size")
FLOOD_DISCARD_SIZE = GLOBAL + GLOBAL_FEATURES.offset("flood_discard_size")
TOP_PILE_SIZE = GLOBAL + GLOBAL_FEATURES.offset("top_pile_size")
TOP_PILE_FLOODED = GLOBAL + GLOBAL_FEATURES.offset("top_pile_flooded")
DISCARD_FLOODED = GLOBAL + GLOBAL_FEATURES.offset("discard_flooded")
FLOODED = GLOBAL + GLOBAL_FEATURES.offset("flooded")
SUNK = GLOBAL + GLOBAL_FEATURES.offset("sunk")
MUST_DISCARD = GLOBAL + GLOBAL_FEATURES.offset("must_discard")
SWIMMING = GLOBAL + GLOBAL_FEATURES.offset("swimming")
CAN_LIFT_OFF = GLOBAL + GLOBAL_FEATURES.offset("can_lift_off")
GATHERED = GLOBAL + GLOBAL_FEATURES.offset("gathered")
FARTHEST_FROM_LANDING = GLOBAL + GLOBAL_FEATURES.offset("farthest_from_landing")
ALL_CAPTURED = GLOBAL + GLOBAL_FEATURES.offset("all_captured")
ALL_CAPTURED_FARTHEST = GLOBAL + GLOBAL_FEATURES.offset("all_captured_farthest")
ALL_CAPTURED_LIFT_HELD = GLOBAL + GLOBAL_FEATURES.offset("all_captured_lift_held")
LANDING_LOSS_RISK_NOW = GLOBAL + GLOBAL_FEATURES.offset("landing_loss_risk_now")
LANDING_LOSS_RISK_SOON = GLOBAL + GLOBAL_FEATURES.offset("landing_loss_risk_soon")
TREASURE_LOSS_RISK_NOW = GLOBAL + GLOBAL_FEATURES.offset("treasure_loss_risk_now")
TREASURE_LOSS_RISK_SOON = GLOBAL + GLOBAL_FEATURES.offset("treasure_loss_risk_soon")
WATERS_RISE_RISK_NOW = GLOBAL + GLOBAL_FEATURES.offset("waters_rise_risk_now")
WATERS_RISE_RISK_SOON = GLOBAL + GLOBAL_FEATURES.offset("waters_rise_risk_soon")
FLOOD_CARDS_PER_TURN = GLOBAL + GLOBAL_FEATURES.offset("flood_cards_per_turn")
MISSING_FOR_COLLECTORS = GLOBAL + GLOBAL_FEATURES.offset("missing_for_collectors")
MISSING_FOR_TEAM = GLOBAL + GLOBAL_FEATURES.offset("missing_for_team")

TILE_SINKING_RISK_NOW = tile_features.SINKING_RISK_NOW + tile_features.LANDING
TILE_SINKING_RISK_SOON = tile_features.SINKING_RISK_SOON + tile_features.LANDING
TREASURE_RISK_NOW = treasure_features.LOSS_RISK_NOW
TREASURE_RISK_SOON = treasure_features.LOSS_RISK_SOON


@kernel
def write_global_features(state: State, out: Any, piles: FloodPiles) -> None:
    """Write the features of the whole game, after those of the tiles and treasures."""
    out[EXISTS] = 1.0
    out[WATER_METER + min(state.water, 9)] = 1.0
    out[PLAYERS + state.players - 2] = 1.0
    captured = lifts = sandbags = 0
    for treasure in range(N_TREASURES):
        captured += 1 if state.captor[treasure] >= 0 else 0
    for seat in range(state.players):
        lifts += state.hands[seat, HELICOPTER]
        sandbags += state.hands[seat, SANDBAGS]
    out[CAPTURED + captured] = 1.0
    out[HELICOPTER_LIFTS_HELD + min(lifts, 3)] = 1.0
    out[SANDBAGS_HELD] = sandbags / 2
    _write_treasure_deck(state, out)
    _write_phase(state, out)
    _write_flood_deck(state, out, piles)
    _write_way_home(state, out, captured, lifts)
    _write_loss_risks(state, out)
    _write_waters_rise(state, out)
    _write_missing_cards(state, out)


@kernel
def _write_treasure_deck(state: State, out: Any) -> None:
    waters_rise = CARD_COPIES[WATERS_RISE] - state.treasure_discard[WATERS_RISE]
    out[HELICOPTER_LIFTS_DISCARDED] = state.treasure_discard[HELICOPTER] / 3
    out[SANDBAGS_DISCARDED] = state.treasure_discard[SANDBAGS] / 2
    out[WATERS_RISE_DISCARDED] = state.treasure_discard[WATERS_RISE] / 3
    out[WATERS_RISE_IN_DECK] = waters_rise / 3
    out[WATERS_RISE_DENSITY] = waters_rise / max(1, state.treasure_left)
    out[TREASURE_DECK_SIZE] = state.treasure_left / 28


@kernel
def _write_phase(state: State, out: Any) -> None:
    if state.phase == ACTIONS:
        out[ACTIONS_LEFT + min(state.left, 3)] = 1.0
    elif state.phase == DRAWING:
        out[TREASURE_DRAWS_LEFT + min(state.left, 2)] = 1.0
    elif state.phase == FLOODING:
        out[FLOOD_DRAWS_LEFT + min(state.left, 5)] = 1.0
    out[FLIGHT_USED] = state.flown


@kernel
def _write_flood_deck(state: State, out: Any, piles: FloodPiles) -> None:
    """How far the island has sunk, and what the flood deck has in store."""
    out[FLOOD_DECK_SIZE] = state.flood_left / TILES
    out[FLOOD_DISCARD_SIZE] = state.flood_shown / TILES
    out[TOP_PILE_SIZE] = popcount(piles.top) / TILES
    out[TOP_PILE_FLOODED] = popcount(piles.top & state.flooded) / 6
    out[DISCARD_FLOODED] = popcount(piles.discard & state.flooded) / 6
    out[FLOODED] = popcount(state.flooded) / TILES
    out[SUNK] = popcount(state.sunk) / TILES
    out[MUST_DISCARD] = popcount(state.over) / 2
    out[SWIMMING] = 1.0 if state.swimming else 0.0


@kernel
def _write_way_home(state: State, out: Any, captured: int, lifts: int) -> None:
    """How far the team is from lifting off."""
    out[CAN_LIFT_OFF] = 1.0 if can_lift_off(state) else 0.0
    gathered = farthest = 0.0
    for seat in range(state.players):
        distance = pawn_distance(out, seat, state.place_of[FOOLS_LANDING])
        gathered += 1.0 if distance == 0 else 0.0
        farthest = max(farthest, distance)
    out[GATHERED] = gathered / state.players
    out[FARTHEST_FROM_LANDING] = farthest / MAX_DISTANCE
    if captured == N_TREASURES:
        out[ALL_CAPTURED] = 1.0
        out[ALL_CAPTURED_FARTHEST] = farthest / MAX_DISTANCE
        out[ALL_CAPTURED_LIFT_HELD] = 1.0 if lifts else 0.0


@kernel
def _write_loss_risks(state: State, out: Any) -> None:
    """How likely Fools' Landing or a treasure is lost, from the features of the tiles and treasures."""
    landing = FIRST_TILE + state.place_of[FOOLS_LANDING] * N_TILE_FEATURES
    out[LANDING_LOSS_RISK_NOW] = out[landing + TILE_SINKING_RISK_NOW]
    out[LANDING_LOSS_RISK_SOON] = out[landing + TILE_SINKING_RISK_SOON]
    safe_now = safe_soon = 1.0
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            base = FIRST_TREASURE + treasure * N_TREASURE_FEATURES
            safe_now *= 1.0 - out[base + TREASURE_RISK_NOW]
            safe_soon *= 1.0 - out[base + TREASURE_RISK_SOON]
    out[TREASURE_LOSS_RISK_NOW] = 1.0 - safe_now
    out[TREASURE_LOSS_RISK_SOON] = 1.0 - safe_soon


@kernel
def _write_waters_rise(state: State, out: Any) -> None:
    """How likely the next treasure cards bring Waters Rise!, and how many flood cards come each turn."""
    draws = state.left if state.phase == DRAWING else 0 if state.phase == FLOODING else TREASURE_DRAWS
    out[WATERS_RISE_RISK_NOW] = waters_rise_probability(state, draws) / PROBABILITY_ONE
    out[WATERS_RISE_RISK_SOON] = waters_rise_probability(state, draws + TREASURE_DRAWS) / PROBABILITY_ONE
    out[FLOOD_CARDS_PER_TURN] = FLOOD_CARDS_AT_TICK[state.water] / 5


@kernel
def _write_missing_cards(state: State, out: Any) -> None:
    """How many cards are missing to sets of the uncaptured treasures."""
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            most = held = 0
            for seat in range(state.players):
                most = max(most, int(state.hands[seat, treasure]))
                held += state.hands[seat, treasure]
            out[MISSING_FOR_COLLECTORS] += (SET_SIZE - min(most, SET_SIZE)) / 16
            out[MISSING_FOR_TEAM] += (SET_SIZE - min(held, SET_SIZE)) / 16
