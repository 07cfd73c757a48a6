"""The view of a seat: everything that it may see, as plain data. Nothing of the state is copied unless listed here."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.memo import memoize_recent
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.events import ENDINGS
from skerry.games.forbidden_island.rules.legal import waiting
from skerry.games.forbidden_island.rules.state import PHASES, State


def view(state: State, seat: int | None) -> dict[str, Any]:
    """The view of a seat or a spectator (None). Only the order of the decks is hidden, so all see the same."""
    return {"seat": seat, **_table(state)}


@memoize_recent
def _table(state: State) -> dict[str, Any]:
    layout = components.LAYOUTS[state.layout]
    return {
        "layout": {"name": layout.name, "width": layout.width, "height": layout.height},
        "places": [_place(state, place) for place in range(components.TILES)],
        "seats": [_seat(state, player) for player in range(state.players)],
        "treasures": {name: _captor(state, i) for i, name in enumerate(components.TREASURES)},
        "water": {
            "tick": int(state.water) + 1,
            "skull": components.SKULL_TICK + 1,
            "meter": list(components.WATER_METER),
        },
        "turn": {
            "number": int(state.turns),
            "seat": int(state.turn),
            "phase": PHASES[state.phase],
            "left": int(state.left),
            "flight_used": bool(state.flown),
        },
        "treasure_deck": {"cards": int(state.treasure_left), "discard": _cards(state.treasure_discard)},
        "flood_deck": {
            "cards": int(state.flood_left),
            "discard": [components.TILE_NAMES[tile] for tile in list(state.flood_discard)[: state.flood_shown]],
            "piles": _piles(state),
        },
        "waiting": [player for player in range(state.players) if waiting(state) >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
    }


def _place(state: State, place: int) -> dict[str, Any]:
    condition = "sunk" if state.sunk >> place & 1 else "flooded" if state.flooded >> place & 1 else "dry"
    return _place_data(state.layout, place, state.tile_at[place], condition)


@functools.cache
def _place_data(layout: int, place: int, tile: int, condition: str) -> dict[str, Any]:
    """The data of one place. Cached: there are few of them, and every reader gets a view after every step."""
    shape = components.LAYOUTS[layout]
    row, column = shape.coordinates[place]
    return {
        "place": shape.place_names[place],
        "row": row,
        "column": column,
        "tile": components.TILE_NAMES[tile],
        "title": components.TILE_TITLES[tile],
        "condition": condition,
        "treasure": components.TREASURES[tile // 2] if tile // 2 < components.N_TREASURES else None,
        "start": next((role.name for role in components.ROLES if role.start_tile == tile), None),
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    role = components.ROLES[state.role[seat]]
    return {
        "seat": seat,
        "role": role.name,
        "colour": role.colour,
        "place": components.LAYOUTS[state.layout].place_names[state.pawn[seat]],
        "hand": _cards([state.hands[seat, card] for card in range(components.HAND_CARD_KINDS)]),
        "must_discard": bool(state.over >> seat & 1),
        "in_water": bool(state.swimming >> seat & 1),
    }


def _captor(state: State, treasure: int) -> int | None:
    return int(state.captor[treasure]) if state.captor[treasure] >= 0 else None


def _cards(counts: Any) -> dict[str, int]:
    return {components.CARDS[card]: int(count) for card, count in enumerate(counts) if count}


def _piles(state: State) -> list[list[str]]:
    """The piles of the flood deck from the top, with the cards of each in alphabetical order, as theirs is hidden."""
    piles: list[list[str]] = []
    pile: list[str] = []
    for position in range(state.flood_left - 1, -1, -1):
        pile.append(components.TILE_NAMES[state.flood_deck[position]])
        if position == 0 or state.layers >> position & 1:
            piles.append(sorted(pile))
            pile = []
    return piles
