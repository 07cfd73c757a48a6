"""Taking turns: the fields and kernels of games in which one seat after another has its turn.

A game whose state inherits from ``TurnState`` tells when a turn and when the game ends. It then needs no kernels
``setup``, ``waiting`` and ``result`` (``skerry.engine.rules``).
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.kernel import kernel
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import i8, i16, i32s, struct


@struct
class TurnState:
    """What every game with turns has in its state."""

    turns: i16  # how many have ended
    players: i8  # how many seats there are
    turn: i8  # the seat whose turn it is
    ending: i8  # the number of the ending, counted from 1; 0 while the game goes on
    scores: Annotated[i32s, MAX_SEATS]  # of each seat; the highest wins


@kernel
def end_turn(state: TurnState) -> None:
    """The turn goes on to the next seat."""
    state.turns += 1
    state.turn = (state.turn + 1) % state.players


@kernel
def end_game(state: TurnState, ending: int) -> None:
    """The game is over. Whoever has the highest score wins; seats with equal scores share the victory."""
    state.ending = ending


@kernel
def win_game(state: TurnState, ending: int, seat: int) -> None:
    """The game is over, and a seat has won it."""
    state.ending = ending
    state.scores[seat] += 1
