"""The papers in a terminal, readable without colours, too."""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.games.hashi.rules.components import BONUS_TITLES, BONUSES, PEN_TITLES

ACROSS, DOWN = 5, 2  # characters from one island to the next
EDGE = 3  # width of the row numbers
PENS = {
    "green": "bold white on green4",
    "orange": "bold black on dark_orange",
    "purple": "bold white on purple4",
    "brown": "bold white on orange4",
}
FLAGS = {None: "black on wheat1", "red": "bold white on red3", "blue": "bold white on dodger_blue3"}
FINISHED = "bold black on green3"
DRAFTED = "bold yellow"
DOTTED, HORIZONTAL, VERTICAL = "grey62", ("┄", "─", "═"), ("┆", "│", "║")

Cell = tuple[str, str]  # character and style


def board(view: dict[str, Any], width: int) -> Group:
    """A view, drawn for a terminal: the card, the papers, the points and a legend."""
    papers = [_paper(view, paper) for paper in view["papers"]]
    parts: list[Any] = [_card(view), Text()]
    parts.append(papers[0] if len(papers) == 1 else Columns(papers, padding=(0, 4)))
    return Group(*parts, _points(view), Text(), *_legend(view))


def empty_board(view: dict[str, Any]) -> Text:
    """The board alone, without numbers and bridges."""
    return _picture(view["board"], _grid_cells(view, view["papers"][0]))


def _grid_cells(view: dict[str, Any], paper: dict[str, Any]) -> list[list[Cell]]:
    board = view["board"]
    grid: list[list[Cell]] = [
        [(" ", "")] * (ACROSS * (board["width"] - 1) + 3) for _ in range(DOWN * (board["height"] - 1) + 1)
    ]
    places = {island["island"]: island for island in board["islands"]}
    drawn = view["draft"]["bridges"] if view["draft"] and paper["seat"] == view["seat"] else []
    for line, bridges in zip(board["lines"], paper["bridges"], strict=True):
        style = DRAFTED if line["line"] in drawn else "bold" if bridges else DOTTED
        first, second = (places[end] for end in line["ends"])
        _line(grid, first, second, bridges, style)
    for island in board["islands"]:
        for i, cell in enumerate(_island(view, paper, island)):
            grid[DOWN * island["row"]][ACROSS * island["column"] + i] = cell
    return grid


def _paper(view: dict[str, Any], paper: dict[str, Any]) -> Text:
    """A paper below its player's name."""
    picture = _picture(view["board"], _grid_cells(view, paper))
    mark = " ✓ confirmed" if paper["confirmed"] else ""
    name = Text(f" {PEN_TITLES[paper['seat']]} ", PENS[paper["player"]])
    return Text.assemble(name, f" {paper['points']} points{mark}\n", picture)


def _picture(board: dict[str, Any], grid: list[list[Cell]]) -> Text:
    """A grid of characters with column letters along the top and row numbers down the side."""
    picture = Text(" " * EDGE + "".join(f" {chr(ord('A') + c)}".ljust(ACROSS) for c in range(board["width"])) + "\n")
    for y, row in enumerate(grid):
        picture.append(f"{y // DOWN + 1:>2} " if y % DOWN == 0 else " " * EDGE)
        for sign, style in row:
            picture.append(sign, style)
        picture.append("\n")
    return picture


def _line(grid: list[list[Cell]], a: dict[str, Any], b: dict[str, Any], bridges: int, style: str) -> None:
    if a["row"] == b["row"]:
        y = DOWN * a["row"]
        for x in range(ACROSS * a["column"] + 3, ACROSS * b["column"]):
            grid[y][x] = _overlay(grid[y][x], HORIZONTAL[bridges], style)
    else:
        x = ACROSS * a["column"] + 1
        for y in range(DOWN * a["row"] + 1, DOWN * b["row"]):
            grid[y][x] = _overlay(grid[y][x], VERTICAL[bridges], style)


def _overlay(old: Cell, sign: str, style: str) -> Cell:
    """The cell where a line is drawn over another: a bridge hides a dotted line, two dotted lines make a cross."""
    if old[0] == " " or old[1] == style == DOTTED:
        return ("┼" if old[0] != " " else sign), style
    return old if style == DOTTED else (sign, style)


def _island(view: dict[str, Any], paper: dict[str, Any], island: dict[str, Any]) -> list[Cell]:
    """An island in three characters: its flag, its number, and whether it is finished."""
    index = next(i for i, other in enumerate(view["board"]["islands"]) if other is island)
    number = paper["numbers"][index]
    draft = view["draft"] if paper["seat"] == view["seat"] else None
    drafted = draft is not None and draft["island"] == island["island"]
    if draft and drafted:
        number = number or draft["start"]
    style = FINISHED if paper["finished"][index] else FLAGS[island["flag"]]
    left = {None: "(", "red": "r", "blue": "b"}[island["flag"]]
    right = "*" if paper["finished"][index] else ")"
    return [(left, style), (str(number or " "), f"{style} underline" if drafted else style), (right, style)]


def _card(view: dict[str, Any]) -> Text:
    if view["card"] is None:
        return Text("The start numbers are written: a 3 or a 4, on an island without a flag")
    text = Text(f"Card {view['round']} of {view['rounds']}:  ")
    text.append(f" {view['card']['number']} ", "bold black on wheat1")
    text.append(f"  {'╪' * view['card']['bridges']}  bridges: {view['card']['bridges']}")
    return text


def _points(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("", "finished", *BONUS_TITLES, "points"):
        table.add_column(heading, justify="left" if not heading else "right")
    for paper in view["papers"]:
        mark = "»" if paper["seat"] in view["waiting"] else " "
        name = Text(f"{mark} ") + Text(f" {PEN_TITLES[paper['seat']]} ", PENS[paper["player"]])
        bonuses = [str(paper["bonuses"][bonus] or "–") for bonus in BONUSES]
        table.add_row(name, str(sum(paper["finished"])), *bonuses, str(paper["points"]))
    return table


def _legend(view: dict[str, Any]) -> list[Text]:
    worth = []
    for title, bonus in zip(BONUS_TITLES, view["bonuses"], strict=True):
        until = f" until card {bonus['deadline']}" if bonus["deadline"] else ""
        worth.append(
            f"{title} {bonus['full']}{until}, then {bonus['late']}" if bonus["open"] else f"{title} {bonus['late']}"
        )
    lines = [Text(f"Bonuses  {'; '.join(worth)}")]
    lines.append(Text("Islands  ( ) plain, r ) red flag, b ) blue flag, * finished"))
    if len(view["unseen"]) > 1:
        lines.append(Text(f"To come  {' '.join(view['unseen'])}; one of them is set aside"))
    if view["rank"]:
        lines.append(Text(f"Rank  {view['rank']['title']}", "bold"))
    return lines
