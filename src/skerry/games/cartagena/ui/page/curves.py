"""Curves for the sheet, as SVG paths."""

from __future__ import annotations

import math
from itertools import pairwise

Point = tuple[float, float]


def format_number(value: float) -> str:
    """A number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def format_point(point: Point) -> str:
    return f"{format_number(point[0])} {format_number(point[1])}"


def smooth_curve(points: list[Point]) -> str:
    """A smooth curve through all points (a Catmull-Rom spline)."""
    around = [points[0], *points, points[-1]]
    path = [f"M{format_point(points[0])}"]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        out = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        into = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        path.append(f"C{format_point(out)} {format_point(into)} {format_point(end)}")
    return "".join(path)


def rounded_polygon(points: list[Point], radius: float) -> str:
    """A closed polygon with rounded corners."""
    corners = []
    for before, corner, after in zip([points[-1], *points], points, [*points[1:], points[0]], strict=False):
        corners.append((_move_towards(corner, before, radius), corner, _move_towards(corner, after, radius)))
    turns = [f"{format_point(start)}Q{format_point(corner)} {format_point(end)}" for start, corner, end in corners]
    return "M" + "L".join(turns) + "Z"


def _move_towards(start: Point, end: Point, by: float) -> Point:
    length = math.dist(start, end)
    part = min(by, length / 2) / length
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def cross_line(start: Point, end: Point, reach: float) -> str:
    """A line across the middle of the way from one point to another."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    length = math.dist(start, end)
    dx, dy = (start[1] - end[1]) / length * reach, (end[0] - start[0]) / length * reach
    return f"M{format_point((x - dx, y - dy))}L{format_point((x + dx, y + dy))}"


def cross_lines(points: list[Point], reach: float) -> list[str]:
    """The lines across a way, one between each two successive points."""
    return [cross_line(start, end, reach) for start, end in pairwise(points)]


def throw_arc(start: Point, end: Point) -> str:
    """An arc from one point to another, like the path of a throw."""
    rise = 14 + math.dist(start, end) * 0.16
    top = (start[0] + end[0]) / 2, min(start[1], end[1]) - rise
    return f"M{format_point(start)}Q{format_point(top)} {format_point(end)}"
