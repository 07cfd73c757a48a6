"""The state of a game of Forbidden Desert, its options and its observation, as structs of numbers.

The places (0 to 24) are the squares of the desert; one of them is the storm. The tiles (0 to 23) lie on the others and
move; sand, pawns, parts and what players know of a tile move with it. A set of places is a bit set in an int.
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, struct, u64
from skerry.games.forbidden_desert.rules.components import (
    GEAR_DECK_SIZE,
    MAX_STORM_CARDS,
    METER_TICKS,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    PLACES,
    SEATS,
    STORM_DECK_SIZE,
    STORM_KINDS,
)

ACTIONS, FORECAST, STORM, OVER = range(4)  # phases of a turn
PHASES = ("actions", "forecast", "storm", "over")
ESCAPED, BURIED, SWEPT, THIRST = range(1, 5)  # endings


@struct
class State:
    rng: u64
    sandy: i32  # bit set of places with sand
    blocked: i32  # bit set of places with two markers or more
    excavated: i32  # bit set of places
    tunnels: i32  # bit set of places with an excavated tunnel
    foreseen: i32  # bit set of positions of the storm deck whose cards the Meteorologist has seen
    turns: i16
    players: i8
    first: i8  # the seat of the first turn
    turn: i8  # the seat whose turn it is
    phase: i8
    left: i8  # actions or storm cards left in this phase
    saved: i8  # storm cards that the Meteorologist has held off this turn
    guided: i8  # seat of the pawn that the Navigator is guiding and may still guide, or -1
    steps: i8  # guided steps left
    meter: i8  # tick of the storm meter
    ending: i8  # number of the ending, 0 while the game runs
    storm: i8  # the place without a tile
    supply: i8  # sand markers that are not on the board
    climber: i8  # seat of the Climber, or -1
    shielded: i8  # bit set of seats that used a Solar Shield
    taken: i8  # bit set of parts that are picked up
    storm_left: i8  # cards in the storm deck
    gear_left: i8  # cards in the gear deck
    shown: i8  # number of cards drawn in this storm phase, in ``apart``
    role: Annotated[i8s, SEATS]  # numbers of ROLES
    pawn: Annotated[i8s, SEATS]  # places
    water: Annotated[i8s, SEATS]
    gear: Annotated[i8s, SEATS, N_GEARS]  # number of cards of each kind
    part_at: Annotated[i8s, N_PARTS]  # the place where each part lies, or -1
    holder: Annotated[i8s, N_PARTS]  # the seat that has picked up each part, or -1
    sand: Annotated[i8s, PLACES]  # markers on each place
    tile_at: Annotated[i8s, PLACES]  # the tile on each place, -1 in the storm
    known_by: Annotated[i8s, PLACES]  # bit set of seats that have looked under the tile
    storm_deck: Annotated[i8s, STORM_DECK_SIZE]  # the top is the last
    storm_discard: Annotated[i8s, STORM_KINDS]  # number of cards of each kind
    apart: Annotated[i8s, MAX_STORM_CARDS]  # the cards drawn in this storm phase, in order; discarded at its end
    gear_deck: Annotated[i8s, GEAR_DECK_SIZE]  # the top is the last


@struct
class Options:
    """The options of a game, as ``setup`` reads them; -1 means random."""

    players: i8
    difficulty: i8
    roles: Annotated[i8s, SEATS]
    first: i8


TILE_LOOKS = 16  # a tile as a seat knows it: 14 kinds, an unknown dune, or an unknown water tile

# The blocks of an observation, in order. Blocks by seat begin with the observer and go on in seat order.
OBSERVATION = Blocks(
    Block("tile_look", PLACES * TILE_LOOKS, "tile at each place as this seat knows it, one-hot; all 0 in the storm"),
    Block("excavated", PLACES, "tile is excavated"),
    Block("sand", PLACES, "sand markers"),
    Block("part_place", N_PARTS * PLACES, "part lies at the place"),
    Block("pawn_place", SEATS * PLACES, "place of each pawn, own first, one-hot"),
    Block("role", SEATS * N_ROLES, "role of each seat, own first, one-hot"),
    Block("water", SEATS, "water of each seat, own first"),
    Block("gear", SEATS * N_GEARS, "gear cards of each kind, own first"),
    Block("shielded", SEATS, "seat has its own Solar Shield in play, own first"),
    Block("turn", SEATS, "whose turn, own first, one-hot"),
    Block("part_taken", N_PARTS, "part is picked up"),
    Block("storm_discard", STORM_KINDS, "storm cards of each kind in the discard"),
    Block("storm_apart", STORM_KINDS, "storm cards of each kind that lie apart"),
    Block("storm_seen", STORM_DECK_SIZE, "storm cards from the top: number plus 1 where this seat has seen it, else 0"),
    Block("storm_meter", METER_TICKS, "storm meter, one-hot"),
    Block("storm_cards_per_turn", 1, "storm cards a turn at this tick"),
    Block("phase", OVER + 1, "phase, one-hot"),
    Block("actions_or_draws_left", 1, "actions or storm cards left"),
    Block("held_off", 1, "storm cards held off"),
    Block("guided", SEATS, "pawn that is being guided, own first, one-hot"),
    Block("guided_steps_left", 1, "steps that the guided pawn has left"),
    Block("sand_supply", 1, "sand markers in supply"),
    Block("storm_deck_size", 1, "cards in the storm deck"),
    Block("gear_deck_size", 1, "cards in the gear deck"),
)
