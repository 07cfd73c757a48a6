"""A second implementation of the legal actions, written plainly from a seat's view. Both must agree in every position.

As it reads only the view, this also proves that legality does not depend on hidden information.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_desert.bot.policies import novice
from skerry.games.forbidden_desert.rules.components import DIFFICULTIES

GAMES = 8 if INTERPRETED else 32


class Table:
    """A view, with questions in the words of the rules."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.places = {place["place"]: place for place in view["places"]}
        self.seats = view["seats"]
        self.tiles = {name for name, place in self.places.items() if not place["storm"]}
        self.turn = view["turn"]

    def role(self, role: str) -> dict[str, Any] | None:
        return next((seat for seat in self.seats if seat["role"] == role), None)

    def others(self, me: dict[str, Any]) -> list[dict[str, Any]]:
        """The other seats on the same tile."""
        return [seat for seat in self.seats if seat is not me and seat["place"] == me["place"]]

    def near(self, me: dict[str, Any], diagonal: bool | None = None) -> set[str]:
        """The tiles adjacent to a pawn; for the Explorer also diagonally."""
        diagonal = me["role"] == "explorer" if diagonal is None else diagonal
        here = self.places[me["place"]]
        found = set()
        for name in self.tiles:
            rows = abs(self.places[name]["row"] - here["row"])
            columns = abs(self.places[name]["column"] - here["column"])
            if rows + columns == 1 or (diagonal and rows == columns == 1):
                found.add(name)
        return found

    def buried(self, me: dict[str, Any]) -> bool:
        company = [me, *self.others(me)]
        return self.places[me["place"]]["sand"] >= 2 and all(seat["role"] != "climber" for seat in company)

    def steps(self, me: dict[str, Any]) -> set[str]:
        if self.buried(me):
            return set()
        found = self.near(me)
        tunnels = {n for n in self.tiles if self.places[n]["tile"] == "tunnel" and self.places[n]["excavated"]}
        if me["place"] in tunnels:
            found |= tunnels - {me["place"]}
        return found if me["role"] == "climber" else {n for n in found if self.places[n]["sand"] < 2}


def reference(view: dict[str, Any], seat: int) -> set[str]:
    table = Table(view)
    me, mine = table.seats[seat], table.turn["seat"] == seat
    phase = table.turn["phase"]
    if phase == "forecast":
        cards = min(view["storm"]["cards"], view["storm"]["deck"])
        return {"keep", *(f"bottom {n + 1}" for n in range(cards))} if mine else set()
    found = set(free(table, me))
    if mine and phase == "storm":
        found.add("draw")
    if mine and phase == "actions":
        found |= {"end", *guides(table, me)}
        if table.turn["left"]:
            found |= set(actions(table, me))
        if "time-throttle" in me["gear"]:
            found.add("throttle")
    return found


def actions(table: Table, me: dict[str, Any]) -> Iterator[str]:
    yield from clears(table, me)
    if table.buried(me):
        return
    for name in table.steps(me):
        yield f"move {name}"
        if me["role"] == "climber":
            yield from (f"carry {other['role']} {name}" for other in table.others(me))
    here = table.places[me["place"]]
    if not here["excavated"] and not here["sand"]:
        yield "excavate"
    if here["excavated"] and here["sand"] < 2:
        yield from (f"take {part}" for part in here["parts"])
    if me["role"] == "water-carrier" and here["excavated"] and here["tile"] == "well":
        yield "fill"
    yield from weather(table, me)


def clears(table: Table, me: dict[str, Any]) -> Iterator[str]:
    for name in {me["place"]} if table.buried(me) else table.near(me) | {me["place"]}:
        sand = table.places[name]["sand"]
        if sand:
            yield f"clear {name}"
        if sand >= 2 and me["role"] == "archeologist":
            yield f"clear two {name}"


def weather(table: Table, me: dict[str, Any]) -> Iterator[str]:
    if me["role"] == "meteorologist":
        yield "forecast"
        if table.view["storm"]["held_off"] < table.view["storm"]["cards"]:
            yield "calm"


def guides(table: Table, me: dict[str, Any]) -> Iterator[str]:
    if me["role"] != "navigator":
        return
    for other in table.seats:
        fresh = table.turn["left"] > 0 and not table.buried(me)
        if other is me or not (fresh or table.turn["guided"] == other["seat"]):
            continue
        for name in table.steps(other):
            yield f"guide {other['role']} {name}"
            if other["role"] == "climber":
                yield from (f"carry {passenger['role']} {name}" for passenger in table.others(other))


def free(table: Table, me: dict[str, Any]) -> Iterator[str]:
    beside = table.near(me, diagonal=False)
    for other in table.seats:
        carried = me["role"] == "water-carrier" and other["place"] in beside
        if other is not me and (other["place"] == me["place"] or carried):
            most = min(me["water"], other["canteen"] - other["water"])
            yield from (f"water {other['role']} {n + 1}" for n in range(most))
    for gear, other in itertools.product(me["gear"], table.others(me)):
        yield f"give {gear} {other['role']}"
    if "dune-blaster" in me["gear"]:
        yield from (f"blast {name}" for name in table.near(me) | {me["place"]})
    if "jet-pack" in me["gear"]:
        for name in table.tiles - {me["place"]}:
            if table.places[name]["sand"] < 2:
                yield f"jet {name}"
                yield from (f"jet {name} {other['role']}" for other in table.others(me))
    if "terrascope" in me["gear"]:
        yield from (f"scope {name}" for name in table.tiles if not table.places[name]["excavated"])
    yield from (verb for gear, verb in (("solar-shield", "shield"), ("water-reserve", "reserve")) if gear in me["gear"])


def choose(match: Match, seat: int, chance: random.Random) -> int:
    """Mostly the novice's choice, so that games last; sometimes a random action."""
    ids = match.legal_ids(seat)
    if chance.random() < 0.25 or seat not in match.waiting:
        return chance.choice(ids)
    world = StructBuffer(match.game.state_struct, match.content)
    match.game.rules.determinize(world.struct, seat, np.uint64(chance.getrandbits(64)))
    index, _ = novice(world.struct, seat, kernel_array(np.array(ids, np.int32)), len(ids), np.uint64(0))
    return ids[index]


@pytest.mark.rule("FD-11", "FD-34", "FD-51", "FD-56", "FD-60")
def test_legal_actions_agree_with_the_reference() -> None:
    variants = itertools.product(range(2, 6), DIFFICULTIES)
    for number, (players, difficulty) in zip(range(GAMES), itertools.cycle(variants), strict=False):
        chance = random.Random(number)
        match = skerry.game("forbidden-desert", players=players, difficulty=difficulty).new(seed=number)
        while match.result is None:
            for seat in range(players):
                legal = {action.text for action in match.legal(seat)}
                assert legal == reference(match.view(seat), seat), (number, len(match.steps), seat)
            seats = [s for s in range(players) if match.legal_ids(s)]
            seat = chance.choice(seats) if chance.random() < 0.15 else match.waiting[0]
            match.play(seat, choose(match, seat, chance))
