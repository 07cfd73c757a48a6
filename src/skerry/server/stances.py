"""Stances: whether a seat asks the table to wait, or needs no more time in this turn."""

from __future__ import annotations

import json
from typing import NamedTuple

WAIT = 20.0  # seconds that a seat gets by asking the table to wait
MOST_WAITS = 3  # of one seat in one turn


class Stance(NamedTuple):
    """What a seat has said about the time it needs. It holds for one turn of the game."""

    turn: int
    waits: int = 0  # how often the seat has asked the table to wait
    until: float = 0.0  # the time until which the table waits for the seat because it asked for that
    passes: bool = False  # the seat needs no time unless it asks for some

    def waiting(self, now: float) -> Stance:
        """The stance of a seat that asks the table to wait from now on."""
        return Stance(self.turn, self.waits + 1, now + WAIT)

    def going_on(self) -> Stance:
        """The stance of a seat that needs no more time in this turn."""
        return Stance(self.turn, self.waits, passes=True)

    def encode(self) -> str:
        """The value of the column ``stance``."""
        return json.dumps(self._asdict())


def decode_stance(text: str | None) -> Stance | None:
    return None if text is None else Stance(**json.loads(text))
