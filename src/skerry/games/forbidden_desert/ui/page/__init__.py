"""The scene of the browser page: the parts that ``parts.html`` draws, with the data of each.

The squares A1 to E5 are parts that keep their position, so that a touch always means the same place. The tile that lies
on a square is its data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skerry.engine.scene import PartFamily, Scene
from skerry.games.forbidden_desert.rules.components import (
    ACTIONS_A_TURN,
    GEAR_TITLES,
    GEARS,
    PART_TITLES,
    PARTS,
    ROLE_OF_NAME,
    SAND_MARKERS,
    STORM_COPIES,
    STORM_NAMES,
)
from skerry.games.forbidden_desert.ui.page.layout import (
    CLUE_OFFSETS,
    COLUMNS,
    CORNERS,
    PART_POSITIONS,
    PAWN_POSITIONS,
    ROWS,
    TILE,
    positions_on_tiles,
)

GEAR_NAMES = dict(zip(GEARS, GEAR_TITLES, strict=True))
PART_NAMES = dict(zip(PARTS, PART_TITLES, strict=True))
# The verb that plays each gear card.
VERB_OF_GEAR = dict(zip(GEARS, ("blast", "jet", "scope", "shield", "reserve", "throttle"), strict=True))
CARD_COPIES = [(name, int(copies)) for name, copies in zip(STORM_NAMES, STORM_COPIES, strict=True)]


def shared_parts(view: dict[str, Any]) -> Scene:
    """The parts that look the same to every reader."""
    seats, parts, storm = view["seats"], view["parts"], view["storm"]
    roles = [seat["role"] for seat in seats]
    return {
        "clue": PartFamily({name: _clue(parts[name], track) for name, track in zip(PARTS, CLUE_OFFSETS, strict=True)}),
        "storm": {"at": CORNERS[storm["place"]], "place": storm["place"]},
        "part": _parts(parts, seats, storm["place"]),
        "pawn": _pawns(view),
        "meter": {"track": storm["meter"], "tick": storm["tick"]},
        "discard": [(name, storm["discard"].get(name, 0), copies) for name, copies in CARD_COPIES],
        "strip": _strip(view),
        "supply": {"left": view["supply"], "of": SAND_MARKERS},
        "gear_deck": view["gear_deck"],
        "machine": [_machine_part(name, parts[name], roles) for name in PARTS],
    }


def personal_parts(view: dict[str, Any]) -> Scene:
    """The parts that depend on the reader's seat."""
    roles = [seat["role"] for seat in view["seats"]]
    contents = _contents_by_place(view)
    return {
        "tile": PartFamily(
            {place["place"]: _tile(place, roles, contents.get(place["place"], ())) for place in view["places"]}
        ),
        **_seat_parts(view),
        "storm_deck": _storm_deck(view),
    }


def _contents_by_place(view: dict[str, Any]) -> dict[str, list[str]]:
    """The titles of the pawns and parts on each place."""
    contents: dict[str, list[str]] = {}
    for seat in view["seats"]:
        contents.setdefault(seat["place"], []).append(ROLE_OF_NAME[seat["role"]].title)
    for name, part in view["parts"].items():
        if part["place"]:
            contents.setdefault(part["place"], []).append(PART_NAMES[name])
    return contents


def _tile(place: dict[str, Any], roles: list[str], here: Sequence[str]) -> dict[str, Any]:
    tile, seen = place["tile"], place["seen_by"]
    if place["storm"]:
        side = "storm"
    elif place["excavated"]:
        side = "open"
    elif tile == "crash":
        side = "crash"
    else:
        side = "wet" if place["water_mark"] else "dune"
    return {
        "at": CORNERS[place["place"]],
        "side": side,
        "tile": tile,
        "title": place["title"],
        "sand": place["sand"],
        "blocked": place["blocked"],
        "seen_by": [ROLE_OF_NAME[roles[seat]].title for seat in seen] if seen else None,
        "here": here,
    }


def _strip(view: dict[str, Any]) -> dict[str, Any]:
    """What decides the game: the storm, the sand that is left, and everybody's water."""
    storm = view["storm"]
    return {
        "cards": storm["meter"][storm["tick"] - 1] if storm["tick"] <= len(storm["meter"]) else None,
        "ticks": len(storm["meter"]) + 1 - storm["tick"],
        "sand": view["supply"],
        "water": [(_role_label(seat["role"]), seat["water"], seat["canteen"]) for seat in view["seats"]],
    }


