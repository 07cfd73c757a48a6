"""Named blocks of a vector: offsets, sizes, and declarations that are refused."""

from __future__ import annotations

import pytest

from skerry.engine.blocks import Block, Blocks
from skerry.engine.game import Game
from skerry.games import all_games

LAYOUT = Blocks(Block("flooded", 24, "tile is flooded"), Block("water", 10, "water meter"), Block("own", 1, "own turn"))


def test_a_block_begins_where_the_one_before_it_ends() -> None:
    assert [LAYOUT.offset(name) for name in ("flooded", "water", "own")] == [0, 24, 34]


def test_the_size_is_that_of_all_blocks_together() -> None:
    assert LAYOUT.size == 35
    assert Blocks().size == 0


def test_blocks_are_listed_in_their_order() -> None:
    assert [block.name for block in LAYOUT] == ["flooded", "water", "own"]
    assert [block.size for block in LAYOUT] == [24, 10, 1]


def test_an_unknown_name_has_no_offset() -> None:
    with pytest.raises(KeyError, match="sand"):
        LAYOUT.offset("sand")


def test_two_blocks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two blocks are named 'water'"):
        Blocks(Block("water", 10, "water meter"), Block("flooded", 24, ""), Block("water", 1, "water again"))


@pytest.mark.parametrize("size", [0, -1])
def test_a_block_without_numbers_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"block 'water' needs a size of at least 1, not {size}"):
        Block("water", size, "water meter")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_observation_of_a_game_is_made_of_blocks(game: Game) -> None:
    assert isinstance(game.observation, Blocks)
    assert game.observation_size == sum(block.size for block in game.observation)
    assert all(block.text for block in game.observation)
