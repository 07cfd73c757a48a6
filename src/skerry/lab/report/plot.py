"""Plots as tables: a label, a strip of SVG, a number in each row.

A strip is as wide as there is room, and its marks stand at percentages of it, so that letters keep their size on a
phone; strips of one plot lie on each other, so that their grid lines are one. Who cannot see reads a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skerry.lab.report.html import Markup, join, tag

HEIGHT = 26
INSET = 2.5  # per cent at both ends, for a dot at the very edge
SPEAKING = 8.0  # per cent of a strip in which a number has room


@dataclass(frozen=True)
class Scale:
    """From values to percentages of a strip's width."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def __call__(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return INSET + (100 - 2 * INSET) * min(1.0, max(0.0, part))

    def at(self, value: float) -> str:
        return f"{self(value):.2f}%"

    def wide(self, low: float, high: float) -> str:
        return f"{max(0.0, self(high) - self(low)):.2f}%"


def scale(low: float, high: float, most: int = 6, least: float = 0) -> Scale:
    """One that begins and ends at round numbers, with at most so many steps of at least such a size."""
    span = max(high - low, 1e-9)
    power = 10 ** math.floor(math.log10(span / most))
    step = max(least, next(power * nice for nice in (1, 2, 5, 10) if span / (power * nice) <= most))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, max(last, first + 1) + 1))
    return Scale(ticks[0], ticks[-1], ticks)


@dataclass
class Plot:
    """A plot of rows over one scale."""

    scale: Scale
    unit: str  # what the scale counts
    percent: bool = False
    marked: float | None = None  # a value with a line of its own: what is even, say
    height: int = HEIGHT
    lines: list[Markup] = field(default_factory=list)

    def group(self, text: str) -> None:
        self.lines.append(tag("tr", tag("th", text, colspan=3, scope="rowgroup"), class_="group"))

    def row(self, label: str, marks: Iterable[Markup], number: str, note: str = "") -> None:
        value = tag("td", tag("b", number), tag("small", note) if note else None, class_="number")
        strip = tag("td", self._strip(marks, self.height), class_="strip")
        self.lines.append(tag("tr", tag("th", label, scope="row"), strip, value))

    def draw(self) -> Markup:
        axis = tag(
            "tr", tag("td"), tag("td", self._axis(), class_="strip"), tag("td"), class_="axis", aria_hidden="true"
        )
        body = tag("tbody", *self.lines, axis)
        return tag("table", body, class_="plot")

    def _strip(self, marks: Iterable[Markup], height: int) -> Markup:
        grid = [_line(self.scale.at(tick), height, "grid") for tick in self.scale.ticks]
        if self.marked is not None:
            grid.append(_line(self.scale.at(self.marked), height, "even"))
        return tag("svg", *grid, *marks, width="100%", height=height, role="presentation")

    def _axis(self) -> Markup:
        ticks = self.scale.ticks
        texts = [tag("text", self._tick(tick), x=self.scale.at(tick), y=14, text_anchor="middle") for tick in ticks]
        unit = tag("text", self.unit, x="50%", y=32, text_anchor="middle", class_="unit")
        return tag("svg", *texts, unit, width="100%", height=38, role="presentation")

    def _tick(self, tick: float) -> str:
        return f"{100 * tick:.4g}" if self.percent else f"{tick:,.4g}"


def _line(x: str, height: float, kind: str) -> Markup:
    return tag("line", x1=x, x2=x, y1=0, y2=height, class_=kind)


def title(text: str) -> Markup:
    """What a mark says when it is pointed at."""
    return tag("title", text)


def dot(on: Scale, value: float, low: float, high: float, text: str, kind: str = "c0") -> list[Markup]:
    """A value and its interval."""
    middle = HEIGHT / 2
    span = tag("line", x1=on.at(low), x2=on.at(high), y1=middle, y2=middle, class_="span")
    ends = [
        tag("line", x1=on.at(end), x2=on.at(end), y1=middle - 5, y2=middle + 5, class_="span") for end in (low, high)
    ]
    return [tag("g", title(text), span, *ends, tag("circle", cx=on.at(value), cy=middle, r=5.5), class_=f"dot {kind}")]


