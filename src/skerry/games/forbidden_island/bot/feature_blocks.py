"""The features of a state: named blocks for each kind of entity, and where they are in the array.

The array has the features of all tiles, then of all treasures, all seats and the whole game. Behind them are notes:
intermediate results that several features need and that are no inputs of the networks.

The first feature of every entity says whether it exists; if not, all its features are 0. A distance is a number of
moves, divided by ``MAX_DISTANCE``. A risk is the probability that a tile's flood card is drawn: in the flood that ends
this turn (``now``), or within one round of turns (``soon``).
"""

from __future__ import annotations

from skerry.engine.blocks import Block, Blocks
from skerry.games.forbidden_island.rules.components import N_ROLES, N_TREASURES, SEATS, TILES

MAX_DISTANCE = 7  # moves; also the distance of places that cannot be reached
LOSS_CLASSES = 5  # the fields of threat.TilesByLoss: landing, vital, twin, shaky, plain

TILE_FEATURES = Blocks(
    Block("exists", 1, "has not sunk"),
    Block("in_top_pile", 1, "its flood card is in the top pile of the deck"),
    Block("in_second_pile", 1, "its flood card is in the second pile of the deck"),
    Block("in_discard", 1, "its flood card is in the discard"),
    Block("loss_class", LOSS_CLASSES, "what losing it would mean, one-hot"),
    Block("flooded", LOSS_CLASSES, "is flooded, at its loss class"),
    Block("sinking_risk_now", LOSS_CLASSES, "risk now if it is flooded, at its loss class"),
    Block("sinking_risk_soon", LOSS_CLASSES, "risk soon if it is flooded, at its loss class"),
    Block("flooding_risk_soon", LOSS_CLASSES, "risk soon if it is dry, at its loss class"),
    Block("neighbours", 1, "adjacent tiles, of 4"),
    Block("pawns", 1, "pawns on it, by halves"),
    Block("pawns_at_risk", 1, "sum of its sinking risk now over the pawns on it"),
    Block("nearest_pawn", 1, "distance of the nearest pawn"),
    Block("second_nearest_pawn", 1, "distance of the second nearest pawn"),
    Block("flooded_from_turn_pawn", 1, "if flooded: distance of the pawn whose turn it is"),
    Block("flooded_from_nearest_pawn", 1, "if flooded: distance of the nearest pawn"),
    Block("flooded_from_next_pawn", 1, "if flooded: distance of the pawn whose turn is next"),
    Block("dry_neighbours", 1, "adjacent dry tiles, of 4"),
    Block("flooding_risk_now", 1, "risk now if it is dry"),
    Block("risk_now", 1, "risk now"),
)

