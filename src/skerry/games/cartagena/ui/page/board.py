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
    reach = view["reach"]
    if not reach:
        return sheet.no_previews
    made = PartFamily(sheet.no_previews)
    for start, (target, cards) in reach["back"].items():
        made[start] = ((0, start, "back", *_draw_preview(sheet, start, target, cards)),)
    for places in reach["morgan"].values():
        for start, (target, cards) in places.items():
            shown = start, "morgan", *_draw_preview(sheet, start, target, cards)
            if all(other[1:] != shown for other in made[start]):  # two colours on one space go to the same
                made[start] = (*made[start], (len(made[start]), *shown))
    return made


def _draw_preview(sheet: Sheet, start: str, target: str, cards: int) -> tuple[Any, ...]:
    return *move_arc(sheet.centres[start], sheet.centres[target]), cards, *sheet.badges[start], target


def card_previews(view: dict[str, Any], sheet: Sheet) -> dict[str, Any]:
    """The previews of playing a card: by symbol, where pirates would land; and how each pirate would get there. They
    are rows of arguments for the macros that draw them."""
    if not view["reach"]:
        return {"landings": {}, "trips": []}
    cards = view["reach"]["cards"]
    wild = view["turn"]["phase"] in PARROT_PHASES
    symbols = cards if wild else {SYMBOL[card] for card in view["seats"][view["seat"]]["hand"]}
    trips = {symbol: _trips(symbol, cards[symbol], sheet) for symbol in sorted(symbols)}
    return {
        "landings": {symbol: _landings(symbol, rows) for symbol, rows in trips.items()},
        "trips": [trip for rows in trips.values() for trip in rows],
    }


def _trips(symbol: str, moves: dict[str, str], sheet: Sheet) -> list[tuple[Any, ...]]:
    """For each move the symbol, the start, the arc, the position where it ends, and the target."""
    centres = sheet.centres
    return [(symbol, start, *move_arc(centres[start], centres[target]), target) for start, target in moves.items()]


def _landings(symbol: str, trips: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The targets of moves: for each the symbol, the starting places, the arcs, the position, and the target."""
    by_target = dict[str, list[tuple[Any, ...]]]()
    for trip in trips:
        by_target.setdefault(trip[-1], []).append(trip)
    return [
        (symbol, tuple(trip[1] for trip in some), tuple(trip[2] for trip in some), *some[0][3:])
        for some in by_target.values()
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
