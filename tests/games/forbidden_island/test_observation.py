"""The blocks of an observation show what everybody knows, from the observer's seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.engine.kernel import kernel_array
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.kernels import observe
from skerry.games.forbidden_island.rules.state import OBSERVATION

from .positions import Island
from .test_knowledge import after_waters_rise

BOARD = """
        ~ -
      . . . .
    . . . . . .
    . . . . . .
      . . . .
        . ."""


def observed(island: Island, seat: int) -> dict[str, Any]:
    """The blocks of a seat's observation by name."""
    out = np.full(OBSERVATION.size, np.nan, np.float32)
    observe(island.state, seat, kernel_array(out))
    ends = np.cumsum([block.size for block in OBSERVATION])
    return dict(zip([block.name for block in OBSERVATION], np.split(out, ends), strict=False))


def tiles(block: Any) -> list[str]:
    """The names of the tiles whose numbers in a block are not 0."""
    return [components.TILE_NAMES[tile] for tile in np.flatnonzero(block)]


def test_tile_blocks() -> None:
    island = Island("engineer,messenger", BOARD).at(0, "C3")
    blocks = observed(island, 0)
    assert tiles(blocks["tile_flooded"]) == tiles(blocks["in_flood_discard"]) == ["breakers-bridge"]
    assert tiles(blocks["tile_sunk"]) == ["cliffs-of-abandon"]
    assert blocks["tile_place"].tolist() == list(island.state.place_of)


def test_the_flood_pile_block_shows_piles_but_no_order() -> None:
    blocks = observed(after_waters_rise(), 0)
    known = {"breakers-bridge", "cliffs-of-abandon", "crimson-forest"}
    on_top = blocks["flood_pile"] == 1
    assert set(tiles(on_top)) == known
    assert set(blocks["flood_pile"][~on_top].tolist()) == {0.25}, "three cards lie above the lowest pile"


def test_seat_blocks_begin_with_the_observer() -> None:
    island = Island("engineer,messenger,pilot").at(0, "C1").at(1, "D1").at(2, "B2").hand(2, stone=2, lift=1)
    blocks = observed(island, 2)
    roles = blocks["role"].reshape(components.SEATS, components.N_ROLES)
    assert [components.ROLES[row.argmax()].name for row in roles[:3]] == ["pilot", "engineer", "messenger"]
    assert blocks["pawn_place"].tolist() == [2, 0, 1, 0]
    assert blocks["hands"].reshape(components.SEATS, components.HAND_CARD_KINDS)[0].tolist() == [2, 0, 0, 0, 1, 0]
    assert blocks["turn"].tolist() == [0, 1, 0, 0]


def test_treasure_and_turn_blocks() -> None:
    island = Island("pilot,messenger", difficulty="elite").at(0, "A3").captured("fire")
    island.play("0 move C1")
    blocks = observed(island, 1)
    assert blocks["captured"].tolist() == [0, 0, 1, 0]
    assert blocks["treasure_discard"].tolist() == [0, 0, 4, 0, 0, 0, 0]
    assert blocks["treasure_deck_size"] == 24 and blocks["flood_deck_size"] == components.TILES
    assert blocks["water_meter"].argmax() == 2 and blocks["phase"].tolist() == [1, 0, 0, 0]
    assert blocks["actions_or_draws_left"] == 2 and blocks["flight_used"] == 1
