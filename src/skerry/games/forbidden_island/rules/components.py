"""Components of the game: tiles, layouts, decks, roles and the water meter."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from skerry.engine.kernel import lookup_table

TILES = 24
SEATS = 4

# The four treasures are cards 0 to 3. Tiles 2t and 2t + 1 are those of treasure t.
TREASURES = ("earth-stone", "statue-of-the-wind", "crystal-of-fire", "oceans-chalice")
N_TREASURES = len(TREASURES)
TREASURE_TITLES = ("Earth Stone", "Statue of the Wind", "Crystal of Fire", "Ocean's Chalice")
TREASURE_ALIASES = (("stone", "earth"), ("statue", "wind"), ("crystal", "fire"), ("chalice", "ocean"))
HELICOPTER, SANDBAGS, WATERS_RISE = 4, 5, 6
CARDS = (*TREASURES, "helicopter-lift", "sandbags", "waters-rise")
CARD_TITLES = (*TREASURE_TITLES, "Helicopter Lift", "Sandbags", "Waters Rise!")
CARD_ALIASES = (*TREASURE_ALIASES, ("helicopter", "lift"), ("sandbag", "bags"), ("waters", "rise"))
CARD_KINDS = len(CARDS)
HAND_CARD_KINDS = 6  # the kinds of card that a hand can hold: all but Waters Rise!
CARD_COPIES = (5, 5, 5, 5, 3, 2, 3)
TREASURE_DECK = lookup_table([card for card, copies in enumerate(CARD_COPIES) for _ in range(copies)])
TREASURE_DECK_SIZE = sum(CARD_COPIES)
HAND_LIMIT = 5
SET_SIZE = 4  # cards of a treasure that capture it
TREASURE_DRAWS = 2  # per turn
ACTIONS_A_TURN = 3
FLOODED_AT_START = 6
STARTING_HAND = 2  # cards

TILE_TITLES = (
    *("Temple of the Moon", "Temple of the Sun", "Whispering Garden", "Howling Garden"),
    *("Cave of Embers", "Cave of Shadows", "Coral Palace", "Tidal Palace"),
    *("Fools' Landing", "Bronze Gate", "Copper Gate", "Gold Gate", "Iron Gate", "Silver Gate"),
    *("Breakers Bridge", "Cliffs of Abandon", "Crimson Forest", "Dunes of Deception", "Lost Lagoon"),
    *("Misty Marsh", "Observatory", "Phantom Rock", "Twilight Hollow", "Watchtower"),
)
TILE_NAMES = tuple(title.lower().replace("'", "").replace(" ", "-") for title in TILE_TITLES)
FOOLS_LANDING, BRONZE_GATE, COPPER_GATE, GOLD_GATE, IRON_GATE, SILVER_GATE = range(8, 14)


@dataclass(frozen=True)
class Role:
    """A role, as it is called and drawn everywhere. Rules and bots name roles by their numbers, below."""

    name: str  # in options, in the notation and in the page's class names
    title: str
    colour: str  # of its pawn in a terminal; style.css has the page's own
    letter: str  # on its pawn
    start_tile: int
    power: str  # what it can do, for the page


ROLES = (
    Role("pilot", "Pilot", "blue", "P", FOOLS_LANDING, "Once a turn, flies to any tile for one action."),
    Role("engineer", "Engineer", "red", "E", BRONZE_GATE, "Shores up two tiles for one action."),
    Role("explorer", "Explorer", "green", "X", COPPER_GATE, "Moves and shores up diagonally too."),
    Role("navigator", "Navigator", "yellow", "N", GOLD_GATE, "Moves another pawn up to two tiles for one action."),
    Role(
        *("diver", "Diver", "black", "D", IRON_GATE),
        power="Moves through any number of flooded or sunk tiles for one action.",
    ),
    Role("messenger", "Messenger", "white", "M", SILVER_GATE, "Gives treasure cards to players anywhere."),
)
PILOT, ENGINEER, EXPLORER, NAVIGATOR, DIVER, MESSENGER = range(6)
N_ROLES = len(ROLES)
ROLE_OF_NAME = {role.name: role for role in ROLES}
START_TILE = lookup_table([role.start_tile for role in ROLES])

DIFFICULTIES = ("novice", "normal", "elite", "legendary")
WATER_METER = (2, 2, 3, 3, 3, 4, 4, 5, 5)  # flood cards per turn at ticks 0 to 8; the next tick is the skull
SKULL_TICK = len(WATER_METER)
METER_TICKS = SKULL_TICK + 1
FLOOD_CARDS_AT_TICK = lookup_table((*WATER_METER, 0))

LAYOUT_SHAPES = {
    "forbidden-island": "..##../.####./######/######/.####./..##..",
    "treasure-island": "##...##/.#####./..###../..###../.#####./##...##",
    "island-of-shadows": "######/######/######/######",
    "volcano-island": "#####/#####/##.##/#####/#####",
    "island-of-death": "..###../#######/.#####./..###../..###../..###..",
    "bay-of-gulls": "...##.../...##.../#..##..#/########/.######./...##...",
    "bone-island": ".##..##./########/########/.##..##.",
    "coral-reef": ".##..../####.../######./.######/...####/....##.",
    "skull-island": "######/#.##.#/######/.####./.####.",
    "bridge-of-horrors": "###...####/##########/####...###",
    "atoll-of-decisions": "..###../.##.##./##...##/#.....#/##...##/.##.##./..###..",
    "arch-of-fate": "...###.../..#####../.###.###./###...###/##.....##",
}


LAYOUT_TITLES = (
    *("Forbidden Island", "Treasure Island", "Island of Shadows", "Volcano Island", "Island of Death", "Bay of Gulls"),
    *("Bone Island", "Coral Reef", "Skull Island", "Bridge of Horrors", "Atoll of Decisions", "Arch of Fate"),
)
TEXTS = (  # for the translation catalogues
    *CARD_TITLES,
    *TILE_TITLES,
    *(role.title for role in ROLES),
    *(role.power for role in ROLES),
)


@dataclass(frozen=True)
class Layout:
    """The shape of an island. Its 24 places are numbered in reading order and named by column and row."""

    name: str
    coordinates: tuple[tuple[int, int], ...]  # (row, column) of each place

    @functools.cached_property
    def place_names(self) -> tuple[str, ...]:
        return tuple(f"{chr(ord('A') + column)}{row + 1}" for row, column in self.coordinates)

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.coordinates)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.coordinates)

    def neighbours(self, place: int, diagonal: bool) -> int:
        """The places next to one, as a bit set."""
        row, column = self.coordinates[place]
        neighbours = 0
        for other, (r, c) in enumerate(self.coordinates):
            distance = (abs(r - row), abs(c - column))
            if distance in {(0, 1), (1, 0)} or (diagonal and distance == (1, 1)):
                neighbours |= 1 << other
        return neighbours


def _layout(name: str, shape: str) -> Layout:
    rows = shape.split("/")
    return Layout(name, tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"))


LAYOUTS = tuple(_layout(name, shape) for name, shape in LAYOUT_SHAPES.items())
ADJACENT = lookup_table([[layout.neighbours(place, diagonal=False) for place in range(TILES)] for layout in LAYOUTS])
ADJACENT_OR_DIAGONAL = lookup_table(
    [[layout.neighbours(place, diagonal=True) for place in range(TILES)] for layout in LAYOUTS]
)
ALL_PLACES = (1 << TILES) - 1
