"""The solver of solo games, and the generator of boards. Plans of the solver are played by the rules."""

from __future__ import annotations

import random

import pytest

import skerry
from skerry.engine.struct import StructBuffer
from skerry.games.hashi import GAME
from skerry.games.hashi.puzzles import generator, solver
from skerry.games.hashi.puzzles.difficulty import measure_difficulty
from skerry.games.hashi.puzzles.plan import plan_points, play_plan
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.options import board_of, read_printed_board
from tests.games.hashi.plans import PERFECT, read_plan, read_plans


@pytest.mark.rule("HA-01", "HA-40", "HA-41")
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_perfect_game_is_possible_on_both_sides(side: str) -> None:
    (plan,) = [plan for plan in read_plans(PERFECT.read_text()) if plan[0] == f"board {side}"]
    _, start, turns = read_plan(plan)
    match = play_plan(board_of(side), start, turns)
    assert match.result is not None and match.result.scores == (60.0,)
    assert match.view(0)["rank"]["title"] == "God of the Islands"


def test_side_b_is_harder_than_side_a() -> None:
    assert (
        measure_difficulty(read_printed_board("A"), games=200).points
        > measure_difficulty(read_printed_board("B"), games=200).points + 2
    )


def test_a_plan_of_the_solver_scores_the_same_by_the_rules() -> None:
    search = _search(order=0)
    assert search.find(54)
    assert 54 <= search.found == plan_points(search.board, search.start, search.plan) <= search.bound


def _search(order: int) -> solver.ScoreSearch:
    return solver.ScoreSearch(board_of("A"), (0, 3), solver.random_cards(random.Random(order)), effort=10)


def test_an_odd_sum_of_numbers_is_never_perfect() -> None:
    cards = [card for card in components.CARDS if card != (1, 1)]  # 62 in all, and 3 at the start
    best = solver.solve(board_of("A"), (0, 3), cards, least=60)
    assert (best.points, best.bound) == (0, 58)


def test_the_best_possible_score_is_at_least_the_score_reached() -> None:
    (plan,) = [plan for plan in read_plans(PERFECT.read_text()) if plan[0] == "board A"]
    _, start, turns = read_plan(plan)
    match = play_plan(board_of("A"), start, turns)
    best = solver.solve_match(match)
    assert (best.points, best.bound) == (60, 60) and best.exact


@pytest.mark.slow
@pytest.mark.parametrize("order", range(6))
def test_plans_of_complete_searches_are_legal_and_score_as_promised(order: int) -> None:
    board, first = board_of("A"), _search(order)
    best = solver.solve(board, first.start, first.cards, effort=20)
    assert best.exact and best.points == plan_points(board, best.start, best.plan)


def test_the_refusal_without_ortools_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ortools.sat.python", None)
    with pytest.raises(solver.SolverMissing, match=r"skerry\[solver\]"):
        solver.find_perfect_game(board_of("A"))


def test_random_boards_have_18_connected_islands() -> None:
    chance = random.Random(1)
    pretty = [board for board in (generator.random_board(chance) for _ in range(60)) if generator.is_acceptable(board)]
    assert len(pretty) > 5
    for board in pretty:
        assert skerry.game("hashi", board=board.text).options["board"] == board.text
        assert len({island.flag for island in board.islands}) == 3 and board.crossings


@pytest.mark.slow
def test_the_same_seed_generates_the_same_board() -> None:
    made, again = generator.generate_board(1), generator.generate_board(1)
    assert made == again and made.solution.points == 60
    assert plan_points(made.board, made.solution.start, made.solution.plan) == 60


def test_the_difficulty_depends_on_the_board_only() -> None:
    assert measure_difficulty(read_printed_board("A"), games=20) == measure_difficulty(
        read_printed_board("A"), games=20
    )
    assert StructBuffer(GAME.state_struct).content == bytes(GAME.state_size)
