"""Compiling rules and policies in several processes: nothing is left to compile but the loop around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.python_process import run_code

CODE = """
import json, os
os.cpu_count = lambda: 2
from skerry.bots import find
from skerry.engine.kernel_digest import reachable_kernels
from skerry.engine.kernel_progress import listening
from skerry.games import find_game
from skerry.lab import compile_ahead
from skerry.lab.series import Series
from skerry.lab.simulate import simulate

compile_ahead.PROGRAM = {program!r}
game = find_game("hashi")
series = Series(game.configure({{"players": 2}}), ("skilled", "random"), 3)
policy, ahead, later = find(game, "skilled").policy, [], []
with listening(ahead.append):
    compile_ahead.compile_ahead(series)
compiled_elsewhere = not policy.overloads
with listening(later.append):
    games = simulate(series, cores=2).games
rules = game.rules
entries = (rules.setup, rules.legal, rules.step, rules.determinize, policy)
needed = reachable_kernels(*(entry.py_func for entry in entries))
print(json.dumps({{
    "games": games,
    "compiled elsewhere": compiled_elsewhere,
    "ahead": sorted({{function.__qualname__ for function in ahead}}),
    "needed": sorted({{function.__qualname__ for function in needed}}),
    "needed, but compiled later": sorted(function.__qualname__ for function in needed & set(later)),
}}))
"""


@pytest.mark.parametrize("program", ["skerry.lab.compile_policy", "skerry.no_such_program"])
def test_rules_and_policies_are_compiled_before_the_first_game(program: str, tmp_path: Path) -> None:
    found = json.loads(run_code(tmp_path, CODE.format(program=program)))
    assert found["games"] == 3
    if program == "skerry.lab.compile_policy":
        assert found["compiled elsewhere"] and not found["needed, but compiled later"]
        assert set(found["ahead"]) >= set(found["needed"]), "progress is reported for all, wherever they are compiled"
    else:
        assert "_best_line" in found["needed, but compiled later"], "what another process failed at is done here"
