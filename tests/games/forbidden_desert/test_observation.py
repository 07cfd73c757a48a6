"""The numbers for learners say what a seat knows, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.engine.kernel import kernel_array
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.kernels import observe
from skerry.games.forbidden_desert.rules.state import OBSERVATION

from .desert import Desert, desert, place

KINDS = [
    "crash",
    "gear",
    "tunnel",
    "well",
    "mirage",
    *components.TILE_NAMES[components.CLUE : components.LAUNCH_PAD],
    "launch-pad",
]
KINDS += ["unknown dune", "unknown water"]


def observed(table: Desert, role: str) -> dict[str, Any]:
    """The blocks by the first words of their names."""
    out = np.full(OBSERVATION.size, np.nan, np.float32)
    observe(table.state, table.seat(role), kernel_array(out))
    ends = np.cumsum([block.size for block in OBSERVATION])
    names = [block.text.split(",")[0].split(":")[0].split(";")[0] for block in OBSERVATION]
    return dict(zip(names, np.split(out, ends), strict=False))


def tiles(blocks: dict[str, Any]) -> list[str]:
    looks = blocks["tile at each place as this seat knows it"].reshape(25, 16)
    return [KINDS[int(row.argmax())] if row.sum() else "storm" for row in looks]


def test_the_desert_as_a_seat_knows_it() -> None:
    table = desert(
        gear={"archeologist": "terrascope"},
        tiles={"A1": "tunnel", "B1": "well", "C1": "launch-pad", "D1": "engine-row"},
        excavated="A1 D1",
        sand={"B2": 3},
        parts={"engine": "E4"},
    )
    table.do("archeologist", "scope C1")
    mine, yours = observed(table, "archeologist"), observed(table, "meteorologist")
    assert tiles(mine)[:4] == ["tunnel", "unknown water", "launch-pad", "engine-row"]
    assert tiles(yours)[:4] == ["tunnel", "unknown water", "unknown dune", "engine-row"]
    assert tiles(mine)[place("C3")] == "storm" and tiles(mine)[place("E5")] == "crash"
    assert np.flatnonzero(mine["tile is excavated"]).tolist() == [0, 3]
    assert mine["sand markers"].tolist() == [0] * 6 + [3] + [0] * 18
    assert np.flatnonzero(mine["part lies at the place"]).tolist() == [25 + place("E4")]


def test_the_seats_from_the_own_on() -> None:
    table = desert(
        "explorer,climber,navigator",
        at={"climber": "B2"},
        water={"climber": 1},
        gear={"navigator": "jet-pack solar-shield solar-shield"},
        taken="engine",
    )
    table.do("navigator", "shield")
    blocks = observed(table, "climber")
    pawns = blocks["place of each pawn"].reshape(5, 25)
    assert [int(row.argmax()) for row in pawns[:3]] == [place("B2"), 0, 0] and pawns.sum() == 3
    roles = blocks["role of each seat"].reshape(5, 6)
    assert [components.ROLES[row.argmax()] for row in roles[:3]] == [
        "climber",
        "navigator",
        "explorer",
    ] and roles.sum() == 3
    assert blocks["water of each seat"].tolist() == [1, 4, 4, 0, 0]
    gear = blocks["gear cards of each kind"].reshape(5, 6)
    assert gear[1].tolist() == [0, 1, 0, 1, 0, 0] and gear.sum() == 2
    assert blocks["is under a Solar Shield of its own"].tolist() == [0, 1, 0, 0, 0]
    assert blocks["whose turn"].tolist() == [0, 0, 1, 0, 0]
    assert blocks["part is picked up"].tolist() == [0, 1, 0, 0]


def test_the_storm_as_a_seat_knows_it() -> None:
    table = desert("meteorologist,explorer", tick=2, cards=29)
    table.stack("sun", "north-2", "picks-up")
    table.do("meteorologist", "calm", "forecast", "bottom 1", "end", "draw")
    mine, yours = observed(table, "meteorologist"), observed(table, "explorer")
    deck = "storm cards from the top"
    assert np.flatnonzero(mine[deck]).tolist() == [0, 27] and not yours[deck].any()
    assert (mine[deck][0], mine[deck][27]) == (components.PICKS_UP + 1, components.SUN + 1)
    assert mine["storm cards of each kind in the discard"].sum() == 2
    apart = np.flatnonzero(mine["storm cards of each kind that lie apart"])
    assert [components.STORM_NAMES[card] for card in apart] == ["north-2"]
    assert mine["storm meter"].argmax() == 1 and mine["storm cards a turn at this tick"] == 3
    assert mine["phase"].tolist() == [0, 0, 1, 0] and mine["actions or storm cards left"] == 1
    assert mine["storm cards held off"] == 1 and mine["cards in the storm deck"] == 28
    assert mine["sand markers in supply"] == table.state.supply and mine["cards in the gear deck"] == 12


def test_a_pawn_being_guided() -> None:
    table = desert("explorer,navigator,climber")
    table.storm("west-1", "east-1")
    table.do("navigator", "guide climber B1")
    blocks = observed(table, "navigator")
    assert blocks["pawn that is being guided"].tolist() == [0, 1, 0, 0, 0] and blocks["steps it has left"] == 2
