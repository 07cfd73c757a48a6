"""The features of a state: named blocks for each kind of entity, and where they are in the array.

The array has the features of the tiles by place, then of all parts, all seats and the whole game. Behind them are
notes: intermediate results that several features need and that are no inputs of the networks.

The first feature of every entity says whether it exists; if not, all its features are 0. A distance is a number of
actions, the removal of blocking sand included, divided by ``MAX_DISTANCE``; lacking actions are those that a pawn needs
beyond the ones it has left this turn, on the same scale. A unary block shows a number n by n ones, so that what a
network learns about one number also holds for the next. A thirst risk is the probability that a pawn has too little
water when the sun beats down: before its next turn (``soon``), or before its turn after that (``later``).
"""

from __future__ import annotations

from skerry.engine.blocks import Block, Blocks
from skerry.games.forbidden_desert.rules.components import (
    CLUE,
    LAUNCH_PAD,
    MIRAGE,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    PLACES,
    SEATS,
    STORM_KINDS,
    TILES,
    WELL,
)

MAX_DISTANCE = 9  # actions; also the distance of places that cannot be reached
MAX_TURNS = 12
N_WELLS = MIRAGE - WELL
N_CLUES = LAUNCH_PAD - CLUE
N_NEEDED_TILES = TILES - CLUE  # the clues and the launch pad

# What a tile is good for, as everybody sees it.
NO_USE, DUNE, WRECK, WATER_TILE, SPRING, SHELTER, PAD = range(7)
TILE_USES = 7

TILE_FEATURES = Blocks(
    Block("exists", 1, "is a tile, not the storm"),
    Block(
        "use", TILE_USES, "no use, dune, unexcavated crash tile, water tile, well for the Water Carrier, tunnel, pad"
    ),
    Block("sand", TILE_USES, "sand markers, of 5, at its use"),
    Block("blocked", TILE_USES, "is blocked, at its use"),
    Block("nearest_pawn", TILE_USES, "distance of the nearest pawn, at its use"),
    Block("sand_risk", TILE_USES, "probability of getting sand this turn, at its use"),
    Block("second_nearest_pawn", 1, "distance of the second nearest pawn"),
    Block("open_neighbours", 1, "adjacent tiles that are not blocked, of 4"),
    Block("looked_at", 1, "some seat has looked under it"),
    Block("blocking_risk", 1, "if it has one marker: probability of getting sand this turn"),
    Block("turn_pawn_lacks", 1, "lacking actions of the pawn whose turn it is, to get there and clear two markers"),
    Block("one_marker", 1, "has one marker"),
    Block("has_part", 1, "a part lies on it"),
    Block("part_unexcavated", 1, "a part lies on it and it is not excavated"),
    Block("part_nearest_pawn", 1, "if a part lies on it: distance of the nearest pawn"),
    Block("part_sand", 1, "if a part lies on it: sand markers, of 5"),
    Block("needed_probability", 1, "dunes: probability that a needed tile is under it"),
    Block("needed_cost", 1, "dunes: that probability times the actions to clear it, sand not limited to blocking"),
    Block("well_probability", 1, "water tiles: probability that it is a well"),
    Block("well_gain", 1, "water tiles: expected water for the pawns on it, of 4"),
    Block("well_missed", 1, "water tiles: expected water that the other pawns miss, of 4"),
    Block("well_distance", 1, "water tiles: mean distance of all pawns"),
    Block("well_gain_share", 1, "water tiles: share of the possible gain that the pawns on it would get"),
    Block("pawns", 1, "pawns on it, by quarters"),
    Block("buried_pawns", 1, "buried pawns on it, by halves"),
)

