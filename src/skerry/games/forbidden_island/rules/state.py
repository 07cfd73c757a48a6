"""The record of a game of Forbidden Island.

Places (0 to 23) are where tiles lie in the chosen layout, tiles (0 to 23) what lies there. Sets of places are
bits of an int, so that "which neighbours are still there" is one ``&``.
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, record, u64
from skerry.games.forbidden_island.rules.components import (
    CARD_KINDS,
    HELD,
    METER_TICKS,
    N_ROLES,
    N_TREASURES,
    SEATS,
    TILES,
    TREASURE_CARDS,
)

ACTIONS, DRAWING, FLOODING, OVER = range(4)  # phases of a turn
PHASES = ("actions", "treasure", "flood", "over")
ESCAPED, TREASURE_LOST, LANDING_LOST, DROWNED, SKULL_REACHED = range(1, 6)  # endings


@record
class State:
    rng: u64
    flooded: i32  # places
    sunk: i32  # places
    layers: i32  # positions of the flood deck below which a pile put on top begins
    turns: i16
    players: i8
    layout: i8
    first: i8  # the seat of the first turn
    turn: i8  # the seat whose turn it is
    phase: i8
    left: i8  # actions, treasure draws or flood draws still to come in this phase
    flown: i8  # the Pilot has used his flight this turn
    water: i8  # tick of the meter
    ending: i8  # number of the ending, 0 while the game runs
    over: i8  # seats that hold too many cards and must discard, a bit set
    swimming: i8  # pawns in the water, a bit set of seats
    stranded: i8  # those of them that no swim can save
    treasure_left: i8  # cards in the treasure deck
    flood_left: i8  # cards in the flood deck
    flood_shown: i8  # cards in the flood discard
    role: Annotated[i8s, SEATS]
    pawn: Annotated[i8s, SEATS]  # places
    captor: Annotated[i8s, N_TREASURES]  # the seat that holds each treasure, or -1
    hands: Annotated[i8s, SEATS, HELD]  # how many of each kind of card
    treasure_discard: Annotated[i8s, CARD_KINDS]  # likewise
    treasure_deck: Annotated[i8s, TREASURE_CARDS]  # the top is the last
    flood_deck: Annotated[i8s, TILES]  # tiles; the top is the last
    flood_discard: Annotated[i8s, TILES]  # tiles; the newest is the last
    tile_at: Annotated[i8s, TILES]
    place_of: Annotated[i8s, TILES]


@record
class Choices:
    """The options as ``setup`` reads them; -1 is random."""

    players: i8
    difficulty: i8
    layout: i8
    roles: Annotated[i8s, SEATS]
    first: i8


# What ``observe`` writes for a learner, block by block.
OBSERVATION = Blocks(
    Block("flooded", TILES, "tile is flooded"),
    Block("sunk", TILES, "tile is sunk"),
    Block("flood_discard", TILES, "tile's flood card is in the discard"),
    Block("flood_pile", TILES, "tile's flood card: 1 / (1 + cards of piles above its pile); 0 if not in the deck"),
    Block("place_of", TILES, "place of tile, one of 24, for each tile"),
    Block("role", SEATS * N_ROLES, "role of each seat, own first, one-hot"),
    Block("pawn", SEATS, "place of each pawn, own first, one of 24"),
    Block("hands", SEATS * HELD, "cards of each kind in each hand, own first"),
    Block("captured", N_TREASURES, "treasure is captured"),
    Block("treasure_discard", CARD_KINDS, "treasure cards of each kind in the discard"),
    Block("water", METER_TICKS, "water meter, one-hot"),
    Block("phase", OVER + 1, "phase, one-hot"),
    Block("left", 1, "actions or draws left"),
    Block("flown", 1, "flight is used"),
    Block("turn", SEATS, "whose turn, own first, one-hot"),
    Block("must_discard", SEATS, "must discard, own first"),
    Block("in_water", SEATS, "is in the water, own first"),
    Block("treasure_deck", 1, "cards in the treasure deck"),
    Block("flood_deck", 1, "cards in the flood deck"),
)
