"""A board as an SVG picture."""

from __future__ import annotations

from skerry.games.hashi.rules.board import Board, Island
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

SPACING, RADIUS, MARGIN = 60, 20, 50
COLOURS = {RED_FLAG: "#c62828", BLUE_FLAG: "#1565c0"}
STYLE = """
  .line { stroke: #90a4ae; stroke-width: 3; stroke-linecap: round; stroke-dasharray: 0.1 8 }
  .island { fill: #fff8e1; stroke: #5d4037; stroke-width: 2.5 }
  text { font: 13px sans-serif; fill: #607d8b; text-anchor: middle }
"""


def draw_svg(board: Board, title: str) -> str:
    """The SVG document of a board."""
    width, height = (SPACING * (size - 1) + 2 * MARGIN for size in (board.width, board.height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{_escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#e1f5fe"/>',
        *_axis_labels(board),
        *(_line(board.islands[a], board.islands[b]) for a, b in board.lines),
        *(_island(island) for island in board.islands),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _position(island: Island) -> tuple[int, int]:
    return MARGIN + SPACING * island.column, MARGIN + SPACING * island.row


def _line(a: Island, b: Island) -> str:
    (x1, y1), (x2, y2) = _position(a), _position(b)
    return f'<line class="line" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _island(island: Island) -> str:
    """A circle, with a flag on a pole if the island has one."""
    x, y = _position(island)
    circle = f'<circle class="island" cx="{x}" cy="{y}" r="{RADIUS}"/>'
    if island.flag == NO_FLAG:
        return f"<g><title>{island.name}</title>{circle}</g>"
    colour, name = COLOURS[island.flag], "red" if island.flag == RED_FLAG else "blue"
    flag = f'<path d="M{x + 12} {y - 12}v-22l16 6-16 6" fill="{colour}" stroke="{colour}" stroke-width="2"/>'
    return f"<g><title>{island.name}, {name} flag</title>{circle}{flag}</g>"


def _axis_labels(board: Board) -> list[str]:
    columns = [f'<text x="{MARGIN + SPACING * c}" y="14">{chr(ord("A") + c)}</text>' for c in range(board.width)]
    rows = [f'<text x="12" y="{MARGIN + SPACING * r + 5}">{r + 1}</text>' for r in range(board.height)]
    return columns + rows


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
