"""Reasons for refusals: why an action is not legal, in one sentence, with the id of the rule.

``rules.legal`` decides which actions are legal; the functions here are called for the others only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal, NotYourTurn
from skerry.engine.messages import Message, say
from skerry.engine.notation import SlotMembers
from skerry.games.forbidden_desert.rules import components, reach
from skerry.games.forbidden_desert.rules.actions import VERBS
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, State
from skerry.games.forbidden_desert.ui.gear_reasons import FREE_REASONS
from skerry.games.forbidden_desert.ui.phrases import no_tile, not_in_reach, pawn_name, place_name

# Verbs of one role: the role, the reason for all others, and the rule.
ROLE_VERBS = {
    "clear two": (components.ARCHEOLOGIST, "only the Archeologist removes two markers as one action", "FD-50"),
    "calm": (components.METEOROLOGIST, "only the Meteorologist holds off storm cards", "FD-54"),
    "forecast": (components.METEOROLOGIST, "only the Meteorologist looks at the storm deck", "FD-55"),
    "guide": (components.NAVIGATOR, "only the Navigator moves other pawns", "FD-56"),
    "fill": (components.WATER_CARRIER, "only the Water Carrier fills up at a well", "FD-57"),
}

TEXTS = tuple(text for _, text, _ in ROLE_VERBS.values())


def explain(state: State, seat: int, action: int) -> Illegal:
    """Why an action is not legal for a seat: the first reason that applies."""
    verb, parts = VERBS.decode(action)
    pawns = [m for slot, members in zip(verb.slots, parts, strict=True) if slot.kind == "pawn" for m in members]
    if any(pawn >= state.players for pawn in pawns):
        return Illegal(say("there are only {count} pawns", count=int(state.players)), "FD-01")
    if state.phase == FORECAST or verb.name in ("keep", "bottom"):
        return _forecast(state, seat)
    if verb.name in FREE_REASONS:
        return FREE_REASONS[verb.name](state, seat, parts)
    if seat != state.turn:
        return NotYourTurn(say("it is the {pawn}'s turn", pawn=pawn_name(state, state.turn)), "FD-10")
    if state.phase != ACTIONS:
        return Illegal(say("now draw storm cards, {left} more", left=int(state.left)), "FD-10")
    if verb.name == "draw":
        return Illegal("first do your actions, then end them", "FD-10")
    return _action(state, seat, verb.name, parts)


def _forecast(state: State, seat: int) -> Illegal:
    if state.phase != FORECAST:
        return Illegal("nobody is looking at storm cards now", "FD-55")
    if seat != state.turn:
        return NotYourTurn("wait until the Meteorologist has chosen one of the storm cards she is looking at", "FD-55")
    count = cards_in_sight(state)
    return Illegal(say("first put one of the {count} cards at the bottom, or keep them", count=count), "FD-55")


def _action(state: State, seat: int, verb: str, parts: list[SlotMembers]) -> Illegal:
    role = int(state.role[seat])
    only = ROLE_VERBS.get(verb)
    if only and role != only[0]:
        return Illegal(only[1], only[2])
    if verb == "carry" and role not in (components.CLIMBER, components.NAVIGATOR):
        return Illegal("only the Climber takes pawns along", "FD-51")
    if not _continues_guided_move(state, role, verb, parts):
        if not state.left:
            return Illegal("you have used all your actions; end them to draw storm cards", "FD-10")
        if reach.is_buried(state, seat) and not (verb.startswith("clear") and parts[0][0] == state.pawn[seat]):
            return Illegal("you are buried: first remove sand from your own tile until one marker is left", "FD-34")
    return ACTION_REASONS[verb](state, seat, parts)


def _continues_guided_move(state: State, role: int, verb: str, parts: list[SlotMembers]) -> bool:
    """FD-56: whether this is a further step of the guided move that the Navigator has begun."""
    if role != components.NAVIGATOR or verb not in ("guide", "carry") or state.guided < 0:
        return False
    return bool(state.guided == (parts[0][0] if verb == "guide" else state.climber))


def _move(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return _step_refused(state, seat, parts[0][0], "FD-12")


def _step_refused(state: State, pawn: int, place: int, rule: str) -> Illegal:
    """Why a pawn cannot go to a place with one step, burial aside."""
    start = state.pawn[pawn]
    words = {"pawn": pawn_name(state, pawn), "place": place_name(place)}
    if place == start:
        return Illegal(Message("the {pawn} is on {place} already", words), rule)
    if place == state.storm:
        return no_tile(place, "FD-12")
    tunnel = bool(state.tunnels >> start & state.tunnels >> place & 1)
    if tunnel or reach.adjacent(state, pawn) >> place & 1:
        return Illegal(Message("{place} is blocked: two or more sand markers lie there", words), "FD-13")
    if state.role[pawn] == components.EXPLORER:
        return Illegal(Message("{place} is too far; the Explorer moves one tile, diagonally too", words), "FD-53")
    return Illegal(Message("{place} is not beside the {pawn}'s tile, and no tunnel leads there", words), rule)


def _carry(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (passenger,), (place,) = parts
    climber = int(state.climber)
    if climber < 0:
        return Illegal("there is no Climber to guide", "FD-56")
    if passenger == climber:
        return Illegal("the Climber can take another pawn along only", "FD-51")
    if state.pawn[passenger] != state.pawn[climber]:
        words = {"pawn": pawn_name(state, passenger), "place": place_name(state.pawn[passenger])}
        return Illegal(
            Message("the {pawn} is on {place}; the Climber takes along a pawn of his own tile", words), "FD-51"
        )
    return _step_refused(state, climber, place, "FD-51")


def _guide(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (other,), (place,) = parts
    if other == seat:
        return Illegal("the Navigator cannot guide himself; his own pawn just moves", "FD-56")
    if reach.is_buried(state, other):
        return Illegal(say("the {pawn} is buried and cannot be guided", pawn=pawn_name(state, other)), "FD-56")
    return _step_refused(state, other, place, "FD-56")


def _clear(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (place,) = parts[0]
    refusal = not_in_reach(state, seat, place, "FD-15")
    return refusal or Illegal(say("there is no sand on {place}", place=place_name(place)), "FD-15")


def _clear_two(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (place,) = parts[0]
    if state.sand[place] == 1:
        refusal = not_in_reach(state, seat, place, "FD-15")
        return refusal or Illegal(say("there is only one marker on {place}", place=place_name(place)), "FD-50")
    return _clear(state, seat, parts)


def _excavate(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    where = place_name(state.pawn[seat])
    if state.excavated >> state.pawn[seat] & 1:
        return Illegal(say("{place} is excavated already", place=where), "FD-16")
    return Illegal(say("sand lies on {place}; remove it before you excavate", place=where), "FD-16")


def _take(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (part,) = parts[0]
    words: dict[str, Any] = {"part": say(components.PART_TITLES[part]), "place": place_name(state.part_at[part])}
    if state.taken >> part & 1:
        words["pawn"] = pawn_name(state, state.holder[part])
        return Illegal(Message("the {pawn} has picked up the {part}", words), "FD-17")
    if state.part_at[part] < 0:
        return Illegal(
            Message("nobody knows yet where the {part} is; excavate both of its clues first", words), "FD-23"
        )
    if state.part_at[part] != state.pawn[seat]:
        return Illegal(Message("the {part} lies at {place}, not on your tile", words), "FD-17")
    if not state.excavated >> state.pawn[seat] & 1:
        return Illegal(Message("first excavate {place}, where the {part} lies", words), "FD-17")
    return Illegal(Message("{place} is blocked: remove sand before you pick up the {part}", words), "FD-17")


def _calm(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return Illegal("no storm card is left to hold off this turn", "FD-54")


def _fill(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return Illegal("you can draw water on an excavated well only", "FD-57")


ACTION_REASONS: dict[str, Callable[[Any, int, list[SlotMembers]], Illegal]] = {
    "move": _move,
    "carry": _carry,
    "guide": _guide,
    "clear": _clear,
    "clear two": _clear_two,
    "excavate": _excavate,
    "take": _take,
    "calm": _calm,
    "fill": _fill,
}
