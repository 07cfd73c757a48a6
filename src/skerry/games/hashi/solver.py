"""The best a solo player could have done: an exact model of a whole game, solved by OR-Tools' CP-SAT.

    best = solve(board, start=(island, number), cards=[(5, 3), …])
    best.points, best.bound, best.plan

The rules appear a second time here, as equations, on purpose: a solver needs them so. A plan is therefore played
through the rules' own kernels by the tests, and no score is believed that the rules do not give.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from skerry.engine.match import Match
from skerry.engine.refusal import Refusal
from skerry.games.hashi.board import Board
from skerry.games.hashi.facts import (
    BEST,
    BLUE,
    CARDS,
    DEADLINES,
    FULL,
    ISLAND_BRIDGES,
    ISLAND_POINTS,
    ISLANDS,
    JOINED,
    LATE,
    LINE_BRIDGES,
    RED,
    ROUNDS,
    SIX,
    START_NUMBERS,
)
from skerry.games.hashi.options import board_of
from skerry.games.hashi.state import BLUE_FLAG, PLAIN, RED_FLAG

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

Card = tuple[int, int]  # number and bridges
EFFORT = 10.0  # for one question, in CP-SAT's own measure of work: about seconds on a quick core


class NoSolver(Refusal):
    """The package that solves is not installed."""


@dataclass(frozen=True)
class Turn:
    """What the best plan does with one card."""

    card: Card
    island: int | None
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Best:
    """``points`` were found, more than ``bound`` is impossible; they are equal where the answer is exact."""

    points: int
    bound: int
    start: tuple[int, int]
    plan: tuple[Turn, ...]

    @property
    def exact(self) -> bool:
        return self.points == self.bound


def solve(board: Board, start: tuple[int, int], cards: Sequence[Card], effort: float = EFFORT, least: int = 1) -> Best:
    """The best score of a solo game with this start (island and number) and these 17 cards in their order.

    Asked is "are so many points possible?", from 60 down, with so much effort for each question: the more is asked
    for, the less is left to choose, so that high scores are found or excluded faster than middling ones. A question
    without an answer leaves its score open, and the result is a range. Less than ``least`` is not asked for.
    """
    search = Search(board, start, list(cards), effort)
    for points in reversed(SCORES):
        if points < least or search.ask(points) in _FOUND:
            break
    return Best(search.found, search.bound, start, search.plan)


@dataclass
class Search:
    """Questions about one game, and what is known from the answers: points that were found, and the least bound."""

    board: Board
    start: tuple[int, int]
    cards: list[Card]
    effort: float

    def __post_init__(self) -> None:
        self.found, self.bound = 0, BEST
        self.plan = tuple(Turn(card, None, ()) for card in self.cards)  # nothing at all is worth nothing

    def ask(self, least: int) -> int:
        """Whether so many points are possible, as CP-SAT says it."""
        game = _Game(_model(), self.board, self.cards)
        game.begin(self.start)
        points = game.aim(least)
        solver = _solver(self.effort)
        status = int(solver.solve(game.model))
        if status in _FOUND:  # a bonus may be left unclaimed: 53 means 54 at least
            self.found = SCORES[bisect_left(SCORES, solver.value(points))]
            self.plan = game.plan(solver)
        elif status == _IMPOSSIBLE:
            self.bound = min(self.bound, SCORES[bisect_left(SCORES, least) - 1])
        return status


_FOUND, _IMPOSSIBLE = (2, 4), 3  # CP-SAT's FEASIBLE and OPTIMAL, and INFEASIBLE
SCORES = sorted(set(range(BEST + 1)) - {53, 55, 57, 59})  # those four cannot be made of the points


def perfect(board: Board, effort: float = 6 * EFFORT) -> Best | None:
    """A start, a card set aside and an order of the others that allow 60 points alone; None if none is found."""
    game = _AnyOrder(_model(), board, [])
    game.begin(None)
    game.aim(BEST)
    solver = _solver(effort)
    if solver.solve(game.model) not in _FOUND:
        return None
    plan = game.plan(solver)
    return Best(BEST, BEST, game.start(solver), plan)


def _model() -> CpModel:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise NoSolver("solving needs OR-Tools: pip install 'skerry[solver]'") from None
    return cp_model.CpModel()


def _solver(effort: float) -> CpSolver:
    """One thread and a limit in the solver's own measure of work: the answer is the same on every machine."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = 1
    return solver


