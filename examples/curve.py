"""A learning curve as SVG, drawn by hand so that nothing has to be installed for it."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 60, 110, 40, 40
COLOURS = ("#b45309", "#047857", "#7c3aed", "#be123c")
STYLE = "font: 12px system-ui, sans-serif; fill: #334155"


def draw(title: str, points: list[tuple[float, float]], lines: dict[str, float]) -> str:
    """Points as a curve over the steps, and a level line for each bot."""
    values = [value for _, value in points] + list(lines.values())
    low, high = min(values), max(values)
    margin = (high - low or 1) * 0.08
    low, high = low - margin, high + margin
    last = points[-1][0]

    def x(steps: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * steps / last, 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', _text(LEFT, 22, title, "font-weight: 600")]
    for k in range(5):
        level = low + (high - low) * k / 4
        parts += [
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level)}" y2="{y(level)}" stroke="#e2e8f0"/>',
            _text(LEFT - 8, y(level) + 4, f"{level:.4g}", "text-anchor: end"),
            _text(x(last * k / 4), HEIGHT - 14, _short(last * k / 4), "text-anchor: middle"),
        ]
    for colour, (name, value) in zip(COLOURS, lines.items(), strict=False):
        ends = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}"'
        parts.append(f'<line {ends} stroke="{colour}" stroke-dasharray="5 4"/>')
        parts.append(_text(WIDTH - RIGHT + 8, y(value) + 4, f"{name} {value:.4g}", f"fill: {colour}"))
    curve = " ".join(f"{x(steps)},{y(value)}" for steps, value in points)
    parts.append(f'<polyline points="{curve}" fill="none" stroke="#1d4ed8" stroke-width="2"/>')
    parts.append(_text(WIDTH - 8, HEIGHT - 14, "decisions", "text-anchor: end"))
    inside = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n{inside}\n</svg>\n'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x}" y="{y}" style="{STYLE}; {style}">{escape(text)}</text>'


def _short(number: float) -> str:
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {sign}"
    return f"{number:.0f}"
