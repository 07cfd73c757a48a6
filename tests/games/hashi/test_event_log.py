"""The longest step of Hashi: the last of four seats confirms the last round, in which everybody earns everything."""

from __future__ import annotations

import pytest

from skerry.games.hashi import GAME
from skerry.games.hashi.rules.components import N_BONUSES, ROUNDS, SEATS
from skerry.games.hashi.rules.scoring import earns_bonus, finished_islands
from tests.games.hashi.positions import Paper

# Each paper lacks a number, and the last bridge of six islands. With them all flags are on finished islands, and six of
# these are connected: A6, B6, B5, C5, B3 and A3. No number is written more often than the cards have it.
NUMBERS = "D3:1 E6:1 A6:1 B3:2 B6:2 C2:2 A3:3 B5:3 E3:4"
BRIDGES = "B3-B5 B5-B6 B5-C5 C4-C5 C5-D5 A2-A3 A3-A4 E2-E3 E3-E4 E3-E4 D6-E6 C1-C2 C2-C4"
LAST_DRAFT = ("write C5", "bridge A3-B3", "bridge D3-E3", "bridge A6-B6")
A_SEAT = ["wrote", *["bridged"] * 3, *["finished"] * 7]


def last_round(players: int) -> list[str]:
    """The events of the step that ends the last round; all seats write the same."""
    paper = Paper("3x3", players=players, turn=ROUNDS)
    for seat in range(players):
        paper.put(NUMBERS, BRIDGES, seat)
        done = finished_islands(paper.state, seat)
        assert not any(earns_bonus(paper.state, seat, bonus, done) for bonus in range(N_BONUSES)), (
            "one was earned before"
        )
        paper.play(*LAST_DRAFT, seat=seat)
    for seat in range(players - 1):
        paper.play("confirm", seat=seat)
    return [event.name for event in paper.match.play(players - 1, "confirm")]


def test_the_longest_step_is_the_last_round_of_four() -> None:
    events = last_round(SEATS)
    assert events == ["confirmed", *A_SEAT * SEATS, *["scored"] * N_BONUSES * SEATS, *["counted"] * SEATS]
    assert len(events) == GAME.max_events


@pytest.mark.parametrize("players", [1, 2, 3])
def test_fewer_seats_write_less(players: int) -> None:
    events = last_round(players)
    rank = ["ranked"] if players == 1 else []
    assert events == ["confirmed", *A_SEAT * players, *["scored"] * N_BONUSES * players, *["counted"] * players, *rank]
    assert len(events) < GAME.max_events
