"""Helper for tests: positions of Forbidden Desert, and actions and questions by role and place.

    table = desert("climber,explorer", at={"explorer": "B2"}, sand={"B2": 2}, tiles={"A1": "tunnel"}, excavated="A1")
    table.play("climber", "move B1")

The Climber, who is on A1 as nothing else is said, begins; the Explorer is on B2, under two sand markers. The tile at A1
is an excavated tunnel. ``desert`` says what is the case where nothing is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.sand import add_sand
from skerry.games.forbidden_desert.rules.state import State


def place(name: str) -> int:
    return components.PLACE_NAMES.index(name)


class Desert:
    """A match whose pawns are named by role and whose squares by place."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def state(self) -> State:
        state: State = self.match.state
        return state

    def seat(self, role: str) -> int:
        return next(s for s in range(self.state.players) if components.ROLES[self.state.role[s]].name == role)

    @property
    def turn(self) -> str:
        return components.ROLES[self.state.role[self.state.turn]].name

    def play(self, role: str, *actions: str) -> list[str]:
        """Play actions one after another; the texts of their events, as the player reads them."""
        return [str(event) for action in actions for event in self.match.play(self.seat(role), action)]

    def can(self, role: str, action: str) -> bool:
        return action in {legal.text for legal in self.match.legal(self.seat(role))}

    def choices(self, role: str, verb: str) -> set[str]:
        """The legal arguments of a verb, such as ``{"A1", "B2"}`` for ``move``."""
        legal = self.match.legal(self.seat(role))
        return {action.text.removeprefix(verb).strip() for action in legal if action.verb == verb}

    def refusal(self, role: str, action: str) -> skerry.Illegal:
        with pytest.raises(skerry.Illegal) as refusal:
            self.match.play(self.seat(role), action)
        return refusal.value

    def refusing_rule(self, role: str, action: str) -> str | None:
        """The id of the rule by which an action is refused."""
        return self.refusal(role, action).rule

    def at(self, role: str) -> str:
        return components.PLACE_NAMES[self.state.pawn[self.seat(role)]]

    def water(self, role: str) -> int:
        return self.state.water[self.seat(role)]

    def gear(self, role: str) -> dict[str, int]:
        gear: dict[str, int] = self.view()["seats"][self.seat(role)]["gear"]
        return gear

    def view(self, role: str | None = None) -> dict[str, Any]:
        return self.match.view(None if role is None else self.seat(role))

    def sees(self, role: str | None, where: str) -> str | None:
        """The tile at a place if a player (None: a spectator) knows it."""
        tile: str | None = self.view(role)["places"][place(where)]["tile"]
        return tile

    def sand(self, where: str) -> int:
        return self.state.sand[place(where)]

    def part(self, name: str) -> str | None:
        where: str | None = self.view()["parts"][name]["place"]
        return where

    def sand_picture(self) -> str:
        """The number of markers on each place as text; ``@`` is the storm."""
        rows = []
        for row in range(components.SIDE):
            places = range(row * components.SIDE, (row + 1) * components.SIDE)
            rows.append(" ".join("@" if p == self.state.storm else str(self.state.sand[p]) for p in places))
        return "\n".join(rows)

    def stack(self, *cards: str) -> None:
        """Put these storm cards on top of the deck, the first on top."""
        deck, left = self.state.storm_deck, self.state.storm_left
        for number, card in enumerate(cards, 1):
            wanted, top = components.STORM_NAMES.index(card), left - number
            found = next(i for i in range(top, -1, -1) if deck[i] == wanted)
            deck[found], deck[top] = deck[top], deck[found]

    def draw_storm(self, *cards: str) -> list[str]:
        """Draw these storm cards, after ending the actions if need be."""
        if self.view()["turn"]["phase"] == "actions":
            self.play(self.turn, "end")
        self.stack(*cards)
        return self.play(self.turn, *["draw"] * len(cards))

    def determinized(self, role: str | None, seed: int) -> State:
        """A determinization of the state for a player (None: a spectator)."""
        world = StructBuffer(State, self.match.content)
        seat = -1 if role is None else self.seat(role)
        self.match.game.rules.determinize(world.struct, seat, np.uint64(seed))
        return world.struct


def desert(
    roles: str = "archeologist,meteorologist",
    *,
    at: Mapping[str, str] | str = "A1",
    sand: Mapping[str, int] | None = None,
    tiles: Mapping[str, str] | None = None,
    excavated: str = "",
    storm: str = "C3",
    water: Mapping[str, int] | None = None,
    gear: Mapping[str, str] | None = None,
    parts: Mapping[str, str] | None = None,
    taken: str = "",
    tick: int = 1,
    cards: int | None = None,
) -> Desert:
    """A position with a seat for each role in order, the first to move; no sand, and the crash tile at E5.

    ``gear`` is taken from the deck; ``parts`` lie where they are said to; ``cards`` are left in the storm deck,
    the others are discarded.
    """
    players = len(roles.split(","))
    table = Desert(skerry.game("forbidden-desert", players=players, roles=roles, first=0).new(seed=7))
    state = table.state
    _lay(state, storm, {"E5": "crash"} | dict(tiles or {}))
    _excavate(state, excavated)
    for where, markers in (sand or {}).items():
        for _ in range(markers):
            add_sand(state, place(where))
    for seat in range(players):
        state.pawn[seat] = place(at if isinstance(at, str) else at.get(components.ROLES[state.role[seat]].name, "A1"))
    for role, amount in (water or {}).items():
        state.water[table.seat(role)] = amount
    for role, names in (gear or {}).items():
        _equip(state, table.seat(role), names)
    _hand_out(state, parts or {}, taken)
    state.meter = tick - 1
    while cards is not None and state.storm_left > cards:
        state.storm_left -= 1
        state.storm_discard[state.storm_deck[state.storm_left]] += 1
    return table


def _lay(state: State, storm: str, tiles: Mapping[str, str]) -> None:
    """Lay the given tiles at their places and the others anywhere, without sand."""
    state.storm = place(storm)
    state.sandy = state.blocked = 0
    state.supply = components.SAND_MARKERS
    left = list(range(components.TILES))
    for p in range(components.PLACES):
        state.sand[p] = 0
        state.tile_at[p] = -1
    for where, name in tiles.items():
        tile = next(t for t in left if components.TILE_NAMES[t] == name)
        left.remove(tile)
        state.tile_at[place(where)] = tile
    for p in range(components.PLACES):
        if p != state.storm and state.tile_at[p] < 0:
            state.tile_at[p] = left.pop()


def _excavate(state: State, places: str) -> None:
    for where in places.split():
        state.excavated |= 1 << place(where)
        if components.TILE_NAMES[state.tile_at[place(where)]] == "tunnel":
            state.tunnels |= 1 << place(where)


def _equip(state: State, seat: int, names: str) -> None:
    """Give a seat gear cards from the deck."""
    for name in names.split():
        card = components.GEARS.index(name)
        deck = list(state.gear_deck)[: state.gear_left]
        deck.remove(card)
        for i, other in enumerate(deck):
            state.gear_deck[i] = other
        state.gear_left -= 1
        state.gear[seat, card] += 1


def _hand_out(state: State, parts: Mapping[str, str], taken: str) -> None:
    """Put parts on places, and give others to seat 0."""
    for part, where in parts.items():
        state.part_at[components.PARTS.index(part)] = place(where)
    for part in components.PARTS if taken == "all" else taken.split():
        state.taken |= 1 << components.PARTS.index(part)
        state.holder[components.PARTS.index(part)] = 0
