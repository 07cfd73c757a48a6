"""The board in a terminal. Letters and signs say everything that colours say, as a terminal may have none."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.engine.messages import Message, Translate, say
from skerry.engine.terminal_layout import side_by_side
from skerry.games.forbidden_desert.rules.components import (
    DIRECTIONS,
    GEAR_TITLES,
    GEARS,
    PART_TITLES,
    PARTS,
    ROLE_OF_NAME,
    SIDE,
    STORM_NAMES,
)

LETTERS = dict(zip(PARTS, "PESN", strict=True))  # Propeller, Engine, Solar crystal, Navigation deck
GEAR_NAMES = dict(zip(GEARS, GEAR_TITLES, strict=True))
ARROWS = dict(zip(DIRECTIONS, "↑→↓←", strict=True))
CARD_NAMES = {name: f"{ARROWS[name[:-2]]}{name[-1]}" for name in STORM_NAMES[:-2]} | {
    "sun": "sun",
    "picks-up": "picks up",
}
TEXTS = (
    *("sun", "picks up", "storm", "row", "column", "no gear", "nothing"),
    *("Storm", "This turn", "Storm deck", "You know", "Sand left", "Parts"),
    *("crash", "crash, gear", "tunnel", "gear", "well", "mirage", "launch pad"),
)
PAWN_STYLES = {
    "blue": "bold #ffffff on #1f4fd0",
    "red": "bold #ffffff on #b8322a",
    "green": "bold #ffffff on #2f7d3a",
    "yellow": "bold #000000 on #e8bf2c",
    "black": "bold #ffffff on #1c1c1c",
    "white": "bold #000000 on #f4f4f4",
}
# Two tones each in a checkerboard, so that tiles need no lines between them.
DUNE = ("#22201c on #f3e6bf", "#22201c on #e9d8a6")
CITY = ("#22201c on #d0a869", "#22201c on #c39a5a")
BLOCKED = ("#ffffff on #80592e", "#ffffff on #6e4b25")
STORM = "#ffffff on #4a4a52"
LINES_PER_TILE = 4
LOW_LINES_PER_TILE = 2
LOW_CELL = 8  # columns of a tile on a low terminal


def board(view: dict[str, Any], width: int, translate: Translate = str, low: bool = False) -> Group | Table:
    """The board, the seats and the decks of a view, for a terminal of this width.

    On a ``low`` terminal tiles have two lines, and what a player needs most stands beside them.
    """
    if low:
        return side_by_side(_desert(view, LOW_CELL, translate, LOW_LINES_PER_TILE), _beside(view, translate))
    cell = max(9, min(15, (width - 3) // SIDE - 1))
    return Group(
        _desert(view, cell, translate, LINES_PER_TILE), _seats(view, translate), Text(), _decks(view, translate)
    )


def _desert(view: dict[str, Any], cell: int, translate: Translate, lines: int) -> Text:
    picture = Text("   ")
    for column in range(SIDE):
        picture.append(chr(ord("A") + column).center(cell + 1), "bold")
    picture.append("\n")
    for row in range(SIDE):
        for line in range(lines):
            picture.append(f"{row + 1:>2} " if line == lines // 4 else "   ", "bold")
            for place in view["places"][row * SIDE : (row + 1) * SIDE]:
                picture.append_text(_cell(view, place, line, lines, cell, translate))
                picture.append(" ")
            picture.append("\n")
    return picture


def _cell(view: dict[str, Any], place: dict[str, Any], line: int, lines: int, cell: int, translate: Translate) -> Text:
    last = line == lines - 1
    if place["storm"]:
        words = _part_signs(place) if last else _spaced(translate("storm"), cell) if line == lines // 4 else ""
        return Text(words.center(cell, "~" if not words else " "), STORM)
    styles = BLOCKED if place["blocked"] else CITY if place["excavated"] else DUNE
    style = styles[(place["row"] + place["column"]) % 2]
    if last:
        return _bottom_line(view, place, cell, style, with_sand=lines == LOW_LINES_PER_TILE)
    if lines == LOW_LINES_PER_TILE:
        text = _clue_and_parts(place, translate, short=True) or _heading(place, cell, translate)
    else:
        text = (_heading(place, cell, translate), _clue_and_parts(place, translate), _sand(place))[line]
    return Text(text[:cell].center(cell), style)


def _spaced(word: str, width: int) -> str:
    """A word with its letters apart if there is room for that."""
    spaced = " ".join(word)
    return spaced if len(spaced) <= width else word[:width]


def _part_signs(place: dict[str, Any]) -> str:
    return " ".join(f"*{LETTERS[part]}" for part in place["parts"])


def _heading(place: dict[str, Any], cell: int, translate: Translate) -> str:
    """The name of the tile, if the reader knows it; in brackets while it is not excavated."""
    name = place["tile"]
    if name is None:
        return f"≈ {translate('well')}?" if place["water_mark"] else ""
    for part, title in zip(PARTS, PART_TITLES, strict=True):
        if name.startswith(f"{part}-"):
            name = title
    name = name.replace("-", " ")
    if name == "crash":
        return translate("crash, gear") if place["excavated"] else translate("crash")
    title = translate(name)
    return title if place["excavated"] else f"({title[: cell - 2]})"


def _clue_and_parts(place: dict[str, Any], translate: Translate, short: bool = False) -> str:
    """The parts on a tile and the direction of its clue."""
    tile = place["tile"] or ""
    clue = ""
    if tile.endswith("-row"):
        clue = "◄ ►" if place["parts"] or short else f"◄ {translate('row')} ►"
    elif tile.endswith("-column"):
        clue = "▲▼" if place["parts"] or short else f"▲ {translate('column')} ▼"
    if clue and short:
        clue = f"{LETTERS[tile.rpartition('-')[0]]} {clue}"
    return " ".join(word for word in (_part_signs(place), clue) if word)


def _sand(place: dict[str, Any]) -> str:
    if place["sand"] > 3:
        return f"▒ x {place['sand']}"
    return " ".join("▒" * place["sand"])


def _bottom_line(view: dict[str, Any], place: dict[str, Any], cell: int, style: str, with_sand: bool) -> Text:
    """The last line of a tile: its pawns, and its sand if that has no line of its own."""
    sand = f"▒{place['sand']} " if with_sand and place["sand"] else ""
    pawns = [seat for seat in view["seats"] if seat["place"] == place["place"]]
    gap = " " if len(sand) + 2 * len(pawns) < cell else ""
    text = Text(f" {sand}", style)
    for seat in pawns:
        text.append(ROLE_OF_NAME[seat["role"]].letter, PAWN_STYLES[seat["colour"]])
        text.append(gap, style)
    text.append(" " * (cell - text.cell_len), style)
    return text


def _beside(view: dict[str, Any], translate: Translate) -> list[Text]:
    """The seats, the storm, the sand and the parts, in few lines."""
    lines = []
    for seat in view["seats"]:
        letter = (f" {ROLE_OF_NAME[seat['role']].letter} ", PAWN_STYLES[seat["colour"]])
        mark = "»" if seat["seat"] in view["waiting"] else " "
        lines.append(Text.assemble(mark, letter, f" {_where(seat).phrase(translate)}"))
        lines.append(Text.assemble("     ", _water(seat), f" {_gear(seat, translate)}"))
    storm = view["storm"]
    ticks = len(storm["meter"]) + 1 - storm["tick"]
    cards = storm["meter"][storm["tick"] - 1 :][:1]
    lines.append(
        Text(say("Storm: {cards} {cards:card|cards}, ☠ in {ticks}", cards=sum(cards), ticks=ticks).phrase(translate))
    )
    left = say("Sand left: {left}; deck: {cards}", left=view["supply"], cards=storm["deck"])
    lines.append(Text(left.phrase(translate)))
    parts = [f"*{LETTERS[name]} {_part_status(view['parts'][name]).phrase(translate)}" for name in PARTS]
    lines += [Text(", ".join(parts[:2])), Text(", ".join(parts[2:]))]
    if storm["foreseen"]:
        lines.append(Text(_foreseen(storm, translate)))
    return lines


def _seats(view: dict[str, Any], translate: Translate) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        mark = "»" if seat["seat"] in view["waiting"] else " "
        letter = Text(f" {ROLE_OF_NAME[seat['role']].letter} ", PAWN_STYLES[seat["colour"]])
        gear = _gear(seat, translate) or translate("no gear")
        table.add_row(mark, letter, _where(seat).phrase(translate), _water(seat), gear)
    return table


def _where(seat: dict[str, Any]) -> Message:
    pawn, place = say(ROLE_OF_NAME[seat["role"]].title), seat["place"]
    if seat["buried"]:
        return say("{pawn} on {place}, buried", pawn=pawn, place=place)
    if seat["shielded"]:
        return say("{pawn} on {place}, shielded", pawn=pawn, place=place)
    return say("{pawn} on {place}", pawn=pawn, place=place)


def _water(seat: dict[str, Any]) -> Text:
    water = Text("●" * seat["water"], "dodger_blue1")
    water.append("○" * (seat["canteen"] - seat["water"]), "dim")
    return water


def _gear(seat: dict[str, Any], translate: Translate) -> str:
    titles = {name: translate(GEAR_NAMES[name]) for name in seat["gear"]}
    return ", ".join(
        titles[name] if count == 1 else f"{count} × {titles[name]}" for name, count in seat["gear"].items()
    )


def _decks(view: dict[str, Any], translate: Translate) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    storm = view["storm"]
    table.add_row(translate("Storm"), _meter(storm, translate))
    if storm["apart"]:
        table.add_row(translate("This turn"), ", ".join(_card(card, translate) for card in storm["apart"]))
    deck = say(
        "{count} {count:card|cards}; discarded: {discard}", count=storm["deck"], discard=_discard(storm, translate)
    )
    table.add_row(translate("Storm deck"), deck.phrase(translate))
    if storm["foreseen"]:
        table.add_row(translate("You know"), _foreseen(storm, translate))
    left = say(
        "{left} {left:marker|markers}; gear deck: {cards} {cards:card|cards}",
        left=view["supply"],
        cards=view["gear_deck"],
    )
    table.add_row(translate("Sand left"), left.phrase(translate))
    parts = (
        f"*{LETTERS[name]} {translate(title)}: {_part_status(view['parts'][name]).phrase(translate)}"
        for name, title in zip(PARTS, PART_TITLES, strict=True)
    )
    table.add_row(translate("Parts"), ", ".join(parts))
    return table


def _card(card: str, translate: Translate) -> str:
    return translate(CARD_NAMES[card])


def _foreseen(storm: dict[str, Any], translate: Translate) -> str:
    seen = ", ".join(f"{card['number']}: {_card(card['card'], translate)}" for card in storm["foreseen"])
    return say("{cards} (1 is the top card)", cards=seen).phrase(translate)


def _meter(storm: dict[str, Any], translate: Translate) -> Text:
    meter = Text()
    for tick, cards in enumerate([*storm["meter"], "☠"], 1):
        current = tick == storm["tick"]
        meter.append(f"[{cards}]" if current else f" {cards}", "bold white on red3" if current else "dim")
    if storm["held_off"]:
        meter.append(f"  {say('{count} held off', count=storm['held_off']).phrase(translate)}")
    return meter


def _discard(storm: dict[str, Any], translate: Translate) -> str:
    piles = ((_card(card, translate), count) for card, count in storm["discard"].items())
    return ", ".join(f"{card} × {count}" if count > 1 else card for card, count in piles) or translate("nothing")


def _part_status(part: dict[str, Any]) -> Message:
    if part["holder"] is not None:
        return say("picked up ✓")
    if part["place"]:
        return say("at {place}", place=part["place"])
    if part["row"]:
        return say("in row {row}", row=part["row"])
    return say("in column {column}", column=part["column"]) if part["column"] else say("unknown")
