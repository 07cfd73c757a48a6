"""The ledger: the log of a match as the database has it, replayed by the rules as it grows."""

from __future__ import annotations

import json
from typing import Any

from skerry.engine.match import Match
from skerry.games import find_game
from skerry.server.schema import UNDO
from tests.server.simulation.world import World


class Ledger:
    """What a match really is. Every new row must have the next number and the state that the rules give."""

    def __init__(self, world: World, match: str) -> None:
        self.world = world
        self.id = match
        self.header: Any = world.database.header(match)
        game = find_game(self.header.game)
        self.match: Match = game.configure(json.loads(self.header.options)).new(int(self.header.seed))
        self.rows: list[Any] = []

    def catch_up(self) -> Match:
        """Replay the rows that are new, and return the match as it stands."""
        for row in self.world.database.rows_after(self.id, self.seq):
            if row.seq != self.seq + 1:
                self.world.violate(f"the log of {self.id} has {row.seq} after {self.seq}")
            self._replay(row)
            self.rows.append(row)
        return self.match

    def _replay(self, row: Any) -> None:
        try:
            if row.action == UNDO:
                self.match.undo(row.seat)
            else:
                self.match.play(row.seat, int(row.action))
        except Exception as error:
            self.world.violate(f"row {row.seq} of {self.id} is against the rules: {error}")
        self.world.expect(
            self.match.content == row.state, f"row {row.seq} of {self.id} has another state than the rules give"
        )

    @property
    def seq(self) -> int:
        return len(self.rows)

    def row_of_key(self, key: str) -> Any | None:
        return next((row for row in self.rows if row.key == key), None)


class Ledgers:
    """The ledgers of all matches of a history."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.by_match: dict[str, Ledger] = {}

    def of(self, match: str) -> Ledger:
        if match not in self.by_match:
            self.by_match[match] = Ledger(self.world, match)
        self.by_match[match].catch_up()
        return self.by_match[match]

    def expect_committed(self, who: str, match: str, seq: int) -> None:
        """Nobody may hear of a step before it is on disk."""
        if seq > self.of(match).seq:
            self.world.violate(f"{who} heard of step {seq} of {match} before it was committed")
