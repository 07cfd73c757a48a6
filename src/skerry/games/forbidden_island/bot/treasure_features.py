"""Features of the uncaptured treasures: who collects their cards, who could help, and the risk of losing them."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.distances import pawn_distance, treasure_distance, turns_until
from skerry.games.forbidden_island.bot.feature_blocks import (
    FIRST_TREASURE,
    MAX_DISTANCE,
    N_TREASURE_FEATURES,
    TREASURE_FEATURES,
)
from skerry.games.forbidden_island.bot.threat import PROBABILITY_ONE, DrawProbabilities, FloodPiles, pile_of
from skerry.games.forbidden_island.rules.components import CARD_COPIES, HAND_LIMIT, MESSENGER, SET_SIZE
from skerry.games.forbidden_island.rules.state import ACTIONS, State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

EXISTS = TREASURE_FEATURES.offset("exists")
TILES_SUNK = TREASURE_FEATURES.offset("tiles_sunk")
TILES_FLOODED = TREASURE_FEATURES.offset("tiles_flooded")
CARDS_DISCARDED = TREASURE_FEATURES.offset("cards_discarded")
CARDS_IN_DECK = TREASURE_FEATURES.offset("cards_in_deck")
CARDS_HELD = TREASURE_FEATURES.offset("cards_held")
MOST_HELD = TREASURE_FEATURES.offset("most_held")
COLLECTOR_HAND_ROOM = TREASURE_FEATURES.offset("collector_hand_room")
COLLECTOR_DISTANCE = TREASURE_FEATURES.offset("collector_distance")
COLLECTOR_TURN = TREASURE_FEATURES.offset("collector_turn")
SET_COMPLETE = TREASURE_FEATURES.offset("set_complete")
SET_DISTANCE = TREASURE_FEATURES.offset("set_distance")
SET_AT_TILE = TREASURE_FEATURES.offset("set_at_tile")
ONE_MISSING_DISTANCE = TREASURE_FEATURES.offset("one_missing_distance")
NO_HELPER = TREASURE_FEATURES.offset("no_helper")
HELPER_CARDS = TREASURE_FEATURES.offset("helper_cards")
HELPER_IS_MESSENGER = TREASURE_FEATURES.offset("helper_is_messenger")
HELPER_DISTANCE = TREASURE_FEATURES.offset("helper_distance")
HELPER_CAN_GIVE = TREASURE_FEATURES.offset("helper_can_give")
HELPER_OWN_DISTANCE = TREASURE_FEATURES.offset("helper_own_distance")
HELPER_TURN = TREASURE_FEATURES.offset("helper_turn")
HELPER_COMPLETES = TREASURE_FEATURES.offset("helper_completes")
HELPER_COMPLETES_DISTANCE = TREASURE_FEATURES.offset("helper_completes_distance")
SET_UNAVAILABLE = TREASURE_FEATURES.offset("set_unavailable")
LOSS_RISK_NOW = TREASURE_FEATURES.offset("loss_risk_now")
LOSS_RISK_SOON = TREASURE_FEATURES.offset("loss_risk_soon")
TILE_RISK_NOW = TREASURE_FEATURES.offset("tile_risk_now")
TILE_RISK_SOON = TREASURE_FEATURES.offset("tile_risk_soon")
CAN_BE_SHORED_UP = TREASURE_FEATURES.offset("can_be_shored_up")
FLOODED_TILE_DISTANCE = TREASURE_FEATURES.offset("flooded_tile_distance")
CAPTURE_THIS_TURN = TREASURE_FEATURES.offset("capture_this_turn")
TURN_SEAT_CARDS = TREASURE_FEATURES.offset("turn_seat_cards")

MOST_CARDS = 5  # the highest number of cards that a one-hot block can show


@kernel
def write_treasure_features(
    state: State,
    treasure: int,
    out: Any,
    piles: FloodPiles,
    this_turn: DrawProbabilities,
    this_round: DrawProbabilities,
) -> None:
    """Write the features of a treasure that is not captured."""
    base = FIRST_TREASURE + treasure * N_TREASURE_FEATURES
    out[base + EXISTS] = 1.0
    for tile in (2 * treasure, 2 * treasure + 1):
        place = state.place_of[tile]
        if state.sunk >> place & 1:
            out[base + TILES_SUNK] += 0.5
        elif state.flooded >> place & 1:
            out[base + TILES_FLOODED] += 0.5
    collector = _write_cards(state, treasure, out, base)
    _write_collector(state, treasure, out, base, collector)
    _write_helper(state, treasure, out, base, collector)
    _write_loss_risk(state, treasure, out, base, piles, this_turn, this_round)
    _write_turn_seat(state, treasure, out, base)


@kernel
def _write_cards(state: State, treasure: int, out: Any, base: int) -> int:
    """Where the cards of a treasure are. Returns its collector: the seat with most of them, then with most room."""
    held = 0
    collector, most, most_room = 0, -1, 0
    for seat in range(state.players):
        cards = int(state.hands[seat, treasure])
        held += cards
        room = HAND_LIMIT - hand_size(state, seat)
        if cards > most or (cards == most and room > most_room):
            collector, most, most_room = seat, cards, room
    copies, discarded = CARD_COPIES[treasure], state.treasure_discard[treasure]
    out[base + CARDS_DISCARDED] = discarded / copies
    out[base + CARDS_IN_DECK] = (copies - discarded - held) / copies
    out[base + CARDS_HELD + min(held, MOST_CARDS)] = 1.0
    out[base + MOST_HELD + min(most, MOST_CARDS)] = 1.0
    out[base + COLLECTOR_HAND_ROOM] = min(most_room, HAND_LIMIT) / HAND_LIMIT
    out[base + SET_UNAVAILABLE] = 1.0 if discarded > copies - SET_SIZE else 0.0
    return collector


@kernel
def _write_collector(state: State, treasure: int, out: Any, base: int, collector: int) -> None:
    distance = treasure_distance(state, out, collector, treasure)
    out[base + COLLECTOR_DISTANCE] = distance / MAX_DISTANCE
    out[base + COLLECTOR_TURN + turns_until(state, collector)] = 1.0
    cards = int(state.hands[collector, treasure])
    if cards >= SET_SIZE:
        out[base + SET_COMPLETE] = 1.0
        out[base + SET_DISTANCE] = distance / MAX_DISTANCE
        out[base + SET_AT_TILE] = 1.0 if distance == 0 else 0.0
    if cards == SET_SIZE - 1:
        out[base + ONE_MISSING_DISTANCE] = distance / MAX_DISTANCE


@kernel
def _write_helper(state: State, treasure: int, out: Any, base: int, collector: int) -> None:
    """The other seat with most cards of a treasure, and how they could get to the collector."""
    helper, cards = -1, 0
    for seat in range(state.players):
        if seat != collector and state.hands[seat, treasure] > cards:
            helper, cards = seat, int(state.hands[seat, treasure])
    if helper < 0:
        out[base + NO_HELPER] = 1.0
        return
    out[base + HELPER_CARDS + min(cards, 3) - 1] = 1.0
    own_distance = pawn_distance(out, helper, state.pawn[collector])
    distance = min(own_distance, pawn_distance(out, collector, state.pawn[helper]))
    if state.role[helper] == MESSENGER:
        out[base + HELPER_IS_MESSENGER] = 1.0
        distance = 0.0
    out[base + HELPER_DISTANCE] = distance / MAX_DISTANCE
    out[base + HELPER_CAN_GIVE] = 1.0 if distance == 0.0 else 0.0
    out[base + HELPER_OWN_DISTANCE] = own_distance / MAX_DISTANCE
    out[base + HELPER_TURN + turns_until(state, helper)] = 1.0
    if state.hands[collector, treasure] + cards >= SET_SIZE:
        out[base + HELPER_COMPLETES] = 1.0
        out[base + HELPER_COMPLETES_DISTANCE] = distance / MAX_DISTANCE


@kernel
def _write_loss_risk(
    state: State,
    treasure: int,
    out: Any,
    base: int,
    piles: FloodPiles,
    this_turn: DrawProbabilities,
    this_round: DrawProbabilities,
) -> None:
    """How likely both tiles of a treasure sink, and how near help is."""
    out[base + LOSS_RISK_NOW] = out[base + LOSS_RISK_SOON] = 1.0
    nearest = MAX_DISTANCE + 0.0
    for tile in (2 * treasure, 2 * treasure + 1):
        place = state.place_of[tile]
        if state.sunk >> place & 1:
            out[base + TILE_RISK_NOW] += 0.5
            continue
        pile, flooded = pile_of(place, piles), state.flooded >> place & 1
        risk_now, risk_soon = this_turn[pile] / PROBABILITY_ONE, this_round[pile] / PROBABILITY_ONE
        out[base + LOSS_RISK_NOW] *= risk_now if flooded else 0.0
        out[base + LOSS_RISK_SOON] *= risk_soon if flooded else 0.0
        if flooded:
            out[base + TILE_RISK_NOW] += 0.5 * risk_now
            out[base + TILE_RISK_SOON] += 0.5 * risk_soon
            for seat in range(state.players):
                nearest = min(nearest, pawn_distance(out, seat, place))
    if nearest < MAX_DISTANCE:
        out[base + CAN_BE_SHORED_UP] = 1.0
        out[base + FLOODED_TILE_DISTANCE] = nearest / MAX_DISTANCE


@kernel
def _write_turn_seat(state: State, treasure: int, out: Any, base: int) -> None:
    """What the seat whose turn it is can do for a treasure."""
    cards = state.hands[state.turn, treasure]
    if cards >= SET_SIZE and state.phase == ACTIONS:
        distance = treasure_distance(state, out, state.turn, treasure)
        out[base + CAPTURE_THIS_TURN] = 1.0 if distance < state.left else 0.0
    out[base + TURN_SEAT_CARDS] = cards / SET_SIZE
