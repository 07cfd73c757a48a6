"""The layout of a board: where its islands and lines are on the sheet. It is computed once for each board."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skerry.games.hashi.rules.board import Board, Island

# The sheet is SHEET wide. The centres of the islands are within ISLANDS_AREA: left, top, right, bottom.
SHEET = 600
ISLANDS_AREA = (66, 164, 552, 536)
MAX_SPACING = 112  # from one island to the next
RADIUS = 24  # of an island; smaller on crowded boards
MAX_RADIUS_SHARE = 0.32  # the largest radius, as a share of the spacing
BRIDGE_GAP = 5  # from the middle of a line to each of two bridges

Place = tuple[int, int]
Data = dict[str, Any]
Scenery = tuple[str, int, int, int]

PLANTS = ("pine", "rock", "pine", "reed")


@dataclass(frozen=True, eq=False)
class SheetLayout:
    """Where everything is on the sheet. Islands and lines are in the board's order."""

    columns: int
    islands: tuple[Data, ...]
    lines: tuple[Data, ...]
    names: tuple[str, ...]  # of the lines
    at: tuple[int, ...]  # the lines at each island, a bit set
    crossings: tuple[int, ...]  # the lines that cross each line, a bit set
    letters: tuple[tuple[str, int, int], ...]  # along the top and down the side
    scenery: tuple[Scenery, ...]  # decoration: picture, position, rotation
    scale: float
    dots: str  # all lines as one path
    strokes: tuple[tuple[str, str, str], ...]  # a line's path with no bridge, with one, with two


def layout_of(board: Data) -> SheetLayout:
    islands = tuple([(i["island"], i["row"], i["column"], i["flag"]) for i in board["islands"]])
    return _layout(board["width"], board["height"], islands, tuple([line["line"] for line in board["lines"]]))


@functools.lru_cache(maxsize=64)
def _layout(
    width: int, height: int, islands: tuple[tuple[str, int, int, str | None], ...], lines: tuple[str, ...]
) -> SheetLayout:
    area_left, area_top, area_right, area_bottom = ISLANDS_AREA
    across = _spacing(width, area_right - area_left)
    down = _spacing(height, area_bottom - area_top)
    left = (area_left + area_right - across * (width - 1)) / 2
    top = (area_top + area_bottom - down * (height - 1)) / 2
    columns = [round(left + across * c) for c in range(width)]
    rows = [round(top + down * r) for r in range(height)]
    scale = round(min(1.0, MAX_RADIUS_SHARE * min(across, down) / RADIUS), 2)
    places = {name: (columns[column], rows[row]) for name, row, column, _ in islands}
    number = {name: i for i, name in enumerate(places)}
    ends = tuple((number[a], number[b]) for a, b in (line.split("-") for line in lines))
    centres = list(places.values())
    spans = [(centres[a], centres[b]) for a, b in ends]
    gap = round(RADIUS * scale) - 2
    return SheetLayout(
        columns=width,
        islands=tuple(_island(name, column, places[name], flag, scale) for name, _, column, flag in islands),
        lines=tuple(_line(i, span, gap, scale) for i, span in enumerate(spans)),
        names=lines,
        at=tuple(sum(1 << line for line, pair in enumerate(ends) if i in pair) for i in range(len(centres))),
        crossings=_crossings(Board(tuple(Island(row, column) for _, row, column, _ in islands), ends)),
        letters=_axis_labels(columns, rows, scale),
        scenery=(
            *_shoals_and_plants(places, [flag for *_, flag in islands], scale),
            *_waves_and_boat(columns, rows, places, spans),
        ),
        scale=scale,
        dots="".join(_path(span, gap, 0) for span in spans),
        strokes=tuple(_strokes(span, gap, scale) for span in spans),
    )


def _spacing(count: int, room: int) -> float:
    return min(MAX_SPACING, room / (count - 1)) if count > 1 else MAX_SPACING


def _island(name: str, column: int, place: Place, flag: str | None, scale: float) -> Data:
    """An island. ``lean`` tilts its number a little, as in handwriting."""
    x, y = place
    lean = (x * 7 + y * 5) % 11 - 5
    return {"place": name, "column": column + 1, "x": x, "y": y, "scale": scale, "flag": flag or "", "lean": lean}


def _line(index: int, span: tuple[Place, Place], gap: int, scale: float) -> Data:
    """A line from rim to rim: drawn from left to right, and turned if it is vertical."""
    (x, y), (x2, y2) = span
    upright = x == x2
    return {
        "x": x if upright else x + gap,
        "y": y + gap if upright else y,
        "turn": 90 if upright else 0,
        "length": (y2 - y if upright else x2 - x) - 2 * gap,
        "parting": round(BRIDGE_GAP * scale, 1),
        "hand": "abc"[index % 3],
    }


def _crossings(board: Board) -> tuple[int, ...]:
    crossings = [0] * len(board.lines)
    for one, other in board.crossings:
        crossings[one] |= 1 << other
        crossings[other] |= 1 << one
    return tuple(crossings)


def _path(span: tuple[Place, Place], gap: int, aside: float) -> str:
    (x, y), (x2, y2) = span
    if x == x2:
        return f"M{x + aside:g} {y + gap}V{y2 - gap}"
    return f"M{x + gap} {y + aside:g}H{x2 - gap}"


def _strokes(span: tuple[Place, Place], gap: int, scale: float) -> tuple[str, str, str]:
    aside = round((BRIDGE_GAP + 1) * scale, 1)
    return "", _path(span, gap, 0), _path(span, gap, -aside) + _path(span, gap, aside)


def _shoals_and_plants(places: dict[str, Place], flags: list[str | None], scale: float) -> Iterator[Scenery]:
    """Shoals around all islands, then plants on those without a flag."""
    for i, (x, y) in enumerate(places.values()):
        yield "shoal", x, y, i * 77 % 360
    plain = [place for place, flag in zip(places.values(), flags, strict=True) if not flag]
    for i, (x, y) in enumerate(plain):
        yield PLANTS[i % len(PLANTS)], x + round(16 * scale), y - round(20 * scale), 0


def _waves_and_boat(
    columns: list[int], rows: list[int], places: dict[str, Place], spans: list[tuple[Place, Place]]
) -> Iterator[Scenery]:
    """Waves in empty places, and a boat."""
    taken = set(places.values())
    free = [
        (x, y)
        for r, y in enumerate(rows)
        for c, x in enumerate(columns)
        if (r + c) % 2 and (x, y) not in taken and not any(_is_on_line(x, y, span) for span in spans)
    ]
    for i, (x, y) in enumerate(free):
        yield "boat" if i == len(free) // 3 else "wave", x, y, 0


def _is_on_line(x: int, y: int, span: tuple[Place, Place]) -> bool:
    (x1, y1), (x2, y2) = span
    return x1 <= x <= x2 and y1 <= y <= y2


def _axis_labels(columns: list[int], rows: list[int], scale: float) -> tuple[tuple[str, int, int], ...]:
    away = round(RADIUS * scale) + 20
    top, left = rows[0] - away, columns[0] - away
    letters = [(chr(ord("A") + i), x, top) for i, x in enumerate(columns)]
    return (*letters, *((str(i + 1), left, y) for i, y in enumerate(rows)))