def _clue(part: dict[str, Any], track: int) -> dict[str, Any]:
    """The line along which a clue points, as long as the other clue is missing."""
    if part["place"] is None and part["holder"] is None:
        if part["row"]:
            return {"line": "row", "at": (0, ROWS[part["row"]] + track), "of": part["row"]}
        if part["column"]:
            return {"line": "column", "at": (COLUMNS[part["column"]] + track, 0), "of": part["column"]}
    return {"line": None, "at": (0, 0), "of": None}


def _parts(parts: dict[str, Any], seats: list[dict[str, Any]], storm: str) -> PartFamily:
    spots = positions_on_tiles([parts[name]["place"] for name in PARTS], PART_POSITIONS)
    drawn = PartFamily()
    for name, spot in zip(PARTS, spots, strict=True):
        part, state = parts[name], "hidden"
        if part["place"]:
            state = "waits" if part["place"] == storm else "lies"
        elif part["holder"] is not None:  # drawn fading out at its holder's tile
            x, y = CORNERS[seats[part["holder"]]["place"]]
            state, spot = "held", (x + TILE // 2, y + TILE // 2)
        drawn[name] = {"at": spot, "state": state, "title": PART_NAMES[name], "place": part["place"]}
    return drawn


def _pawns(view: dict[str, Any]) -> PartFamily:
    seats, turn = view["seats"], view["turn"]
    feet = positions_on_tiles([seat["place"] for seat in seats], PAWN_POSITIONS)
    return PartFamily(
        {
            str(seat["seat"]): {
                "at": at,
                **_role_label(seat["role"]),
                "place": seat["place"],
                "buried": seat["buried"],
                "shielded": seat["shielded"],
                "turn": turn["seat"] == seat["seat"],
                "guided": turn["guided"] == seat["seat"],
            }
            for seat, at in zip(seats, feet, strict=True)
        }
    )


def _seat_parts(view: dict[str, Any]) -> Scene:
    """The parts of each seat: role, canteen and gear."""
    role, canteen, gear = PartFamily(), PartFamily(), PartFamily()
    turn, parts = view["turn"], view["parts"]
    acting = turn["seat"] if turn["phase"] == "actions" else None
    for seat in view["seats"]:
        number = seat["seat"]
        own = number == view["seat"]
        role[str(number)] = {
            **_role_label(seat["role"]),
            "power": ROLE_OF_NAME[seat["role"]].power,
            "own": own,
            "actions": (turn["left"], max(turn["left"], ACTIONS_A_TURN)) if number == acting else None,
            "buried": seat["buried"],
            "shielded": seat["shielded"],
            "parts": [(part, PART_NAMES[part]) for part in PARTS if parts[part]["holder"] == number],
        }
        canteen[str(number)] = {"water": seat["water"], "of": seat["canteen"], "own": own}
        gear[str(number)] = {
            "own": own,
            "cards": [(card, GEAR_NAMES[card], count, VERB_OF_GEAR[card]) for card, count in seat["gear"].items()],
        }
    return {"role": role, "canteen": canteen, "gear": gear}


def _storm_deck(view: dict[str, Any]) -> dict[str, Any]:
    storm, turn = view["storm"], view["turn"]
    foreseen = storm["foreseen"]
    return {
        "left": storm["deck"],
        "turned": storm["apart"],
        "to_come": _to_come(storm, turn),
        "held_off": storm["held_off"],
        "choosing": turn["phase"] == "forecast" and view["seat"] == turn["seat"],
        "foreseen": [(card["number"], card["card"]) for card in foreseen] if foreseen else None,
    }


def _to_come(storm: dict[str, Any], turn: dict[str, Any]) -> int | None:
    """The storm cards left in this turn; None once the game is over."""
    if turn["phase"] == "over":
        return None
    left: int = turn["left"] if turn["phase"] == "storm" else storm["cards"] - storm["held_off"]
    return left


def _role_label(name: str) -> dict[str, str]:
    role = ROLE_OF_NAME[name]
    return {"role": role.name, "title": role.title, "letter": role.letter}


def _machine_part(name: str, part: dict[str, Any], roles: list[str]) -> dict[str, Any]:
    holder = part["holder"]
    return {
        "part": name,
        "title": PART_NAMES[name],
        "holder": None if holder is None else _role_label(roles[holder]),
        "place": part["place"],
        "row": part["row"],
        "column": part["column"],
    }
