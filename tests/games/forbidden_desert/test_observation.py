"""The blocks of an observation show what its seat knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.engine.kernel import kernel_array
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.kernels import observe
from skerry.games.forbidden_desert.rules.state import OBSERVATION

from .positions import Desert, desert, place

TILE_LOOKS = [
    "crash",
    "gear",
    "tunnel",
    "well",
    "mirage",
    *components.TILE_NAMES[components.CLUE : components.LAUNCH_PAD],
    "launch-pad",
]
TILE_LOOKS += ["unknown dune", "unknown water"]


def observed(table: Desert, role: str) -> dict[str, Any]:
    """The blocks of a seat's observation by name."""
    out = np.full(OBSERVATION.size, np.nan, np.float32)
    observe(table.state, table.seat(role), kernel_array(out))
    ends = np.cumsum([block.size for block in OBSERVATION])
    return dict(zip([block.name for block in OBSERVATION], np.split(out, ends), strict=False))


def tile_looks(blocks: dict[str, Any]) -> list[str]:
    looks = blocks["tile_look"].reshape(25, 16)
    return [TILE_LOOKS[int(row.argmax())] if row.sum() else "storm" for row in looks]


def test_tile_blocks_show_what_the_seat_knows() -> None:
    table = desert(
        gear={"archeologist": "terrascope"},
        tiles={"A1": "tunnel", "B1": "well", "C1": "launch-pad", "D1": "engine-row"},
        excavated="A1 D1",
        sand={"B2": 3},
        parts={"engine": "E4"},
    )
    table.play("archeologist", "scope C1")
    mine, yours = observed(table, "archeologist"), observed(table, "meteorologist")
    assert tile_looks(mine)[:4] == ["tunnel", "unknown water", "launch-pad", "engine-row"]
    assert tile_looks(yours)[:4] == ["tunnel", "unknown water", "unknown dune", "engine-row"]
    assert tile_looks(mine)[place("C3")] == "storm" and tile_looks(mine)[place("E5")] == "crash"
    assert np.flatnonzero(mine["excavated"]).tolist() == [0, 3]
    assert mine["sand"].tolist() == [0] * 6 + [3] + [0] * 18
    assert np.flatnonzero(mine["part_place"]).tolist() == [25 + place("E4")]


def test_seat_blocks_begin_with_the_observer() -> None:
    table = desert(
        "explorer,climber,navigator",
        at={"climber": "B2"},
        water={"climber": 1},
        gear={"navigator": "jet-pack solar-shield solar-shield"},
        taken="engine",
    )
    table.play("navigator", "shield")
    blocks = observed(table, "climber")
    pawns = blocks["pawn_place"].reshape(5, 25)
    assert [int(row.argmax()) for row in pawns[:3]] == [place("B2"), 0, 0] and pawns.sum() == 3
    roles = blocks["role"].reshape(5, 6)
    assert [components.ROLES[row.argmax()].name for row in roles[:3]] == [
        "climber",
        "navigator",
        "explorer",
    ] and roles.sum() == 3
    assert blocks["water"].tolist() == [1, 4, 4, 0, 0]
    gear = blocks["gear"].reshape(5, 6)
    assert gear[1].tolist() == [0, 1, 0, 1, 0, 0] and gear.sum() == 2
    assert blocks["shielded"].tolist() == [0, 1, 0, 0, 0]
    assert blocks["turn"].tolist() == [0, 0, 1, 0, 0]
    assert blocks["part_taken"].tolist() == [0, 1, 0, 0]


def test_storm_blocks_show_what_the_seat_knows() -> None:
    table = desert("meteorologist,explorer", tick=2, cards=29)
    table.stack("sun", "north-2", "picks-up")
    table.play("meteorologist", "calm", "forecast", "bottom 1", "end", "draw")
    mine, yours = observed(table, "meteorologist"), observed(table, "explorer")
    assert np.flatnonzero(mine["storm_seen"]).tolist() == [0, 27] and not yours["storm_seen"].any()
    assert (mine["storm_seen"][0], mine["storm_seen"][27]) == (components.PICKS_UP + 1, components.SUN + 1)
    assert mine["storm_discard"].sum() == 2
    apart = np.flatnonzero(mine["storm_apart"])
    assert [components.STORM_NAMES[card] for card in apart] == ["north-2"]
    assert mine["storm_meter"].argmax() == 1 and mine["storm_cards_per_turn"] == 3
    assert mine["phase"].tolist() == [0, 0, 1, 0] and mine["actions_or_draws_left"] == 1
    assert mine["held_off"] == 1 and mine["storm_deck_size"] == 28
    assert mine["sand_supply"] == table.state.supply and mine["gear_deck_size"] == 12


def test_blocks_of_a_guided_pawn() -> None:
    table = desert("explorer,navigator,climber")
    table.draw_storm("west-1", "east-1")
    table.play("navigator", "guide climber B1")
    blocks = observed(table, "navigator")
    assert blocks["guided"].tolist() == [0, 1, 0, 0, 0] and blocks["guided_steps_left"] == 2
