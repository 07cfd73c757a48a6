"""Where pirates stand: up to three abreast on a space; by colours, in two ranks, where all of them can gather."""

from __future__ import annotations

from skerry.games.cartagena.ui.page.curves import Point
from skerry.games.cartagena.ui.page.layout import Box

ABREAST = {1: (0,), 2: (-12, 12), 3: (-19, 0, 19)}
SMALL = 0.8  # pirates in a crowd
FEET = 30  # below the middle of a space
FILES, RANK = 3, 12  # pirates of a colour side by side; how far the next rank stands back
DECK, DECK_FEET = 184, 13  # of the sloop: how long, and how far below its middle
HEEL = -0.07  # of the half-sunk sloop
STALL = 58  # the most room that a colour takes
EDGE = 12  # rooms keep away from the edge of the sheet

Spot = tuple[float, float, float]  # where, and how large
Ranks = list[list[Spot]]  # for each seat those of its pirates


def gathered(middle: float, feet: float, width: float, players: int, heel: float = 0.0) -> Ranks:
    """The spots of all pirates in a place this wide, which may be out of level."""
    stall = min(width / players, STALL)
    step = min(13.5, (stall - 14) / 2)
    ranks = []
    for seat in range(players):
        offset = stall * (seat - (players - 1) / 2)
        ranks.append([_spot(middle + offset, feet + heel * offset, step, pirate) for pirate in range(2 * FILES)])
    return ranks


def _spot(x: float, feet: float, step: float, pirate: int) -> Spot:
    rank, file = divmod(pirate, FILES)
    return round(x + (file - 1 + (rank - 0.5) / 2) * step, 1), round(feet - RANK * (1 - rank), 1), SMALL


def inside(room: Box, width: float) -> Box:
    """A room of the sheet as far as it is built on."""
    return max(room[0], EDGE), room[1], min(room[2], width - EDGE), room[3]


def in_room(room: Box, players: int) -> Ranks:
    left, top, right, _ = room
    return gathered((left + right) / 2, top + 72, right - left - 12, players)


def aboard(sloop: Point, players: int, heel: float = 0.0) -> Ranks:
    return gathered(sloop[0], sloop[1] + DECK_FEET, DECK, players, heel)
