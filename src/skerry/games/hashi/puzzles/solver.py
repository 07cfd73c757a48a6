"""The best a solo player could have done: questions about a whole game, answered by OR-Tools' CP-SAT.

    best = solve(board, start=(island, number), cards=[(5, 3), …])
    best.points, best.bound, best.plan

A plan that is found is played by the rules, and the points are those that the rules give. A bound is what the model
(``model.py``) proves; tests hold the model against games played by the rules.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skerry.engine.errors import Refusal
from skerry.engine.match import Match
from skerry.games.hashi.puzzles.free_order import FreeOrder
from skerry.games.hashi.puzzles.model import KnownOrder
from skerry.games.hashi.puzzles.plan import Card, Plan, Start, idle, score
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import CARDS, MAX_POINTS, ROUNDS
from skerry.games.hashi.rules.options import board_of

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

EFFORT = 20.0  # for the longest try at a question, in CP-SAT's own measure of work: about seconds on a quick core
SCORES = sorted(set(range(MAX_POINTS + 1)) - {53, 55, 57, 59})  # those four cannot be made of the points
_FOUND, _IMPOSSIBLE = (2, 4), 3  # CP-SAT's FEASIBLE or OPTIMAL, and INFEASIBLE
# Clauses alone are mostly ten times as quick; where they lose their way, linear programming may help. Luck is uneven,
# so a short try each way comes first.
_TRIES = ((0, 0.25), (1, 0.25), (0, 1.0), (1, 1.0))  # linearization level, part of the effort


class NoSolver(Refusal):
    """The package that solves is not installed."""


@dataclass(frozen=True)
class Best:
    """``points`` were found, more than ``bound`` is impossible; they are equal where the answer is exact."""

    points: int
    bound: int
    start: Start
    plan: Plan

    @property
    def exact(self) -> bool:
        return self.points == self.bound


def solve(board: Board, start: Start, cards: Sequence[Card], effort: float = EFFORT, least: int = 1) -> Best:
    """The best score of a solo game with this start (island and number) and these 17 cards in their order.

    Asked is "are so many points possible?", from 60 down: the more is asked for, the less is left to choose, so that
    high scores are found or excluded faster than middling ones. A question without an answer leaves its score open,
    and the result is a range. Less than ``least`` is not asked for.
    """
    search = Search(board, start, list(cards), effort)
    for points in reversed(SCORES):
        if points < least or search.ask(points):
            break
    return Best(search.found, search.bound, start, search.plan)


@dataclass
class Search:
    """Questions about one game, and what is known from the answers: points that were found, and the least bound."""

    board: Board
    start: Start
    cards: list[Card]
    effort: float

    def __post_init__(self) -> None:
        self.found, self.bound = 0, MAX_POINTS
        self.plan = idle(self.cards)

    def ask(self, least: int) -> bool:
        """Whether so many points were found to be possible; where they are not, the bound falls."""
        for way, part in _TRIES:
            game = KnownOrder(_model(), self.board, self.start, self.cards)
            game.model.add(game.points >= least)
            solver = _solver(self.effort * part, way)
            status = int(solver.solve(game.model))
            if status in _FOUND:
                self.plan = game.plan(solver)
                self.found = score(self.board, self.start, self.plan)
                return True
            if status == _IMPOSSIBLE:
                # An open question above this one is answered too: who cannot have 56 cannot have 58.
                self.bound = SCORES[bisect_left(SCORES, least) - 1]
                return False
        return False


def perfect(board: Board, effort: float = 3 * EFFORT) -> Best | None:
    """A start, a card set aside and an order of the others that allow 60 points alone; None if none is found."""
    game = FreeOrder(_model(), board)
    game.model.add(game.points >= MAX_POINTS)
    solver = _solver(effort)
    if solver.solve(game.model) not in _FOUND:
        return None
    start, plan = game.start(solver), game.plan(solver)
    return Best(score(board, start, plan), MAX_POINTS, start, plan)


def _model() -> CpModel:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise NoSolver("solving needs OR-Tools: pip install 'skerry[solver]'") from None
    return cp_model.CpModel()


def _solver(effort: float, way: int = 1) -> CpSolver:
    """One thread and a limit in the solver's own measure of work: the answer is the same on every machine."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = way
    return solver


def deck_order(chance: random.Random) -> list[Card]:
    """17 of the 18 cards in some order."""
    return chance.sample(CARDS, ROUNDS)


def solve_match(match: Match, effort: float = EFFORT) -> Best:
    """What would have been possible in a solo game that is over; what was scored is possible."""
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
    best = solve(board, (island, int(number)), cards, effort, least=scored + 1)
    return best if best.points > scored else replace(best, points=scored, plan=())
