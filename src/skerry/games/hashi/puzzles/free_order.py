"""The model of a solo game in which the solver also chooses the start and the order of the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skerry.games.hashi.puzzles.model import NUMBERS, KnownOrderModel
from skerry.games.hashi.puzzles.plan import Plan, Start
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import CARDS, ISLANDS, ROUNDS, START_NUMBERS
from skerry.games.hashi.rules.state import NO_FLAG

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar


class FreeOrderModel(KnownOrderModel):
    """The model of all solo games on a board."""

    def __init__(self, model: CpModel, board: Board) -> None:
        self.starts = [[model.new_bool_var(f"start {n} on {i}") for n in START_NUMBERS] for i in range(ISLANDS)]
        self.shown = [[model.new_bool_var(f"card {k} in {r}") for r in range(ROUNDS)] for k in range(len(CARDS))]
        self.holds = [[model.new_bool_var(f"{i} holds card {k}") for k in range(len(CARDS))] for i in range(ISLANDS)]
        super().__init__(model, board, None, [])
        self._start()
        self._deal()
        self._match_cards()

    def _begun(self, island: int, start: Start | None) -> IntVar:
        begun = self.model.new_bool_var(f"start on {island}")
        self.model.add(sum(self.starts[island]) == begun)
        if self.board.islands[island].flag != NO_FLAG:
            self.model.add(begun == 0)
        return begun

    def _is_number(self, island: int, start: Start | None) -> dict[int, Any]:
        chosen = dict(zip(NUMBERS, self._bools(f"island {island} is a", len(NUMBERS)), strict=True))
        for number, literal in chosen.items():
            begun = [s for n, s in zip(START_NUMBERS, self.starts[island], strict=True) if n == number]
            held = [held for (n, _), held in zip(CARDS, self.holds[island], strict=True) if n == number]
            self.model.add(sum(begun) + sum(held) == literal)
        return chosen

    def _supply(self, number: int, start: Start | None) -> Any:
        begun = [s for starts in self.starts for n, s in zip(START_NUMBERS, starts, strict=True) if n == number]
        return [n for n, _ in CARDS].count(number) + sum(begun)

    def _bridges_in_round(self, r: int) -> Any:
        used = self._bools(f"bridges in {r} of card", len(CARDS))
        for use, shown in zip(used, self.shown, strict=True):
            self.model.add_implication(use, shown[r])
        return sum(bridges * use for (_, bridges), use in zip(CARDS, used, strict=True))

    def _start(self) -> None:
        self.model.add_exactly_one(start for starts in self.starts for start in starts)

    def _deal(self) -> None:
        """HA-03: each round has one card, and one card is left over."""
        for r in range(ROUNDS):
            self.model.add_exactly_one(shown[r] for shown in self.shown)
        for shown in self.shown:
            self.model.add_at_most_one(shown)

    def _match_cards(self) -> None:
        """The card of an island is the card of the round in which its number was written."""
        for card in range(len(CARDS)):
            self.model.add_at_most_one(holds[card] for holds in self.holds)
        for writes, holds in zip(self.writes, self.holds, strict=True):
            self.model.add(sum(writes) == sum(holds))
            for r, write in enumerate(writes):
                for held, shown in zip(holds, self.shown, strict=True):
                    self.model.add_bool_or(write.negated(), held.negated(), shown[r])

    def start(self, solver: CpSolver) -> Start:
        return next(
            (i, n)
            for i, starts in enumerate(self.starts)
            for n, start in zip(START_NUMBERS, starts, strict=True)
            if solver.value(start)
        )

    def plan(self, solver: CpSolver) -> Plan:
        order = [next(k for k in range(len(CARDS)) if solver.value(self.shown[k][r])) for r in range(ROUNDS)]
        self.cards = [CARDS[k] for k in order]
        return super().plan(solver)
