"""The solver's model compared with the rules: every legal game is a solution of the model, with the same points.

So nothing that the model excludes is possible. That all it allows is legal is tested by playing its plans.
"""

from __future__ import annotations

from typing import Any

import pytest
from ortools.sat.python import cp_model

import skerry
from skerry.bots import find
from skerry.games.hashi.puzzles.free_order import FreeOrderModel
from skerry.games.hashi.puzzles.model import KnownOrderModel
from skerry.games.hashi.puzzles.plan import Plan, Start, Turn, plan_points, play_plan
from skerry.games.hashi.puzzles.solver import ScoreSearch
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import CARDS, ROUNDS
from skerry.games.hashi.rules.options import board_of
from tests.games.hashi.plans import PERFECT, read_plan, read_plans

SIDES = ("A", "B")


def play_bot_game(side: str, bot: str, seed: int) -> tuple[Start, Plan, int]:
    """A bot's solo game as a plan, and its score."""
    board = board_of(side)
    start = [i for i, island in enumerate(board.islands) if not island.flag][seed % 11], 3 + seed % 2
    options = {"players": 1, "board": side, "start": f"{board.islands[start[0]].name}:{start[1]}"}
    match = skerry.game("hashi", **options).new(seed=seed)
    player, turns = find(match.game, bot), list[Turn]()
    while match.result is None:
        action = player.choose(match, 0, 1000 * seed + len(match.steps))
        if match.action(action).verb == "confirm":
            turns.append(_turn(board, match.view(0)))
        match.play(0, action)
    return start, tuple(turns), int(match.result.scores[0])


def _turn(board: Board, view: dict[str, Any]) -> Turn:
    places = [island.name for island in board.islands]
    lines = [board.line_name(line) for line in range(len(board.lines))]
    draft = view["draft"]
    island = None if draft["island"] is None else places.index(draft["island"])
    return Turn((view["card"]["number"], view["card"]["bridges"]), island, tuple(map(lines.index, draft["bridges"])))


def points_in_model(game: KnownOrderModel, plan: Plan) -> int | None:
    """The points of a plan in a model, or None if it is not a solution of the model."""
    drawn = [0] * len(game.board.lines)
    for r, turn in enumerate(plan):
        for island, writes in enumerate(game.writes):
            game.model.add(writes[r] == (island == turn.island))
        for line in turn.lines:
            drawn[line] += 1
        for line, count in enumerate(drawn):
            game.model.add(game.bridge[line][r + 1] == (count > 0))
            game.model.add(game.second[line][r + 1] == (count > 1))
    game.model.maximize(game.points)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return int(solver.objective_value) if solver.solve(game.model) == cp_model.OPTIMAL else None


def model_of(side: str, start: Start, plan: Plan) -> KnownOrderModel:
    return KnownOrderModel(cp_model.CpModel(), board_of(side), start, [turn.card for turn in plan])


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("bot", "games"), [("skilled", 10), ("novice", 5), ("random", 5)])
def test_bots_games_are_solutions_of_the_model_with_the_same_points(side: str, bot: str, games: int) -> None:
    for seed in range(games):
        start, plan, points = play_bot_game(side, bot, seed)
        assert plan_points(board_of(side), start, plan) == points
        assert points_in_model(model_of(side, start, plan), plan) == points


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_many_games_are_solutions_of_the_model_with_the_same_points(side: str) -> None:
    scored = set()
    for seed in range(100, 600):
        start, plan, points = play_bot_game(side, "skilled", seed)
        assert points_in_model(model_of(side, start, plan), plan) == points
        scored.add(points)
    assert len(scored) > 15


@pytest.mark.parametrize("text", read_plans(PERFECT.read_text()), ids=SIDES)
def test_the_perfect_games_are_solutions_of_the_model(text: list[str]) -> None:
    side, start, plan = read_plan(text)
    assert points_in_model(model_of(side, start, plan), plan) == 60


@pytest.mark.parametrize("text", read_plans(PERFECT.read_text()), ids=SIDES)
def test_a_perfect_game_without_one_thing_scores_the_same_less_in_rules_and_model(text: list[str]) -> None:
    """Without it bonuses are late or missing and islands unfinished; rules and model agree on the points."""
    side, start, plan = read_plan(text)
    scores = set()
    for r in range(ROUNDS):
        lesser = (*plan[:r], Turn(plan[r].card, plan[r].island, ()), *plan[r + 1 :])
        try:
            points = plan_points(board_of(side), start, lesser)
        except skerry.Illegal:  # a flag that the bridge had to reach first
            assert points_in_model(model_of(side, start, lesser), lesser) is None
            continue
        assert points_in_model(model_of(side, start, lesser), lesser) == points
        scores.add(points)
    assert max(scores) == 60 and len(scores) > 4, "a round without bridges costs nothing"


def test_games_that_the_rules_refuse_are_no_solutions_of_the_model() -> None:
    side, start, plan = read_plan(read_plans(PERFECT.read_text())[0])
    first, second, *rest = plan
    for wrong in (
        (Turn(first.card, first.island, first.lines[:1]), second, *rest),
        (first, Turn(second.card, start[0], ()), *rest),
        (first, Turn(second.card, first.island, ()), *rest),
        (Turn(first.card, 4, first.lines), second, *rest),
    ):
        with pytest.raises(skerry.Illegal):
            play_plan(board_of(side), start, wrong)
        assert points_in_model(model_of(side, start, wrong), wrong) is None


@pytest.mark.parametrize("side", SIDES)
def test_bots_games_are_solutions_of_the_model_with_free_order(side: str) -> None:
    for seed in range(3):
        start, plan, points = play_bot_game(side, "skilled", seed)
        game = FreeOrderModel(cp_model.CpModel(), board_of(side))
        game.model.add(game.starts[start[0]][start[1] - 3] == 1)
        for r, turn in enumerate(plan):
            game.model.add(game.shown[CARDS.index(turn.card)][r] == 1)
        assert points_in_model(game, plan) == points


@pytest.mark.parametrize("side", SIDES)
def test_the_solver_finds_at_least_the_score_that_was_played(side: str) -> None:
    for seed in range(2):
        start, plan, points = play_bot_game(side, "skilled", seed)
        search = ScoreSearch(board_of(side), start, [turn.card for turn in plan], effort=10)
        assert search.find(points) and search.found >= points and search.bound == 60