PART_FEATURES = Blocks(
    Block("exists", 1, "is not picked up"),
    Block("no_clue", 1, "no clue is excavated"),
    Block("one_clue", 1, "one clue is excavated, which points to a line of places"),
    Block("line_sand", 1, "if so: sand on that line, by tenths"),
    Block("line_blocked", 1, "if so: blocked tiles of that line, of 5"),
    Block("line_nearest_pawn", 1, "if so: distance of the nearest pawn to that line"),
    Block("waits_in_storm", 1, "it will land on the next tile that moves to its place"),
    Block("on_tile", 1, "it lies on a tile; all features below are 0 otherwise"),
    Block("unexcavated", 1, "its tile is not excavated"),
    Block("sand", 5, "sand markers on it, unary"),
    Block("picker_distance", 1, "distance of the picker, the pawn that is nearest and plays soonest"),
    Block("picker_here", 1, "the picker is on its tile"),
    Block("unreachable", 1, "the picker is at the maximum distance"),
    Block("second_distance", 1, "distance of the second best pawn"),
    Block("pawns_near", 1, "pawns at distances up to 2, of 5"),
    Block("picker_cost", 1, "actions for the picker to pick it up, of 18"),
    Block("sand_risk", 1, "probability that its tile gets sand this turn"),
    Block("picker_turn", SEATS, "turns until the picker's turn, one-hot"),
    Block("turn_pawn_cost", 1, "actions for the pawn whose turn it is to pick it up, of 18"),
    Block("pick_up_this_turn", 1, "that pawn has enough actions left"),
    Block("picker_water", 1, "water of the picker up to 3, of 3"),
    Block("picker_buried", 1, "the picker is buried"),
    Block("pad_distance", 1, "steps to the launch pad if it is known, of 8"),
    Block("next_part", 1, "if other parts lie elsewhere: distance of the picker to the nearest"),
    Block("soonest", 1, "turns until some pawn can have picked it up, of 12"),
    Block("soonest_now", 1, "that is in this turn"),
    Block("lacks", 1, "least lacking actions of a pawn to pick it up"),
)

SEAT_FEATURES = Blocks(
    Block("exists", 1, "is in the game"),
    Block("role", N_ROLES, "role, one-hot"),
    Block("turn", SEATS, "turns until its turn, one-hot"),
    Block("water", 5, "water, unary"),
    Block("unused", 1, "always 0"),
    Block("canteen_room", 1, "water that its canteen can take, of 5"),
    Block("sheltered", 1, "is sheltered from the sun"),
    Block("shielded", 1, "has used a Solar Shield"),
    Block("thirst_risk_in_sun", 1, "thirst risk soon, as if without shelter"),
    Block("thirst_risk_soon", 1, "thirst risk soon"),
    Block("thirst_risk_this_turn", 1, "thirst risk from the storm cards of this turn"),
    Block("thirst_risk_later", 1, "thirst risk later"),
    Block("later_water_distance", 1, "thirst risk later times the distance to the nearest water tile"),
    Block("later_no_well_left", 1, "thirst risk later if all wells are excavated"),
    Block("less_water_risk", 1, "thirst risk soon with one water less"),
    Block("offered_water", 1, "water of the seats that can give it some, up to 6, of 6"),
    Block("later_offered_water", 1, "thirst risk later times the most water of one of them, up to 3, of 3"),
    Block("carrier_distance", 1, "distance to meeting the Water Carrier"),
    Block("later_carrier_distance", 1, "thirst risk later times that distance"),
    Block("later_carrier_water", 1, "thirst risk later times the Water Carrier's water, of 5"),
    Block("own_well_distance", 1, "the Water Carrier only: distance to the nearest well"),
    Block("own_well_need", 1, "the Water Carrier only: that distance times the room in her canteen, of 5"),
    Block("own_on_well", 1, "the Water Carrier only: is on a well"),
    Block("dig_distance", 1, "distance to excavating the nearest dune"),
    Block("needed_dig_distance", 1, "the same, if some tile is still needed"),
    Block("tunnel_distance", 1, "distance to the nearest tunnel"),
    Block("water_tile_distance", 1, "distance to the nearest water tile"),
    Block("on_water_tile", 1, "is on a water tile"),
    Block("part_distance", 1, "distance to the nearest part that lies on a tile"),
    Block("near_dunes", 1, "dunes at distances up to 2, by sixths"),
    Block("dig_lacks", 1, "lacking actions to excavate the nearest dune"),
    Block("dig_turns", 1, "turns until it can have excavated one, of 12, if some tile is still needed"),
    Block("pad_known", 1, "the launch pad is known; the next two are 0 otherwise"),
    Block("pad_distance", 1, "distance to the launch pad"),
    Block("on_pad", 1, "is on the launch pad"),
    Block("going_home", 1, "the launch pad is known and all parts are picked up; the next three are 0 otherwise"),
    Block("home_distance", 1, "distance to the launch pad"),
    Block("at_home", 1, "is on the launch pad"),
    Block("home_lacks", 1, "lacking actions to the launch pad"),
    Block("nearest_pawn", 1, "distance to the nearest other pawn"),
    Block("water_tile_lacks", 1, "lacking actions to the nearest water tile"),
    Block("part_lacks", 1, "lacking actions to the nearest part that lies on a tile"),
    Block("tunnel_lacks", 1, "lacking actions to the nearest tunnel"),
    Block("gear", N_GEARS, "gear cards of each kind, by halves"),
    Block("buried", 1, "is buried"),
    Block("sand", 1, "sand on its tile up to 4, of 4"),
    Block("sand_risk", 1, "probability that its tile gets sand this turn"),
    Block("burial_risk", 1, "the same, if its tile has sand"),
    Block("open_neighbours", 1, "adjacent tiles that are not blocked, of 4"),
    Block("unexcavated_neighbours", 1, "adjacent dunes and water tiles, of 4"),
    Block("company", 1, "other pawns on its tile, by quarters"),
    Block("guided", 1, "is being guided by the Navigator"),
    Block("parts", 1, "parts that it holds, by halves"),
)

