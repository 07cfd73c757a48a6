"""Plots as HTML tables: each row has a label, a strip of SVG, and a number.

A strip fills the available width and its marks stand at percentages of that width, so that text keeps its size on a
phone. The strips of one plot are stacked, so that their grid lines meet. A screen reader gets a plain table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skerry.lab.report.html import Markup, join, tag
from skerry.lab.statistics import percent_number

HEIGHT = 26  # of a strip, in pixels
INSET = 2.5  # per cent of a strip that stay free at both ends, for a dot at the very edge
MIN_LABELLED = 8.0  # per cent of a strip: narrower segments have no room for a number
BINS = 40  # of a histogram, about
MANY_COLUMNS = 4  # a heat map with more has vertical headings on a phone

Place = tuple[int, int]  # a row and a column of a heat map


@dataclass(frozen=True)
class Scale:
    """A mapping of values to percentages of a strip's width."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def __call__(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return INSET + (100 - 2 * INSET) * min(1.0, max(0.0, part))

    def position(self, value: float) -> str:
        return f"{self(value):.2f}%"

    def width(self, low: float, high: float) -> str:
        return f"{max(0.0, self(high) - self(low)):.2f}%"


def scale(low: float, high: float, max_steps: int = 6, min_step: float = 0) -> Scale:
    """A scale that begins and ends at round numbers, with at most ``max_steps`` steps between its ticks."""
    span = max(high - low, 1e-9)
    power = 10 ** math.floor(math.log10(span / max_steps))
    step = max(min_step, next(power * nice for nice in (1, 2, 5, 10) if span / (power * nice) <= max_steps))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, max(last, first + 1) + 1))
    return Scale(ticks[0], ticks[-1], ticks)


@dataclass
class Plot:
    """A plot whose rows share one scale."""

    scale: Scale
    unit: str  # the label of the axis
    percent: bool = False  # whether values are shares, shown in per cent
    marked: float | None = None  # a value with a dashed line, such as an even share
    height: int = HEIGHT
    rows: list[Markup] = field(default_factory=list)

    def add_heading(self, text: str) -> None:
        self.rows.append(tag("tr", tag("th", text, colspan=3, scope="rowgroup"), class_="group"))

    def add_row(self, label: str, marks: Iterable[Markup], number: str, note: str = "") -> None:
        value = tag("td", tag("b", number), tag("small", note) if note else None, class_="number")
        strip = tag("td", self._strip(marks, self.height), class_="strip")
        self.rows.append(tag("tr", tag("th", label, scope="row"), strip, value))

    def draw(self) -> Markup:
        strip = tag("td", self._axis(), class_="strip")
        axis = tag("tr", tag("td"), strip, tag("td"), class_="axis", aria_hidden="true")
        return tag("table", tag("tbody", *self.rows, axis), class_="plot")

    def _strip(self, marks: Iterable[Markup], height: int) -> Markup:
        grid = [_vertical_line(self.scale.position(tick), height, "grid") for tick in self.scale.ticks]
        if self.marked is not None:
            grid.append(_vertical_line(self.scale.position(self.marked), height, "even"))
        return tag("svg", *grid, *marks, width="100%", height=height, role="presentation")

    def _axis(self) -> Markup:
        ticks = [
            tag("text", self._tick_label(tick), x=self.scale.position(tick), y=14, text_anchor="middle")
            for tick in self.scale.ticks
        ]
        unit = tag("text", self.unit, x="50%", y=32, text_anchor="middle", class_="unit")
        return tag("svg", *ticks, unit, width="100%", height=38, role="presentation")

    def _tick_label(self, tick: float) -> str:
        return f"{100 * tick:.4g}" if self.percent else f"{tick:,.4g}"


def _vertical_line(x: str, height: float, css_class: str) -> Markup:
    return tag("line", x1=x, x2=x, y1=0, y2=height, class_=css_class)


def _tooltip(text: str) -> Markup:
    return tag("title", text)


def dot(scale: Scale, value: float, low: float, high: float, tooltip: str, colour: str = "c0") -> list[Markup]:
    """A value and its confidence interval."""
    middle = HEIGHT / 2
    span = tag("line", x1=scale.position(low), x2=scale.position(high), y1=middle, y2=middle, class_="span")
    ends = [
        tag("line", x1=scale.position(end), x2=scale.position(end), y1=middle - 5, y2=middle + 5, class_="span")
        for end in (low, high)
    ]
    circle = tag("circle", cx=scale.position(value), cy=middle, r=5.5)
    return [tag("g", _tooltip(tooltip), span, *ends, circle, class_=f"dot {colour}")]


