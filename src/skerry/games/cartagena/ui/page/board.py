"""What lies on the sheet: spaces, places, pirates, and the lines that show where a move would end."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

from skerry.engine.scene import PartFamily
from skerry.games.cartagena.ui.page.crowd import ABREAST, FEET
from skerry.games.cartagena.ui.page.curves import Point, bow
from skerry.games.cartagena.ui.page.stage import Stage
from skerry.games.cartagena.ui.page.table import SYMBOL, WILD


def spaces(view: dict[str, Any], stage: Stage) -> PartFamily:
    made, bare = PartFamily(), stage.bare
    for space in view["path"]:
        place = space["place"]
        kind = place, space["symbol"], space["chest"]
        made[place] = bare[kind] if kind in bare else bare.setdefault(kind, _bare(space, stage))
        if space["pirates"]:
            made[place] = made[place] | {"crew": counted(tuple(space["pirates"]))}
    return made


def _bare(space: dict[str, Any], stage: Stage) -> dict[str, Any]:
    """A space with nobody on it."""
    x, y = stage.middles[space["place"]]
    return {"x": x, "y": y, "symbol": space["symbol"], "chest": space["chest"], "crew": ()}


@functools.lru_cache(maxsize=4096)
def counted(crew: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many of each colour."""
    return tuple(Counter(crew).items())


def places(view: dict[str, Any], stage: Stage) -> dict[str, Any]:
    """The prison, the sloop, the hideout."""
    made = {"start": stage.start | {"crew": counted(tuple(view["start"]))}}
    if stage.sloop:
        made["sloop"] = stage.sloop | {"crew": counted(tuple(view["sloop"])), "captain": view["turn"]["captain"]}
    if stage.hideout:
        made["hideout"] = stage.hideout | {"crew": counted(tuple(view["hideout"]))}
    return made


@functools.lru_cache(maxsize=8192)
def arc(start: Point, end: Point) -> tuple[str, float, float]:
    """The line of a move, and where it ends."""
    return bow(start, end), *end


def drawing_moves(view: dict[str, Any], stage: Stage) -> PartFamily:
    """By place, where moving back would stop, or moving another's pirate on, and what it draws."""
    made, reach = PartFamily(stage.still), view["reach"]
    if not reach:
        return made
    for start, (target, cards) in reach["back"].items():
        made[start] = (("back", *_fetch(stage, start, target, cards)),)
    for places in reach["morgan"].values():
        for start, (target, cards) in places.items():
            shown = ("morgan", *_fetch(stage, start, target, cards))
            if shown not in made[start]:  # two colours on one space go to the same
                made[start] = (*made[start], shown)
    return made


def _fetch(stage: Stage, start: str, target: str, cards: int) -> tuple[Any, ...]:
    return *arc(stage.middles[start], stage.middles[target]), cards, *stage.badges[start]


def aims(view: dict[str, Any], stage: Stage) -> dict[str, list[Any]]:
    """For each symbol that the reader can play, where own pirates would land, and from where."""
    if not view["reach"]:
        return {}
    cards = view["reach"]["cards"]
    wild = view["turn"]["phase"] in WILD
    symbols = cards if wild else {SYMBOL[card] for card in view["seats"][view["seat"]]["hand"]}
    return {symbol: _landings(cards[symbol], stage) for symbol in sorted(symbols)}


def _landings(moves: dict[str, str], stage: Stage) -> list[tuple[Any, ...]]:
    """Each place where pirates would land, with the places that they would come from."""
    starts = dict[str, list[str]]()
    for start, target in moves.items():
        starts.setdefault(target, []).append(start)
    middles = stage.middles
    return [
        (tuple(some), tuple(arc(middles[start], middles[target])[0] for start in some), *middles[target])
        for target, some in starts.items()
    ]


def pirates(view: dict[str, Any], stage: Stage) -> PartFamily:
    """Every pirate by its colour and number, so that it can be followed from place to place."""
    made, standing = PartFamily(), dict[str, list[str]]()
    for number, seat in enumerate(view["seats"]):
        colour = seat["colour"]
        for pirate, place in enumerate(seat["where"]):
            name = f"{colour}-{pirate}"
            if place in stage.spots:
                made[name] = stage.spots[place][number][pirate]
            else:
                made[name] = None
                standing.setdefault(place, []).append(name)
    for place, names in standing.items():
        x, y = stage.middles[place]
        for name, aside in zip(names, ABREAST[len(names)], strict=True):
            made[name] = x + aside, y + FEET, 1
    return made
