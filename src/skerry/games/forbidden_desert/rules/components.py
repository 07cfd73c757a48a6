"""Components of the game: tiles, decks, roles and the storm meter."""

from __future__ import annotations

from dataclasses import dataclass

from skerry.engine.kernel import lookup_table

SEATS = 5
SIDE = 5
PLACES = SIDE * SIDE
ALL_PLACES = (1 << PLACES) - 1
TILES = PLACES - 1
CENTRE = PLACES // 2
ACTIONS_A_TURN = 4

# Places are named by column and row.
PLACE_NAMES = tuple(f"{chr(ord('A') + place % SIDE)}{place // SIDE + 1}" for place in range(PLACES))

PARTS = ("propeller", "engine", "solar-crystal", "navigation-deck")
PART_TITLES = ("propeller", "engine", "solar crystal", "navigation deck")
PART_ALIASES = ((), ("motor",), ("crystal", "solar"), ("deck", "navigation"))
N_PARTS = len(PARTS)
ALL_PARTS = (1 << N_PARTS) - 1

# The first tile of each kind. Tiles 0 to 23 are numbered by kind; the crash tile is also a gear tile.
CRASH = 0
GEAR_TILE = 1
TUNNEL = 9
WELL = 12
MIRAGE = 14
CLUE = 15  # CLUE + 2 * part is the row clue of the part, the next one its column clue
LAUNCH_PAD = 23
CLUE_TITLES = tuple(f"clue to the {part}: {line}" for part in PART_TITLES for line in ("row", "column"))
TILE_TITLES = (
    "helicopter crash",
    *("gear",) * 8,
    *("tunnel",) * 3,
    *("well",) * 2,
    "mirage",
    *CLUE_TITLES,
    "launch pad",
)
TILE_NAMES = (
    "crash",
    *("gear",) * 8,
    *("tunnel",) * 3,
    *("well",) * 2,
    "mirage",
    *(f"{part}-{line}" for part in PARTS for line in ("row", "column")),
    "launch-pad",
)

SAND_MARKERS = 48
BLOCKING_SAND = 2  # markers that block a tile
STARTING_SAND = lookup_table(
    [row * SIDE + column for row, column in ((0, 2), (1, 1), (1, 3), (2, 0), (2, 4), (3, 1), (3, 3), (4, 2))]
)

# Wind cards: MAX_WIND * direction + (number of tiles that move - 1).
DIRECTIONS = ("north", "east", "south", "west")
MAX_WIND = 3  # tiles that the strongest wind moves
SUN, PICKS_UP = 12, 13
STORM_KINDS = 14
STORM_NAMES = (*(f"{direction}-{n}" for direction in DIRECTIONS for n in (1, 2, 3)), "sun", "picks-up")
STORM_COPIES = lookup_table([*(3, 2, 1) * 4, 4, 3])
STORM_DECK_SIZE = 31

GEARS = ("dune-blaster", "jet-pack", "terrascope", "solar-shield", "water-reserve", "time-throttle")
GEAR_TITLES = ("Dune Blaster", "Jet Pack", "Terrascope", "Solar Shield", "Secret Water Reserve", "Time Throttle")
GEAR_ALIASES = (("blaster",), ("jet",), ("scope",), ("shield",), ("reserve", "secret-water-reserve"), ("throttle",))
DUNE_BLASTER, JET_PACK, TERRASCOPE, SOLAR_SHIELD, WATER_RESERVE, TIME_THROTTLE = range(6)
N_GEARS = len(GEARS)
GEAR_COPIES = lookup_table((3, 3, 2, 2, 1, 1))
GEAR_DECK = lookup_table([card for card in range(N_GEARS) for _ in range(GEAR_COPIES[card])])
GEAR_DECK_SIZE = 12
WELL_WATER = 2  # water for each pawn; also that of the Secret Water Reserve
THROTTLE_ACTIONS = 2


@dataclass(frozen=True)
class Role:
    """A role, as it is called and drawn everywhere. Rules and bots name roles by their numbers, below."""

    name: str  # in options, in the notation and in the page's class names
    title: str
    colour: str  # of its pawn in a terminal; style.css has the page's own
    letter: str  # on its pawn
    canteen: int  # how much water its canteen holds
    power: str  # what it can do, for the page


ROLES = (
    Role("archeologist", "Archeologist", "red", "A", 3, "Removes up to two sand from one tile with one action."),
    Role(
        *("climber", "Climber", "black", "C", 3),
        power="Enters and leaves blocked tiles and may take a pawn along; nobody on his tile is ever buried.",
    ),
    Role("explorer", "Explorer", "green", "X", 4, "Moves, removes sand and blasts diagonally too."),
    Role(
        *("meteorologist", "Meteorologist", "white", "M", 4),
        power="For an action: one storm card fewer this turn, or look at the next ones and put one at the bottom.",
    ),
    Role("navigator", "Navigator", "yellow", "N", 4, "For an action: moves another pawn up to three tiles."),
    Role(
        *("water-carrier", "Water Carrier", "blue", "W", 5),
        power="Takes two water from an excavated well for an action; gives water to tiles beside hers too.",
    ),
)
ARCHEOLOGIST, CLIMBER, EXPLORER, METEOROLOGIST, NAVIGATOR, WATER_CARRIER = range(6)
N_ROLES = len(ROLES)
ROLE_OF_NAME = {role.name: role for role in ROLES}
CANTEEN_SIZE = lookup_table([role.canteen for role in ROLES])
MAX_WATER = max(role.canteen for role in ROLES)
GUIDED_STEPS = 3

DIFFICULTIES = ("novice", "normal", "elite", "legendary")
_TRACK_2 = (2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6)
_TRACK_3 = (2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6)
_TRACK_5 = (2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6)
STORM_TRACKS = (
    (),
    (),
    _TRACK_2,
    _TRACK_3,
    _TRACK_3,
    _TRACK_5,
)  # storm cards at each tick, by number of players; the tick after the last is the skull
METER_TICKS = len(_TRACK_5) + 1
STORM_CARDS_AT_TICK = lookup_table([[*track, *(0,) * (METER_TICKS - len(track))] for track in STORM_TRACKS])
SKULL_TICK = lookup_table([len(track) for track in STORM_TRACKS])
MAX_STORM_CARDS = 6  # storm cards in one turn, at most

TEXTS = (  # for the translation catalogues
    *PART_TITLES,
    *TILE_TITLES,
    *DIRECTIONS,
    *GEAR_TITLES,
    *(role.title for role in ROLES),
    *(role.power for role in ROLES),
)


def _neighbours(place: int, diagonal: bool) -> int:
    """The places next to one, as a bit set."""
    found = 0
    for other in range(PLACES):
        distance = (abs(other // SIDE - place // SIDE), abs(other % SIDE - place % SIDE))
        if distance in {(0, 1), (1, 0)} or (diagonal and distance == (1, 1)):
            found |= 1 << other
    return found


def _upwind(place: int, direction: str) -> int:
    """The place from which the wind moves a tile into this one, or -1 if it is beyond the edge."""
    row, column = {"north": (1, 0), "east": (0, -1), "south": (-1, 0), "west": (0, 1)}[direction]
    row, column = place // SIDE + row, place % SIDE + column
    return row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else -1


ADJACENT = lookup_table([_neighbours(place, diagonal=False) for place in range(PLACES)])
ADJACENT_OR_DIAGONAL = lookup_table([_neighbours(place, diagonal=True) for place in range(PLACES)])
UPWIND = lookup_table([[_upwind(place, direction) for place in range(PLACES)] for direction in DIRECTIONS])
