"""The sheet for a number of players: the centre of every place, and the spots of pirates where they gather."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from skerry.engine.scene import PartFamily
from skerry.games.cartagena.ui.page.curves import Point
from skerry.games.cartagena.ui.page.layout import STRIP, Box, Layout, layout
from skerry.games.cartagena.ui.page.pirate_spots import (
    HEEL,
    MAX_STALL_WIDTH,
    Ranks,
    clip_to_sheet,
    deck_spots,
    room_spots,
)


@dataclass(frozen=True)
class Sheet:
    """Everything about the sheet that does not change while pirates move."""

    layout: Layout
    centres: dict[str, Point]  # of all places
    spots: dict[str, Ranks]  # of the start, the sloop and the hideout
    start: dict[str, Any]  # the constant data of the start, as of the next two
    sloop: dict[str, Any]
    hideout: dict[str, Any]
    badges: dict[str, Point]  # where the number of cards that a move from a place draws is shown
    no_previews: PartFamily  # every place without a preview
    # A cache of spaces without pirates, by place, symbol and chest token.
    empty_spaces: dict[tuple[str, str, bool], dict[str, Any]] = field(default_factory=dict)


def sheet_of(view: dict[str, Any]) -> Sheet:
    """The sheet of a view."""
    spaces = len(view["path"])
    tunnel = {"escape": spaces, "tortuga": 0}.get(view["story"])
    if tunnel is None:
        tunnel = sum(space["half"] == "tunnel" for space in view["path"])
    return make_sheet(view["story"], tunnel, spaces - tunnel, view["harbour"], len(view["seats"]))


@functools.lru_cache(maxsize=256)
def make_sheet(story: str, tunnel: int, island: int, harbour: str | None, players: int) -> Sheet:
    """The sheet of a story with these numbers of spaces, with the sloop at a harbour."""
    board = layout(story, tunnel, island)
    centres, spots = dict(board.spaces), {}
    start: dict[str, Any] = {}
    sloop: dict[str, Any] = {}
    hideout: dict[str, Any] = {}
    if story == "tortuga":
        centres["sloop"] = wreck = _wreck(board)
        spots["sloop"] = deck_spots(wreck, players, HEEL)
        start = {"kind": "wreck", "slug": "sloop", "x": wreck[0], "y": wreck[1]}
    else:
        room = clip_to_sheet(board.start, board.width)
        centres["prison"], spots["prison"] = _centre(room), room_spots(room, players)
        start = {"kind": "prison", "slug": "prison", **_stalls(room, players)}
        centres["sloop"] = anchorage = board.sloop[harbour]
        spots["sloop"] = deck_spots(anchorage, players)
        sloop = {
            "slug": "sloop",
            "x": anchorage[0],
            "y": anchorage[1],
            "harbour": harbour,
            "bow": 1 if anchorage[0] > board.width / 2 else -1,
        }
    if board.hideout:
        room = clip_to_sheet(board.hideout, board.width)
        centres["hideout"], spots["hideout"] = _centre(room), room_spots(room, players)
        hideout = {"slug": "hideout", **_stalls(room, players)}
    badges = {place: (x - 17, y - 19) for place, (x, y) in board.spaces.items()}
    badges |= {place["slug"]: _badge(place) for place in (start, sloop, hideout) if place}
    return Sheet(board, centres, spots, start, sloop, hideout, badges, PartFamily(dict.fromkeys(badges, ())))


def _badge(place: dict[str, Any]) -> Point:
    """Where the number of cards is shown for a place that is not a space."""
    if "left" not in place:  # a ship
        return place["x"], place["y"] - 34
    return (
        (place["left"] + 24, place["top"] + 18)
        if place["slug"] == "hideout"
        else (place["right"] - 20, place["top"] + 20)
    )


def _wreck(board: Layout) -> Point:
    left, top, right, bottom = board.start
    return (left + right) / 2 - 3, (top + bottom - STRIP) / 2 + 10


def _centre(room: Box) -> Point:
    return (room[0] + room[2]) / 2, (room[1] + room[3]) / 2


def _stalls(room: Box, players: int) -> dict[str, Any]:
    """A room with a stall for the pirates of each colour."""
    left, top, right, _ = room
    stall = min((right - left - 12) / players, MAX_STALL_WIDTH)
    middle = (left + right) / 2
    return {
        "left": left,
        "right": right,
        "top": top,
        "stall": round(stall, 1),
        "stalls": tuple(round(middle + stall * (seat - (players - 1) / 2), 1) for seat in range(players)),
    }
