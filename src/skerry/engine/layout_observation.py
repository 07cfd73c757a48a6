"""The default ``observe``: a kernel that writes what the layout shows, in the blocks of ``layout_blocks``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from skerry.engine.blocks import Blocks
from skerry.engine.kernel import kernel
from skerry.engine.layout import Component, Counter, Grid, Hand, Pile, Track
from skerry.engine.layout_blocks import SEAT, SIZES, TURN, field_shape

if TYPE_CHECKING:
    from skerry.engine.game import Game

Kernel = Callable[..., Any]


def observe_layout(game: Game, waiting: Kernel) -> Kernel:
    """The kernel ``observe`` that writes what the layout shows."""
    blocks = game.observation
    writers = [_own_seat(blocks.offset(SEAT), blocks.offset(TURN), game.seats[-1], waiting)]
    for component in game.layout:
        writers += _writers(game, component, blocks)
    return reduce(_one_after_another, writers)


def _writers(game: Game, component: Component, blocks: Blocks) -> Sequence[Kernel]:
    field, seats, shape = component.field, game.seats[-1], field_shape(game, component.field)
    first = blocks.offset(field)
    match component:
        case Grid():
            squares = _square_of_row if len(shape) > 1 else _square
            return [_pieces(field, first, component.rows, component.columns, len(component.pieces), squares)]
        case Hand():
            return [
                _own_cards(field, first, shape[1]),
                _hand_sizes(field, blocks.offset(f"{field}{SIZES}"), seats, shape[1]),
            ]
        case Pile() if shape:
            return [_total(field, first, shape[0])]
        case Track() | Counter() if shape:
            return [_of_each_seat(field, first, seats)]
        case _:
            return [_number(field, first)]


def _one_after_another(write: Kernel, write_next: Kernel) -> Kernel:
    @kernel
    def observe(state: Any, seat: int, out: Any) -> None:
        write(state, seat, out)
        write_next(state, seat, out)

    return observe


def _own_seat(first: int, turn: int, seats: int, waiting: Kernel) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        for other in range(seats):
            out[first + other] = 1 if other == seat else 0
        out[turn] = waiting(state) >> seat & 1

    return write


@kernel
def _square(squares: Any, row: int, column: int, columns: int) -> int:
    return squares[row * columns + column]


@kernel
def _square_of_row(squares: Any, row: int, column: int, columns: int) -> int:
    return squares[row, column]


def _pieces(field: str, first: int, rows: int, columns: int, pieces: int, square: Kernel) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        squares, index = state[field], first
        for piece in range(1, pieces):
            for row in range(rows):
                for column in range(columns):
                    out[index] = 1 if square(squares, row, column, columns) == piece else 0
                    index += 1

    return write


def _own_cards(field: str, first: int, kinds: int) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        hands = state[field]
        for kind in range(kinds):
            out[first + kind] = hands[seat, kind]

    return write


def _hand_sizes(field: str, first: int, seats: int, kinds: int) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        hands = state[field]
        for place in range(seats):
            size = 0
            if place < state.players:
                for kind in range(kinds):
                    size += hands[(seat + place) % state.players, kind]
            out[first + place] = size

    return write


def _total(field: str, first: int, kinds: int) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        cards, size = state[field], 0
        for kind in range(kinds):
            size += cards[kind]
        out[first] = size

    return write


def _of_each_seat(field: str, first: int, seats: int) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        numbers = state[field]
        for place in range(seats):
            out[first + place] = numbers[(seat + place) % state.players] if place < state.players else 0

    return write


def _number(field: str, first: int) -> Kernel:
    @kernel
    def write(state: Any, seat: int, out: Any) -> None:
        out[first] = state[field]

    return write
