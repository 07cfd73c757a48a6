"""Where pirates stand: up to three side by side on a space; elsewhere in two ranks, by colours."""

from __future__ import annotations

from skerry.games.cartagena.ui.page.curves import Point
from skerry.games.cartagena.ui.page.layout import Box

ABREAST = {1: (0,), 2: (-12, 12), 3: (-19, 0, 19)}
SMALL = 0.8  # size of pirates where many gather
FEET = 30  # below the centre of a space
FILES, RANK = 3, 12  # pirates of a colour side by side; distance between the two ranks
DECK, DECK_FEET = 184, 13  # of the sloop: length, and distance below its centre
HEEL = -0.07  # slope of the half-sunk sloop's deck
MAX_STALL_WIDTH = 58  # of the pirates of one colour
EDGE = 12  # distance of rooms from the edge of the sheet

Spot = tuple[float, float, float]  # x, y, size
Ranks = list[list[Spot]]  # the spots of each seat's pirates


def crowd_spots(middle: float, feet: float, width: float, players: int, heel: float = 0.0) -> Ranks:
    """The spots of all pirates in a place of this width. ``heel`` is its slope."""
    stall = min(width / players, MAX_STALL_WIDTH)
    step = min(13.5, (stall - 14) / 2)
    ranks = []
    for seat in range(players):
        offset = stall * (seat - (players - 1) / 2)
        ranks.append([_spot(middle + offset, feet + heel * offset, step, pirate) for pirate in range(2 * FILES)])
    return ranks


def _spot(x: float, feet: float, step: float, pirate: int) -> Spot:
    rank, file = divmod(pirate, FILES)
    return round(x + (file - 1 + (rank - 0.5) / 2) * step, 1), round(feet - RANK * (1 - rank), 1), SMALL


def clip_to_sheet(room: Box, width: float) -> Box:
    """The part of a room that is not too close to the edge of the sheet."""
    return max(room[0], EDGE), room[1], min(room[2], width - EDGE), room[3]


def room_spots(room: Box, players: int) -> Ranks:
    """The spots in the prison or the hideout."""
    left, top, right, _ = room
    return crowd_spots((left + right) / 2, top + 72, right - left - 12, players)


def deck_spots(sloop: Point, players: int, heel: float = 0.0) -> Ranks:
    """The spots aboard a sloop."""
    return crowd_spots(sloop[0], sloop[1] + DECK_FEET, DECK, players, heel)
