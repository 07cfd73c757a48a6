"""Why an action is refused: the first reason in one sentence, with the id of its rule.

``legal``, ``draft`` and ``bridges`` decide which actions are legal; this module only explains. It reads nothing but the
seat's own paper and public information.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal, NotYourTurn
from skerry.engine.messages import say
from skerry.engine.notation import SlotMembers
from skerry.games.hashi.rules.actions import VERBS
from skerry.games.hashi.rules.board import place_name
from skerry.games.hashi.rules.bridges import bridges_due
from skerry.games.hashi.rules.components import CARDS, MAX_ISLAND_BRIDGES, Card
from skerry.games.hashi.rules.draft import bridges_at, drafted_bridges_at
from skerry.games.hashi.rules.state import STARTING, State


def explain(state: State, seat: int, action: int) -> Illegal:
    """The refusal of an action that is not legal for a seat now."""
    verb, parts = VERBS.decode(action)
    if any(slot.kind == "line" and part[0] >= state.lines for slot, part in zip(verb.slots, parts, strict=True)):
        return Illegal(say("the board has only {lines} lines", lines=int(state.lines)), "HA-14")
    if state.confirmed >> seat & 1:
        return NotYourTurn("you have confirmed this round; the others are still busy", "HA-20")
    if (verb.name == "start") != (state.phase == STARTING) and verb.name != "confirm":
        return _wrong_phase(state)
    return EXPLAIN_VERB[verb.name](state, seat, parts)


def _wrong_phase(state: State) -> Illegal:
    if state.phase == STARTING:
        return Illegal("first everybody writes a 3 or a 4 on an island without a flag", "HA-02")
    return Illegal("the start numbers are written; the cards' numbers come now", "HA-02")


def _confirm(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if state.phase == STARTING:
        return Illegal("first write a 3 or a 4 on an island without a flag", "HA-02")
    message = say(
        "the card asks for {count} {count:bridge|bridges}, or none; {due} to go",
        count=_card(state).bridges,
        due=bridges_due(state, seat),
    )
    return Illegal(message, "HA-13")


def _erase(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return Illegal("you have written no number in this round", "HA-20")


def _start(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (island,) = parts[1]
    if (state.red | state.blue) >> island & 1:
        return Illegal(say("{island} has a flag; start on an island without one", island=_name(state, island)), "HA-02")
    return Illegal(say("that number stands on {island} already", island=_name(state, island)), "HA-02")


def _write(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (island,) = parts[0]
    name, number = _name(state, island), _card(state).number
    if state.number[seat, island]:
        message = say("{island} has a number: {number}", island=name, number=int(state.number[seat, island]))
        return Illegal(message, "HA-11")
    before = bridges_at(state, seat, island) - drafted_bridges_at(state, seat, island)
    if before > number:
        message = say("{island} has {before} bridges, more than {number}", island=name, before=before, number=number)
        return Illegal(message, "HA-12")
    message = say("{island} has a flag: it takes a number only after a bridge of an earlier round", island=name)
    return Illegal(message, "HA-11")


def _bridge(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (line,) = parts[0]
    if not bridges_due(state, seat):
        return Illegal("all bridges of the card are drawn", "HA-13")
    ends = [int(state.end[line, side]) for side in range(2)]
    if not any(state.number[seat, island] for island in ends):
        names = {"first": _name(state, ends[0]), "second": _name(state, ends[1])}
        return Illegal(say("neither {first} nor {second} has a number", **names), "HA-14")
    if state.double[seat] >> line & 1:
        return Illegal(say("{line} has two bridges already", line=line_name(state, line)), "HA-15")
    if state.blocked[seat] >> line & 1:
        return Illegal(
            say("{line} would cross {other}", line=line_name(state, line), other=_crossed(state, seat, line)), "HA-16"
        )
    for island in ends:
        if not state.room[seat, island]:
            return _full(state, seat, island)
    message = say(
        "with a bridge on {line} the card's {count} bridges cannot all be drawn",
        line=line_name(state, line),
        count=_card(state).bridges,
    )
    return Illegal(message, "HA-13")


def _crossed(state: State, seat: int, line: int) -> str:
    bridges = int(state.cross[line]) & int(state.built[seat])
    return line_name(state, (bridges & -bridges).bit_length() - 1)


def _full(state: State, seat: int, island: int) -> Illegal:
    name = _name(state, island)
    if state.number[seat, island]:
        return Illegal(say("{island} is finished", island=name), "HA-18")
    return Illegal(
        say("{island} has {count} bridges, the most there can be", island=name, count=MAX_ISLAND_BRIDGES), "HA-17"
    )


def _remove(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (line,) = parts[0]
    return Illegal(say("you have drawn no bridge on {line} in this round", line=line_name(state, line)), "HA-20")


def _card(state: State) -> Card:
    """The number and the bridges of the current card, as plain ints, since plural forms depend on them."""
    return CARDS[state.deck[state.turns - 1]]


def _name(state: State, island: int) -> str:
    return place_name(state.row[island], state.column[island])


def line_name(state: State, line: int) -> str:
    """The name of a line by its two islands, such as ``C4-C5``."""
    return "-".join(_name(state, state.end[line, side]) for side in range(2))


EXPLAIN_VERB: dict[str, Callable[[Any, int, list[SlotMembers]], Illegal]] = {
    "confirm": _confirm,
    "erase": _erase,
    "start": _start,
    "write": _write,
    "bridge": _bridge,
    "remove": _remove,
}
