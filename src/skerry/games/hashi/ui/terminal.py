"""The papers in a terminal, readable without colours, too."""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.engine.messages import Translate, say
from skerry.engine.terminal_layout import side_by_side
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import BONUS_TITLES, BONUSES, PEN_TITLES
from skerry.games.hashi.ui.board_view import board_view

TEXTS = ("finished", "points", "Bonuses", "Islands", "Rank", "( ) plain, r ) red flag, b ) blue flag, * finished")
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


def board(view: dict[str, Any], width: int, translate: Translate = str, low: bool = False) -> Group:
    """A view, drawn for a terminal: the card, the papers, the points and a legend.

    On a ``low`` terminal these stand beside the only paper. Several papers leave room for what the bonuses are worth;
    the prompt names the card, and each paper its points.
    """
    papers = [_paper(view, paper, translate) for paper in view["papers"]]
    if low and len(papers) == 1:
        lines = [_card(view, translate), *_bonuses(view, translate), *_to_come(view, translate)]
        return Group(side_by_side(papers[0], lines))
    if low:
        for paper in papers:
            paper.rstrip()
        return Group(Columns(papers, padding=(0, 2)), _worth(view, translate))
    parts: list[Any] = [_card(view, translate), Text()]
    parts.append(papers[0] if len(papers) == 1 else Columns(papers, padding=(0, 4)))
    return Group(*parts, _points(view, translate), Text(), *_legend(view, translate))


def empty_board(board: Board) -> Text:
    """A board alone, without numbers and bridges. It is drawn without the rules, which might have to be compiled."""
    islands, lines = len(board.islands), len(board.lines)
    paper = {"seat": 0, "numbers": [None] * islands, "finished": [False] * islands, "bridges": [0] * lines}
    view: dict[str, Any] = {"seat": None, "board": board_view(board), "draft": None}
    return _picture(view["board"], _grid_cells(view, paper))


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


def _paper(view: dict[str, Any], paper: dict[str, Any], translate: Translate) -> Text:
    """A paper below its player's name."""
    picture = _picture(view["board"], _grid_cells(view, paper))
    mark = " ✓" if paper["confirmed"] else ""
    name = Text(f" {translate(PEN_TITLES[paper['seat']])} ", PENS[paper["player"]])
    points = say("{points} points", points=paper["points"]).phrase(translate)
    return Text.assemble(name, f" {points}{mark}\n", picture)


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


def _card(view: dict[str, Any], translate: Translate) -> Text:
    if view["card"] is None:
        return Text(say("Write a 3 or a 4 on an island without a flag").render(translate))
    card = view["card"]
    text = Text(say("Card {round} of {rounds}", round=view["round"], rounds=view["rounds"]).render(translate) + ":  ")
    text.append(f" {card['number']} ", "bold black on wheat1")
    bridges = say("bridges: {count}", count=card["bridges"]).phrase(translate)
    text.append(f"  {'╪' * card['bridges']}  {bridges}")
    return text


def _points(view: dict[str, Any], translate: Translate) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("", "finished", *BONUS_TITLES, "points"):
        table.add_column(heading and translate(heading), justify="left" if not heading else "right")
    for paper in view["papers"]:
        mark = "»" if paper["seat"] in view["waiting"] else " "
        name = Text(f"{mark} ") + Text(f" {translate(PEN_TITLES[paper['seat']])} ", PENS[paper["player"]])
        bonuses = [str(paper["bonuses"][bonus] or "–") for bonus in BONUSES]
        table.add_row(name, str(sum(paper["finished"])), *bonuses, str(paper["points"]))
    return table


def _legend(view: dict[str, Any], translate: Translate) -> list[Text]:
    signs = translate("( ) plain, r ) red flag, b ) blue flag, * finished")
    lines = [Text(f"{translate('Bonuses')}  ") + _worth(view, translate), Text(f"{translate('Islands')}  {signs}")]
    lines += _to_come(view, translate)
    if view["rank"]:
        lines.append(Text(f"{translate('Rank')}  {translate(view['rank']['title'])}", "bold"))
    return lines


def _worth(view: dict[str, Any], translate: Translate) -> Text:
    return Text("; ".join(line.plain for line in _bonuses(view, translate)))


def _bonuses(view: dict[str, Any], translate: Translate) -> list[Text]:
    """What each bonus is worth now."""
    lines = []
    for title, bonus in zip(BONUS_TITLES, view["bonuses"], strict=True):
        worth = {"bonus": say(title), **{name: bonus[name] for name in ("full", "late", "deadline")}}
        if not bonus["open"]:
            told = say("{bonus} {late}", **worth)
        elif bonus["deadline"]:
            told = say("{bonus} {full} until card {deadline}, then {late}", **worth)
        else:
            told = say("{bonus} {full}, then {late}", **worth)
        lines.append(Text(told.phrase(translate)))
    return lines


def _to_come(view: dict[str, Any], translate: Translate) -> list[Text]:
    """The cards that are still to come, if that is not known anyway."""
    if len(view["unseen"]) <= 1:
        return []
    told = say("To come: {cards}; one of them is set aside", cards=" ".join(view["unseen"]))
    return [Text(told.render(translate))]
