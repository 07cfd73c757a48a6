"""The board in a terminal. Letters and signs say everything that colours say, as a terminal may have none."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.games.forbidden_island.rules.components import (
    CARD_TITLES,
    CARDS,
    TILE_NAMES,
    TILE_TITLES,
    TREASURE_TITLES,
    TREASURES,
)

SIGNS = dict(zip(TREASURES, "tsfo", strict=True))  # sTone, Statue, Fire, Ocean
CARD_NAMES = dict(zip(CARDS, CARD_TITLES, strict=True))
TILES = dict(zip(TILE_NAMES, TILE_TITLES, strict=True))
PAWN_STYLES = {
    "blue": "bold #ffffff on #1f4fd0",
    "red": "bold #ffffff on #b8322a",
    "green": "bold #ffffff on #2f7d3a",
    "yellow": "bold #000000 on #e8bf2c",
    "black": "bold #ffffff on #1c1c1c",
    "white": "bold #000000 on #f4f4f4",
}
TILE_STYLES = {  # two tones each in a checkerboard, so that tiles need no lines between them
    "dry": ("#22201c on #e6d8b8", "#22201c on #d8c69c"),
    "flooded": ("#ffffff on #2f6f9f", "#ffffff on #255a83"),
    "sunk": ("#5f6f78", "#5f6f78"),
}
WIDE = 12  # cells of this width hold every tile name on two lines, plus the edge
NARROW = 6
EDGE = "▏"


def board(view: dict[str, Any], width: int) -> Group:
    """The board, the seats and the decks of a view, for a terminal of this width."""
    return Group(_island(view, width), _seats(view), Text(), *_decks(view))


def _island(view: dict[str, Any], width: int) -> Text:
    columns, rows = view["layout"]["width"], view["layout"]["height"]
    cell = max(NARROW, min(15, (width - 3) // columns))
    places = {(place["row"], place["column"]): place for place in view["places"]}
    picture = Text("   ", no_wrap=True)
    for column in range(columns):
        picture.append(chr(ord("A") + column).center(cell), "bold")
    picture.append("\n")
    lines = 3 if cell >= WIDE else 4
    for row in range(rows):
        for line in range(lines):
            picture.append(f"{row + 1:>2} " if line == 1 else "   ", "bold")
            for column in range(columns):
                place = places.get((row, column))
                picture.append_text(_cell(view, place, line, lines, cell) if place else Text(" " * cell))
            picture.append("\n")
    return picture


def _cell(view: dict[str, Any], place: dict[str, Any], line: int, lines: int, cell: int) -> Text:
    if place["condition"] == "sunk":
        return Text(("~   " * cell)[line % 2 * 2 :][:cell], _tile_style(place))
    if line == lines - 1:
        return _bottom_line(view, place, cell)
    words = textwrap.wrap(place["title"], cell - 1, break_long_words=False)
    text = words[line][: cell - 1] if line < len(words) else ""
    return Text(EDGE + text.center(cell - 1), _tile_style(place))


def _tile_style(place: dict[str, Any]) -> str:
    return TILE_STYLES[place["condition"]][(place["row"] + place["column"]) % 2]


def _bottom_line(view: dict[str, Any], place: dict[str, Any], cell: int) -> Text:
    """The last line of a tile: the sign of its treasure, waves where it is flooded, and its pawns."""
    style = _tile_style(place)
    uncaptured = place["treasure"] and view["treasures"][place["treasure"]] is None
    text = Text(f"{EDGE}*{SIGNS[place['treasure']]} " if uncaptured else EDGE, style)
    if place["start"] == "pilot":
        text.append("H ", style)
    if place["condition"] == "flooded":
        text.append("≈≈ ", style)
    for seat in view["seats"]:
        if seat["place"] == place["place"]:
            text.append(_letter(seat), PAWN_STYLES[seat["colour"]])
    text.truncate(cell)
    text.append(" " * (cell - text.cell_len), style)
    return text


def _letter(seat: dict[str, Any]) -> str:
    """Pilot P, Engineer E, eXplorer X, Navigator N, Diver D, Messenger M."""
    return {"explorer": "X"}.get(seat["role"], seat["role"][0].upper())


def _seats(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        mark = f"»{seat['seat']}" if seat["seat"] in view["waiting"] else f" {seat['seat']}"
        letter = Text(f" {_letter(seat)} ", PAWN_STYLES[seat["colour"]])
        cards = _counted(seat["hand"]) or "no cards"
        note = " in the water!" if seat["in_water"] else " must discard!" if seat["must_discard"] else ""
        table.add_row(mark, letter, f"{seat['role'].title()} on {seat['place']}{note}", cards)
    return table


def _decks(view: dict[str, Any]) -> list[Text]:
    water, flood, treasure = view["water"], view["flood_deck"], view["treasure_deck"]
    meter = Text("Water  ")
    for tick, cards in enumerate([*water["meter"], "☠"], 1):
        current = tick == water["tick"]
        meter.append(f"[{cards}]" if current else f" {cards} ", "bold #ffffff on #2f6f9f" if current else "dim")
    taken = [
        title if view["treasures"][name] is None else f"{title} ✓"
        for name, title in zip(TREASURES, TREASURE_TITLES, strict=True)
    ]
    signs = ", ".join(f"*{SIGNS[name]} {title}" for name, title in zip(TREASURES, taken, strict=True))
    legend = f"{signs}; H Fools' Landing; ≈≈ flooded; ~ sunk; » whose turn"
    lines = [meter, Text(f"Treasures  {legend}")]
    discard = ", ".join(TILES[tile] for tile in flood["discard"]) or "none"
    lines.append(Text(f"Flood deck  {flood['cards']} cards; discarded: {discard}"))
    for number, pile in enumerate(flood["piles"][:-1]):
        where = "below these" if number else "on top, in an order nobody knows"
        lines.append(Text(f"  {where}: {', '.join(TILES[tile] for tile in pile)}"))
    thrown = _counted(treasure["discard"]) or "none"
    lines.append(Text(f"Treasure deck  {treasure['cards']} cards; discarded: {thrown}"))
    return lines


def _counted(cards: dict[str, int]) -> str:
    return ", ".join(f"{count} × {CARD_NAMES[card]}" for card, count in cards.items())
