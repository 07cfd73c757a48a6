"""What lies beside the sheet: piles, drawn cards, chests, the story being told, and what is before each seat."""

from __future__ import annotations

from typing import Any

from skerry.games.cartagena.rules.components import CARDS, SYMBOLS

WILD = ("parrots", "hook-parrots")  # two parrots lie there and count as any other card
FROM_HAND = ("acting", "hook", "discarding")
SYMBOL = dict(zip(CARDS, SYMBOLS * 2, strict=True))


def known_piles(view: dict[str, Any]) -> dict[str, Any]:
    """What lies there as far as the reader knows it."""
    turn = view["turn"]
    wild = turn["phase"] in WILD and turn["seat"] == view["seat"]
    return {"deck": view["deck"], "pool": view["pool"], "wild": wild}


def piles(view: dict[str, Any]) -> dict[str, Any]:
    discard = view["discard"]
    return {
        "discard": [[symbol, discard.get(symbol, 0), discard.get(f"dark-{symbol}", 0)] for symbol in SYMBOLS],
        "chests": {"closed": sum(space["chest"] for space in view["path"]), "opened": sorted(view["opened"])}
        if view["magic"]
        else None,
        "variant": {name: view[name] for name in ("story", "draw", "flibusters", "magic", "parts")},
    }


def crew(view: dict[str, Any], seat: dict[str, Any]) -> dict[str, Any]:
    """A colour's pirates one by one, and what is left of its turn."""
    turn = view["turn"]
    acts = turn["seat"] == seat["seat"] and view["winner"] is None
    return {
        "colour": seat["colour"],
        "where": seat["where"],
        "goal": "sloop" if view["story"] == "escape" else "hideout",
        "start": "sloop" if view["story"] == "tortuga" else "prison",
        "left": turn["left"] if acts else None,
        "captain": acts and turn["captain"],
        "won": view["winner"] == seat["seat"],
    }


def hand(view: dict[str, Any], seat: dict[str, Any]) -> dict[str, Any]:
    """A hand as far as the reader knows it. A card can be touched only where an action could mean it."""
    turn = view["turn"]
    own = seat["hand"] is not None
    taken = turn["phase"] == "pistol-take" and turn["other"] == seat["seat"] and turn["seat"] == view["seat"]
    return {
        "cards": seat["cards"],
        "own": own,
        "shown": list((seat["hand"] if own else seat["known"]).items()),
        "unsure": seat["unsure"],
        "touch": turn["phase"] in FROM_HAND if own else taken,
        "limit": view["flibusters"],
    }
