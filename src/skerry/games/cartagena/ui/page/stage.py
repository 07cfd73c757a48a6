"""The sheet made ready for so many players: the middle of every place, and the spots where pirates gather."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from skerry.games.cartagena.ui.page.crowd import HEEL, STALL, Ranks, aboard, in_room, inside
from skerry.games.cartagena.ui.page.curves import Point
from skerry.games.cartagena.ui.page.layout import STRIP, Box, Layout, layout


@dataclass(frozen=True)
class Stage:
    sheet: Layout
    middles: dict[str, Point]  # of all places
    spots: dict[str, Ranks]  # of the places that are no spaces
    start: dict[str, Any]  # what never changes of the place where pirates begin, and so on
    sloop: dict[str, Any]
    hideout: dict[str, Any]
    badges: dict[str, Point]  # where it is written how many cards a move from a place would draw
    still: dict[str, tuple[()]]  # all places, none of which can be moved from
    bare: dict[tuple[str, str, bool], dict[str, Any]] = field(default_factory=dict)  # spaces with nobody on them


def stage_of(view: dict[str, Any]) -> Stage:
    spaces = len(view["path"])
    tunnel = {"escape": spaces, "tortuga": 0}.get(view["story"])
    if tunnel is None:
        tunnel = sum(space["half"] == "tunnel" for space in view["path"])
    return stage(view["story"], tunnel, spaces - tunnel, view["harbour"], len(view["seats"]))


@functools.lru_cache(maxsize=256)
def stage(story: str, tunnel: int, island: int, harbour: str | None, players: int) -> Stage:
    sheet = layout(story, tunnel, island)
    middles, spots = dict(sheet.spaces), {}
    start: dict[str, Any] = {}
    sloop: dict[str, Any] = {}
    hideout: dict[str, Any] = {}
    if story == "tortuga":
        middles["sloop"] = wreck = _wreck(sheet)
        spots["sloop"] = aboard(wreck, players, HEEL)
        start = {"kind": "wreck", "slug": "sloop", "x": wreck[0], "y": wreck[1]}
    else:
        room = inside(sheet.start, sheet.width)
        middles["prison"], spots["prison"] = _middle(room), in_room(room, players)
        start = {"kind": "prison", "slug": "prison", **_stalls(room, players)}
        middles["sloop"] = lies = sheet.sloop[harbour]
        spots["sloop"] = aboard(lies, players)
        sloop = {
            "slug": "sloop",
            "x": lies[0],
            "y": lies[1],
            "harbour": harbour,
            "bow": 1 if lies[0] > sheet.width / 2 else -1,
        }
    if sheet.hideout:
        room = inside(sheet.hideout, sheet.width)
        middles["hideout"], spots["hideout"] = _middle(room), in_room(room, players)
        hideout = {"slug": "hideout", **_stalls(room, players)}
    badges = {place: (x - 17, y - 19) for place, (x, y) in sheet.spaces.items()}
    badges |= {place["slug"]: _badge(place) for place in (start, sloop, hideout) if place}
    return Stage(sheet, middles, spots, start, sloop, hideout, badges, dict.fromkeys(badges, ()))


def _badge(place: dict[str, Any]) -> Point:
    if "left" not in place:  # a ship
        return place["x"], place["y"] - 34
    return (
        (place["left"] + 24, place["top"] + 18)
        if place["slug"] == "hideout"
        else (place["right"] - 20, place["top"] + 20)
    )


def _wreck(sheet: Layout) -> Point:
    left, top, right, bottom = sheet.start
    return (left + right) / 2 - 3, (top + bottom - STRIP) / 2 + 10


def _middle(room: Box) -> Point:
    return (room[0] + room[2]) / 2, (room[1] + room[3]) / 2


def _stalls(room: Box, players: int) -> dict[str, Any]:
    """A room with a stall for each colour."""
    left, top, right, _ = room
    stall = min((right - left - 12) / players, STALL)
    middle = (left + right) / 2
    return {
        "left": left,
        "right": right,
        "top": top,
        "stall": round(stall, 1),
        "stalls": tuple(round(middle + stall * (seat - (players - 1) / 2), 1) for seat in range(players)),
    }