TREASURE_FEATURES = Blocks(
    Block("exists", 1, "is not captured"),
    Block("tiles_sunk", 1, "its sunk tiles, of 2"),
    Block("tiles_flooded", 1, "its flooded tiles, of 2"),
    Block("cards_discarded", 1, "share of its cards that are in the discard"),
    Block("cards_in_deck", 1, "share of its cards that are in the deck"),
    Block("cards_held", 6, "its cards in all hands together, 0 to 5, one-hot"),
    Block("most_held", 6, "its cards in the hand of its collector (the seat with most of them), 0 to 5, one-hot"),
    Block("collector_hand_room", 1, "cards that the collector can take before the hand limit, of 5"),
    Block("collector_distance", 1, "distance of the collector to its nearer tile"),
    Block("collector_turn", SEATS, "turns until the collector's turn, one-hot"),
    Block("set_complete", 1, "the collector has a set"),
    Block("set_distance", 1, "if so: distance of the collector to its nearer tile"),
    Block("set_at_tile", 1, "if so: the collector is on one of its tiles"),
    Block("one_missing_distance", 1, "if one card is missing: distance of the collector to its nearer tile"),
    Block("no_helper", 1, "no other seat has cards of it; else the helper is the one with most"),
    Block("helper_cards", 3, "cards of the helper, 1 to 3, one-hot"),
    Block("helper_is_messenger", 1, "the helper is the Messenger"),
    Block("helper_distance", 1, "distance between helper and collector, from the nearer side; 0 for the Messenger"),
    Block("helper_can_give", 1, "that distance is 0"),
    Block("helper_own_distance", 1, "distance of the helper to the collector"),
    Block("helper_turn", SEATS, "turns until the helper's turn, one-hot"),
    Block("helper_completes", 1, "the helper's cards complete the set"),
    Block("helper_completes_distance", 1, "if so: distance between helper and collector"),
    Block("set_unavailable", 1, "too many of its cards are discarded for a set, until the deck is renewed"),
    Block("unused", 2, "always 0"),
    Block("loss_risk_now", 1, "probability that both its tiles sink now"),
    Block("loss_risk_soon", 1, "probability that both its tiles sink soon"),
    Block("tile_risk_now", 1, "mean sinking risk of its tiles now, with 1 for a sunk tile"),
    Block("tile_risk_soon", 1, "mean sinking risk of its tiles soon, with 0 for a sunk tile"),
    Block("can_be_shored_up", 1, "some pawn can reach a flooded tile of it"),
    Block("flooded_tile_distance", 1, "if so: distance of the nearest pawn to a flooded tile of it"),
    Block("capture_this_turn", 1, "the seat whose turn it is can capture it this turn"),
    Block("turn_seat_cards", 1, "its cards in the hand of the seat whose turn it is, of a set"),
)

SEAT_FEATURES = Blocks(
    Block("exists", 1, "is in the game"),
    Block("role", N_ROLES, "role, one-hot"),
    Block("hand_size", 8, "cards in hand, 0 to 7, one-hot"),
    Block("useful_cards", 1, "cards of uncaptured treasures, of 5"),
    Block("useless_cards", 1, "cards of captured treasures, of 5"),
    Block("sets_but_one", 1, "treasures with one card missing"),
    Block("sets", 1, "treasures with a set"),
    Block("set_distance", 1, "if there is a set: distance to the nearest tile of such a treasure"),
    Block("helicopter_lifts", 1, "Helicopter Lifts, by halves"),
    Block("sandbags", 1, "Sandbags, by halves"),
    Block("turn", SEATS, "turns until its turn, one-hot"),
    Block("landing_distance", 1, "distance to Fools' Landing"),
    Block("landing_unreachable", 1, "Fools' Landing is at the maximum distance"),
    Block("on_landing", 1, "is on Fools' Landing"),
    Block("on_flooded_tile", 1, "is on a flooded tile"),
    Block("neighbours", 1, "adjacent tiles, of 4"),
    Block("dry_neighbours", 1, "adjacent dry tiles, of 4"),
    Block("flooded_in_reach", 1, "flooded tiles here and adjacent, of 5"),
    Block("precious_in_reach", 1, "precious ones of them (landing, vital or shaky), by halves"),
    Block("flooded_by_distance", 3, "flooded tiles at distances up to 2, up to 4, and above, by fifths"),
    Block("precious_by_distance", 3, "precious flooded tiles likewise, by halves"),
    Block("must_discard", 1, "is over the hand limit"),
    Block("in_water", 1, "is in the water"),
    Block("stranded", 1, "is in the water and cannot swim"),
    Block("nearest_pawn", 1, "distance to the nearest other pawn"),
    Block("unused", 4, "always 0"),
)

