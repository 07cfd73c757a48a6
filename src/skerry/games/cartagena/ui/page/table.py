"""The parts beside the sheet: piles, drawn cards, chests, the variant, and each seat's crew and hand."""

from __future__ import annotations

from typing import Any

from skerry.games.cartagena.rules.components import CARDS, SYMBOLS

PARROT_PHASES = ("parrots", "hook-parrots")  # two parrots stand for any other card
HAND_PHASES = ("acting", "hook", "discarding")
SYMBOL = dict(zip(CARDS, SYMBOLS * 2, strict=True))


def personal_piles(view: dict[str, Any]) -> dict[str, Any]:
    """The piles as far as the reader knows them."""
    turn = view["turn"]
    wild = turn["phase"] in PARROT_PHASES and turn["seat"] == view["seat"]
    return {"deck": view["deck"], "pool": view["pool"], "wild": wild}


def shared_piles(view: dict[str, Any]) -> dict[str, Any]:
    discard = view["discard"]
    return {
        "discard": [(symbol, discard.get(symbol, 0), discard.get(f"dark-{symbol}", 0)) for symbol in SYMBOLS],
        "chests": {"closed": sum(space["chest"] for space in view["path"]), "opened": sorted(view["opened"])}
        if view["magic"]
        else None,
        "variant": {name: view[name] for name in ("story", "draw", "flibusters", "magic", "parts")},
    }


def strip(view: dict[str, Any]) -> list[tuple[str, int, int]]:
    """What decides the game, for each seat: its colour, its cards, and how many of its pirates have arrived."""
    goal = _goal(view)
    return [(seat["colour"], seat["cards"], seat["where"].count(goal)) for seat in view["seats"]]


def _goal(view: dict[str, Any]) -> str:
    return "sloop" if view["story"] == "escape" else "hideout"


def crew_part(view: dict[str, Any], seat: dict[str, Any]) -> dict[str, Any]:
    """The pirates of a seat, and how many actions are left in its turn."""
    turn = view["turn"]
    acts = turn["seat"] == seat["seat"] and view["winner"] is None
    goal = _goal(view)
    start = "sloop" if view["story"] == "tortuga" else "prison"
    return {
        "colour": seat["colour"],
        "where": [(place, goal, start) for place in seat["where"]],
        "left": turn["left"] if acts else None,
        "captain": acts and turn["captain"],
        "won": view["winner"] == seat["seat"],
    }


def hand_part(view: dict[str, Any], seat: dict[str, Any]) -> dict[str, Any]:
    """A hand as far as the reader knows it. Its cards can be clicked only if an action can use them."""
    turn = view["turn"]
    own = seat["hand"] is not None
    taken = turn["phase"] == "pistol-take" and turn["other"] == seat["seat"] and turn["seat"] == view["seat"]
    touch = turn["phase"] in HAND_PHASES if own else taken
    doubtful = seat["doubtful"]
    shown = seat["hand"] if own else seat["known"]
    return {
        "cards": seat["cards"],
        "own": own,
        "shown": [(slug, left, touch) for slug, count in shown.items() if (left := count - doubtful.get(slug, 0))],
        "doubtful": [(slug, count, touch) for slug, count in doubtful.items()],
        "unsure": seat["unsure"],
        "limit": view["flibusters"],
    }
