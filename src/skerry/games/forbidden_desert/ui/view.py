"""What a seat may see, by allowing: the open things, and what this seat itself has looked at."""

from __future__ import annotations

from typing import Any

from skerry.engine.memo import shared
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.events import ENDINGS
from skerry.games.forbidden_desert.rules.knowledge import foresees, knows_tile, looks_wet
from skerry.games.forbidden_desert.rules.legal import waiting
from skerry.games.forbidden_desert.rules.reach import buried
from skerry.games.forbidden_desert.rules.state import PHASES, State
from skerry.games.forbidden_desert.rules.storm import storm_cards

NOBODY = -1  # a spectator, to the kernels


def view(state: State, seat: int | None) -> dict[str, Any]:
    table = _table(state)
    if seat is None:
        return {"seat": None, **table}
    places = [_looked_at(state, seat, place, shown) for place, shown in enumerate(table["places"])]
    return {"seat": seat, **table, "places": places, "storm": {**table["storm"], "foreseen": _foreseen(state, seat)}}


@shared
def _table(state: State) -> dict[str, Any]:
    """What all may see."""
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


def _looked_at(state: State, seat: int, place: int, shown: dict[str, Any]) -> dict[str, Any]:
    """A place as a seat sees it that may have looked under its tile."""
    if seat not in shown["seen_by"] or shown["tile"] is not None or shown["storm"]:
        return shown
    tile = int(state.tile_at[place])
    return {**shown, "tile": components.TILE_NAMES[tile], "title": components.TILE_TITLES[tile]}


def _place(state: State, place: int) -> dict[str, Any]:
    storm = place == state.storm
    known = not storm and knows_tile(state, NOBODY, place)
    tile = int(state.tile_at[place])
    return {
        "place": components.PLACE_NAMES[place],
        "row": place // components.SIDE,
        "column": place % components.SIDE,
        "storm": storm,
        "excavated": bool(state.excavated >> place & 1),
        "tile": components.TILE_NAMES[tile] if known else None,
        "title": components.TILE_TITLES[tile] if known else None,
        "water_mark": not storm and bool(looks_wet(state, place)),
        "seen_by": [seat for seat in range(state.players) if state.known_by[place] >> seat & 1],
        "sand": int(state.sand[place]),
        "blocked": bool(state.blocked >> place & 1),
        "parts": [name for part, name in enumerate(components.PARTS) if state.part_at[part] == place],
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    role = int(state.role[seat])
    return {
        "seat": seat,
        "role": components.ROLES[role],
        "colour": components.ROLE_COLOURS[role],
        "place": components.PLACE_NAMES[state.pawn[seat]],
        "water": int(state.water[seat]),
        "canteen": components.CANTEENS[role],
        "gear": {
            name: int(state.gear[seat, card]) for card, name in enumerate(components.GEARS) if state.gear[seat, card]
        },
        "shielded": bool(state.shielded >> seat & 1),
        "buried": bool(buried(state, seat)),
    }


def _part(state: State, part: int) -> dict[str, Any]:
    """Where it lies, or as long as one clue is missing where the other points now; or who holds it."""
    row, column = (_clue(state, components.CLUE + 2 * part + line) for line in range(2))
    lies = state.part_at[part]
    return {
        "holder": int(state.holder[part]) if state.holder[part] >= 0 else None,
        "place": components.PLACE_NAMES[lies] if lies >= 0 else None,
        "row": None if row is None else components.PLACE_NAMES[row][1],
        "column": None if column is None else components.PLACE_NAMES[column][0],
    }


def _clue(state: State, tile: int) -> int | None:
    """The place of an excavated tile."""
    places = (p for p in range(components.PLACES) if state.tile_at[p] == tile and state.excavated >> p & 1)
    return next(places, None)


def _storm(state: State) -> dict[str, Any]:
    return {
        "place": components.PLACE_NAMES[state.storm],
        "tick": int(state.meter) + 1,
        "meter": list(components.TRACKS[state.players]),
        "cards": int(storm_cards(state)),
        "held_off": int(state.saved),
        "deck": int(state.storm_left),
        "discard": {
            name: int(count) for name, count in zip(components.STORM_NAMES, state.storm_discard, strict=True) if count
        },
        "apart": [components.STORM_NAMES[card] for card in list(state.apart)[: state.shown]],
        "foreseen": _foreseen(state, NOBODY),
    }


def _foreseen(state: State, reader: int) -> list[dict[str, Any]]:
    seen = foresees(state, reader)
    return [
        {"number": int(state.storm_left) - position, "card": components.STORM_NAMES[state.storm_deck[position]]}
        for position in range(state.storm_left - 1, -1, -1)
        if seen >> position & 1
    ]
