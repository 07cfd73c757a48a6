"""The state of a game of Forbidden Island, its options and its observation, as structs of numbers.

A place (0 to 23) is a position of the chosen layout, a tile (0 to 23) is what lies there. A set of places is a bit set
in an int, so that "which neighbours are still there" takes one ``&``.
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, struct, u64
from skerry.games.forbidden_island.rules.components import (
    CARD_KINDS,
    HAND_CARD_KINDS,
    METER_TICKS,
    N_ROLES,
    N_TREASURES,
    SEATS,
    TILES,
    TREASURE_DECK_SIZE,
)

ACTIONS, DRAWING, FLOODING, OVER = range(4)  # phases of a turn
PHASES = ("actions", "treasure", "flood", "over")
ESCAPED, TREASURE_LOST, LANDING_LOST, DROWNED, SKULL_REACHED = range(1, 6)  # endings


@struct
class State:
    rng: u64
    flooded: i32  # bit set of places
    sunk: i32  # bit set of places
    layers: i32  # bit set: positions of the flood deck where a pile begins, but for the lowest pile
    turns: i16
    players: i8
    layout: i8
    first: i8  # the seat of the first turn
    turn: i8  # the seat whose turn it is
    phase: i8
    left: i8  # actions, treasure draws or flood draws left in this phase
    flown: i8  # 1 if the Pilot has flown this turn
    water: i8  # tick of the meter
    ending: i8  # number of the ending, 0 while the game runs
    over: i8  # bit set of seats that hold more cards than the limit and must discard
    swimming: i8  # bit set of seats whose pawns are in the water
    stranded: i8  # bit set of the swimming seats that cannot reach any tile
    treasure_left: i8  # cards in the treasure deck
    flood_left: i8  # cards in the flood deck
    flood_shown: i8  # cards in the flood discard
    role: Annotated[i8s, SEATS]  # numbers of ROLES
    pawn: Annotated[i8s, SEATS]  # places
    captor: Annotated[i8s, N_TREASURES]  # the seat that holds each treasure, or -1
    hands: Annotated[i8s, SEATS, HAND_CARD_KINDS]  # number of cards of each kind
    treasure_discard: Annotated[i8s, CARD_KINDS]  # number of cards of each kind
    treasure_deck: Annotated[i8s, TREASURE_DECK_SIZE]  # the top is the last
    flood_deck: Annotated[i8s, TILES]  # tiles; the top is the last
    flood_discard: Annotated[i8s, TILES]  # tiles; the newest is the last
    tile_at: Annotated[i8s, TILES]  # the tile on each place
    place_of: Annotated[i8s, TILES]  # the place of each tile


@struct
class Options:
    """The options of a game, as ``setup`` reads them; -1 means random."""

    players: i8
    difficulty: i8
    layout: i8
    roles: Annotated[i8s, SEATS]
    first: i8


# The blocks of an observation, in order. Blocks by seat begin with the observer and go on in seat order.
OBSERVATION = Blocks(
    Block("tile_flooded", TILES, "tile is flooded"),
    Block("tile_sunk", TILES, "tile is sunk"),
    Block("in_flood_discard", TILES, "tile's flood card is in the discard"),
    Block("flood_pile", TILES, "tile's flood card: 1 / (1 + cards of piles above its pile); 0 if not in the deck"),
    Block("tile_place", TILES, "place of tile, one of 24, for each tile"),
    Block("role", SEATS * N_ROLES, "role of each seat, own first, one-hot"),
    Block("pawn_place", SEATS, "place of each pawn, own first, one of 24"),
    Block("hands", SEATS * HAND_CARD_KINDS, "cards of each kind in each hand, own first"),
    Block("captured", N_TREASURES, "treasure is captured"),
    Block("treasure_discard", CARD_KINDS, "treasure cards of each kind in the discard"),
    Block("water_meter", METER_TICKS, "water meter, one-hot"),
    Block("phase", OVER + 1, "phase, one-hot"),
    Block("actions_or_draws_left", 1, "actions or draws left"),
    Block("flight_used", 1, "flight is used"),
    Block("turn", SEATS, "whose turn, own first, one-hot"),
    Block("must_discard", SEATS, "seat must discard, own first"),
    Block("in_water", SEATS, "seat's pawn is in the water, own first"),
    Block("treasure_deck_size", 1, "cards in the treasure deck"),
    Block("flood_deck_size", 1, "cards in the flood deck"),
)
