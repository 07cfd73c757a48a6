"""The board in a terminal. Letters and signs say everything that colours say, as a terminal may have none."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.engine.messages import Message, Msgid, Translate, say
from skerry.engine.terminal_layout import side_by_side
from skerry.games.forbidden_island.rules.components import (
    CARD_TITLES,
    CARDS,
    FOOLS_LANDING,
    ROLE_OF_NAME,
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
LOW_WIDTH = 51  # of the tiles on a low terminal


def board(view: dict[str, Any], width: int, translate: Translate = str, low: bool = False) -> Group | Table:
    """The board, the seats and the decks of a view, for a terminal of this width.

    On a ``low`` terminal tiles have two lines, and what a player needs most stands beside them.
    """
    if not low:
        return Group(_island(view, width, translate), _seats(view, translate), Text(), *_decks(view, translate))
    return side_by_side(_island(view, min(width, LOW_WIDTH), translate, lines=2), _beside(view, translate))


def _beside(view: dict[str, Any], translate: Translate) -> list[Text]:
    """The seats, the water level, the treasures and the decks, in few lines."""
    lines = []
    for seat in view["seats"]:
        role, where, mark = ROLE_OF_NAME[seat["role"]], _where(seat).phrase(translate), _mark(view, seat)
        lines.append(Text.assemble(mark, (f" {role.letter} ", PAWN_STYLES[seat["colour"]]), f" {where}"))
        hand = " ".join(f"{count}×{_short_card(card, translate)}" for card, count in seat["hand"].items())
        lines.append(Text(f"      {hand or translate('no cards')}"))
    lines.append(_meter(view, "≈≈"))
    for treasure, title in zip(TREASURES, TREASURE_TITLES, strict=True):
        done = " ✓" if view["treasures"][treasure] is not None else ""
        lines.append(Text(f" *{SIGNS[treasure]} {translate(title)}{done}"))
    for title, deck in (("Flood deck", view["flood_deck"]), ("Treasure deck", view["treasure_deck"])):
        lines.append(Text(f"{translate(title)}  {deck['cards']}"))
    return lines


def _short_card(card: str, translate: Translate) -> str:
    return f"*{SIGNS[card]}" if card in SIGNS else translate(CARD_NAMES[card])


def _island(view: dict[str, Any], width: int, translate: Translate, lines: int = 0) -> Text:
    columns, rows = view["layout"]["width"], view["layout"]["height"]
    cell = max(NARROW, min(15, (width - 3) // columns))
    places = {(place["row"], place["column"]): place for place in view["places"]}
    picture = Text("   ", no_wrap=True)
    for column in range(columns):
        picture.append(chr(ord("A") + column).center(cell), "bold")
    picture.append("\n")
    lines = lines or (3 if cell >= WIDE else 4)
    for row in range(rows):
        for line in range(lines):
            picture.append(f"{row + 1:>2} " if line == lines // 3 else "   ", "bold")
            for column in range(columns):
                place = places.get((row, column))
                drawn = _cell(view, place, line, lines, cell, translate) if place else Text(" " * cell)
                picture.append_text(drawn)
            picture.append("\n")
    return picture


def _cell(view: dict[str, Any], place: dict[str, Any], line: int, lines: int, cell: int, translate: Translate) -> Text:
    if place["condition"] == "sunk":
        return Text(("~   " * cell)[line % 2 * 2 :][:cell], _tile_style(place))
    if line == lines - 1:
        return _bottom_line(view, place, cell)
    words = _words(translate(place["title"]), cell - 1, lines - 1)
    text = words[line][: cell - 1] if line < len(words) else ""
    return Text(EDGE + text.center(cell - 1), _tile_style(place))


def _words(title: str, width: int, lines: int) -> list[str]:
    """A tile's name in lines of this width; shortened if there is one line only: ``Tem.Moon``."""
    if lines > 1 or len(title) <= width:
        return textwrap.wrap(title, width, break_long_words=False)
    first, *rest = title.split()
    return [f"{first[:3]}.{rest[-1]}" if rest else first]


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
            text.append(ROLE_OF_NAME[seat["role"]].letter, PAWN_STYLES[seat["colour"]])
    text.truncate(cell)
    text.append(" " * (cell - text.cell_len), style)
    return text


def _seats(view: dict[str, Any], translate: Translate) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        role = ROLE_OF_NAME[seat["role"]]
        letter = Text(f" {role.letter} ", PAWN_STYLES[seat["colour"]])
        cards = _counted(seat["hand"], translate) or translate("no cards")
        table.add_row(_mark(view, seat), letter, _where(seat).phrase(translate), cards)
    return table


def _mark(view: dict[str, Any], seat: dict[str, Any]) -> str:
    return f"»{seat['seat']}" if seat["seat"] in view["waiting"] else f" {seat['seat']}"


def _where(seat: dict[str, Any]) -> Message:
    pawn = say(ROLE_OF_NAME[seat["role"]].title)
    if seat["in_water"]:
        return say("{pawn} in the water!", pawn=pawn)
    if seat["must_discard"]:
        return say("{pawn} on {place}, must discard!", pawn=pawn, place=seat["place"])
    return say("{pawn} on {place}", pawn=pawn, place=seat["place"])


def _meter(view: dict[str, Any], title: str) -> Text:
    meter = Text(f"{title} ")
    for tick, cards in enumerate([*view["water"]["meter"], "☠"], 1):
        current = tick == view["water"]["tick"]
        meter.append(f"[{cards}]" if current else f" {cards}", "bold #ffffff on #2f6f9f" if current else "dim")
    return meter


def _decks(view: dict[str, Any], translate: Translate) -> list[Text]:
    flood, treasure = view["flood_deck"], view["treasure_deck"]
    lines = [_meter(view, translate("Water level")), Text(f"{translate('Treasures')}  {_treasures(view, translate)}")]
    discard = ", ".join(translate(TILES[tile]) for tile in flood["discard"])
    lines.append(_deck("Flood deck", flood["cards"], discard, translate))
    for number, pile in enumerate(flood["piles"][:-1]):
        where = say("below these") if number else say("on top, in an order nobody knows")
        tiles = ", ".join(translate(TILES[tile]) for tile in pile)
        lines.append(Text(f"  {where.phrase(translate)}: {tiles}"))
    lines.append(_deck("Treasure deck", treasure["cards"], _counted(treasure["discard"], translate), translate))
    return lines


def _treasures(view: dict[str, Any], translate: Translate) -> str:
    """The signs of the treasures and what else is drawn on tiles."""
    taken = {
        name: translate(title) + (" ✓" if view["treasures"][name] is not None else "")
        for name, title in zip(TREASURES, TREASURE_TITLES, strict=True)
    }
    signs = ", ".join(f"*{SIGNS[name]} {title}" for name, title in taken.items())
    legend = say("H {landing}; ≈≈ flooded; ~ sunk; » whose turn", landing=say(TILE_TITLES[FOOLS_LANDING])).phrase(
        translate
    )
    return f"{signs}; {legend}"


def _deck(title: Msgid, cards: int, discard: str, translate: Translate) -> Text:
    counted = say("{count} {count:card|cards}; discarded: {discard}", count=cards, discard=discard or say("nothing"))
    return Text(f"{translate(title)}  {counted.phrase(translate)}")


def _counted(cards: dict[str, int], translate: Translate) -> str:
    return ", ".join(f"{count} × {translate(CARD_NAMES[card])}" for card, count in cards.items())
