"""The scene of the browser page: the parts that ``parts.html`` draws, with the data of each."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.scene import PartFamily, Scene
from skerry.games.forbidden_island.rules import components

PITCH = (106, 110)  # from a tile to the next, across and down; a tile is 100 wide and 104 high
MARGIN = 22  # around the tiles, for the letters of columns and the numbers of rows
PAWN_Y = 63  # from a tile's upper edge to the foot of a pawn
PAWN_GAPS = (0, 46, 30, 23)  # from a pawn to the next, for one to four pawns on a tile

TILES = {name: (name, title) for name, title in zip(components.TILE_NAMES, components.TILE_TITLES, strict=True)}
TILES_OF = {name: components.TILE_NAMES[2 * i : 2 * i + 2] for i, name in enumerate(components.TREASURES)}
LAYOUTS = {layout.name: layout for layout in components.LAYOUTS}

View = dict[str, Any]


def shared_parts(view: View) -> Scene:
    """The parts that look the same to every reader."""
    captors = {name: None if seat is None else view["seats"][seat]["role"] for name, seat in view["treasures"].items()}
    sunk = {place["tile"] for place in view["places"] if place["condition"] == "sunk"}
    return {
        "sea": sea(view["layout"]["name"]),
        "tile": tiles(view, captors),
        "pawn": pawns(view),
        "helicopter": helicopter(view, captors),
        "meter": view["water"],
        "treasures": [
            (name, _role_label(captor) if captor else None, sunk.issuperset(TILES_OF[name]))
            for name, captor in captors.items()
        ],
        "treasure_deck": view["treasure_deck"]["cards"],
        "treasure_discard": list(view["treasure_deck"]["discard"].items()),
        "flood_deck": view["flood_deck"]["cards"],
        "flood_known": known_piles(view["flood_deck"]["piles"]),
        "flood_discard": [TILES[tile] for tile in view["flood_deck"]["discard"]],
        "strip": strip(view),
        "role": PartFamily({str(seat["seat"]): role(seat, view) for seat in view["seats"]}),
    }


def personal_parts(view: View) -> Scene:
    """The parts that depend on the reader's seat."""
    return {"hand": PartFamily({str(seat["seat"]): hand(seat, view["seat"]) for seat in view["seats"]})}


@functools.cache
def sea(layout: str) -> View:
    """The background with its rulers. The compass is drawn where no tile is, in a corner if one is free."""
    shape = LAYOUTS[layout]
    corners = ((0, 0), (0, shape.width - 1), (shape.height - 1, 0), (shape.height - 1, shape.width - 1))
    free = [coordinate for coordinate in ((2, 2), *corners) if coordinate not in shape.coordinates]
    return {
        "width": 2 * MARGIN + PITCH[0] * shape.width - 6,
        "height": 2 * MARGIN + PITCH[1] * shape.height - 6,
        "columns": [(x(column) + 50, chr(ord("A") + column)) for column in range(shape.width)],
        "rows": [(y(row) + 52, row + 1) for row in range(shape.height)],
        "compass": [(x(column) + 50, y(row) + 52) for row, column in free[-1:]],
    }


def x(column: int) -> int:
    return MARGIN + PITCH[0] * column


def y(row: int) -> int:
    return MARGIN + PITCH[1] * row


def tiles(view: View, captors: dict[str, str | None]) -> PartFamily:
    pawns = roles_by_place(view)
    gone = {tile for name, captor in captors.items() if captor for tile in TILES_OF[name]}
    return PartFamily(
        {
            name: _tile(place["row"], place["column"], tile, place["condition"], tile in gone, pawns.get(name, ()))
            for place in view["places"]
            for name, tile in ((place["place"], place["tile"]),)
        }
    )


