"""The board in a terminal. Letters and signs say everything that colours say, as a terminal may have none."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.games.forbidden_desert.rules.components import (
    DIRECTIONS,
    GEAR_TITLES,
    GEARS,
    PART_TITLES,
    PARTS,
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


def board(view: dict[str, Any], width: int) -> Group:
    """The board, the seats and the decks of a view, for a terminal of this width."""
    return Group(_desert(view, width), _seats(view), Text(), _decks(view))


def _desert(view: dict[str, Any], width: int) -> Text:
    cell = max(9, min(15, (width - 3) // SIDE - 1))
    picture = Text("   ")
    for column in range(SIDE):
        picture.append(chr(ord("A") + column).center(cell + 1), "bold")
    picture.append("\n")
    for row in range(SIDE):
        for line in range(LINES_PER_TILE):
            picture.append(f"{row + 1:>2} " if line == 1 else "   ", "bold")
            for place in view["places"][row * SIDE : (row + 1) * SIDE]:
                picture.append_text(_cell(view, place, line, cell))
                picture.append(" ")
            picture.append("\n")
    return picture


def _cell(view: dict[str, Any], place: dict[str, Any], line: int, cell: int) -> Text:
    if place["storm"]:
        words = ["", "s t o r m", _part_signs(place), ""][line]
        return Text(words[:cell].center(cell, "~" if not words else " "), STORM)
    styles = BLOCKED if place["blocked"] else CITY if place["excavated"] else DUNE
    style = styles[(place["row"] + place["column"]) % 2]
    if line == LINES_PER_TILE - 1:
        return _bottom_line(view, place, cell, style)
    text = (_heading(place, cell), _clue_and_parts(place), _sand(place))[line]
    return Text(text[:cell].center(cell), style)


def _part_signs(place: dict[str, Any]) -> str:
    return " ".join(f"*{LETTERS[part]}" for part in place["parts"])


def _heading(place: dict[str, Any], cell: int) -> str:
    """The name of the tile, if the reader knows it; in brackets while it is not excavated."""
    name = place["tile"]
    if name is None:
        return "≈ water?" if place["water_mark"] else ""
    for part, title in zip(PARTS, PART_TITLES, strict=True):
        if name.startswith(f"{part}-"):
            name = title
    name = name.replace("-", " ")
    if name == "crash":
        return "crash, gear" if place["excavated"] else "crash"
    return name if place["excavated"] else f"({name[: cell - 2]})"


def _clue_and_parts(place: dict[str, Any]) -> str:
    """The parts on a tile and the direction of its clue."""
    tile = place["tile"] or ""
    sign = "◄ ►" if place["parts"] else "◄ row ►"
    if tile.endswith("-column"):
        sign = "▲▼" if place["parts"] else "▲ column ▼"
    clue = sign if tile.endswith(("-row", "-column")) else ""
    return " ".join(word for word in (_part_signs(place), clue) if word)


def _sand(place: dict[str, Any]) -> str:
    if place["sand"] > 3:
        return f"▒ x {place['sand']}"
    return " ".join("▒" * place["sand"])


def _bottom_line(view: dict[str, Any], place: dict[str, Any], cell: int, style: str) -> Text:
    """The last line of a tile: its pawns."""
    pawns = [seat for seat in view["seats"] if seat["place"] == place["place"]]
    gap = " " if 2 * len(pawns) < cell else ""
    text = Text(" ", style)
    for seat in pawns:
        text.append(_letter(seat), PAWN_STYLES[seat["colour"]])
        text.append(gap, style)
    text.append(" " * (cell - text.cell_len), style)
    return text


def _letter(seat: dict[str, Any]) -> str:
    """Archeologist A, Climber C, eXplorer X, Meteorologist M, Navigator N, Water Carrier W."""
    return {"explorer": "X"}.get(seat["role"], seat["role"][0].upper())


def _seats(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for seat in view["seats"]:
        mark = "»" if seat["seat"] in view["waiting"] else " "
        letter = Text(f" {_letter(seat)} ", PAWN_STYLES[seat["colour"]])
        water = Text("●" * seat["water"], "dodger_blue1")
        water.append("○" * (seat["canteen"] - seat["water"]), "dim")
        gear = ", ".join(
            GEAR_NAMES[name] if count == 1 else f"{count} {GEAR_NAMES[name]}s" for name, count in seat["gear"].items()
        )
        notes = [note for note in ("buried", "shielded") if seat[note]]
        name = f"{seat['role'].replace('-', ' ').title()} on {seat['place']}" + "".join(f", {note}" for note in notes)
        table.add_row(mark, letter, name, water, gear or "no gear")
    return table


def _decks(view: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    storm = view["storm"]
    table.add_row("Storm", _meter(storm))
    if storm["apart"]:
        table.add_row("This turn", ", ".join(CARD_NAMES[card] for card in storm["apart"]))
    table.add_row("Storm deck", f"{storm['deck']} cards; discarded: {_discard(storm)}")
    if storm["foreseen"]:
        seen = ", ".join(f"{card['number']}: {CARD_NAMES[card['card']]}" for card in storm["foreseen"])
        table.add_row("You know", f"{seen} (1 is the top card)")
    table.add_row("Sand left", f"{view['supply']} markers; gear deck: {view['gear_deck']} cards")
    parts = zip(PARTS, PART_TITLES, strict=True)
    table.add_row(
        "Parts", ", ".join(f"*{LETTERS[name]} {title}: {_part_status(view['parts'][name])}" for name, title in parts)
    )
    return table


def _meter(storm: dict[str, Any]) -> Text:
    meter = Text()
    for tick, cards in enumerate([*storm["meter"], "☠"], 1):
        current = tick == storm["tick"]
        meter.append(f"[{cards}]" if current else f" {cards} ", "bold white on red3" if current else "dim")
    if storm["held_off"]:
        meter.append(f"  {storm['held_off']} held off")
    return meter


def _discard(storm: dict[str, Any]) -> str:
    piles = storm["discard"].items()
    return ", ".join(CARD_NAMES[card] + (f" x {count}" if count > 1 else "") for card, count in piles) or "none"


def _part_status(part: dict[str, Any]) -> str:
    if part["holder"] is not None:
        return "picked up ✓"
    if part["place"]:
        return f"at {part['place']}"
    if part["row"]:
        return f"in row {part['row']}"
    return f"in column {part['column']}" if part["column"] else "unknown"
