"""A match stepped by hand, asked in the order of a table: what an environment has to agree with."""

from __future__ import annotations

from typing import NamedTuple

import skerry
from skerry.bots.interrupts import interrupting_of
from skerry.engine.loop import TurnOrder


class Decision(NamedTuple):
    seat: int
    legal: list[int]  # ids, passing last where the seat only interrupts
    interrupts: bool


class ByHand:
    def __init__(self, match: skerry.Match, *, ask_forced: bool = False, bots: tuple[int, ...] = ()) -> None:
        """``ask_forced``: every forced decision is asked; ``bots``: those of these seats are."""
        self.match = match
        self.order = TurnOrder(interrupting_of(match.game))
        self.ask_forced = ask_forced
        self.bots = bots
        self.pass_action = match.game.actions.size

    def decision(self) -> Decision | None:
        """The next decision, after forced steps have gone by themselves; None at the end."""
        while self.match.waiting:
            seats = self.order.interrupters(self.match.state)
            if seats:
                return Decision(seats[0], [*self.match.legal_ids(seats[0]), self.pass_action], True)
            seat = self.match.waiting[0]
            legal = self.match.legal_ids(seat)
            if len(legal) > 1 or self.ask_forced or seat in self.bots:
                return Decision(seat, legal, False)
            self.answer(seat, legal[0])
        return None

    def answer(self, seat: int, action: int) -> None:
        if action == self.pass_action:
            self.order.passed(seat)
            return
        interrupted, turn = seat not in self.match.waiting, int(self.match.state.turns)
        self.match.play(seat, action)
        self.order.stepped(seat, interrupted, turn == self.match.state.turns)
