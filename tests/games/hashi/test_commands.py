"""The commands of ``skerry board``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import skerry
from skerry.games.hashi.commands import app
from skerry.games.hashi.puzzles import orders, solver
from skerry.games.hashi.puzzles.plan import Card, Start, empty_plan
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.board_text import BadBoard
from skerry.games.hashi.rules.options import read_printed_board

RUNNER = CliRunner()


def run(*words: str) -> str:
    outcome = RUNNER.invoke(app, list(words), catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.stdout


def test_check_counts_islands_lines_and_crossings() -> None:
    assert "18 islands, 25 lines, 3 crossings" in run("check", "A", "--effort", "0")


def test_check_refuses_an_invalid_drawing_with_the_position(tmp_path: Path) -> None:
    path = tmp_path / "bad.board"
    path.write_text("\n".join(read_printed_board("A").picture()).replace("b", "?", 1))
    with pytest.raises(BadBoard, match="line 3, column 5"):
        RUNNER.invoke(app, ["check", str(path)], catch_exceptions=False)


def test_check_warns_if_no_perfect_game_is_found(tmp_path: Path) -> None:
    """The board is accepted nonetheless."""
    path = tmp_path / "hard.txt"
    path.write_text("o-o-o-o-o-o\n|\nr-r-r-r-b-b\n          |\no-o-o-o-b-o\n")
    assert "Warning" in run("check", str(path), "--effort", "5")


def test_check_without_the_solver_says_that_it_did_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise solver.SolverMissing("solving needs OR-Tools")

    monkeypatch.setattr(solver, "find_perfect_game", missing)
    assert "Not looked for a perfect game" in run("check", "B")


def test_show_draws_the_board_in_the_terminal_and_as_svg(tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    drawn = run("show", "A", "--svg", str(picture))
    assert drawn.count("( )") == 11 and drawn.count("r )") == 4 and drawn.count("b )") == 3
    root = ElementTree.fromstring(picture.read_text())
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert (tags.count("circle"), tags.count("line"), tags.count("path")) == (18, 25, 7)


@pytest.mark.slow
def test_make_writes_a_board_that_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "made.board"
    assert "the skilled bot scores" in run("make", "--seed", "1", "--output", str(path))
    assert len(skerry.game("hashi", board=str(path)).new(seed=0).view(0)["board"]["islands"]) == 18


def test_best_prints_the_best_possible_score_of_a_solo_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = skerry.game("hashi", players=1, start="C4:3").new(seed=2)
    while match.result is None:
        match.play(0, "confirm")
    path = tmp_path / "game.txt"
    path.write_text(match.record())
    for best, words in (
        (solver.Solution(54, 56, (0, 3), ()), "between 54 and 56"),
        (solver.Solution(54, 54, (0, 3), ()), "54."),
    ):
        monkeypatch.setattr(solver, "solve_match", lambda match, effort, best=best: best)
        assert f"You scored 0; the best possible was {words}" in run("best", str(path))


def fake_solver(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Replace the solver by one whose result depends on the start number; returns the start numbers it was asked."""
    asked: list[int] = []

    def solve(board: Board, start: Start, cards: list[Card], effort: float) -> solver.Solution:
        asked.append(start[1])
        return solver.Solution(*{3: (58, 58), 4: (54, 60)}[start[1]], start, empty_plan(cards))

    monkeypatch.setattr(orders, "solve", solve)
    return asked


def test_orders_prints_a_histogram_of_best_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fake_solver(monkeypatch)
    *rows, summary = run("orders", "A", "--count", "20").splitlines()
    three, four = asked.count(3), asked.count(4)
    assert three + four == 20 and min(three, four) > 3
    assert [row.split() for row in rows] == [
        ["58", f"{three}", f"{three / 20:.1%}", "▪" * three],
        ["54", "to", "60", f"{four}", f"{four / 20:.1%}", "▪" * four],
    ]
    low, high = (58 * three + 54 * four) / 20, (58 * three + 60 * four) / 20
    assert (
        summary == f"20 orders, {three} of them exact; on average between {low:.1f} and {high:.1f} points are possible."
    )


def test_orders_continues_an_interrupted_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked, path = fake_solver(monkeypatch), tmp_path / "orders.jsonl"
    run("orders", "A", "--count", "7", "--keep", str(path), "--cores", "1")
    first = list(asked)
    kept = run("orders", "A", "--count", "12", "--keep", str(path), "--cores", "1")
    assert len(first) == 7 and len(asked) == 12, "the seven are not solved again"
    assert kept == run("orders", "A", "--count", "12") and len(path.read_text().splitlines()) == 12
    assert run("orders", "A", "--count", "7", "--keep", str(path)).endswith("\n") and len(asked) == 24
    with pytest.raises(skerry.BadRecord, match=r"Line 1 of .* is no order of this board"):
        RUNNER.invoke(app, ["orders", "B", "--keep", str(path)], catch_exceptions=False)


@pytest.mark.parametrize(
    "line", ["[]", "{}", "no json", '{"order": 0, "points": 1, "bound": 1, "start": "C1:3", "plan": []}']
)
def test_orders_refuses_a_file_with_other_content(tmp_path: Path, line: str) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text(line)
    with pytest.raises(skerry.BadRecord, match="Line 1 of"):
        RUNNER.invoke(app, ["orders", "A", "--keep", str(path)], catch_exceptions=False)


@pytest.mark.parametrize("text", ["", "skerry record 1\ngame forbidden-island 1\nend 0 running 0\n"])
def test_best_refuses_anything_but_a_finished_solo_game_of_hashi(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text or skerry.game("hashi", players=1).new(seed=0).record())
    with pytest.raises(skerry.BadRecord):
        RUNNER.invoke(app, ["best", str(path)], catch_exceptions=False)
