"""A game with thirteen cards in each hand, for tests of described layouts: the last card lies on the table."""

from __future__ import annotations

from typing import Annotated, Any

from skerry import toolkit as tk
from skerry.toolkit import kernel

CARDS = tuple(
    rank + suit for suit in "♣♥" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
)
SIZE = len(CARDS)
PLAYED = 1  # the number of the ending


@tk.struct
class State(tk.TurnState):
    rng: tk.u64
    hands: Annotated[tk.i8s, 2, SIZE]
    stock: Annotated[tk.i8s, SIZE]
    table: Annotated[tk.i8s, 4]


@kernel
def setup(state: State, options: Any, seed: Any) -> None:
    state.players = options.players
    state.rng = seed
    for card in range(SIZE):
        state.stock[card] = 1
    for index in range(SIZE):
        tk.draw_card(state, state.stock, state.hands, index % 2)


@kernel
def legal(state: State, seat: int, out: Any) -> int:
    count = 0
    for card in range(SIZE):
        if state.hands[seat, card]:
            out[count] = card
            count += 1
    return count


@kernel
def step(state: State, seat: int, action: int, log: tk.EventLog) -> bool:
    state.hands[seat, action] -= 1
    state.table[state.turns % 4] = action + 1
    tk.end_turn(state)
    if state.turns == SIZE:
        tk.end_game(state, PLAYED)
    return False


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    tk.redeal_hands(state, state.hands, state.stock, seat, seed)


GAME = tk.Game(
    name="thirteen-cards",
    title="Thirteen cards",
    summary="Play all cards.",
    package=__name__,
    seats=range(2, 3),
    state_struct=State,
    names={"card": CARDS},
    actions=tk.Actions(tk.Verb("play", tk.One("card", SIZE), help="plays a card")),
    endings=(tk.Ending("played", "All cards are played"),),
    layout=(
        tk.Grid(field="table", rows=4, columns=1, pieces=("", *CARDS), title="Table"),
        tk.Hand(field="hands", kind="card"),
        tk.Pile(field="stock", title="Stock"),
    ),
)