@dataclass
class _Game:
    """A game as variables: where each round's number goes, and how many bridges each round draws on each line."""

    model: CpModel
    board: Board
    cards: list[Card]
    writes: list[list[IntVar]] = field(default_factory=list)  # island, round
    draws: list[list[IntVar]] = field(default_factory=list)  # line, round
    begun: list[Any] = field(default_factory=list)  # the start number of each island, or 0
    first: list[Any] = field(default_factory=list)  # whether it has one

    def __post_init__(self) -> None:
        model, rounds = self.model, range(ROUNDS)
        self.writes = [[model.new_bool_var(f"w{i},{r}") for r in rounds] for i in range(ISLANDS)]
        self.draws = [
            [model.new_int_var(0, LINE_BRIDGES, f"d{n},{r}") for r in rounds] for n in range(len(self.board.lines))
        ]
        self.at = [[n for n, line in enumerate(self.board.lines) if i in line] for i in range(ISLANDS)]

    def begin(self, start: tuple[int, int] | None) -> None:
        self._begin(start)
        self._numbers()
        self._bridges()
        self._flags()

    def _begin(self, start: tuple[int, int] | None) -> None:
        assert start is not None
        self.begun = [start[1] if i == start[0] else 0 for i in range(ISLANDS)]
        self.first = [1 if number else 0 for number in self.begun]

    # Cumulative quantities, as linear expressions; ``after`` rounds

    def numbered(self, island: int, after: int = ROUNDS) -> Any:
        return sum(self.writes[island][:after]) + self.first[island]

    def number(self, island: int) -> Any:
        written = sum(n * write for (n, _), write in zip(self.cards, self.writes[island], strict=True))
        return written + self.begun[island]

    def reached(self, island: int, after: int = ROUNDS) -> Any:
        return sum(sum(self.draws[line][:after]) for line in self.at[island])

    def count(self, r: int) -> Any:
        """The bridges of a round: all of the card's, or none."""
        return self.cards[r][1] * self.model.new_bool_var(f"all{r}")

    def total(self) -> Any:
        """The sum of all numbers of a game in which none is declined."""
        return sum(n for n, _ in self.cards) + sum(self.begun)

    # Rules

    def _numbers(self) -> None:
        """One number a card and an island."""
        for r in range(ROUNDS):
            self.model.add_at_most_one(writes[r] for writes in self.writes)
        for island in range(ISLANDS):
            self.model.add(self.numbered(island) <= 1)

    def _bridges(self) -> None:
        for r in range(ROUNDS):
            self.model.add(sum(draws[r] for draws in self.draws) == self.count(r))
            for draws, (a, b) in zip(self.draws, self.board.lines, strict=True):
                ends = self.numbered(a, r + 1) + self.numbered(b, r + 1)
                self.model.add(draws[r] <= LINE_BRIDGES * ends)
        built = self._built()
        for first, second in self.board.crossings:
            self.model.add_at_most_one(built[first], built[second])
        for island in range(ISLANDS):
            free = ISLAND_BRIDGES * (1 - self.numbered(island))
            self.model.add(self.reached(island) <= self.number(island) + free)

    def _built(self) -> list[IntVar]:
        self.built = [self.model.new_bool_var(f"b{line}") for line in range(len(self.board.lines))]
        for built, draws in zip(self.built, self.draws, strict=True):
            self.model.add(sum(draws) <= LINE_BRIDGES * built)
            self.model.add(sum(draws) >= built)
        return self.built

    def _flags(self) -> None:
        for i, island in enumerate(self.board.islands):
            if island.flag != PLAIN:
                for r in range(ROUNDS):
                    self.model.add(self.reached(i, r) >= self.writes[i][r])

    # Points

    def aim(self, target: int) -> Any:
        """At least so many points; the points. For the very most, every number is met, and each bridge meets two."""
        points = self.points()
        self.model.add(points >= target)
        if target == BEST:
            self.model.add(2 * sum(sum(draws) for draws in self.draws) == self.total())
            for island in range(ISLANDS):
                self.model.add(self.numbered(island) == 1)
        return points

    def finished(self, island: int, after: int) -> IntVar:
        """True only if the island's bridges equal its number after so many rounds."""
        done = self.model.new_bool_var(f"f{island},{after}")
        self.model.add(self.numbered(island, after) >= done)
        self.model.add(self.reached(island, after) >= self.number(island) - ISLAND_BRIDGES * (1 - done))
        return done

    def points(self) -> Any:
        self.done = [self.finished(island, ROUNDS) for island in range(ISLANDS)]
        bonuses = [self._flag_bonus(RED, RED_FLAG), self._flag_bonus(BLUE, BLUE_FLAG), self._six()]
        return ISLAND_POINTS * sum(self.done) + sum(bonuses)

    def _bonus(self, bonus: int) -> tuple[IntVar, IntVar, Any]:
        """Reached at all, reached in time, and what that is worth."""
        got, early = self.model.new_bool_var(f"got{bonus}"), self.model.new_bool_var(f"early{bonus}")
        self.model.add_implication(early, got)
        return got, early, LATE[bonus] * got + (FULL[bonus] - LATE[bonus]) * early

    def _flag_bonus(self, bonus: int, flag: int) -> Any:
        got, early, worth = self._bonus(bonus)
        for i, island in enumerate(self.board.islands):
            if island.flag == flag:
                self.model.add_implication(got, self.done[i])
                self.model.add_implication(early, self.finished(i, DEADLINES[bonus]))
        return worth

    def _six(self) -> Any:
        """Six finished islands that hang together: a tree of bridges, in which a level grows from parent to child."""
        got, early, worth = self._bonus(SIX)
        chosen = [self.model.new_bool_var(f"s{i}") for i in range(ISLANDS)]
        root = [self.model.new_bool_var(f"r{i}") for i in range(ISLANDS)]
        level = [self.model.new_int_var(0, JOINED - 1, f"l{i}") for i in range(ISLANDS)]
        parents: list[list[IntVar]] = [[] for _ in range(ISLANDS)]
        for line, ends in enumerate(self.board.lines):
            for child, parent in (ends, ends[::-1]):
                arc = self.model.new_bool_var(f"t{parent},{child}")
                parents[child].append(arc)
                self.model.add_implication(arc, self.built[line])
                self.model.add_implication(arc, chosen[parent])
                self.model.add(level[child] >= level[parent] + 1).only_enforce_if(arc)
        self.model.add_at_most_one(root)
        self.model.add(sum(chosen) == JOINED * got)
        for island in range(ISLANDS):
            self.model.add(sum(parents[island]) + root[island] == chosen[island])
            self.model.add_implication(chosen[island], self.done[island])
            on_time = self.finished(island, DEADLINES[SIX])
            self.model.add_bool_or(early.negated(), chosen[island].negated(), on_time)
        return worth

    def plan(self, solver: CpSolver) -> tuple[Turn, ...]:
        turns = []
        for r, card in enumerate(self.cards):
            island = next((i for i in range(ISLANDS) if solver.value(self.writes[i][r])), None)
            lines = [line for line, draws in enumerate(self.draws) for _ in range(solver.value(draws[r]))]
            turns.append(Turn(card, island, tuple(lines)))
        return tuple(turns)


