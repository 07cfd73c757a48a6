"""Conformance finds faults that are planted in the example games, and says what is broken in the shortest game."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import skerry
from skerry.cli.check_game import report_on_game
from skerry.engine.game import Game
from skerry.engine.game_check import Verdict, assert_conforms, check_game
from skerry.games import VARIABLE, Registry
from tests.cli.commands import run
from tests.games_elsewhere.packages import EXAMPLES


class Fault(NamedTuple):
    """A change of an example game that breaks it, and what conformance is to say."""

    game: str  # the module
    old: str
    new: str
    check: str
    said: str  # part of the message
    steps: int | None = None  # of the shortest game that shows it, where that is certain


OBSERVE = "@kernel\ndef observe(state: State, seat: int, out: Any) -> None:\n"
LANTERNS, TIC_TAC_TOE = "lanterns", "tic_tac_toe"
FAULTS = {
    "a leak in the view": Fault(
        LANTERNS,
        'tk.Pile(field="bag", title="Bag")',
        'tk.Grid(field="bag", rows=1, columns=5, pieces=tuple("-123456789"), title="Bag")',
        "check_secrecy",
        "bag in the view",
        0,
    ),
    "a leak in the events": Fault(
        LANTERNS,
        "tk.emit_secret(log, 1 << seat, DREW, seat, card, 0, 0)",
        "tk.emit(log, DREW, seat, card, 0)",
        "check_telling",
        "tells seat 1 what its view hides and determinize takes for unknown: Ada draws a",
    ),
    "a draw that tells by its timing who could interrupt it": Fault(
        LANTERNS,
        'label="Draw a card", primary=True, reveals=True)',
        'label="Draw a card", primary=True, reveals=True, automatic=True)',
        "check_timing",
        "'draw' goes by itself where seat",
    ),
    "chance that step does not tell": Fault(
        LANTERNS,
        "return action == DRAW",
        "return False",
        "check_secrecy",
        "'draw' uses chance, but step does not return True",
        0,
    ),
    "an index outside of an array": Fault(
        LANTERNS,
        "        tk.emit_secret(log, 1 << seat, DREW, seat, card, 0, 0)",
        "        return True",
        "check_ranges",
        "IndexError: index out of bounds on dimension 1, in step (line 88: card = tk.draw_card(state, state.bag,",
    ),
    "a number that does not fit": Fault(
        LANTERNS,
        "    state.bag[GUST] = GUSTS",
        "    state.bag[GUST] = 200",
        "check_ranges",
        "a number does not fit into its field: i8 holds -128 to 127, i16 -32,768 to 32,767, in setup (line ",
    ),
    "a fraction in a field": Fault(
        LANTERNS,
        "    state.bag[GUST] = GUSTS",
        "    state.bag[GUST] = GUSTS / 2",
        "check_ranges",
        "fields hold whole numbers: divide with // instead of /, in setup (line",
    ),
    "an event that the fact sheet does not have": Fault(
        LANTERNS,
        "tk.emit_secret(log, 1 << seat, DREW,",
        "tk.emit_secret(log, 1 << seat, 7,",
        "check_ranges",
        "a step told the event number 7, but the events of the fact sheet are: 0 is drew, 1 is blew, 2 is light",
    ),
    "an ending that the fact sheet does not have": Fault(
        TIC_TAC_TOE,
        "LINE, FULL = 1, 2",
        "LINE, FULL = 1, 3",
        "check_ranges",
        "the game ended with the number 3, but the endings of its fact sheet are: 1 is line, 2 is full",
    ),
    "a helper that is not compiled": Fault(
        TIC_TAC_TOE,
        "@kernel\ndef has_line",
        "def has_line",
        "check_kernels",
        "the kernel step calls has_line, which is not compiled: write @kernel above it (",
    ),
    "a field that the state does not have": Fault(
        TIC_TAC_TOE,
        "        if not state.cells[cell]:",
        "        if not state.squares[cell]:",
        "check_ranges",
        "AttributeError: 'State' object has no attribute 'squares', in legal (line",
    ),
    "a rule that is missing": Fault(
        TIC_TAC_TOE,
        "@kernel\ndef legal",
        "@kernel\ndef possible",
        "check_ranges",
        "has no kernel legal",
    ),
    "a verb that tells what it does not know": Fault(
        TIC_TAC_TOE,
        "{player} marks {cell}",
        "{player} marks {square}",
        "check_facts",
        "{square}, which is no placeholder of it: player, cell",
    ),
    "actions in another order": Fault(
        TIC_TAC_TOE,
        "out[count] = cell",
        "out[count] = 8 - cell",
        "check_play",
        "the legal actions of seat 0 are not in ascending order: [8, 7, 6",
        0,
    ),
    "chance that does not come from the seed": Fault(
        TIC_TAC_TOE,
        "state.cells[action] = seat + 1",
        "state.cells[action] = 1 + int(np.random.random() * 120)",
        "check_play",
        "'mark 1' does not always do the same: chance must come from the seed",
        0,
    ),
    "two cards of one name": Fault(
        LANTERNS,
        '"red lantern", "blue lantern"',
        '"red lantern", "red lantern"',
        "check_notation",
        "the action 2 is written 'light red-lantern', which is read as action 1",
    ),
    "a name that cannot be typed": Fault(
        LANTERNS,
        '"red lantern", "blue lantern"',
        '"red,lantern", "blue lantern"',
        "check_notation",
        "the action 1 is written 'light red,lantern', which cannot be read",
    ),
    "an allocation in a kernel": Fault(
        TIC_TAC_TOE,
        "    count = 0\n",
        "    count = np.zeros(3, np.int32)[0]\n",
        "check_kernels",
        "the kernel legal does not compile",
    ),
    "an undeclared reveal": Fault(
        LANTERNS,
        'label="Draw a card", primary=True, reveals=True',
        'label="Draw a card", primary=True',
        "check_play",
        "'draw' reveals something hidden or uses chance, but its verb lacks reveals=True",
        0,
    ),
    "a state over the limit": Fault(
        TIC_TAC_TOE,
        "    cells: Annotated[tk.i8s, 9]",
        "    history: Annotated[tk.i8s, 2000]\n    cells: Annotated[tk.i8s, 9]",
        "check_facts",
        "and at most 1024 are allowed",
    ),
    "a seat that can do nothing": Fault(
        TIC_TAC_TOE,
        "if not state.cells[cell]:",
        "if not state.cells[cell] and state.turns < 2:",
        "check_play",
        "the game waits for seat 0, which has no legal action",
        2,
    ),
    "more events than declared": Fault(
        TIC_TAC_TOE,
        "    tk.end_turn(state)\n",
        "    for _ in range(63):\n        tk.emit(log, 0, seat, action, 0)\n    tk.end_turn(state)\n",
        "check_play",
        "'mark 1' writes 64 events, but max_events is 63",
        0,
    ),
    "an observation that is too short": Fault(
        TIC_TAC_TOE,
        "MARK = tk.Verb(",
        f"{OBSERVE}    for index in range(20):\n        out[index] = 0\n\n\nMARK = tk.Verb(",
        "check_observation",
        "observe of seat 0 writes no finite number at 20 (cells)",
        0,
    ),
    "an observation that is no number": Fault(
        LANTERNS,
        "GAME = tk.Game(",
        f"{OBSERVE}    for index in range(19):\n        out[index] = 0\n    out[5] = np.nan\n\n\nGAME = tk.Game(",
        "check_observation",
        "observe of seat 0 writes no finite number at 5 (bag)",
        0,
    ),
    "a determinization that changes what a seat sees": Fault(
        LANTERNS,
        "    tk.redeal_hands(state, state.hands, state.bag, seat, seed)",
        "    tk.redeal_hands(state, state.hands, state.bag, seat, seed)\n    state.hands[(seat + 1) % 2, GUST] += 1",
        "check_secrecy",
        "hands in the view",
        0,
    ),
    "a determinization that keeps what is hidden": Fault(
        LANTERNS,
        "    tk.redeal_hands(state, state.hands, state.bag, seat, seed)",
        "    seed = state.rng\n    tk.redeal_hands(state, state.hands, state.bag, seat, seed)",
        "check_secrecy",
        "what determinize draws for seat 0 depends on hidden information: rng",
    ),
    "a determinization that keeps what chance will bring": Fault(
        LANTERNS,
        "    tk.redeal_hands(state, state.hands, state.bag, seat, seed)",
        "    old = state.rng\n    tk.redeal_hands(state, state.hands, state.bag, seat, seed)\n    state.rng = old",
        "check_secrecy",
        "determinize for seat 0 keeps the field rng",
        0,
    ),
    "hidden hands without a determinization": Fault(
        LANTERNS,
        "@kernel\ndef determinize(",
        "@kernel\ndef other_name(",
        "check_ranges",
        "lanterns has no kernel determinize, but hides hands",
    ),
    "a winner while the game goes on": Fault(
        TIC_TAC_TOE,
        "MARK = tk.Verb(",
        "@kernel\ndef waiting(state: State) -> int:\n    return 1 << state.turn if state.turns < 9 else 0\n\n\n"
        "MARK = tk.Verb(",
        "check_play",
        "the game has a result, but waits for seats",
    ),
    "an end without a result": Fault(
        TIC_TAC_TOE,
        "MARK = tk.Verb(",
        "@kernel\ndef result(state: State, scores: Any) -> int:\n    return 1 if state.ending == LINE else 0\n\n\n"
        "MARK = tk.Verb(",
        "check_play",
        "the game has no result, but waits for nobody",
        9,
    ),
    "legal changes the state": Fault(
        TIC_TAC_TOE,
        "    count = 0\n",
        "    count = 0\n    state.turns += 1 - seat\n",
        "check_play",
        "legal changes the state",
        0,
    ),
}


@pytest.fixture
def broken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The example game with one fault."""
    fault = FAULTS[request.param]
    code = (EXAMPLES / f"skerry_example_games/{fault.game}.py").read_text()
    assert code.count(fault.old) == 1
    module = "broken_" + "".join(letter if letter.isalpha() else "_" for letter in request.param)
    imports = "from typing import Annotated, Any\n"
    assert imports in code
    changed = code.replace(fault.old, fault.new).replace(imports, f"{imports}\nimport numpy as np\n", 1)
    (tmp_path / f"{module}.py").write_text(changed)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(module).GAME
    del sys.modules[module]


