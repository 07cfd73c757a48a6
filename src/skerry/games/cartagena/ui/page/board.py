"""The parts on the sheet: spaces, places, pirates, and previews of moves."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

from skerry.engine.scene import PartFamily
from skerry.games.cartagena.ui.page.curves import Point, throw_arc
from skerry.games.cartagena.ui.page.pirate_spots import ABREAST, FEET
from skerry.games.cartagena.ui.page.sheet import Sheet
from skerry.games.cartagena.ui.page.table import PARROT_PHASES, SYMBOL


def space_parts(view: dict[str, Any], sheet: Sheet) -> PartFamily:
    """The parts for the spaces of the path."""
    made, empty = PartFamily(), sheet.empty_spaces
    for space in view["path"]:
        place = space["place"]
        kind = place, space["symbol"], space["chest"]
        made[place] = empty[kind] if kind in empty else empty.setdefault(kind, _empty_space(space, sheet))
        if space["pirates"]:
            made[place] = made[place] | {"crew": count_colours(tuple(space["pirates"]))}
    return made


def _empty_space(space: dict[str, Any], sheet: Sheet) -> dict[str, Any]:
    """A space without pirates."""
    x, y = sheet.centres[space["place"]]
    return {"x": x, "y": y, "symbol": space["symbol"], "chest": space["chest"], "crew": ()}


@functools.lru_cache(maxsize=4096)
def count_colours(crew: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many pirates of each colour."""
    return tuple(Counter(crew).items())


def place_parts(view: dict[str, Any], sheet: Sheet) -> dict[str, Any]:
    """The parts for the start, the sloop and the hideout."""
    made = {"start": sheet.start | {"crew": count_colours(tuple(view["start"]))}}
    if sheet.sloop:
        made["sloop"] = sheet.sloop | {"crew": count_colours(tuple(view["sloop"])), "captain": view["turn"]["captain"]}
    if sheet.hideout:
        made["hideout"] = sheet.hideout | {"crew": count_colours(tuple(view["hideout"]))}
    return made


@functools.lru_cache(maxsize=8192)
def move_arc(start: Point, end: Point) -> tuple[str, float, float]:
    """The arc of a move as an SVG path, and its end point."""
    return throw_arc(start, end), *end


def drawing_move_previews(view: dict[str, Any], sheet: Sheet) -> PartFamily:
    """The previews of moves that draw cards, by starting place: moving back, and Morgan's move."""
    made, reach = PartFamily(sheet.no_previews), view["reach"]
    if not reach:
        return made
    for start, (target, cards) in reach["back"].items():
        made[start] = (("back", *_draw_preview(sheet, start, target, cards)),)
    for places in reach["morgan"].values():
        for start, (target, cards) in places.items():
            shown = ("morgan", *_draw_preview(sheet, start, target, cards))
            if shown not in made[start]:  # two colours on one space go to the same
                made[start] = (*made[start], shown)
    return made


def _draw_preview(sheet: Sheet, start: str, target: str, cards: int) -> tuple[Any, ...]:
    return *move_arc(sheet.centres[start], sheet.centres[target]), cards, *sheet.badges[start]


def card_previews(view: dict[str, Any], sheet: Sheet) -> dict[str, list[Any]]:
    """The previews of playing a card, for each symbol that the reader can play."""
    if not view["reach"]:
        return {}
    cards = view["reach"]["cards"]
    wild = view["turn"]["phase"] in PARROT_PHASES
    symbols = cards if wild else {SYMBOL[card] for card in view["seats"][view["seat"]]["hand"]}
    return {symbol: _landings(cards[symbol], sheet) for symbol in sorted(symbols)}


def _landings(moves: dict[str, str], sheet: Sheet) -> list[tuple[Any, ...]]:
    """The targets of moves: for each the starting places, the arcs from them, and the position."""
    starts = dict[str, list[str]]()
    for start, target in moves.items():
        starts.setdefault(target, []).append(start)
    centres = sheet.centres
    return [
        (tuple(some), tuple(move_arc(centres[start], centres[target])[0] for start in some), *centres[target])
        for target, some in starts.items()
    ]


def pirate_parts(view: dict[str, Any], sheet: Sheet) -> PartFamily:
    """The position of every pirate. A pirate has a name of its own, so that its moves can be animated."""
    made, standing = PartFamily(), dict[str, list[str]]()
    for number, seat in enumerate(view["seats"]):
        colour = seat["colour"]
        for pirate, place in enumerate(seat["where"]):
            name = f"{colour}-{pirate}"
            if place in sheet.spots:
                made[name] = sheet.spots[place][number][pirate]
            else:
                made[name] = None
                standing.setdefault(place, []).append(name)
    for place, names in standing.items():
        x, y = sheet.centres[place]
        for name, aside in zip(names, ABREAST[len(names)], strict=True):
            made[name] = x + aside, y + FEET, 1
    return made
