"""Helper for tests: positions of Hashi in one line.

    Paper("5x3", "C4:4 B5:5", "B5-C5 B5-C5")

is a round whose card has the number 5 and three bridges. Seat 0 has written a 4 on C4 and a 5 on B5 in earlier rounds,
and drawn two bridges between B5 and C5; a line that is named twice has two bridges. By default the board is side A:

      A   B   C   D   E
    1         o
              |
    2 o-------b-------o
      |       |       |
    3 r---b---+---b---r
      |   |   |   |   |
    4 o---+---o---+---o
      |   |   |   |   |
    5 |   o---o---o   |
      |   |       |   |
    6 r---o-------o---r
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import skerry
from skerry.engine.match import Match
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.draft import begin_draft, draw_bridge, put_number
from skerry.games.hashi.rules.state import PLAYING, State

CARD_NAMES = [f"{number}x{bridges}" for number, bridges in components.CARDS]


class Paper:
    """A match in a given position. Everything belongs to seat 0 unless another seat is named."""

    def __init__(
        self, card: str, numbers: str = "", bridges: str = "", players: int = 1, board: str = "A", turn: int = 5
    ) -> None:
        self.match: Match = skerry.game("hashi", players=players, board=board).new(seed=1)
        self.state: State = self.match.state
        self.state.phase = PLAYING
        self.state.turns = turn
        self.deal(card)
        self.put(numbers, bridges)

    def deal(self, card: str) -> None:
        """Make a card this round's card, by swapping it with the one in its place."""
        deck, current = list(self.state.deck), self.state.turns - 1
        position = deck.index(CARD_NAMES.index(card))
        self.state.deck[current], self.state.deck[position] = deck[position], deck[current]

    def put(self, numbers: str = "", bridges: str = "", seat: int = 0) -> None:
        """Write numbers and draw bridges as if in earlier rounds."""
        for name in bridges.split():
            draw_bridge(self.state, seat, self.line(name))
            begin_draft(self.state, seat)
        for word in numbers.split():
            island, _, number = word.partition(":")
            put_number(self.state, seat, self.island(island), int(number))

    def island(self, name: str) -> int:
        return [island.slug for island in self.match.names["island"]].index(name)

    def line(self, name: str) -> int:
        return [line.slug for line in self.match.names["line"]].index(name)

    def play(self, *actions: str, seat: int = 0) -> list[str]:
        """Play actions; returns the texts of their events."""
        return [str(event) for action in actions for event in self.match.play(seat, action)]

    def arguments(self, verb: str, seat: int = 0) -> set[str]:
        """The arguments with which a verb is legal now."""
        texts = [action.text for action in self.match.legal(seat) if action.verb == verb]
        return {text.partition(" ")[2] for text in texts}

    def assert_refused(self, action: str, rule: str, words: str = "", seat: int = 0) -> None:
        """Check that an action is refused by a rule, with these words in the reason, and changes nothing."""
        before = self.match.content
        with pytest.raises(skerry.Illegal) as refusal:
            self.match.play(seat, action)
        assert refusal.value.rule == rule and words.lower() in str(refusal.value).lower()
        assert self.match.content == before

    def drafted(self, seat: int = 0) -> tuple[str | None, list[str]]:
        """The island of the drafted number, and the lines of the drafted bridges."""
        draft = self.match.view(seat)["draft"]
        return draft["island"], draft["bridges"]

    def number(self, island: str, seat: int = 0) -> int:
        return int(self.state.number[seat, self.island(island)])

    def finished(self, seat: int = 0) -> set[str]:
        """The finished islands of a seat."""
        done = self.match.view(seat)["papers"][seat]["finished"]
        return {name.slug for name, is_done in zip(self.match.names["island"], done, strict=True) if is_done}


def finishing_numbers(bridges: str, without: Iterable[str] = ()) -> str:
    """The numbers that these bridges would finish: ``finishing_numbers("A2-A3 A2-C2")`` is ``A2:2 A3:1 C2:1``."""
    ends = Counter(end for line in bridges.split() for end in line.split("-"))
    return " ".join(f"{island}:{count}" for island, count in sorted(ends.items()) if island not in without)