class _AnyOrder(_Game):
    """The start and the order of the cards are free too."""

    def _begin(self, start: tuple[int, int] | None) -> None:
        model, cards = self.model, range(len(CARDS))
        self.starts = [[model.new_bool_var(f"s{i},{n}") for n in START_NUMBERS] for i in range(ISLANDS)]
        model.add_exactly_one(start for starts in self.starts for start in starts)
        self.first = [sum(starts) for starts in self.starts]
        self.begun = [sum(n * s for n, s in zip(START_NUMBERS, starts, strict=True)) for starts in self.starts]
        for first, island in zip(self.first, self.board.islands, strict=True):
            if island.flag != PLAIN:
                model.add(first == 0)
        self.shown = [[model.new_bool_var(f"p{k},{r}") for r in range(ROUNDS)] for k in cards]
        self.holds = [[model.new_bool_var(f"h{i},{k}") for k in cards] for i in range(ISLANDS)]
        for r in range(ROUNDS):
            model.add_exactly_one(shown[r] for shown in self.shown)
        for k in cards:
            model.add_at_most_one(self.shown[k])
            model.add_at_most_one(holds[k] for holds in self.holds)
        self._match_cards()

    def _match_cards(self) -> None:
        """An island holds the number of the card of the round in which it was written."""
        for writes, holds in zip(self.writes, self.holds, strict=True):
            self.model.add(sum(writes) == sum(holds))
            for r, write in enumerate(writes):
                for k, held in enumerate(holds):
                    self.model.add_bool_or(write.negated(), held.negated(), self.shown[k][r])

    def number(self, island: int) -> Any:
        return sum(n * held for (n, _), held in zip(CARDS, self.holds[island], strict=True)) + self.begun[island]

    def total(self) -> Any:
        return sum(self.number(island) for island in range(ISLANDS))

    def count(self, r: int) -> Any:
        used = [self.model.new_bool_var(f"u{k},{r}") for k in range(len(CARDS))]
        for use, shown in zip(used, self.shown, strict=True):
            self.model.add_implication(use, shown[r])
        return sum(bridges * use for (_, bridges), use in zip(CARDS, used, strict=True))

    def start(self, solver: CpSolver) -> tuple[int, int]:
        return next(
            (i, n)
            for i, starts in enumerate(self.starts)
            for n, start in zip(START_NUMBERS, starts, strict=True)
            if solver.value(start)
        )

    def plan(self, solver: CpSolver) -> tuple[Turn, ...]:
        order = [next(k for k in range(len(CARDS)) if solver.value(self.shown[k][r])) for r in range(ROUNDS)]
        self.cards = [CARDS[k] for k in order]
        return super().plan(solver)


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
