"""Why water or gear cannot be given, or a gear card not be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal, Message, Text, say
from skerry.games.forbidden_desert.rules import components, reach
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.ui.phrases import Parts, no_tile, not_in_reach, pawn_word, place_word


def _water(state: State, seat: int, parts: Parts) -> Illegal:
    (other,), (number,) = parts
    amount = number + 1
    if other == seat:
        return Illegal("water is given to somebody else", "FD-18")
    if not reach.can_water(state, seat, other):
        if state.role[seat] == components.WATER_CARRIER:
            return _elsewhere(
                state, other, "{pawn} is on {place}; water goes to your own tile and those beside it", "FD-58"
            )
        return _elsewhere(state, other, "{pawn} is on {place}; water is given on the same tile", "FD-18")
    if amount > state.water[seat]:
        return Illegal(say("you have {count} water to give", count=int(state.water[seat])), "FD-18")
    room = components.CANTEENS[state.role[other]] - state.water[other]
    words = {"pawn": pawn_word(state, other), "count": int(room)}
    return Illegal(Message("{pawn}'s canteen takes {count} more water", words), "FD-18")


def _give(state: State, seat: int, parts: Parts) -> Illegal:
    (card,), (other,) = parts
    if other == seat:
        return Illegal("gear is given to somebody else", "FD-19")
    return _no_card(state, seat, card, "FD-19") or _elsewhere(
        state, other, "{pawn} is on {place}; gear is given on the same tile", "FD-19"
    )


def _elsewhere(state: State, other: int, text: Text, rule: str) -> Illegal:
    words = {"pawn": pawn_word(state, other), "place": place_word(state.pawn[other])}
    return Illegal(Message(text, words), rule)


def _no_card(state: State, seat: int, card: int, rule: str = "FD-60") -> Illegal | None:
    if state.gear[seat, card]:
        return None
    return Illegal(say("you have no {gear} card", gear=say(components.GEAR_TITLES[card])), rule)


def _blast(state: State, seat: int, parts: Parts) -> Illegal:
    refusal = _no_card(state, seat, components.BLASTER) or not_in_reach(state, seat, parts[0][0], "FD-61")
    assert refusal is not None
    return refusal


def _jet(state: State, seat: int, parts: Parts) -> Illegal:
    place = parts[0][0]
    lacking = _no_card(state, seat, components.JET_PACK)
    if lacking:
        return lacking
    if place == state.storm:
        return no_tile(place, "FD-62")
    if place == state.pawn[seat]:
        return Illegal(say("you are on {place} already", place=place_word(place)), "FD-62")
    if state.blocked >> place & 1:
        return Illegal(say("{place} is blocked: a Jet Pack cannot land there", place=place_word(place)), "FD-62")
    if parts[1][0] == seat:
        return Illegal("a Jet Pack takes one other pawn along", "FD-62")
    return _elsewhere(state, parts[1][0], "{pawn} is on {place}; a Jet Pack takes along a pawn of your tile", "FD-62")


def _scope(state: State, seat: int, parts: Parts) -> Illegal:
    (place,) = parts[0]
    lacking = _no_card(state, seat, components.TERRASCOPE)
    if lacking or place == state.storm:
        return lacking or no_tile(place, "FD-64")
    return Illegal(say("{place} is excavated: everybody sees it", place=place_word(place)), "FD-64")


def _throttle(state: State, seat: int, parts: Parts) -> Illegal:
    return _no_card(state, seat, components.THROTTLE) or Illegal(
        "the Time Throttle is played in your own turn before you end your actions", "FD-60"
    )


def _lacking(card: int) -> Callable[[Any, int, Parts], Illegal]:
    """For gear that whoever holds it may play at any time."""

    def reason(state: State, seat: int, parts: Parts) -> Illegal:
        refusal = _no_card(state, seat, card)
        assert refusal is not None
        return refusal

    return reason


FREE_REASONS: dict[str, Callable[[Any, int, Parts], Illegal]] = {
    "water": _water,
    "give": _give,
    "blast": _blast,
    "jet": _jet,
    "shield": _lacking(components.SHIELD),
    "scope": _scope,
    "reserve": _lacking(components.RESERVE),
    "throttle": _throttle,
}
