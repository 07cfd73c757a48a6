"""What is in the box: tiles, layouts, decks, roles, the water meter."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from skerry.engine.kernel import table

TILES = 24
SEATS = 4

# The four treasures are cards 0 to 3; their tiles come in pairs at the head of the list.
TREASURES = ("earth-stone", "statue-of-the-wind", "crystal-of-fire", "oceans-chalice")
N_TREASURES = len(TREASURES)
TREASURE_TITLES = ("Earth Stone", "Statue of the Wind", "Crystal of Fire", "Ocean's Chalice")
TREASURE_ALIASES = (("stone", "earth"), ("statue", "wind"), ("crystal", "fire"), ("chalice", "ocean"))
HELICOPTER, SANDBAGS, WATERS_RISE = 4, 5, 6
CARDS = (*TREASURES, "helicopter-lift", "sandbags", "waters-rise")
CARD_TITLES = (*TREASURE_TITLES, "Helicopter Lift", "Sandbags", "Waters Rise!")
CARD_ALIASES = (*TREASURE_ALIASES, ("helicopter", "lift"), ("sandbag", "bags"), ("waters", "rise"))
CARD_KINDS = len(CARDS)
HELD = 6  # kinds of card that can be in a hand: all but Waters Rise!
COPIES = (5, 5, 5, 5, 3, 2, 3)
TREASURE_DECK = table([card for card, copies in enumerate(COPIES) for _ in range(copies)])
TREASURE_CARDS = sum(COPIES)
HAND_LIMIT = 5
SET = 4  # cards that capture a treasure
DRAWS = 2
ACTIONS_A_TURN = 3
FLOODED_AT_START = 6
DEALT = 2

TILE_TITLES = (
    *("Temple of the Moon", "Temple of the Sun", "Whispering Garden", "Howling Garden"),
    *("Cave of Embers", "Cave of Shadows", "Coral Palace", "Tidal Palace"),
    *("Fools' Landing", "Bronze Gate", "Copper Gate", "Gold Gate", "Iron Gate", "Silver Gate"),
    *("Breakers Bridge", "Cliffs of Abandon", "Crimson Forest", "Dunes of Deception", "Lost Lagoon"),
    *("Misty Marsh", "Observatory", "Phantom Rock", "Twilight Hollow", "Watchtower"),
)
TILE_NAMES = tuple(title.lower().replace("'", "").replace(" ", "-") for title in TILE_TITLES)
FOOLS_LANDING = 8

# A role's start tile is the landing or the gate at the same place of the list.
PILOT, ENGINEER, EXPLORER, NAVIGATOR, DIVER, MESSENGER = range(6)
ROLES = ("pilot", "engineer", "explorer", "navigator", "diver", "messenger")
N_ROLES = len(ROLES)
ROLE_TITLES = ("Pilot", "Engineer", "Explorer", "Navigator", "Diver", "Messenger")
ROLE_COLOURS = ("blue", "red", "green", "yellow", "black", "white")
START_TILE = FOOLS_LANDING  # plus the role

DIFFICULTIES = ("novice", "normal", "elite", "legendary")
METER = (2, 2, 3, 3, 3, 4, 4, 5, 5)  # flood cards at ticks 0 to 8; the next is the skull
SKULL = len(METER)
METER_TICKS = SKULL + 1
FLOODS = table((*METER, 0))

LAYOUTS = {
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
TEXTS = (*CARD_TITLES, *TILE_TITLES, *ROLE_TITLES)  # what catalogues translate


@dataclass(frozen=True)
class Layout:
    """A shape. Its 24 places are numbered in reading order and called by column and row, as on a chart."""

    name: str
    spots: tuple[tuple[int, int], ...]  # (row, column) of each place

    @functools.cached_property
    def places(self) -> tuple[str, ...]:
        return tuple(f"{chr(ord('A') + column)}{row + 1}" for row, column in self.spots)

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.spots)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.spots)

    def neighbours(self, place: int, diagonal: bool) -> int:
        """The places beside one, as a bit set."""
        row, column = self.spots[place]
        beside = 0
        for other, (r, c) in enumerate(self.spots):
            far = (abs(r - row), abs(c - column))
            if far in {(0, 1), (1, 0)} or (diagonal and far == (1, 1)):
                beside |= 1 << other
        return beside


def _layout(name: str, shape: str) -> Layout:
    rows = shape.split("/")
    return Layout(name, tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"))


CHARTS = tuple(_layout(name, shape) for name, shape in LAYOUTS.items())
BESIDE = table([[chart.neighbours(place, diagonal=False) for place in range(TILES)] for chart in CHARTS])
AROUND = table([[chart.neighbours(place, diagonal=True) for place in range(TILES)] for chart in CHARTS])
ALL_PLACES = (1 << TILES) - 1