GLOBAL_FEATURES = Blocks(
    Block("exists", 1, "always 1"),
    Block("water_meter", 10, "water meter, one-hot"),
    Block("players", 3, "2 to 4 players, one-hot"),
    Block("captured", N_TREASURES + 1, "captured treasures, one-hot"),
    Block("helicopter_lifts_held", 4, "Helicopter Lifts in hands, one-hot"),
    Block("sandbags_held", 1, "Sandbags in hands, of 2"),
    Block("helicopter_lifts_discarded", 1, "Helicopter Lifts in the discard, of 3"),
    Block("sandbags_discarded", 1, "Sandbags in the discard, of 2"),
    Block("waters_rise_discarded", 1, "Waters Rise! in the discard, of 3"),
    Block("waters_rise_in_deck", 1, "Waters Rise! in the deck, of 3"),
    Block("waters_rise_density", 1, "share of Waters Rise! in the deck"),
    Block("treasure_deck_size", 1, "cards in the treasure deck, of 28"),
    Block("actions_left", 4, "in the phase of actions: actions left, one-hot"),
    Block("treasure_draws_left", 3, "in the phase of treasure cards: draws left, one-hot"),
    Block("flood_draws_left", 6, "in the phase of flood cards: draws left, one-hot"),
    Block("flight_used", 1, "the Pilot has flown this turn"),
    Block("flood_deck_size", 1, "cards in the flood deck, of 24"),
    Block("flood_discard_size", 1, "cards in the flood discard, of 24"),
    Block("top_pile_size", 1, "cards in the top pile of the flood deck, of 24"),
    Block("top_pile_flooded", 1, "flooded tiles with their card in the top pile, of 6"),
    Block("discard_flooded", 1, "flooded tiles with their card in the discard, of 6"),
    Block("flooded", 1, "flooded tiles, of 24"),
    Block("sunk", 1, "sunk tiles, of 24"),
    Block("must_discard", 1, "seats over the hand limit, by halves"),
    Block("swimming", 1, "some pawn is in the water"),
    Block("can_lift_off", 1, "all are ready to lift off"),
    Block("gathered", 1, "share of the pawns that are on Fools' Landing"),
    Block("farthest_from_landing", 1, "longest distance of a pawn to Fools' Landing"),
    Block("all_captured", 1, "all treasures are captured"),
    Block("all_captured_farthest", 1, "if so: longest distance of a pawn to Fools' Landing"),
    Block("all_captured_lift_held", 1, "if so: a Helicopter Lift is in some hand"),
    Block("landing_loss_risk_now", 1, "sinking risk of Fools' Landing now"),
    Block("landing_loss_risk_soon", 1, "sinking risk of Fools' Landing soon"),
    Block("treasure_loss_risk_now", 1, "probability that some treasure is lost now"),
    Block("treasure_loss_risk_soon", 1, "probability that some treasure is lost soon"),
    Block("waters_rise_risk_now", 1, "probability of Waters Rise! this turn"),
    Block("waters_rise_risk_soon", 1, "probability of Waters Rise! this turn or next turn"),
    Block("flood_cards_per_turn", 1, "flood cards per turn, of 5"),
    Block("missing_for_collectors", 1, "cards that the collectors miss for their sets, of 16"),
    Block("missing_for_team", 1, "cards that the team misses for sets, of 16"),
)

# The number of features of each entity, as kernels can read constants only.
N_TILE_FEATURES = TILE_FEATURES.size
N_TREASURE_FEATURES = TREASURE_FEATURES.size
N_SEAT_FEATURES = SEAT_FEATURES.size
N_GLOBAL_FEATURES = GLOBAL_FEATURES.size

# Where the features of each kind of entity begin.
FIRST_TILE = 0
FIRST_TREASURE = FIRST_TILE + TILES * N_TILE_FEATURES
FIRST_SEAT = FIRST_TREASURE + N_TREASURES * N_TREASURE_FEATURES
GLOBAL = FIRST_SEAT + SEATS * N_SEAT_FEATURES
FEATURES_END = GLOBAL + N_GLOBAL_FEATURES

# Notes behind the features: the distance from each pawn to each place, in moves.
PAWN_DISTANCES = FEATURES_END
STATE_NOTES_END = PAWN_DISTANCES + SEATS * TILES
