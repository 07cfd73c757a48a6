"""Names and reasons that ``reasons`` and ``gear_reasons`` share."""

from __future__ import annotations

from skerry.engine.errors import Illegal
from skerry.engine.messages import Message, say
from skerry.games.forbidden_desert.rules import components, reach
from skerry.games.forbidden_desert.rules.state import State


def pawn_name(state: State, seat: int) -> Message:
    return say(components.ROLES[state.role[seat]].title)


def place_name(place: int) -> str:
    return components.PLACE_NAMES[place]


def no_tile(place: int, rule: str) -> Illegal:
    """The reason why nothing can be done at the storm's place."""
    return Illegal(say("the storm is at {place}; there is no tile", place=place_name(place)), rule)


def not_in_reach(state: State, seat: int, place: int, rule: str) -> Illegal | None:
    """The reason why a pawn cannot remove sand from a place, if it is neither its own tile nor an adjacent one."""
    if place == state.storm:
        return no_tile(place, rule)
    if reach.places_in_reach(state, seat) >> place & 1:
        return None
    if state.role[seat] == components.EXPLORER:
        return Illegal(say("{place} is neither your tile nor one around it", place=place_name(place)), "FD-53")
    return Illegal(say("{place} is neither your tile nor one beside it", place=place_name(place)), rule)