def first_broken(game: Game) -> Verdict:
    return next(verdict for verdict in check_game(game) if not verdict.kept)


@pytest.mark.parametrize(
    ("broken", "fault"), [(name, FAULTS[name]) for name in FAULTS], indirect=["broken"], ids=FAULTS
)
def test_each_fault_is_found_and_named(broken: Game, fault: Fault) -> None:
    verdict = first_broken(broken)
    assert verdict.name == fault.check and fault.said.lower() in verdict.what.lower(), (verdict.name, verdict.what)
    if fault.steps is not None:
        assert verdict.match is not None and len(verdict.match.steps) == fault.steps
        assert verdict.record.startswith("skerry record 1") and f"; step {fault.steps}" in verdict.position


@pytest.mark.parametrize("broken", ["an end without a result"], indirect=True)
def test_a_verdict_is_printed_with_the_shortest_game(
    broken: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry()
    registry.add(broken)
    monkeypatch.setattr(skerry.games, "_registry", registry)
    assert not report_on_game("tic-tac-toe", json=False)
    said = capsys.readouterr().out
    assert "broken  check_play" in said and "the game has no result, but waits for nobody" in said
    assert "in players=2; seed" in said and "0 mark" in said and "end 9 running" in said
    with pytest.raises(AssertionError, match="tic-tac-toe is broken"):
        assert_conforms(broken)


@pytest.mark.parametrize("broken", ["a seat that can do nothing"], indirect=True)
def test_the_command_ends_with_status_1_and_tells_programs_what_is_broken(
    broken: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(VARIABLE, broken.package)
    report = json.loads(run("check-game", "tic-tac-toe", "--json", status=1))
    assert not report["kept"] and report["coverage"]["verb"] == {"mark": 200}
    found = {check["check"]: check for check in report["checks"] if not check["kept"]}
    assert "the game waits for seat 0, which has no legal action" in found["check_play"]["what"]
    assert "end 2 running" in found["check_play"]["record"]
