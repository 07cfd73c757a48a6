"""A solo game as a constraint model for OR-Tools' CP-SAT: the rules once more, as constraints.

The variables say what is true *after* each round: "the island has a number", "the line has a bridge", "the line has two
bridges". What is true stays true, so most rules are implications between a few variables, and what the solver learns
about one round extends to the rounds before or after. (Counting the bridges of each round instead made the same proofs
fifty times slower.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from skerry.games.hashi.puzzles.plan import Card, Plan, Start, Turn
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import (
    BLUE,
    FULL_POINTS,
    ISLAND_POINTS,
    ISLANDS,
    LATE_POINTS,
    MAX_ISLAND_BRIDGES,
    RED,
    ROUNDS,
    SIX,
    SIX_ISLANDS,
    SOLO_DEADLINES,
)
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

NUMBERS = range(1, MAX_ISLAND_BRIDGES + 1)


class KnownOrderModel:
    """The model of all games with this start and these 17 cards in their order, and of their points."""

    def __init__(self, model: CpModel, board: Board, start: Start | None, cards: Sequence[Card]) -> None:
        self.model, self.board, self.cards = model, board, list(cards)
        self.at = [[n for n, line in enumerate(board.lines) if i in line] for i in range(ISLANDS)]
        self.done: dict[tuple[int, int], IntVar] = {}
        self.writes = [self._bools(f"island {i} is written in round", ROUNDS) for i in range(ISLANDS)]
        self.numbered = [[self._begun(i, start), *self._bools(f"island {i} after", ROUNDS)] for i in range(ISLANDS)]
        self._numbers()
        self.is_number = [self._is_number(i, start) for i in range(ISLANDS)]
        none = model.new_constant(0)
        self.bridge = [[none, *self._bools(f"bridge {n} after", ROUNDS)] for n in range(len(board.lines))]
        self.second = [[none, *self._bools(f"second {n} after", ROUNDS)] for n in range(len(board.lines))]
        self._bridges()
        self._rounds()
        self._limits()
        self._flags()
        self.points = self._points()
        self._supplies(start)
        self._all_finished()

    def _bools(self, name: str, count: int) -> list[IntVar]:
        return [self.model.new_bool_var(f"{name} {n}") for n in range(1, count + 1)]

    # The start and the cards

    def _begun(self, island: int, start: Start | None) -> IntVar:
        """Whether the start number is on the island."""
        assert start is not None
        return self.model.new_constant(int(island == start[0]))

    def _is_number(self, island: int, start: Start | None) -> dict[int, Any]:
        """For each number, whether the island has it in the end."""
        assert start is not None
        if island == start[0]:
            return {number: self.model.new_constant(int(number == start[1])) for number in NUMBERS}
        chosen = dict(zip(NUMBERS, self._bools(f"island {island} is a", len(NUMBERS)), strict=True))
        for number, literal in chosen.items():
            written = [self.writes[island][r] for r, card in enumerate(self.cards) if card[0] == number]
            self.model.add(sum(written) == literal)
        return chosen

    def _supply(self, number: int, start: Start | None) -> Any:
        """How often a number can be written, including the start."""
        assert start is not None
        return [n for n, _ in (*self.cards, start[::-1])].count(number)

    def _bridges_in_round(self, r: int) -> Any:
        """HA-13: the bridges drawn in a round: all bridges of its card, or none."""
        return self.cards[r][1] * self.model.new_bool_var(f"bridges in {r}")

    # Rules

    def _numbers(self) -> None:
        """HA-11: a card has one number, an island takes one number, and the number stays."""
        for writes, numbered in zip(self.writes, self.numbered, strict=True):
            for r, write in enumerate(writes):
                self.model.add(numbered[r + 1] - numbered[r] == write)
        for r in range(ROUNDS):
            self.model.add_at_most_one(writes[r] for writes in self.writes)

    def _bridges(self) -> None:
        """HA-14, HA-15: a bridge stays, and an island at one end had a number when it was drawn."""
        for first, second, (a, b) in zip(self.bridge, self.second, self.board.lines, strict=True):
            for r in range(1, ROUNDS + 1):
                self.model.add_implication(first[r - 1], first[r])
                self.model.add_implication(second[r - 1], second[r])
                self.model.add_implication(second[r], first[r])
                self.model.add_bool_or(first[r].negated(), self.numbered[a][r], self.numbered[b][r])

    def _rounds(self) -> None:
        lines = range(len(self.board.lines))
        self.bridges = [sum(self.bridge[n][r] + self.second[n][r] for n in lines) for r in range(ROUNDS + 1)]
        for r in range(ROUNDS):
            self.model.add(self.bridges[r + 1] - self.bridges[r] == self._bridges_in_round(r))

    def _limits(self) -> None:
        """HA-16, HA-17: no crossing; at an island at most its number, or six."""
        for first, second in self.board.crossings:
            self.model.add_bool_or(self.bridge[first][ROUNDS].negated(), self.bridge[second][ROUNDS].negated())
        for island in range(ISLANDS):
            free = MAX_ISLAND_BRIDGES * (1 - self.numbered[island][ROUNDS])
            self.model.add(self.bridges_at(island, ROUNDS) <= self.number(island) + free)

    def _flags(self) -> None:
        """HA-11: an island with a flag gets a number only if it has a bridge of an earlier round."""
        for i, island in enumerate(self.board.islands):
            if island.flag != NO_FLAG:
                for r in range(1, ROUNDS + 1):
                    before = [self.bridge[line][r - 1] for line in self.at[i]]
                    self.model.add_bool_or(self.numbered[i][r].negated(), *before)

    def bridges_at(self, island: int, after: int) -> Any:
        """The number of bridges at an island after a round."""
        return sum(self.bridge[line][after] + self.second[line][after] for line in self.at[island])

    def number(self, island: int) -> Any:
        """The number of an island in the end, 0 if it has none."""
        return sum(number * literal for number, literal in self.is_number[island].items())

    # Points

    def finished(self, island: int, after: int) -> IntVar:
        """A variable that can be true only if the island has as many bridges as its number says after a round."""
        if (island, after) not in self.done:
            done = self.done[island, after] = self.model.new_bool_var(f"{island} finished after {after}")
            self.model.add_implication(done, self.numbered[island][after])
            met = self._bools(f"{island} after {after} meets", len(NUMBERS))
            self.model.add(sum(met) == done)
            for literal, is_number in zip(met, self.is_number[island].values(), strict=True):
                self.model.add_implication(literal, is_number)
            bridges = sum(number * literal for number, literal in zip(NUMBERS, met, strict=True))
            self.model.add(self.bridges_at(island, after) >= bridges)
            if after < ROUNDS:
                self.model.add_implication(done, self.finished(island, ROUNDS))
        return self.done[island, after]

    def _points(self) -> Any:
        islands = sum(self.finished(island, ROUNDS) for island in range(ISLANDS))
        return (
            ISLAND_POINTS * islands + self._flag_bonus(RED, RED_FLAG) + self._flag_bonus(BLUE, BLUE_FLAG) + self._six()
        )

    def _bonus(self, bonus: int) -> tuple[IntVar, IntVar, Any]:
        """Whether a bonus is earned, whether it is earned in time, and its points."""
        got, early = self.model.new_bool_var(f"bonus {bonus}"), self.model.new_bool_var(f"bonus {bonus} early")
        self.model.add_implication(early, got)
        return got, early, LATE_POINTS[bonus] * got + (FULL_POINTS[bonus] - LATE_POINTS[bonus]) * early

    def _flag_bonus(self, bonus: int, flag: int) -> Any:
        earned, early, points = self._bonus(bonus)
        for i, island in enumerate(self.board.islands):
            if island.flag == flag:
                self.model.add_implication(earned, self.finished(i, ROUNDS))
                self.model.add_implication(early, self.finished(i, SOLO_DEADLINES[bonus]))
        return points

    def _six(self) -> Any:
        """Six finished islands that are connected: a tree of bridges, with levels that grow from parent to child.

        The bonus is earned in time if the six were finished in time: a finished island gets no more bridges, so the
        bridges between them were there by then.
        """
        earned, early, points = self._bonus(SIX)
        chosen, root = self._bools("of the six", ISLANDS), self._bools("root", ISLANDS)
        level = [self.model.new_int_var(0, SIX_ISLANDS - 1, f"level {i}") for i in range(ISLANDS)]
        parents: list[list[IntVar]] = [[] for _ in range(ISLANDS)]
        for line, ends in enumerate(self.board.lines):
            for child, parent in (ends, ends[::-1]):
                arc = self.model.new_bool_var(f"{parent} joins {child}")
                parents[child].append(arc)
                self.model.add_implication(arc, self.bridge[line][ROUNDS])
                self.model.add_implication(arc, chosen[parent])
                self.model.add(level[child] >= level[parent] + 1).only_enforce_if(arc)
        self.model.add_at_most_one(root)
        self.model.add(sum(chosen) == SIX_ISLANDS * earned)
        for island in range(ISLANDS):
            self.model.add(sum(parents[island]) + root[island] == chosen[island])
            self.model.add_implication(chosen[island], self.finished(island, ROUNDS))
            on_time = self.finished(island, SOLO_DEADLINES[SIX])
            self.model.add_bool_or(early.negated(), chosen[island].negated(), on_time)
        return points

    # Redundant constraints, which are hard for a solver to derive

    def _supplies(self, start: Start | None) -> None:
        """The cards limit how often each number is written, and each round adds at most one number."""
        for number in NUMBERS:
            used = sum(is_number[number] for is_number in self.is_number)
            self.model.add(used <= self._supply(number, start))
        for r in range(ROUNDS + 1):
            self.model.add(sum(numbered[r] for numbered in self.numbered) <= r + 1)

    def _all_finished(self) -> None:
        """If all islands are finished, the sum of their numbers is twice the number of bridges."""
        all_finished = self.model.new_bool_var("all finished")
        finished = sum(self.finished(island, ROUNDS) for island in range(ISLANDS))
        self.model.add(finished < ISLANDS).only_enforce_if(all_finished.negated())
        self.model.add(finished == ISLANDS).only_enforce_if(all_finished)
        numbers = sum(self.number(island) for island in range(ISLANDS))
        self.model.add(2 * self.bridges[ROUNDS] == numbers).only_enforce_if(all_finished)
        for r in range(ROUNDS):
            self.model.add_bool_or(all_finished.negated(), *(writes[r] for writes in self.writes))

    # Reading solutions

    def plan(self, solver: CpSolver) -> Plan:
        """The plan of the solution that the solver found."""
        return tuple(self._turn(solver, r, card) for r, card in enumerate(self.cards))

    def _turn(self, solver: CpSolver, r: int, card: Card) -> Turn:
        island = next((i for i in range(ISLANDS) if solver.value(self.writes[i][r])), None)
        drawn = [
            (n, solver.value(line[r + 1]) - solver.value(line[r]))
            for lines in (self.bridge, self.second)
            for n, line in enumerate(lines)
        ]
        return Turn(card, island, tuple(sorted(n for n, count in drawn if count)))
