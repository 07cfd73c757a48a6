"""The layout of the sheet: a winding passage, computed from its number of spaces.

The spaces fill rows of equal length, back and forth. The first row leaves room for the start, the last row of a half
for the bay with the sloop or for the hideout. In the full story the bay is between the halves, beside the last row of
the tunnel and the first row of the island. The length of the rows is chosen so that spaces are as large as possible on
a laptop and on a phone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from skerry.games.cartagena.rules.components import PART_SPACES
from skerry.games.cartagena.ui.page.curves import Point, cross_lines, rounded_polygon, smooth_curve

CELL, PITCH = 62, 84  # from one space to the next, from one row to the next
FLOOR = 64  # width of the passage
MARGIN_X, MARGIN_Y = 26, 8
STRIP = 44  # additional water at the edge, where the bay has one row only
LENGTHS = range(7, 11)  # of a row
PRISON, HIDEOUT, BAY = 3, 3, 4  # the minimum room of each, in spaces
PHONE, LAPTOP = 360, (750, 600)  # size of the board there, in pixels
WOBBLE = (0, 2.5, 3.5, 1.5, -1.5, -3.5, -2)  # vertical offsets, so that the passage is not straight
CORNER = 5
HIDEOUT_WIDTH, PALM = 290, 46  # maximum width of the hideout; distance between the palms beside it
PILLAR = 27  # from the last space of a row to the end of the wall beside it
OVERHANG = 60  # how far water extends beyond the edge of the sheet

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Row:
    """Spaces side by side. ``heading`` is 1 to the right, -1 to the left; ``room`` is the free rest of the row."""

    centres: list[Point]
    heading: int
    top: float
    room: Box


@dataclass(frozen=True)
class Layout:
    """The layout of a story with a certain number of spaces."""

    width: float
    height: float
    spaces: dict[str, Point]
    start: Box
    hideout: Box | None
    sloop: dict[str | None, Point]  # by harbour
    ground: dict[str, Any]  # what is drawn and never changes


def row_lengths(spaces: int, length: int, before: int, after: int) -> list[int]:
    """The number of spaces in each row, with room for ``before`` and ``after`` spaces at the ends of the passage."""
    count = 2
    while length * count - before - after < spaces:
        count += 1
    first = min(length - before, spaces - length * (count - 2) - 1)
    return [first, *[length] * (count - 2), spaces - first - length * (count - 2)]


def row_plan(story: str, tunnel: int, island: int, length: int) -> list[list[int]]:
    """The number of spaces in each row of each half."""
    if story == "escape":
        return [row_lengths(tunnel, length, PRISON, BAY)]
    if story == "tortuga":
        return [row_lengths(island, length, BAY, HIDEOUT)]
    return [row_lengths(tunnel, length, PRISON, BAY), row_lengths(island, length, BAY, HIDEOUT)]


def sheet_size(halves: list[list[int]], length: int) -> tuple[float, float]:
    height = sum(map(len, halves)) * PITCH + 2 * MARGIN_Y
    return length * CELL + 2 * MARGIN_X, height + (STRIP if len(halves) == 1 else 0)


def legibility(halves: list[list[int]], length: int) -> float:
    """The size of a space on a phone times its size on a laptop."""
    width, height = sheet_size(halves, length)
    return PHONE / width * min(LAPTOP[0] / width, LAPTOP[1] / height)


@functools.lru_cache(maxsize=64)
def layout(story: str, tunnel: int, island: int) -> Layout:
    """The layout of a story with these numbers of spaces in the tunnel and on the island."""
    plans = {length: row_plan(story, tunnel, island, length) for length in LENGTHS}
    length = max(LENGTHS, key=lambda length: legibility(plans[length], length))
    return _make_layout(story, plans[length], length)


def _make_layout(story: str, plan: list[list[int]], length: int) -> Layout:
    width, height = sheet_size(plan, length)
    halves = _rows(plan, length, MARGIN_Y + (STRIP if story == "tortuga" else 0))
    first, last = halves[0][0], halves[-1][-1]
    hideout = None if story == "escape" else _hideout_box(last)
    ground = {
        "width": width,
        "height": height,
        "story": story,
        "bay": rounded_polygon(_bay(story, halves, width, height), 24),
        "quays": _quays(story, halves),
        "harbours": [(name, *point) for name, point in _harbours(story, halves).items() if name],
        "palms": _palms(last.room, hideout) if hideout else [],
        "halves": _halves(story, halves, height),
    }
    spaces = [centre for half in halves for centre in _space_centres(half)]
    return Layout(
        width,
        height,
        {str(number): centre for number, centre in enumerate(spaces, 1)},
        first.room,
        hideout,
        _harbours(story, halves),
        ground,
    )


def _rows(plan: list[list[int]], length: int, top: float) -> list[list[Row]]:
    halves, heading = [], 1
    for half in plan:
        rows = []
        for index, count in enumerate(half):
            columns = list(range(length))[::heading]
            taken = columns[-count:] if index == 0 else columns[:count]
            side = -heading if index == 0 else heading
            rows.append(_row(taken, length, heading, side, top))
            top, heading = top + PITCH, -heading
        halves.append(rows)
    return halves


def _row(columns: list[int], length: int, heading: int, side: int, top: float) -> Row:
    """A row whose spaces are in these columns; its free room is on one side."""
    number = round(top / PITCH)
    centres = [
        (MARGIN_X + (column + 0.5) * CELL, top + PITCH / 2 + WOBBLE[(column + 3 * number) % len(WOBBLE)])
        for column in columns
    ]
    room, width = MARGIN_X + (length - len(columns)) * CELL, length * CELL + 2 * MARGIN_X
    left, right = (0.0, room) if side < 0 else (width - room, width)
    return Row(centres, heading, top, (left, top, right, top + PITCH))


def _centre_line(rows: list[Row]) -> list[Point]:
    """The centre line of a half's passage, from end to end."""
    centres = [centre for row in rows for centre in row.centres]
    (x, y), (end_x, end_y) = centres[0], centres[-1]
    return [(x - rows[0].heading * CELL * 0.58, y), *centres, (end_x + rows[-1].heading * CELL * 0.58, end_y)]


