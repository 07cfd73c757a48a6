"""An option brings its own module of rules: other kernels of the same game, where it is chosen."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest

from skerry import toolkit as tk
from skerry.engine.errors import BadGame
from skerry.engine.game import Game
from skerry.engine.game_check import assert_conforms
from skerry.engine.rules import rules_of
from skerry.lab.series import Series, play
from tests.games_elsewhere.packages import TIC_TAC_TOE

MISERE = '''"""Whoever gets three in a row loses."""

from skerry import toolkit as tk
from skerry.toolkit import kernel
from wild_lines import FULL, LINE, State, has_line


@kernel
def step(state: State, seat: int, action: int, log: tk.EventLog) -> bool:
    state.cells[action] = seat + 1
    tk.end_turn(state)
    if has_line(state, seat + 1):
        tk.win_game(state, LINE, 1 - seat)
    elif state.turns == 9:
        tk.end_game(state, FULL)
    return False
'''
GOAL = 'tk.Choice("goal", "what a line does", ("wins", "loses"), "wins", rules={"loses": "wild_misere"})'
LOSING_LINE = (0, 5), (1, 1), (0, 2), (1, 3), (0, 8)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Tic-tac-toe with an option whose rules are in a module of their own."""
    code = TIC_TAC_TOE.replace("    cells: Annotated", "    goal: tk.i8\n    cells: Annotated")
    code = code.replace("    state_struct=State,", f"    state_struct=State,\n    options=({GOAL},),")
    (tmp_path / "wild_lines.py").write_text(code)
    (tmp_path / "wild_misere.py").write_text(MISERE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("wild_lines").GAME
    for module in ("wild_lines", "wild_misere"):
        sys.modules.pop(module, None)


@pytest.mark.parametrize(("goal", "winner"), [("wins", 0), ("loses", 1)])
def test_the_chosen_rules_decide_who_wins(game: Game, goal: str, winner: int) -> None:
    match = game.configure({"goal": goal}).new(seed=1)
    for seat, cell in LOSING_LINE:
        assert match.waiting == (seat,)
        match.play(seat, f"mark {cell}")
    assert match.result is not None and match.result.winners == (winner,)


def test_both_rules_keep_the_contract_and_are_simulated(game: Game) -> None:
    assert_conforms(game)
    wins = {}
    for goal in ("wins", "loses"):
        played = play(Series(game.configure({"goal": goal}), ("random", "random"), 200), 0, 200)
        wins[goal] = int(played.states["scores"][:, 0].sum())
    assert wins["wins"] > 100 > wins["loses"]


def test_rules_of_an_option_without_a_field_for_it_are_refused(game: Game) -> None:
    @tk.struct
    class NoGoal(tk.TurnState):
        cells: Annotated[tk.i8s, 9]

    with pytest.raises(BadGame, match=r"(?i)the option goal brings rules, so the state needs a field of this name"):
        rules_of(dataclasses.replace(game, state_struct=NoGoal))
