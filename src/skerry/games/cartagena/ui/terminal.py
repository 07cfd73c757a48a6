"""The board in a terminal. Symbols are capital letters and pirates small ones, readable without colours, too."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from skerry.games.cartagena.rules.components import CARD_TITLES, CARDS, COLOURS, PART_SPACES, SYMBOL_LETTERS, SYMBOLS

LETTERS = dict(zip(SYMBOLS, SYMBOL_LETTERS, strict=True))
TITLES = dict(zip(CARDS, CARD_TITLES, strict=True))
PIRATES = dict(zip(COLOURS, "rgybk", strict=True))
PIRATE_STYLES = {
    "red": "bold white on red3",
    "green": "bold white on green4",
    "yellow": "bold black on yellow3",
    "blue": "bold white on blue",
    "black": "bold white on grey23",
}
SYMBOL_STYLES = {
    "pistol": "grey70",
    "rum": "orange3",
    "lantern": "gold1",
    "parrot": "green3",
    "hook": "steel_blue1",
    "chest": "light_salmon3",
}
CELL = 5  # width of a space
EDGE = "grey50"


def board(view: dict[str, Any], width: int) -> Group:
    """A view, drawn for a terminal: the path, the places, the seats, the cards and a legend."""
    parts: list[Any] = []
    for half in ("tunnel", "island"):
        spaces = [space for space in view["path"] if space["half"] == half]
        if half == "island" and view["story"] == "full":
            parts.append(_sloop_line(view))
        if spaces:
            parts += [*_entrance(view, half), *_rows(spaces, width)]
    if view["story"] == "escape":
        parts.append(_sloop_line(view))
    else:
        parts.append(_pirates_line("Hideout", view["hideout"]))
    return Group(*parts, Text(), _seats(view), *_card_lines(view), _legend(view))


def _entrance(view: dict[str, Any], half: str) -> list[Text]:
    if half == "island" and view["story"] == "full":
        return []
    return [_pirates_line("Prison" if half == "tunnel" else "Half-sunk sloop", view["start"])]


def _sloop_line(view: dict[str, Any]) -> Text:
    where = {None: "Sloop", "cartagena": "Sloop, at Cartagena", "tortuga": "Sloop, at Tortuga"}[view["harbour"]]
    return _pirates_line(where, view["sloop"])


def _pirates_line(title: str, colours: list[str]) -> Text:
    line = Text(f" {title}: ", "bold")
    for colour in dict.fromkeys(colours):
        line.append(PIRATES[colour] * colours.count(colour), PIRATE_STYLES[colour])
        line.append(" ")
    if not colours:
        line.append("nobody", "dim")
    return line


def _rows(spaces: list[dict[str, Any]], width: int) -> list[Text]:
    """The rows of spaces, with as many whole parts in each as fit."""
    part = PART_SPACES * (CELL + 1)
    length = PART_SPACES * max(1, min(2, (width - 2) // part))
    return [_row(spaces[start : start + length]) for start in range(0, len(spaces), length)]


def _row(spaces: list[dict[str, Any]]) -> Text:
    row = Text(" ")
    row.append("┌" + "┬".join("─" * CELL for _ in spaces) + "┐\n ", EDGE)
    for cell in (_space_label, _pirates):
        row.append("│", EDGE)
        for space in spaces:
            row.append_text(cell(space))
            row.append("│", EDGE)
        row.append("\n ")
    row.append("└" + "┴".join("─" * CELL for _ in spaces) + "┘", EDGE)
    return row


def _space_label(space: dict[str, Any]) -> Text:
    """The number and the symbol of a space, with a star for a chest token."""
    sign = Text(f"{space['place']:>2} ", "dim")
    sign.append(LETTERS[space["symbol"]], f"bold {SYMBOL_STYLES[space['symbol']]}")
    sign.append("*" if space["chest"] else " ", "bold")
    return sign


def _pirates(space: dict[str, Any]) -> Text:
    cell = Text(" ")
    for colour in space["pirates"]:
        cell.append(PIRATES[colour], PIRATE_STYLES[colour])
    cell.append(" " * (CELL - cell.cell_len))
    return cell


def _seats(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        mark = "»" if seat["seat"] in view["waiting"] else " "
        colour = Text(f" {PIRATES[seat['colour']]} ", PIRATE_STYLES[seat["colour"]])
        table.add_row(mark, colour, seat["colour"].title(), f"{seat['cards']} cards", _hand(seat))
    return table


def _hand(seat: dict[str, Any]) -> str:
    if seat["hand"] is not None:
        return _cards(seat["hand"])
    if not seat["known"]:
        return ""
    doubt = f", but {seat['unsure']} may be gone" if seat["unsure"] else ""
    return f"you know of {_cards(seat['known'])}{doubt}"


def _cards(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {TITLES[card]}" for card, count in counts.items()) or "none"


def _card_lines(view: dict[str, Any]) -> list[Padding]:
    lines = [Text(f"Deck: {view['deck']['cards']} cards; discarded: {_cards(view['discard'])}")]
    if view["deck"]["top"]:
        lines.append(Text("On top, as you put them: " + ", ".join(TITLES[card] for card in view["deck"]["top"])))
    if view["pool"]["hand"]:
        lines.append(Text(f"Drawn: {_cards(view['pool']['hand'])}", "bold"))
    elif view["pool"]["cards"]:
        lines.append(Text(f"Drawn and not yet placed: {view['pool']['cards']} cards"))
    if view["opened"]:
        lines.append(Text("Opened chests: " + ", ".join("empty" if n == 0 else str(n) for n in sorted(view["opened"]))))
    return [Padding(line, (0, 0, 0, 1)) for line in lines]


def _legend(view: dict[str, Any]) -> Text:
    legend = Text(" ")
    for symbol, letter in LETTERS.items():
        legend.append(letter, f"bold {SYMBOL_STYLES[symbol]}")
        legend.append(f" {symbol}  ", "dim")
    if view["magic"]:
        legend.append("* chest token", "dim")
    return legend