def _space_centres(rows: list[Row]) -> list[Point]:
    """The centres of a half's spaces. Where the passage turns, they are moved away from its round corner."""
    middles = [list(row.centres) for row in rows]
    for row, (above, below) in zip(rows, pairwise(middles), strict=False):
        aside = CORNER if row.heading < 0 else 0  # the numbers are on the left of their spaces
        above[-1] = above[-1][0] + aside, above[-1][1] + CORNER / 2
        below[0] = below[0][0] + aside, below[0][1] - CORNER / 2
    return [middle for row in middles for middle in row]


def _halves(story: str, halves: list[list[Row]], height: float) -> list[dict[str, Any]]:
    """What is drawn of each half: its ground and its passage."""
    drawn = []
    for number, rows in enumerate(halves):
        line = _centre_line(rows)
        crossings = cross_lines(line[1:-1], FLOOR / 2 - 2)
        top = rows[0].top if number else 0
        bottom = height if number + 1 == len(halves) else rows[-1].top + PITCH
        drawn.append(
            {
                "kind": "island" if story == "tortuga" or number else "tunnel",
                "top": top,
                "height": bottom - top,
                "path": smooth_curve(line),
                "steps": "".join(line for i, line in enumerate(crossings, 1) if i % PART_SPACES),
                "seams": "".join(crossings[PART_SPACES - 1 :: PART_SPACES]),
                "pillars": [_pillar(row) for row in rows[:-1]],
                "growth": [spot for row, below in pairwise(rows) for spot in _plants(row, below)],
            }
        )
    return drawn


def _pillar(row: Row) -> Point:
    """The end of the wall between a row and the next, around which the passage turns."""
    return row.centres[-1][0] - row.heading * PILLAR, row.top + PITCH


