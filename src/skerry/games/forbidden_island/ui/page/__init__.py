"""The island on a page: which parts there are, and what each has to know to be drawn by ``parts.html``."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.scene import Each, Scene
from skerry.games.forbidden_island.rules import components

STEP = (106, 110)  # from a tile to the next; a tile is 100 wide and 104 high
MARGIN = 22  # of the chart, where its letters and numbers stand
FEET = 63  # how far below a tile's upper edge pawns stand
SHOULDERS = (0, 46, 30, 23)  # from a pawn to the next, by how many stand together less one

LETTERS = dict(zip(components.ROLES, "PEXNDM", strict=True))
ROLE_TITLES = dict(zip(components.ROLES, components.ROLE_TITLES, strict=True))
TILES = {name: (name, title) for name, title in zip(components.TILE_NAMES, components.TILE_TITLES, strict=True)}
TILES_OF = {name: components.TILE_NAMES[2 * i : 2 * i + 2] for i, name in enumerate(components.TREASURES)}
CHARTS = {chart.name: chart for chart in components.CHARTS}

View = dict[str, Any]


def common(view: View) -> Scene:
    captors = {name: None if seat is None else view["seats"][seat]["role"] for name, seat in view["treasures"].items()}
    sunk = {place["tile"] for place in view["places"] if place["condition"] == "sunk"}
    return {
        "sea": sea(view["layout"]["name"]),
        "tile": tiles(view, captors),
        "pawn": pawns(view),
        "helicopter": helicopter(view, captors),
        "meter": view["water"],
        "treasures": [(name, captors[name], sunk.issuperset(TILES_OF[name])) for name in components.TREASURES],
        "treasure_deck": view["treasure_deck"]["cards"],
        "treasure_discard": list(view["treasure_deck"]["discard"].items()),
        "flood_deck": view["flood_deck"]["cards"],
        "flood_known": known(view["flood_deck"]["piles"]),
        "flood_discard": [TILES[tile] for tile in view["flood_deck"]["discard"]],
        "role": Each({str(seat["seat"]): role(seat, view) for seat in view["seats"]}),
    }


def own(view: View) -> Scene:
    return {"hand": Each({str(seat["seat"]): hand(seat, view["seat"]) for seat in view["seats"]})}


@functools.cache
def sea(layout: str) -> View:
    """The chart that the island lies on; its compass is where no tile is, in a corner if one is free."""
    chart = CHARTS[layout]
    corners = ((0, 0), (0, chart.width - 1), (chart.height - 1, 0), (chart.height - 1, chart.width - 1))
    free = [spot for spot in ((2, 2), *corners) if spot not in chart.spots]
    return {
        "width": 2 * MARGIN + STEP[0] * chart.width - 6,
        "height": 2 * MARGIN + STEP[1] * chart.height - 6,
        "columns": [(x(column) + 50, chr(ord("A") + column)) for column in range(chart.width)],
        "rows": [(y(row) + 52, row + 1) for row in range(chart.height)],
        "compass": [(x(column) + 50, y(row) + 52) for row, column in free[-1:]],
    }


def x(column: int) -> int:
    return MARGIN + STEP[0] * column


def y(row: int) -> int:
    return MARGIN + STEP[1] * row


def tiles(view: View, captors: dict[str, str | None]) -> Each:
    pawns = together(view)
    gone = {tile for name, captor in captors.items() if captor for tile in TILES_OF[name]}
    return Each(
        {
            name: _tile(place["row"], place["column"], tile, place["condition"], tile in gone, pawns.get(name, ()))
            for place in view["places"]
            for name, tile in ((place["place"], place["tile"]),)
        }
    )


@functools.cache
def _tile(row: int, column: int, tile: str, condition: str, taken: bool, pawns: tuple[str, ...]) -> View:
    """Kept, as there are few: a scene is made for every reader at every step."""
    number = components.TILE_NAMES.index(tile)
    start = (
        components.ROLES[number - components.START_TILE]
        if number - components.START_TILE in range(components.N_ROLES)
        else None
    )
    return {
        "x": x(column),
        "y": y(row),
        "column": column + 1,
        "name": tile,
        "title": components.TILE_TITLES[number],
        "condition": condition,
        "treasure": next((name for name, pair in TILES_OF.items() if tile in pair), None),
        "taken": taken,
        "start": start,
        "letter": LETTERS.get(start or "", ""),
        "pawns": pawns,
    }


def together(view: View) -> dict[str, tuple[str, ...]]:
    """Who stands on a place, in seat order."""
    found: dict[str, tuple[str, ...]] = {}
    for seat in view["seats"]:
        found[seat["place"]] = (*found.get(seat["place"], ()), seat["role"])
    return found


def pawns(view: View) -> Each:
    """Who shares a tile stands shoulder to shoulder."""
    spots = {place["place"]: place for place in view["places"]}
    beside = together(view)
    return Each(
        {seat["role"]: _pawn(seat, spots[seat["place"]], beside[seat["place"]], view) for seat in view["seats"]}
    )


def _pawn(seat: View, place: View, beside: tuple[str, ...], view: View) -> View:
    shoulder = SHOULDERS[len(beside) - 1]
    aside = shoulder * (2 * beside.index(seat["role"]) - len(beside) + 1) // 2
    return {
        "x": x(place["column"]) + 50 + aside,
        "y": y(place["row"]) + FEET,
        "title": ROLE_TITLES[seat["role"]],
        "letter": LETTERS[seat["role"]],
        "place": place["title"],
        "turn": seat["seat"] == view["turn"]["seat"],
        "swims": seat["in_water"],
    }


def helicopter(view: View, captors: dict[str, str | None]) -> View:
    """It waits over Fools' Landing when everybody may leave, and is gone when they have left."""
    landing = next(place for place in view["places"] if place["start"] == "pilot")
    gathered = all(seat["place"] == landing["place"] for seat in view["seats"])
    ready = gathered and None not in captors.values()
    state = "gone" if view["ending"] == "escaped" else "here" if ready and not view["ending"] else "away"
    return {"x": x(landing["column"]) + 50, "y": max(y(landing["row"]) - 4, 31), "state": state}


def known(piles: list[list[str]]) -> list[list[tuple[str, str]]]:
    """The piles laid on top by Waters Rise! are known, though not their order; the last pile is all the rest."""
    return [[TILES[tile] for tile in pile] for pile in piles[:-1]]


def role(seat: View, view: View) -> View:
    turn = view["turn"]
    mine = turn["seat"] == seat["seat"] and view["ending"] is None
    return {
        "role": seat["role"],
        "letter": LETTERS[seat["role"]],
        "phase": turn["phase"] if mine else None,
        "left": turn["left"] if mine else 0,
        "flown": mine and seat["role"] == "pilot" and turn["flight_used"],
        "swims": seat["in_water"],
    }


def hand(seat: View, reader: int | None) -> View:
    """Only my own cards can be touched; what a touch means changes while I must discard."""
    return {"cards": list(seat["hand"].items()), "over": seat["must_discard"], "mine": seat["seat"] == reader}
