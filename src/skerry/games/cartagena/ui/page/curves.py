"""Lines for the sheet, written as SVG paths."""

from __future__ import annotations

import math
from itertools import pairwise

Point = tuple[float, float]


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def smooth(points: list[Point]) -> str:
    """A curve through all points (Catmull and Rom's)."""
    around = [points[0], *points, points[-1]]
    path = [f"M{at(points[0])}"]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        out = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        into = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        path.append(f"C{at(out)} {at(into)} {at(end)}")
    return "".join(path)


def rounded(points: list[Point], radius: float) -> str:
    """A closed outline with its corners cut round."""
    corners = []
    for before, corner, after in zip([points[-1], *points], points, [*points[1:], points[0]], strict=False):
        corners.append((_towards(corner, before, radius), corner, _towards(corner, after, radius)))
    turns = [f"{at(start)}Q{at(corner)} {at(end)}" for start, corner, end in corners]
    return "M" + "L".join(turns) + "Z"


def _towards(start: Point, end: Point, by: float) -> Point:
    length = math.dist(start, end)
    part = min(by, length / 2) / length
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def across(start: Point, end: Point, reach: float) -> str:
    """A line that crosses the way from one point to another in the middle."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    length = math.dist(start, end)
    dx, dy = (start[1] - end[1]) / length * reach, (end[0] - start[0]) / length * reach
    return f"M{at((x - dx, y - dy))}L{at((x + dx, y + dy))}"


def steps(points: list[Point], reach: float) -> list[str]:
    """What crosses a way between each two points."""
    return [across(start, end, reach) for start, end in pairwise(points)]


def bow(start: Point, end: Point) -> str:
    """A throw from one point to another."""
    rise = 14 + math.dist(start, end) * 0.16
    return f"M{at(start)}Q{at(((start[0] + end[0]) / 2, min(start[1], end[1]) - rise))} {at(end)}"