def _plants(row: Row, below: Row) -> list[tuple[float, float, int]]:
    """Plants of three kinds between two rows, as far as both rows reach."""
    reach = min(len(row.centres), len(below.centres)) * CELL - CELL
    x, y = _pillar(row)
    kinds = (0, 1, 2, 1, 0, 2)
    return [
        (round(x - row.heading * step, 1), y + WOBBLE[step % len(WOBBLE)] / 2, kinds[step % len(kinds)])
        for step in range(29, int(reach) - 8, 31)
    ]


def _bay(story: str, halves: list[list[Row]], width: float, height: float) -> list[Point]:
    """The shore of the bay, computed as if it were on the right, and mirrored if it is not."""
    if story == "full":
        upper, lower = halves[0][-1].room, halves[1][0].room
        mirrored = upper[0] == 0
        (over, top), (under, bottom) = _inner_corner(upper, width), _inner_corner(lower, width)
        middle = top + PITCH
        edge = [(over, top), (width + OVERHANG, top), (width + OVERHANG, bottom + PITCH), (under, bottom + PITCH)]
        edge += [(under, middle), (over, middle)] if over != under else []
    elif story == "escape":
        room = halves[0][-1].room
        mirrored = room[0] == 0
        inner, top = _inner_corner(room, width)
        edge = [
            (inner, top),
            (width + OVERHANG, top),
            (width + OVERHANG, height + OVERHANG),
            (-OVERHANG, height + OVERHANG),
        ]
        edge += [(-OVERHANG, top + PITCH), (inner, top + PITCH)]
    else:
        room = halves[0][0].room
        mirrored = room[0] == 0
        inner, top = _inner_corner(room, width)
        edge = [
            (-OVERHANG, -OVERHANG),
            (width + OVERHANG, -OVERHANG),
            (width + OVERHANG, top + PITCH),
            (inner, top + PITCH),
        ]
        edge += [(inner, top), (-OVERHANG, top)]
    return [(width - x, y) for x, y in edge] if mirrored else edge


def _inner_corner(room: Box, width: float) -> Point:
    """The corner of a room that is away from the edge of the sheet, computed as if the room were on the right."""
    return (width - room[2] if room[0] == 0 else room[0]), room[1]


def _harbours(story: str, halves: list[list[Row]]) -> dict[str | None, Point]:
    """The positions of the sloop, by harbour."""
    if story == "tortuga":
        return {}
    room = halves[0][-1].room
    if story == "escape":
        return {None: ((room[0] + room[2]) / 2, room[1] + (PITCH + STRIP) / 2)}
    other = halves[1][0].room
    x = (max(room[0], other[0]) + min(room[2], other[2])) / 2
    return {"cartagena": (x, room[1] + PITCH / 2), "tortuga": (x, other[1] + PITCH / 2)}


def _hideout_box(row: Row) -> Box:
    """The hideout, at the end of the passage; palms fill the rest of the room."""
    left, top, right, bottom = row.room
    return (
        (left, top, min(right, left + HIDEOUT_WIDTH), bottom)
        if row.heading > 0
        else (max(left, right - HIDEOUT_WIDTH), top, right, bottom)
    )


def _palms(room: Box, hideout: Box) -> list[Point]:
    """Palms in the room that the hideout leaves free."""
    left, right = (hideout[2], room[2]) if hideout[0] == room[0] else (room[0], hideout[0])
    count = int((right - left) // PALM)
    return [(round(left + (i + 0.5) * (right - left) / count, 1), room[3] - 10 - 7 * (i % 2)) for i in range(count)]


def _quays(story: str, halves: list[list[Row]]) -> list[tuple[float, float, int]]:
    """The quays between the passage and the water: position and direction."""
    ends = []
    if story != "tortuga":
        row = halves[0][-1]
        ends.append((row.centres[-1][0] + row.heading * CELL / 2, row.centres[-1][1], row.heading))
    if story != "escape":
        row = halves[-1][0]
        ends.append((row.centres[0][0] - row.heading * CELL / 2, row.centres[0][1], -row.heading))
    return ends
