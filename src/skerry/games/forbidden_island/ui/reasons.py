"""Reasons for refusals: why an action is not legal, in one sentence, with the id of the rule.

``rules.legal`` decides which actions are legal; the functions here are called for the others only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal, NotYourTurn
from skerry.engine.messages import Message, Msgid, say
from skerry.engine.notation import SlotMembers
from skerry.games.forbidden_island.rules import components, reach
from skerry.games.forbidden_island.rules.actions import VERBS
from skerry.games.forbidden_island.rules.legal import lift_holders, next_swimmer
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, FLOODING, State

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TEXTS = (*NUMBERS, "none")


def explain(state: State, seat: int, action: int) -> Illegal:
    """Why an action is not legal for a seat: the first reason that applies."""
    verb, parts = VERBS.decode(action)
    pawns = [m for slot, members in zip(verb.slots, parts, strict=True) if slot.kind == "pawn" for m in members]
    if any(member >= state.players for member in pawns):
        return Illegal(say("there are only {count} pawns", count=say(NUMBERS[state.players])), "FI-01")
    if state.swimming:
        return _in_water(state, seat, verb.name, parts)
    if verb.name in CARDS_AT_ANY_TIME:
        return CARDS_AT_ANY_TIME[verb.name](state, seat, parts)
    if state.over:
        over_limit = next(s for s in range(state.players) if state.over >> s & 1)
        return Illegal(say("the {pawn} must discard down to five cards first", pawn=_pawn(state, over_limit)), "FI-35")
    if verb.name == "swim":
        return Illegal("you can swim only when your tile sinks", "FI-55")
    if seat != state.turn:
        return NotYourTurn(say("it is the {pawn}'s turn", pawn=_pawn(state, state.turn)), "FI-10")
    if verb.name in PHASE_VERBS:
        return _wrong_phase(state)
    if state.phase != ACTIONS:
        return Illegal("the actions of this turn are over", "FI-10")
    if not state.left:
        return Illegal("you have used all three actions; end them to draw cards", "FI-10")
    return ACTION_REASONS[verb.name](state, seat, parts)


def _wrong_phase(state: State) -> Illegal:
    """``end``, ``draw`` or ``flood`` in another phase."""
    if state.phase == ACTIONS:
        return Illegal("first do your actions, then end them", "FI-10")
    if state.phase == DRAWING:
        return Illegal(say("now draw treasure cards, {left} more", left=say(NUMBERS[state.left])), "FI-10")
    assert state.phase == FLOODING
    return Illegal(say("now draw flood cards, {left} more", left=say(NUMBERS[state.left])), "FI-10")


# Actions of a turn


def _move(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (place,) = parts[0]
    role = state.role[seat]
    blocked = _blocked_place(state, seat, place, "FI-16" if role == components.DIVER else "FI-12")
    if blocked:
        return blocked
    if role == components.DIVER:
        return _too_far(
            state,
            seat,
            place,
            "{tile} cannot be reached; the Diver moves through flooded and missing tiles, not through dry ones",
            "FI-16",
        )
    if role == components.EXPLORER:
        return _too_far(
            state, seat, place, "{tile} is {far} tiles away; the Explorer moves one tile, diagonally too", "FI-13"
        )
    if role == components.PILOT:
        return _too_far(state, seat, place, "{tile} is {far} tiles away and the Pilot has flown this turn", "FI-14")
    return _too_far(state, seat, place, "{tile} is {far} tiles away; a pawn moves to an adjacent tile", "FI-12")


def _navigate(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (other,), (place,) = parts
    if state.role[seat] != components.NAVIGATOR:
        return Illegal("only the Navigator moves other pawns", "FI-15")
    if other == seat:
        return Illegal("the Navigator cannot guide himself; his own pawn just moves", "FI-15")
    return _blocked_place(state, other, place, "FI-15") or _too_far(
        state,
        other,
        place,
        "{tile} is out of reach; the Navigator moves a pawn up to two tiles, as that pawn walks",
        "FI-15",
    )


def _shore(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    places = parts[0]
    if len(places) == 2 and state.role[seat] != components.ENGINEER:
        return Illegal("only the Engineer shores up two tiles as one action", "FI-18")
    rule = "FI-19" if state.role[seat] == components.EXPLORER else "FI-17"
    for place in places:
        if not state.flooded >> place & 1:
            return _not_flooded(state, place, "FI-17")
        if not (reach.adjacent(state, seat) | 1 << state.pawn[seat]) >> place & 1:
            return _too_far(
                state,
                seat,
                place,
                "{tile} is {far} tiles away; you can shore up your own tile or an adjacent one",
                rule,
            )
    raise AssertionError("this is legal")


def _give(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (treasure,), (other,) = parts
    if other == seat:
        return Illegal("you can give a card to another player only", "FI-20")
    if not state.hands[seat, treasure]:
        return _no_card(treasure, "FI-20")
    where = {"other": _pawn(state, other), "tile": _tile(state, state.pawn[other])}
    return Illegal(Message("the {other} is on {tile}; only the Messenger gives cards to another tile", where), "FI-20")


def _capture(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (treasure,) = parts[0]
    title = say(components.TREASURE_TITLES[treasure])
    if state.captor[treasure] >= 0:
        holder = _pawn(state, state.captor[treasure])
        return Illegal(say("the {pawn} has captured the {treasure}", pawn=holder, treasure=title), "FI-22")
    if state.tile_at[state.pawn[seat]] // 2 != treasure:
        first, second = (say(components.TILE_TITLES[2 * treasure + i]) for i in range(2))
        where = {"treasure": title, "first": first, "second": second}
        return Illegal(Message("the {treasure} is captured on {first} or {second}", where), "FI-22")
    held = say(NUMBERS[state.hands[seat, treasure]] if state.hands[seat, treasure] else "none")
    return Illegal(say("capturing takes four {treasure} cards; you have {held}", treasure=title, held=held), "FI-22")


# Discarding and special cards, at any time


def _discard(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (card,) = parts[0]
    if not state.over >> seat & 1:
        return Illegal("you hold no more than five cards, so you need not discard", "FI-35")
    return _no_card(card, "FI-35")


def _sandbags(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (place,) = parts[0]
    if not state.hands[seat, components.SANDBAGS]:
        return _no_card(components.SANDBAGS, "FI-41")
    return _not_flooded(state, place, "FI-41")


def _lift(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    pawns, (place,) = parts
    if not state.hands[seat, components.HELICOPTER]:
        return _no_card(components.HELICOPTER, "FI-40")
    if len({int(state.pawn[pawn]) for pawn in pawns}) > 1:
        return Illegal("a Helicopter Lift takes pawns of one tile only", "FI-40")
    blocked = _blocked_place(state, pawns[0], place, "FI-40")
    assert blocked is not None
    return blocked


def _lift_off(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if not state.hands[seat, components.HELICOPTER]:
        return _no_card(components.HELICOPTER, "FI-60")
    for treasure in range(components.N_TREASURES):
        if state.captor[treasure] < 0:
            title = say(components.TREASURE_TITLES[treasure])
            return Illegal(say("the {treasure} is still on the island", treasure=title), "FI-60")
    landing = state.place_of[components.FOOLS_LANDING]
    away = next(player for player in range(state.players) if state.pawn[player] != landing)
    return Illegal(say("the {pawn} is not on Fools' Landing yet", pawn=_pawn(state, away)), "FI-60")


# While a pawn is in the water


def _in_water(state: State, seat: int, verb: str, parts: list[SlotMembers]) -> Illegal:
    if verb == "swim":
        return _swim(state, seat, parts[0][0])
    if verb == "lift":
        return _lift_from_water(state, seat, parts)
    if verb in CARDS_AT_ANY_TIME and verb != "discard":
        return Illegal("while a pawn is in the water, only a Helicopter Lift out of it can be played", "FI-43")
    if state.stranded:
        return Illegal("a pawn cannot reach land: rescue it with a Helicopter Lift first", "FI-63")
    return NotYourTurn(say("the {pawn} must swim first", pawn=_pawn(state, next_swimmer(state))), "FI-57")


def _swim(state: State, seat: int, place: int) -> Illegal:
    if not state.swimming >> seat & 1:
        return Illegal("you can swim only when your tile sinks", "FI-55")
    if state.stranded:
        return Illegal("a pawn cannot reach land: rescue it with a Helicopter Lift before anybody swims", "FI-63")
    if seat != next_swimmer(state):
        return NotYourTurn(say("the {pawn} swims first", pawn=_pawn(state, next_swimmer(state))), "FI-57")
    if state.sunk >> place & 1:
        return Illegal(say("{tile} has sunk", tile=_tile(state, place)), "FI-55")
    if state.role[seat] == components.DIVER:
        return _too_far(state, seat, place, "{tile} is not the nearest tile to swim to", "FI-56")
    rule = "FI-56" if state.role[seat] == components.EXPLORER else "FI-55"
    return _too_far(state, seat, place, "{tile} is {far} tiles away; you can swim to an adjacent tile only", rule)


def _lift_from_water(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    pawns, (place,) = parts
    if not state.hands[seat, components.HELICOPTER]:
        assert not state.stranded or lift_holders(state)
        return _no_card(components.HELICOPTER, "FI-40")
    if any(not state.swimming >> pawn & 1 for pawn in pawns):
        return Illegal("while a pawn is in the water, a Helicopter Lift takes pawns of the sunk tile only", "FI-43")
    if state.sunk >> place & 1:
        return Illegal(say("{tile} has sunk", tile=_tile(state, place)), "FI-40")
    return Illegal("a pawn cannot reach land: a Helicopter Lift must carry that pawn", "FI-63")


# Parts of reasons


def _pawn(state: State, seat: int) -> Message:
    return say(components.ROLES[state.role[seat]].title)


def _tile(state: State, place: int) -> Message:
    title = say(components.TILE_TITLES[state.tile_at[place]])
    return say("{tile} ({place})", tile=title, place=components.LAYOUTS[state.layout].place_names[place])


def _no_card(card: int, rule: str) -> Illegal:
    return Illegal(say("you have no {card} card", card=say(components.CARD_TITLES[card])), rule)


def _blocked_place(state: State, seat: int, place: int, rule: str) -> Illegal | None:
    """The reason why no pawn, or not this one, can go to a place at all."""
    if state.sunk >> place & 1:
        return Illegal(say("{tile} has sunk; nobody can go there", tile=_tile(state, place)), rule)
    if state.pawn[seat] == place:
        return Illegal(say("the {pawn} is on {tile} already", pawn=_pawn(state, seat), tile=_tile(state, place)), rule)
    return None


def _not_flooded(state: State, place: int, rule: str) -> Illegal:
    text = (
        "{tile} has sunk for ever" if state.sunk >> place & 1 else "{tile} is dry; only flooded tiles can be shored up"
    )
    return Illegal(say(text, tile=_tile(state, place)), rule)


def _too_far(state: State, seat: int, place: int, text: Msgid, rule: str) -> Illegal:
    """The reason ``text``, with the tile and its distance from the pawn filled in."""
    coordinates = components.LAYOUTS[state.layout].coordinates
    (row, column), (other_row, other_column) = coordinates[state.pawn[seat]], coordinates[place]
    rows, columns = abs(other_row - row), abs(other_column - column)
    distance = max(rows, columns) if state.role[seat] == components.EXPLORER else rows + columns
    return Illegal(Message(text, {"tile": _tile(state, place), "far": say(NUMBERS[distance])}), rule)


Reason = Callable[[Any, int, list[SlotMembers]], Illegal]
PHASE_VERBS = ("end", "draw", "flood")
ACTION_REASONS: dict[str, Reason] = {
    "move": _move,
    "navigate": _navigate,
    "shore": _shore,
    "give": _give,
    "capture": _capture,
}
CARDS_AT_ANY_TIME: dict[str, Reason] = {
    "discard": _discard,
    "sandbags": _sandbags,
    "lift": _lift,
    "lift off": _lift_off,
}
