"""A learning curve as an SVG picture, drawn without a plotting library."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 110, 40, 40  # margins
GRID_LINES = 4
BASELINE_COLOURS = ("#b45309", "#047857", "#7c3aed", "#be123c")
CURVE_COLOUR = "#1d4ed8"
TEXT_STYLE = "font: 12px system-ui, sans-serif; fill: #334155"


class Axes:
    """Maps steps and values to positions in the picture."""

    def __init__(self, last_step: float, values: list[float]) -> None:
        low, high = min(values), max(values)
        margin = (high - low or 1) * 0.08
        self.last_step, self.low, self.high = last_step, low - margin, high + margin

    def x(self, step: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * step / self.last_step, 1)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)


def draw(title: str, points: list[tuple[float, float]], baselines: dict[str, float]) -> str:
    """The points as a curve over the steps, and a horizontal line for each baseline."""
    values = [value for _, value in points] + list(baselines.values())
    axes = Axes(points[-1][0], values)
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(LEFT, 22, title, "font-weight: 600"),
        *_grid(axes),
        *_baselines(axes, baselines),
        _curve(axes, points),
        _text(WIDTH - 8, HEIGHT - 14, "decisions", "text-anchor: end"),
    ]
    content = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n{content}\n</svg>\n'


def _grid(axes: Axes) -> list[str]:
    """Horizontal lines with their values, and steps below."""
    parts = []
    for k in range(GRID_LINES + 1):
        value = axes.low + (axes.high - axes.low) * k / GRID_LINES
        step = axes.last_step * k / GRID_LINES
        parts.append(_horizontal_line(axes.y(value), 'stroke="#e2e8f0"'))
        parts.append(_text(LEFT - 8, axes.y(value) + 4, f"{value:.4g}", "text-anchor: end"))
        parts.append(_text(axes.x(step), HEIGHT - 14, _abbreviate(step), "text-anchor: middle"))
    return parts


def _baselines(axes: Axes, baselines: dict[str, float]) -> list[str]:
    parts = []
    for colour, (name, value) in zip(BASELINE_COLOURS, baselines.items(), strict=False):
        parts.append(_horizontal_line(axes.y(value), f'stroke="{colour}" stroke-dasharray="5 4"'))
        parts.append(_text(WIDTH - RIGHT + 8, axes.y(value) + 4, f"{name} {value:.4g}", f"fill: {colour}"))
    return parts


def _curve(axes: Axes, points: list[tuple[float, float]]) -> str:
    positions = " ".join(f"{axes.x(step)},{axes.y(value)}" for step, value in points)
    return f'<polyline points="{positions}" fill="none" stroke="{CURVE_COLOUR}" stroke-width="2"/>'


def _horizontal_line(y: float, stroke: str) -> str:
    return f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" {stroke}/>'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x}" y="{y}" style="{TEXT_STYLE}; {style}">{escape(text)}</text>'


def _abbreviate(number: float) -> str:
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {suffix}"
    return f"{number:.0f}"
