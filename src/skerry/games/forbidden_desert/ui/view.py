"""The view of a seat: everything that it may see, as plain data. Nothing of the state is copied unless listed here."""

from __future__ import annotations

from typing import Any

from skerry.engine.memo import memoize_recent
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.events import ENDINGS
from skerry.games.forbidden_desert.rules.knowledge import known_storm_positions, knows_tile, shows_water_mark
from skerry.games.forbidden_desert.rules.legal import waiting
from skerry.games.forbidden_desert.rules.reach import is_buried
from skerry.games.forbidden_desert.rules.state import PHASES, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn

SPECTATOR = -1  # as a seat, for the kernels


def view(state: State, seat: int | None) -> dict[str, Any]:
    """The public data, plus the tiles and storm cards that this seat has looked at. None is a spectator."""
    table = _table(state)
    if seat is None:
        return {"seat": None, **table}
    places = [_with_known_tile(state, seat, place, shown) for place, shown in enumerate(table["places"])]
    return {"seat": seat, **table, "places": places, "storm": {**table["storm"], "foreseen": _foreseen(state, seat)}}


@memoize_recent
def _table(state: State) -> dict[str, Any]:
    """The public data."""
    return {
        "places": [_place(state, place) for place in range(components.PLACES)],
        "seats": [_seat(state, player) for player in range(state.players)],
        "parts": {name: _part(state, part) for part, name in enumerate(components.PARTS)},
        "storm": _storm(state),
        "supply": int(state.supply),
        "gear_deck": int(state.gear_left),
        "turn": {
            "number": int(state.turns),
            "seat": int(state.turn),
            "phase": PHASES[state.phase],
            "left": int(state.left),
            "guided": int(state.guided) if state.guided >= 0 else None,
            "steps": int(state.steps),
        },
        "waiting": [player for player in range(state.players) if waiting(state) >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
    }


def _with_known_tile(state: State, seat: int, place: int, shown: dict[str, Any]) -> dict[str, Any]:
    """A place with its tile, if the seat has looked under it."""
    if seat not in shown["seen_by"] or shown["tile"] is not None or shown["storm"]:
        return shown
    tile = int(state.tile_at[place])
    return {**shown, "tile": components.TILE_NAMES[tile], "title": components.TILE_TITLES[tile]}


def _place(state: State, place: int) -> dict[str, Any]:
    storm = place == state.storm
    known = not storm and knows_tile(state, SPECTATOR, place)
    tile = int(state.tile_at[place])
    return {
        "place": components.PLACE_NAMES[place],
        "row": place // components.SIDE,
        "column": place % components.SIDE,
        "storm": storm,
        "excavated": bool(state.excavated >> place & 1),
        "tile": components.TILE_NAMES[tile] if known else None,
        "title": components.TILE_TITLES[tile] if known else None,
        "water_mark": not storm and bool(shows_water_mark(state, place)),
        "seen_by": [seat for seat in range(state.players) if state.known_by[place] >> seat & 1],
        "sand": int(state.sand[place]),
        "blocked": bool(state.blocked >> place & 1),
        "parts": [name for part, name in enumerate(components.PARTS) if state.part_at[part] == place],
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    role = components.ROLES[state.role[seat]]
    return {
        "seat": seat,
        "role": role.name,
        "colour": role.colour,
        "place": components.PLACE_NAMES[state.pawn[seat]],
        "water": int(state.water[seat]),
        "canteen": role.canteen,
        "gear": {
            name: int(state.gear[seat, card]) for card, name in enumerate(components.GEARS) if state.gear[seat, card]
        },
        "shielded": bool(state.shielded >> seat & 1),
        "buried": bool(is_buried(state, seat)),
    }


def _part(state: State, part: int) -> dict[str, Any]:
    """A part: who holds it, the place where it lies, or the row or column that its only clue points to."""
    row, column = (_excavated_place(state, components.CLUE + 2 * part + line) for line in range(2))
    place = state.part_at[part]
    return {
        "holder": int(state.holder[part]) if state.holder[part] >= 0 else None,
        "place": components.PLACE_NAMES[place] if place >= 0 else None,
        "row": None if row is None else components.PLACE_NAMES[row][1],
        "column": None if column is None else components.PLACE_NAMES[column][0],
    }


def _excavated_place(state: State, tile: int) -> int | None:
    """The place of a tile if it is excavated, else None."""
    places = (p for p in range(components.PLACES) if state.tile_at[p] == tile and state.excavated >> p & 1)
    return next(places, None)


def _storm(state: State) -> dict[str, Any]:
    return {
        "place": components.PLACE_NAMES[state.storm],
        "tick": int(state.meter) + 1,
        "meter": list(components.STORM_TRACKS[state.players]),
        "cards": int(storm_cards_per_turn(state)),
        "held_off": int(state.saved),
        "deck": int(state.storm_left),
        "discard": {
            name: int(count) for name, count in zip(components.STORM_NAMES, state.storm_discard, strict=True) if count
        },
        "apart": [components.STORM_NAMES[card] for card in list(state.apart)[: state.shown]],
        "foreseen": _foreseen(state, SPECTATOR),
    }


def _foreseen(state: State, reader: int) -> list[dict[str, Any]]:
    """The storm cards that a reader has seen, from the top; number 1 is the top card."""
    seen = known_storm_positions(state, reader)
    return [
        {"number": int(state.storm_left) - position, "card": components.STORM_NAMES[state.storm_deck[position]]}
        for position in range(state.storm_left - 1, -1, -1)
        if seen >> position & 1
    ]