def stack(on: Scale, parts: Sequence[tuple[float, str, str]]) -> list[Markup]:
    """Shares one after another: how much, its class, and what it says."""
    drawn, at = [], 0.0
    for share, kind, text in parts:
        box = tag("rect", x=on.at(at), width=on.wide(at, at + share), y=3, height=HEIGHT - 6)
        middle = f"{(on(at) + on(at + share)) / 2:.2f}%"
        speaks = on(at + share) - on(at) >= SPEAKING
        number = tag("text", f"{100 * share:.0f}", x=middle, y=HEIGHT / 2 + 4, text_anchor="middle") if speaks else None
        drawn.append(tag("g", title(text), box, number, class_=f"part {kind}"))
        at += share
    return drawn


def columns(on: Scale, counts: Mapping[float, int], height: int, middle: float, what: str, kind: str) -> list[Markup]:
    """How values are spread: a column for each, and a line at the one in the middle."""
    total, width = sum(counts.values()), _width(counts, on)
    binned: dict[float, int] = {}
    for value, games in counts.items():
        begin = math.floor(value / width) * width
        binned[begin] = binned.get(begin, 0) + games
    highest = max(binned.values())
    drawn = []
    for begin, games in sorted(binned.items()):
        tall = (height - 4) * games / highest
        ends = f"{begin:g}" if width == 1 else f"{begin:g} to {begin + width - 1:g}"
        text = title(f"{what} {ends}: {games:,} games, {100 * games / total:.1f} %")
        x, wide = on.at(begin - 0.5), on.wide(begin - 0.5, begin + width - 0.5)
        drawn.append(tag("rect", text, x=x, width=wide, y=height - tall, height=tall, class_=f"column {kind}"))
    return [*drawn, _line(on.at(middle), height, "median")]


def _width(counts: Mapping[float, int], on: Scale) -> float:
    """Of a column: whole numbers, about forty in a strip."""
    fractional = any(value != int(value) for value in counts)
    return (on.high - on.low) / 40 if fractional else max(1, math.ceil((on.high - on.low) / 40))


def legend(parts: Iterable[tuple[str, str]]) -> Markup:
    """Classes and what they stand for."""
    items = [tag("li", tag("i", class_=f"swatch {kind}"), text) for kind, text in parts]
    return tag("ul", *items, class_="legend")


def heat(rows: Sequence[str], heads: Sequence[str], cells: Mapping[tuple[int, int], tuple[float, str, str]]) -> Markup:
    """A matrix: by row and column how warm (0 to 1), what it shows, and what it says when pointed at."""
    top = tag("tr", tag("td"), *(tag("th", tag("span", head), scope="col") for head in heads))
    lines = [
        tag("tr", tag("th", row, scope="row"), *(_warm(cells.get((y, x))) for x in range(len(heads))))
        for y, row in enumerate(rows)
    ]
    wide = " many" if len(heads) > 4 else ""
    table = tag("table", tag("thead", top), tag("tbody", *lines), class_=f"heat{wide}")
    return tag("div", table, class_="scrolls", tabindex=0)


def _warm(cell: tuple[float, str, str] | None) -> Markup:
    if cell is None:
        return tag("td", class_="none")
    warmth, shown, said = cell
    number, _, note = shown.partition("|")
    content = [tag("b", number), tag("small", note) if note else None]
    return tag("td", *content, class_="warm", style=f"--warmth:{100 * warmth:.0f}%", title=said)


def figure(heading: str, words: str, *content: Markup) -> Markup:
    """One question, one answer."""
    return tag(
        "section",
        tag("h2", heading),
        tag("p", words.replace(" %", "\N{NO-BREAK SPACE}%"), class_="words"),
        join(content),
        class_="figure",
    )
