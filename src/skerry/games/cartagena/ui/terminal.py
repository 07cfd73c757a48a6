"""The board in a terminal. Symbols are capital letters and pirates small ones, readable without colours, too."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from skerry.engine.messages import Message, Translate, say
from skerry.games.cartagena.rules.components import (
    CARD_TITLES,
    CARDS,
    COLOUR_TITLES,
    COLOURS,
    PART_SPACES,
    SYMBOL_LETTERS,
    SYMBOLS,
)

LETTERS = dict(zip(SYMBOLS, SYMBOL_LETTERS, strict=True))
TITLES = dict(zip(CARDS, CARD_TITLES, strict=True))
COLOURS_IN_WORDS = dict(zip(COLOURS, COLOUR_TITLES, strict=True))
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
TEXTS = ("nobody", "nothing", "chest token")
CELL = 5  # width of a space
EDGE = "grey50"


def board(view: dict[str, Any], width: int, translate: Translate = str, low: bool = False) -> Group:
    """A view, drawn for a terminal: the path, the places, the seats, the cards and a legend.

    On a ``low`` terminal the rows of spaces have no lines around them.
    """
    parts: list[Any] = []
    for half in ("tunnel", "island"):
        spaces = [space for space in view["path"] if space["half"] == half]
        if half == "island" and view["story"] == "full":
            parts.append(_sloop_line(view, translate))
        if spaces:
            parts += [*_entrance(view, half, translate), *_rows(spaces, width, low)]
    if view["story"] == "escape":
        parts.append(_sloop_line(view, translate))
    else:
        parts.append(_pirates_line(say("The hideout"), view["hideout"], translate))
    if not low:
        parts.append(Text())
    return Group(*parts, _seats(view, translate), *_card_lines(view, translate), _legend(view, translate))


def _entrance(view: dict[str, Any], half: str, translate: Translate) -> list[Text]:
    if half == "island" and view["story"] == "full":
        return []
    title = say("The prison") if half == "tunnel" else say("The half-sunk sloop")
    return [_pirates_line(title, view["start"], translate)]


def _sloop_line(view: dict[str, Any], translate: Translate) -> Text:
    harbours = {"cartagena": say("The sloop, at Cartagena"), "tortuga": say("The sloop, at Tortuga")}
    return _pirates_line(harbours.get(view["harbour"], say("The sloop")), view["sloop"], translate)


def _pirates_line(title: Message, colours: list[str], translate: Translate) -> Text:
    line = Text(f" {title.render(translate)}: ", "bold")
    for colour in dict.fromkeys(colours):
        line.append(PIRATES[colour] * colours.count(colour), PIRATE_STYLES[colour])
        line.append(" ")
    if not colours:
        line.append(translate("nobody"), "dim")
    return line


def _rows(spaces: list[dict[str, Any]], width: int, low: bool) -> list[Text]:
    """The rows of spaces, with as many whole parts in each as fit."""
    part = PART_SPACES * (CELL + 1)
    length = PART_SPACES * max(1, min(2, (width - 2) // part))
    return [_row(spaces[start : start + length], low) for start in range(0, len(spaces), length)]


def _row(spaces: list[dict[str, Any]], low: bool) -> Text:
    row = Text(" ")
    if not low:
        row.append("┌" + "┬".join("─" * CELL for _ in spaces) + "┐\n ", EDGE)
    for number, cell in enumerate((_space_label, _pirates)):
        row.append("\n " if number else "")
        row.append("│", EDGE)
        for space in spaces:
            row.append_text(cell(space))
            row.append("│", EDGE)
    if not low:
        row.append("\n └" + "┴".join("─" * CELL for _ in spaces) + "┘", EDGE)
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


def _seats(view: dict[str, Any], translate: Translate) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        mark = "»" if seat["seat"] in view["waiting"] else " "
        colour = Text(f" {PIRATES[seat['colour']]} ", PIRATE_STYLES[seat["colour"]])
        cards = say("{count} {count:card|cards}", count=seat["cards"]).phrase(translate)
        table.add_row(mark, colour, translate(COLOURS_IN_WORDS[seat["colour"]]), cards, _hand(seat, translate))
    return table


def _hand(seat: dict[str, Any], translate: Translate) -> str:
    if seat["hand"] is not None:
        return _cards(seat["hand"], translate)
    if not seat["known"]:
        return ""
    doubtful = Counter(seat["doubtful"])
    certain = dict(Counter(seat["known"]) - doubtful)
    if not doubtful:
        return say("you know of {cards}", cards=_cards(certain, translate)).phrase(translate)
    words = {"cards": _cards(doubtful, translate), "unsure": seat["unsure"]}
    if not certain:
        return say("you know of {cards}, but {unsure} may be gone", **words).phrase(translate)
    text = "you know of {certain}; also of {cards}, but {unsure} of these may be gone"
    return say(text, certain=_cards(certain, translate), **words).phrase(translate)


def _cards(counts: dict[str, int], translate: Translate) -> str:
    return ", ".join(f"{count} {translate(TITLES[card])}" for card, count in counts.items()) or translate("nothing")


def _card_lines(view: dict[str, Any], translate: Translate) -> list[Padding]:
    discard = _cards(view["discard"], translate)
    told = [say("Deck: {count} {count:card|cards}; discarded: {discard}", count=view["deck"]["cards"], discard=discard)]
    if view["deck"]["top"]:
        top = ", ".join(translate(TITLES[card]) for card in view["deck"]["top"])
        told.append(say("On top, as you put them: {cards}", cards=top))
    if view["pool"]["hand"]:
        told.append(say("Drawn: {cards}", cards=_cards(view["pool"]["hand"], translate)))
    elif view["pool"]["cards"]:
        told.append(say("Drawn and not yet placed: {count} {count:card|cards}", count=view["pool"]["cards"]))
    if view["opened"]:
        chests = ", ".join(str(n) for n in sorted(view["opened"]))
        told.append(say("Cards in the opened chests: {chests}", chests=chests))
    return [Padding(Text(line.render(translate)), (0, 0, 0, 1)) for line in told]


def _legend(view: dict[str, Any], translate: Translate) -> Text:
    legend = Text(" ")
    for symbol, letter in LETTERS.items():
        legend.append(letter, f"bold {SYMBOL_STYLES[symbol]}")
        legend.append(f" {translate(TITLES[symbol])}  ", "dim")
    if view["magic"]:
        legend.append(f"* {translate('chest token')}", "dim")
    return legend
