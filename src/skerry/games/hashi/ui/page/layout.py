"""Where a board's islands and lines lie on the printed sheet. A board stays the same, so this is worked out once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skerry.games.hashi.rules.board import Board, Island

# The sheet is SHEET wide; the islands' middles lie within FIELD: left, top, right, bottom.
SHEET = 600
FIELD = (66, 164, 552, 536)
SPACING = 112  # the most from one island to the next
RADIUS = 24  # of an island as it is drawn; crowded boards draw it smaller
CROWD = 0.32  # of the spacing, at the most
PARTING = 5  # of two bridges side by side, from the middle

Place = tuple[int, int]
Data = dict[str, Any]
Scenery = tuple[str, int, int, int]

GROWS = ("pine", "rock", "pine", "reed")


@dataclass(frozen=True, eq=False)
class Plan:
    """Islands and lines as the macros draw them, in the board's order."""

    columns: int
    islands: tuple[Data, ...]
    lines: tuple[Data, ...]
    names: tuple[str, ...]  # of the lines
    at: tuple[int, ...]  # the lines at each island, a bit set
    crossings: tuple[int, ...]  # the lines that cross each line, a bit set
    letters: tuple[tuple[str, int, int], ...]  # along the top and down the side
    scenery: tuple[Scenery, ...]  # what is printed on the sheet: its picture, where, how far turned
    scale: float
    dots: str  # all lines as one path
    strokes: tuple[tuple[str, str, str], ...]  # a line's path with no bridge, with one, with two


def plan_of(board: Data) -> Plan:
    islands = tuple([(i["island"], i["row"], i["column"], i["flag"]) for i in board["islands"]])
    return _plan(board["width"], board["height"], islands, tuple([line["line"] for line in board["lines"]]))


@functools.lru_cache(maxsize=64)
def _plan(
    width: int, height: int, islands: tuple[tuple[str, int, int, str | None], ...], lines: tuple[str, ...]
) -> Plan:
    across, down = _spacing(width, FIELD[2] - FIELD[0]), _spacing(height, FIELD[3] - FIELD[1])
    left = (FIELD[0] + FIELD[2] - across * (width - 1)) / 2
    top = (FIELD[1] + FIELD[3] - down * (height - 1)) / 2
    columns = [round(left + across * c) for c in range(width)]
    rows = [round(top + down * r) for r in range(height)]
    scale = round(min(1.0, CROWD * min(across, down) / RADIUS), 2)
    places = {name: (columns[column], rows[row]) for name, row, column, _ in islands}
    number = {name: i for i, name in enumerate(places)}
    ends = tuple((number[a], number[b]) for a, b in (line.split("-") for line in lines))
    middles = list(places.values())
    spans = [(middles[a], middles[b]) for a, b in ends]
    gap = round(RADIUS * scale) - 2
    return Plan(
        columns=width,
        islands=tuple(_island(name, column, places[name], flag, scale) for name, _, column, flag in islands),
        lines=tuple(_line(i, span, gap, scale) for i, span in enumerate(spans)),
        names=lines,
        at=tuple(sum(1 << line for line, pair in enumerate(ends) if i in pair) for i in range(len(middles))),
        crossings=_crossings(Board(tuple(Island(row, column) for _, row, column, _ in islands), ends)),
        letters=_letters(columns, rows, scale),
        scenery=(*_shores(places, [flag for *_, flag in islands], scale), *_water(columns, rows, places, spans)),
        scale=scale,
        dots="".join(_path(span, gap, 0) for span in spans),
        strokes=tuple(_strokes(span, gap, scale) for span in spans),
    )


def _spacing(count: int, room: int) -> float:
    return min(SPACING, room / (count - 1)) if count > 1 else SPACING


def _island(name: str, column: int, place: Place, flag: str | None, scale: float) -> Data:
    """``lean``: nobody writes every number upright."""
    x, y = place
    lean = (x * 7 + y * 5) % 11 - 5
    return {"place": name, "column": column + 1, "x": x, "y": y, "scale": scale, "flag": flag or "", "lean": lean}


def _line(index: int, span: tuple[Place, Place], gap: int, scale: float) -> Data:
    """From rim to rim, to be drawn from left to right and turned if it is upright."""
    (x, y), (x2, y2) = span
    upright = x == x2
    return {
        "x": x if upright else x + gap,
        "y": y + gap if upright else y,
        "turn": 90 if upright else 0,
        "length": (y2 - y if upright else x2 - x) - 2 * gap,
        "parting": round(PARTING * scale, 1),
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
    aside = round((PARTING + 1) * scale, 1)
    return "", _path(span, gap, 0), _path(span, gap, -aside) + _path(span, gap, aside)


def _shores(places: dict[str, Place], flags: list[str | None], scale: float) -> Iterator[Scenery]:
    """Shoals around all islands first; something grows where no flag stands."""
    for i, (x, y) in enumerate(places.values()):
        yield "shoal", x, y, i * 77 % 360
    plain = [place for place, flag in zip(places.values(), flags, strict=True) if not flag]
    for i, (x, y) in enumerate(plain):
        yield GROWS[i % len(GROWS)], x + round(16 * scale), y - round(20 * scale), 0


def _water(
    columns: list[int], rows: list[int], places: dict[str, Place], spans: list[tuple[Place, Place]]
) -> Iterator[Scenery]:
    """Waves where the sheet would be empty, and a boat."""
    taken = set(places.values())
    free = [
        (x, y)
        for r, y in enumerate(rows)
        for c, x in enumerate(columns)
        if (r + c) % 2 and (x, y) not in taken and not any(_on(x, y, span) for span in spans)
    ]
    for i, (x, y) in enumerate(free):
        yield "boat" if i == len(free) // 3 else "wave", x, y, 0


def _on(x: int, y: int, span: tuple[Place, Place]) -> bool:
    (x1, y1), (x2, y2) = span
    return x1 <= x <= x2 and y1 <= y <= y2


def _letters(columns: list[int], rows: list[int], scale: float) -> tuple[tuple[str, int, int], ...]:
    away = round(RADIUS * scale) + 20
    top, left = rows[0] - away, columns[0] - away
    letters = [(chr(ord("A") + i), x, top) for i, x in enumerate(columns)]
    return (*letters, *((str(i + 1), left, y) for i, y in enumerate(rows)))
