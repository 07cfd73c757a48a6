"""Tic-tac-toe, the smallest complete game: its rules, a described board, and nothing else."""

from typing import Annotated, Any

from skerry import toolkit as tk
from skerry.toolkit import kernel

LINES = tk.lookup_table([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
LINE, FULL = 1, 2  # the numbers of the endings


@tk.struct
class State(tk.TurnState):
    cells: Annotated[tk.i8s, 9]  # 0 is empty, 1 is X, 2 is O


@kernel
def legal(state: State, seat: int, out: Any) -> int:
    count = 0
    for cell in range(9):
        if not state.cells[cell]:
            out[count] = cell
            count += 1
    return count


@kernel
def has_line(state: State, mark: int) -> bool:
    for line in range(8):
        a, b, c = LINES[line, 0], LINES[line, 1], LINES[line, 2]
        if state.cells[a] == mark and state.cells[b] == mark and state.cells[c] == mark:
            return True
    return False


@kernel
def step(state: State, seat: int, action: int, log: tk.EventLog) -> bool:
    state.cells[action] = seat + 1
    tk.end_turn(state)
    if has_line(state, seat + 1):
        tk.win_game(state, LINE, seat)
    elif state.turns == 9:
        tk.end_game(state, FULL)
    return False


MARK = tk.Verb("mark", tk.One("cell", 9), help="puts your sign into a cell", told="{player} marks {cell}")
GAME = tk.Game(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    summary="Three signs in a row win.",
    package=__name__,
    seats=range(2, 3),
    open_handed=True,
    state_struct=State,
    actions=tk.Actions(MARK),
    endings=(tk.Ending("line", "Three in a row"), tk.Ending("full", "The board is full")),
    layout=(tk.Grid(field="cells", rows=3, columns=3, pieces=("", "X", "O"), kind="cell"),),
)
