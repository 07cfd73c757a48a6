"""The blocks of the default observation: what the layout shows to a seat, named after the fields.

What belongs to seats begins with the reader's own, so that a learning agent need not know which seat it has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skerry.engine.blocks import Block, Blocks
from skerry.engine.errors import BadGame
from skerry.engine.layout import Component, Grid, Hand, Pile
from skerry.engine.struct import dtype_of

if TYPE_CHECKING:
    from skerry.engine.game import Game

SEAT, TURN = "my-seat", "my-turn"  # a hyphen is in no name of a field
SIZES = "-sizes"  # follows the field of a hand


class LayoutBlocks(Blocks):
    """The blocks of the default observation."""


def layout_blocks(game: Game) -> LayoutBlocks:
    """The blocks that the default ``observe`` writes."""
    own = (
        Block(SEAT, game.seats[-1], "my seat, one-hot"),
        Block(TURN, 1, "whether the game waits for me"),
    )
    return LayoutBlocks(*own, *(block for component in game.layout for block in _blocks(game, component)))


def _blocks(game: Game, component: Component) -> Iterator[Block]:
    name, shape = component.field, field_shape(game, component.field)
    match component:
        case Grid():
            signs = ", ".join(sign or "–" for sign in component.pieces[1:])
            size = component.rows * component.columns
            if math.prod(shape) != size:
                squares = f"{component.rows} x {component.columns} squares"
                raise BadGame(f"the grid {name} has {squares}, but the field {math.prod(shape)} numbers")
            yield Block(name, size * (len(component.pieces) - 1), f"{name} with each piece ({signs}), one-hot")
        case Hand():
            yield Block(name, shape[1], f"{name}: how many cards of each {component.kind} I hold")
            yield Block(f"{name}{SIZES}", game.seats[-1], f"{name}: how many cards each seat holds, mine first")
        case Pile():
            yield Block(name, 1, f"{name}: how many cards")
        case _ if shape:
            yield Block(name, game.seats[-1], f"{name} of each seat, mine first")
        case _:
            yield Block(name, 1, name)


def field_shape(game: Game, field: str) -> tuple[int, ...]:
    """The shape of a field that the layout shows; ``()`` for one number."""
    dtype = dtype_of(game.state_struct)
    names = dtype.names or ()
    if field not in names:
        known = ", ".join(names)
        raise BadGame(f"the layout shows {field}, which the state does not have; it has {known}")
    return dtype[field].shape