class Segment(NamedTuple):
    """A part of a stacked bar."""

    share: float
    colour: str  # a class of the style sheet
    tooltip: str


def stack(scale: Scale, segments: Sequence[Segment]) -> list[Markup]:
    """A stacked bar."""
    drawn, start = [], 0.0
    for share, colour, tooltip in segments:
        end = start + share
        box = tag("rect", x=scale.position(start), width=scale.width(start, end), y=3, height=HEIGHT - 6)
        number = None
        if scale(end) - scale(start) >= MIN_LABELLED:
            middle = f"{(scale(start) + scale(end)) / 2:.2f}%"
            number = tag("text", percent_number(share, 0), x=middle, y=HEIGHT / 2 + 4, text_anchor="middle")
        drawn.append(tag("g", _tooltip(tooltip), box, number, class_=f"part {colour}"))
        start = end
    return drawn


def histogram(
    scale: Scale, counts: Mapping[float, int], height: int, median: float, unit: str, colour: str
) -> list[Markup]:
    """The distribution of values, as columns, with a line at the median."""
    total, width = sum(counts.values()), _bin_width(counts, scale)
    bins: dict[float, int] = {}
    for value, games in counts.items():
        start = math.floor(value / width) * width
        bins[start] = bins.get(start, 0) + games
    highest = max(bins.values())
    drawn = []
    for start, games in sorted(bins.items()):
        column_height = (height - 4) * games / highest
        values = f"{start:g}" if width == 1 else f"{start:g} to {start + width - 1:g}"
        tooltip = _tooltip(f"{unit} {values}: {games:,} games, {percent_number(games / total)} %")
        column = tag(
            "rect",
            tooltip,
            x=scale.position(start - 0.5),
            width=scale.width(start - 0.5, start + width - 0.5),
            y=height - column_height,
            height=column_height,
            class_=f"column {colour}",
        )
        drawn.append(column)
    return [*drawn, _vertical_line(scale.position(median), height, "median")]


def _bin_width(counts: Mapping[float, int], scale: Scale) -> float:
    """The width that makes about ``BINS`` bins; a whole number, unless some values are not."""
    fractional = any(value != int(value) for value in counts)
    width = (scale.high - scale.low) / BINS
    return width if fractional else max(1, math.ceil(width))


class LegendEntry(NamedTuple):
    """A colour class and what it stands for."""

    colour: str
    text: str


def legend(entries: Iterable[LegendEntry]) -> Markup:
    items = [tag("li", tag("i", class_=f"swatch {entry.colour}"), entry.text) for entry in entries]
    return tag("ul", *items, class_="legend")


@dataclass(frozen=True)
class HeatCell:
    """A cell of a heat map."""

    warmth: float  # from 0 to 1
    number: str
    note: str  # under the number, in small letters
    tooltip: str


def heat(rows: Sequence[str], columns: Sequence[str], cells: Mapping[Place, HeatCell]) -> Markup:
    """A heat map."""
    headings = (tag("th", tag("span", column), scope="col") for column in columns)
    head = tag("thead", tag("tr", tag("td"), *headings))
    lines = [
        tag("tr", tag("th", row, scope="row"), *(_heat_cell(cells.get((y, x))) for x in range(len(columns))))
        for y, row in enumerate(rows)
    ]
    many = " many" if len(columns) > MANY_COLUMNS else ""
    table = tag("table", head, tag("tbody", *lines), class_=f"heat{many}")
    return tag("div", table, class_="scrolls", tabindex=0)


def _heat_cell(cell: HeatCell | None) -> Markup:
    if cell is None:
        return tag("td", class_="none")
    note = tag("small", cell.note) if cell.note else None
    style = f"--warmth:{100 * cell.warmth:.0f}%"
    return tag("td", tag("b", cell.number), note, class_="warm", style=style, title=cell.tooltip)


def figure(heading: str, words: str, *content: Markup) -> Markup:
    """A section of the report: a heading, an explanation and a plot."""
    explanation = tag("p", words.replace(" %", "\N{NO-BREAK SPACE}%"), class_="words")
    return tag("section", tag("h2", heading), explanation, join(content), class_="figure")
