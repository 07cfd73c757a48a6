"""Reasons for refusals of free actions: giving water or gear, and playing gear cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal
from skerry.engine.messages import Message, Msgid, say
from skerry.engine.notation import SlotMembers
from skerry.games.forbidden_desert.rules import components, reach
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.ui.phrases import no_tile, not_in_reach, pawn_name, place_name


def _water(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (other,), (number,) = parts
    amount = number + 1
    if other == seat:
        return Illegal("you can give water to another player only", "FD-18")
    if not reach.can_give_water(state, seat, other):
        if state.role[seat] == components.WATER_CARRIER:
            return _on_another_tile(
                state,
                other,
                "the {pawn} is on {place}; you can give water on your own tile and to those beside it",
                "FD-58",
            )
        return _on_another_tile(
            state, other, "the {pawn} is on {place}; you can give water on your own tile only", "FD-18"
        )
    if amount > state.water[seat]:
        return Illegal(say("you have {count} water to give", count=int(state.water[seat])), "FD-18")
    room = components.ROLES[state.role[other]].canteen - state.water[other]
    words = {"pawn": pawn_name(state, other), "count": int(room)}
    return Illegal(Message("the {pawn}'s canteen has room for {count} more water", words), "FD-18")


def _give(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (card,), (other,) = parts
    if other == seat:
        return Illegal("you can give gear to another player only", "FD-19")
    return _card_not_held(state, seat, card, "FD-19") or _on_another_tile(
        state, other, "the {pawn} is on {place}; you can give gear on your own tile only", "FD-19"
    )


def _on_another_tile(state: State, other: int, text: Msgid, rule: str) -> Illegal:
    """The reason ``text``, with another pawn and its place filled in."""
    words = {"pawn": pawn_name(state, other), "place": place_name(state.pawn[other])}
    return Illegal(Message(text, words), rule)


def _card_not_held(state: State, seat: int, card: int, rule: str = "FD-60") -> Illegal | None:
    """The reason if a seat does not hold a gear card, else None."""
    if state.gear[seat, card]:
        return None
    return Illegal(say("you have no {gear} card", gear=say(components.GEAR_TITLES[card])), rule)


def _blast(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    refusal = _card_not_held(state, seat, components.DUNE_BLASTER) or not_in_reach(state, seat, parts[0][0], "FD-61")
    assert refusal is not None
    return refusal


def _jet(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    place = parts[0][0]
    missing = _card_not_held(state, seat, components.JET_PACK)
    if missing:
        return missing
    if place == state.storm:
        return no_tile(place, "FD-62")
    if place == state.pawn[seat]:
        return Illegal(say("you are on {place} already", place=place_name(place)), "FD-62")
    if state.blocked >> place & 1:
        return Illegal(say("{place} is blocked: a Jet Pack cannot land there", place=place_name(place)), "FD-62")
    if parts[1][0] == seat:
        return Illegal("a Jet Pack takes one other pawn along", "FD-62")
    return _on_another_tile(
        state, parts[1][0], "the {pawn} is on {place}; a Jet Pack takes along a pawn of your tile", "FD-62"
    )


def _scope(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (place,) = parts[0]
    missing = _card_not_held(state, seat, components.TERRASCOPE)
    if missing or place == state.storm:
        return missing or no_tile(place, "FD-64")
    return Illegal(say("{place} is excavated, so everybody can see it", place=place_name(place)), "FD-64")


def _throttle(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return _card_not_held(state, seat, components.TIME_THROTTLE) or Illegal(
        "you can play the Time Throttle only in your own turn, before you end your actions", "FD-60"
    )


def _only_if_not_held(card: int) -> Callable[[Any, int, list[SlotMembers]], Illegal]:
    """Reasons for gear that its holder may play at any time: it can only be refused because it is not held."""

    def reason(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
        refusal = _card_not_held(state, seat, card)
        assert refusal is not None
        return refusal

    return reason


# The reason for each verb of a free action that is not legal.
FREE_REASONS: dict[str, Callable[[Any, int, list[SlotMembers]], Illegal]] = {
    "water": _water,
    "give": _give,
    "blast": _blast,
    "jet": _jet,
    "shield": _only_if_not_held(components.SOLAR_SHIELD),
    "scope": _scope,
    "reserve": _only_if_not_held(components.WATER_RESERVE),
    "throttle": _throttle,
}