@functools.lru_cache(maxsize=4096)  # about 3 MiB
def _tile(row: int, column: int, tile: str, condition: str, taken: bool, pawns: tuple[str, ...]) -> View:
    """The data of one tile. Cached, because every reader gets a scene after every step."""
    number = components.TILE_NAMES.index(tile)
    start = next((role for role in components.ROLES if role.start_tile == number), None)
    return {
        "x": x(column),
        "y": y(row),
        "column": column + 1,
        "name": tile,
        "title": components.TILE_TITLES[number],
        "condition": condition,
        "treasure": next((name for name, pair in TILES_OF.items() if tile in pair), None),
        "taken": taken,
        "start": _role_label(start.name) if start else None,
        "pawns": [components.ROLE_OF_NAME[name].title for name in pawns],
    }


def _role_label(name: str) -> dict[str, str]:
    role = components.ROLE_OF_NAME[name]
    return {"role": role.name, "title": role.title, "letter": role.letter}


def roles_by_place(view: View) -> dict[str, tuple[str, ...]]:
    """The roles of the pawns on each place, in seat order."""
    found: dict[str, tuple[str, ...]] = {}
    for seat in view["seats"]:
        found[seat["place"]] = (*found.get(seat["place"], ()), seat["role"])
    return found


def pawns(view: View) -> PartFamily:
    """The pawns; those on the same tile are drawn side by side."""
    spots = {place["place"]: place for place in view["places"]}
    roles = roles_by_place(view)
    return PartFamily(
        {seat["role"]: _pawn(seat, spots[seat["place"]], roles[seat["place"]], view) for seat in view["seats"]}
    )


def _pawn(seat: View, place: View, roles: tuple[str, ...], view: View) -> View:
    gap = PAWN_GAPS[len(roles) - 1]
    offset = gap * (2 * roles.index(seat["role"]) - len(roles) + 1) // 2
    return {
        "x": x(place["column"]) + 50 + offset,
        "y": y(place["row"]) + PAWN_Y,
        **_role_label(seat["role"]),
        "place": place["title"],
        "on": place["place"],
        "turn": seat["seat"] == view["turn"]["seat"],
        "swims": seat["in_water"],
    }


def helicopter(view: View, captors: dict[str, str | None]) -> View:
    """The helicopter: over Fools' Landing once everybody is ready to leave, gone once the game is won."""
    landing = next(place for place in view["places"] if place["start"] == "pilot")
    gathered = all(seat["place"] == landing["place"] for seat in view["seats"])
    ready = gathered and None not in captors.values()
    state = "gone" if view["ending"] == "escaped" else "here" if ready and not view["ending"] else "away"
    return {"x": x(landing["column"]) + 50, "y": max(y(landing["row"]) - 4, 31), "state": state}


def strip(view: View) -> View:
    """What decides the game: the water level, and the cards in each hand."""
    limit = components.HAND_LIMIT
    hands = [(_role_label(seat["role"]), sum(seat["hand"].values())) for seat in view["seats"]]
    return {"water": view["water"], "limit": limit, "hands": hands}


def known_piles(piles: list[list[str]]) -> list[list[tuple[str, str]]]:
    """The piles that Waters Rise! put on the flood deck. The lowest pile, which is all the rest, is left out."""
    return [[TILES[tile] for tile in pile] for pile in piles[:-1]]


def role(seat: View, view: View) -> View:
    turn = view["turn"]
    its_turn = turn["seat"] == seat["seat"] and view["ending"] is None
    return {
        **_role_label(seat["role"]),
        "power": components.ROLE_OF_NAME[seat["role"]].power,
        "phase": turn["phase"] if its_turn else None,
        "left": turn["left"] if its_turn else 0,
        "flown": its_turn and seat["role"] == "pilot" and turn["flight_used"],
        "swims": seat["in_water"],
    }


def hand(seat: View, reader: int | None) -> View:
    """A hand. Only the reader's own cards can be touched; while the seat must discard, touching means discarding."""
    return {"cards": list(seat["hand"].items()), "over": seat["must_discard"], "mine": seat["seat"] == reader}