GLOBAL_FEATURES = Blocks(
    Block("exists", 1, "always 1"),
    Block("players", 4, "2 to 5 players, one-hot"),
    Block("storm_cards", 5, "storm cards per turn less 1, unary"),
    Block("ticks_left", 1, "ticks to the skull, of 14"),
    Block("last_ticks", 1, "how much less than 4 that is, of 4"),
    Block("picks_up_left", 1, "Storm Picks Up in the deck, of 3"),
    Block("picks_up_density", 1, "share of Storm Picks Up in the deck"),
    Block("storm_deck_size", 1, "cards in the storm deck, of 31"),
    Block("suns_left", 1, "Sun Beats Down in the deck, of 4"),
    Block("sun_density", 1, "share of Sun Beats Down in the deck"),
    Block("sun_risk", 1, "probability of Sun Beats Down this turn"),
    Block("storm_cards_to_come", 1, "storm cards that this turn still brings, of 6"),
    Block("cards_to_skull", 1, "storm cards until the skull if Storm Picks Up comes as early as possible, of 120"),
    Block("sand_supply", 1, "sand markers in supply, of 48"),
    Block("supply_below_3", 1, "at most two markers are in supply"),
    Block("supply_below_6", 1, "markers missing to 6 in supply, of 6"),
    Block("supply_below_12", 1, "markers missing to 12 in supply, of 12"),
    Block("supply_below_20", 1, "markers missing to 20 in supply, of 20"),
    Block("supply_overrun", 1, "expected markers of this turn beyond the supply, by sixths"),
    Block("markers_per_card", 1, "expected markers per storm card, by halves"),
    Block("blocked_tiles", 1, "blocked tiles, by twelfths"),
    Block("sandy_tiles", 1, "tiles with sand, of 24"),
    Block("parts_taken", 5, "parts picked up, unary"),
    Block("parts_located", 5, "parts picked up or located, unary"),
    Block("clues", 1, "excavated clues, of 8"),
    Block("single_clues", 1, "parts with one clue, of 4"),
    Block("pad_known", 1, "the launch pad is known"),
    Block("dunes", 1, "unexcavated dunes, of 20"),
    Block("needed_tiles", 1, "needed tiles that are not found, of 9"),
    Block("needed_density", 1, "share of needed tiles among the dunes"),
    Block("dunes_to_excavate", 1, "dunes to be excavated on average until everything is found, of 20"),
    Block("tunnels", 1, "excavated tunnels, of 3"),
    Block("water_tiles", 1, "unexcavated water tiles, of 3"),
    Block("wells_left", 1, "wells among them, of 2"),
    Block("carrier_has_well", 1, "a well is excavated and the Water Carrier is in the game"),
    Block("gear_deck_size", 1, "cards in the gear deck, of 12"),
    Block("work", 1, "actions that finding and picking up everything takes, by fortieths"),
    Block("work_per_player", 1, "the same for each player"),
    Block("part_in_storm", 1, "a part waits in the storm"),
    Block("pad_sand", 1, "sand on the launch pad up to 4, of 4"),
    Block("pad_blocked", 1, "the launch pad is blocked"),
    Block("home_blocked", 1, "the launch pad is blocked and all parts are picked up"),
    Block("home_one_marker", 1, "the launch pad has one marker and all parts are picked up"),
    Block("least_water", 5, "least water of a seat, unary"),
    Block("mean_water", 1, "mean water of the seats, of 5"),
    Block("survival_soon", 1, "least probability of a seat to have enough water soon"),
    Block("survival_later", 1, "probability that all seats have enough water later, taken as independent"),
    Block("pad_farthest", 1, "if the launch pad is known: longest distance of a pawn to it"),
    Block("pad_mean", 1, "if the launch pad is known: mean distance of the pawns to it"),
    Block("going_home", 1, "the launch pad is known and all parts are picked up; the next seven are 0 otherwise"),
    Block("home_farthest", 1, "longest distance of a pawn to the launch pad"),
    Block("home_mean", 1, "mean distance of the pawns to the launch pad"),
    Block("not_home", 1, "pawns that are not on the launch pad, of 5"),
    Block("home_survival", 1, "least probability of a seat to have enough water soon"),
    Block("home_turns", 1, "turns until all pawns can be on the launch pad, of 12"),
    Block("home_this_turn", 1, "that is in this turn"),
    Block("home_lacks", 1, "mean lacking actions of the pawns to the launch pad"),
    Block("gear", N_GEARS, "gear cards of each kind in all hands, by thirds"),
    Block("roles", 3, "the Meteorologist, Navigator and Water Carrier are in the game"),
    Block("turn_throttle", 1, "Time Throttle of the seat whose turn it is"),
    Block("turn_jet_packs", 1, "Jet Packs of the seat whose turn it is, by halves"),
    Block("turn_reserve", 1, "Secret Water Reserve of the seat whose turn it is"),
    Block("actions_left", 6, "actions left, unary; 0 also in the storm, as ending the actions alone changes nothing"),
    Block("storm_cards_left", 6, "storm cards that this turn still brings, unary"),
    Block("forecast", 1, "in the phase of a forecast"),
    Block("guided_steps", 1, "guided steps left, of 2"),
    Block("foreseen", 1, "the Meteorologist knows storm cards of the deck"),
)

# The number of features of each entity, as kernels can read constants only.
N_TILE_FEATURES = TILE_FEATURES.size
N_PART_FEATURES = PART_FEATURES.size
N_SEAT_FEATURES = SEAT_FEATURES.size
N_GLOBAL_FEATURES = GLOBAL_FEATURES.size

# Where the features of each kind of entity begin.
FIRST_TILE = 0
FIRST_PART = FIRST_TILE + PLACES * N_TILE_FEATURES
FIRST_SEAT = FIRST_PART + N_PARTS * N_PART_FEATURES
GLOBAL = FIRST_SEAT + SEATS * N_SEAT_FEATURES
FEATURES_END = GLOBAL + N_GLOBAL_FEATURES

# Notes behind the features.
PAWN_DISTANCES = FEATURES_END  # actions from each pawn to each place
MOVE_RISK = PAWN_DISTANCES + SEATS * PLACES  # the probability that the next storm card moves the tile of a place
STORM_CARDS_LEFT = MOVE_RISK + PLACES  # storm cards of each kind in the deck
CLUE_PLACES = STORM_CARDS_LEFT + STORM_KINDS  # 1 plus the place of each excavated clue, else 0
STATE_NOTES_END = CLUE_PLACES + N_CLUES
