"""A solver for the best possible score of a solo game, with OR-Tools' CP-SAT.

    solution = solve(board, start=(island, number), cards=[(5, 3), …])
    solution.points, solution.bound, solution.plan

Every plan that is found is played by the rules, which count its points. Bounds are proved by the model (``model.py``);
tests compare the model with games played by the rules.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skerry.engine.errors import Refusal
from skerry.engine.match import Match
from skerry.games.hashi.puzzles.free_order import FreeOrderModel
from skerry.games.hashi.puzzles.model import KnownOrderModel
from skerry.games.hashi.puzzles.plan import Card, Plan, Start, empty_plan, plan_points
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import CARDS, MAX_POINTS, ROUNDS
from skerry.games.hashi.rules.options import board_of

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

EFFORT = 20.0  # for the longest attempt, in CP-SAT's deterministic time: about seconds on a fast core
SCORES = sorted(set(range(MAX_POINTS + 1)) - {53, 55, 57, 59})  # these four scores cannot occur
_FOUND, _IMPOSSIBLE = (2, 4), 3  # CP-SAT's FEASIBLE or OPTIMAL, and INFEASIBLE
# Pure clause learning is usually ten times faster, but sometimes only linear programming helps. Since the time varies
# widely, a short attempt with each comes first.
_ATTEMPTS = ((0, 0.25), (1, 0.25), (0, 1.0), (1, 1.0))  # linearization level, share of the effort


class SolverMissing(Refusal):
    """OR-Tools is not installed."""


@dataclass(frozen=True)
class Solution:
    """The best score that was found, with its plan. More than ``bound`` is impossible."""

    points: int
    bound: int
    start: Start
    plan: Plan

    @property
    def exact(self) -> bool:
        return self.points == self.bound


def solve(board: Board, start: Start, cards: Sequence[Card], effort: float = EFFORT, least: int = 1) -> Solution:
    """Find the best score of a solo game with this start (island and number) and these 17 cards in their order.

    The solver is asked whether each score is possible, from 60 down to ``least``: the higher the score, the fewer
    choices remain, so that high scores are found or excluded faster than medium ones. If it cannot decide about a score
    within the effort, the result is a range from ``points`` to ``bound``.
    """
    search = ScoreSearch(board, start, list(cards), effort)
    for points in reversed(SCORES):
        if points < least or search.find(points):
            break
    return Solution(search.found, search.bound, start, search.plan)


@dataclass
class ScoreSearch:
    """The search for the best score of one game: the best plan found so far, and the lowest bound proved so far."""

    board: Board
    start: Start
    cards: list[Card]
    effort: float

    def __post_init__(self) -> None:
        self.found, self.bound = 0, MAX_POINTS
        self.plan = empty_plan(self.cards)

    def find(self, least: int) -> bool:
        """Look for a plan with this score or more; True if one is found. A proof of the contrary lowers the bound."""
        for linearization, share in _ATTEMPTS:
            game = KnownOrderModel(_new_model(), self.board, self.start, self.cards)
            game.model.add(game.points >= least)
            solver = _new_solver(self.effort * share, linearization)
            status = int(solver.solve(game.model))
            if status in _FOUND:
                self.plan = game.plan(solver)
                self.found = plan_points(self.board, self.start, self.plan)
                return True
            if status == _IMPOSSIBLE:
                # This also decides about higher scores that were left open.
                self.bound = SCORES[bisect_left(SCORES, least) - 1]
                return False
        return False


def find_perfect_game(board: Board, effort: float = 3 * EFFORT) -> Solution | None:
    """Find a solo game with the full 60 points on a board: a start, an order of the cards, and a plan; or None."""
    game = FreeOrderModel(_new_model(), board)
    game.model.add(game.points >= MAX_POINTS)
    solver = _new_solver(effort)
    if solver.solve(game.model) not in _FOUND:
        return None
    start, plan = game.start(solver), game.plan(solver)
    return Solution(plan_points(board, start, plan), MAX_POINTS, start, plan)


def _new_model() -> CpModel:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SolverMissing("solving needs OR-Tools: pip install 'skerry[solver]'") from None
    return cp_model.CpModel()


def _new_solver(effort: float, linearization: int = 1) -> CpSolver:
    """A solver with one thread and a deterministic time limit, so that results are the same on every machine."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = linearization
    return solver


def random_cards(rng: random.Random) -> list[Card]:
    """17 of the 18 cards in random order."""
    return rng.sample(CARDS, ROUNDS)


def solve_match(match: Match, effort: float = EFFORT) -> Solution:
    """Find the best score that was possible in a finished solo game; at least the one that was reached."""
    assert match.result is not None
    board = board_of(match.variant.options["board"])
    cards = [CARDS[card] for card in list(match.state.deck)[:ROUNDS]]
    place, _, number = match.variant.options["start"].partition(":")
    for events in match.events(None):
        for event in events:
            if event.name == "started":
                place, number = event.values["island"], event.values["number"]
    island = [island.name for island in board.islands].index(place)
    scored = int(match.result.scores[0])
    solution = solve(board, (island, int(number)), cards, effort, least=scored + 1)
    return solution if solution.points > scored else replace(solution, points=scored, plan=())
