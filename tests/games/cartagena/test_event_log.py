"""The longest steps of Cartagena: the longest of all writes as many events as the fact sheet declares."""

from __future__ import annotations

import pytest

from skerry.games.cartagena import GAME
from skerry.games.cartagena.rules.components import SEATS
from tests.games.cartagena.positions import Passage


def events_of(passage: Passage, action: str) -> list[str]:
    return [event.name for event in passage.match.play(passage.seat, action)]


@pytest.mark.parametrize("left", range(1, SEATS + 1))
def test_the_longest_step_is_a_rum_among_five_that_empties_the_deck(left: int) -> None:
    """Six cards, a new deck somewhere among them."""
    passage = Passage(players=SEATS, magic=True, red="rum").deck("hook " * left, discard="pistol " * 9)
    events = events_of(passage, "magic rum")
    assert events == ["magic", *["drew"] * left, "shuffled", *["drew"] * (SEATS + 1 - left)]
    assert len(events) == GAME.max_events


def test_a_deck_is_renewed_only_once_in_a_step() -> None:
    """All discards go into the new deck. When that is empty too, nothing is drawn any more."""
    passage = Passage(players=SEATS, magic=True, red="rum").deck("hook", discard="pistol pistol")
    assert events_of(passage, "magic rum") == ["magic", "drew", "shuffled", "drew", "drew", "drew"]


def test_passing_with_a_new_deck_is_shorter() -> None:
    passage = Passage(players=SEATS).deck("", discard="pistol")
    events = events_of(passage, "pass")
    assert events == ["passed", "shuffled", "drew", "turn"]
    assert len(events) < GAME.max_events


def test_a_chest_with_three_cards_is_shorter() -> None:
    passage = Passage("red 5", players=SEATS, magic=True, red="chest").chest(5, 3).play("magic chest")
    events = events_of(passage.deck("hook", discard="pistol " * 9), "open 5")
    assert events == ["chest", "drew", "shuffled", "drew", "drew"]
    assert len(events) < GAME.max_events


def test_moving_back_to_two_pirates_is_shorter() -> None:
    """No space has more than three pirates, so that two cards are the most that moving back draws."""
    passage = Passage("red 7, green 3, yellow 3", players=SEATS).deck("hook", discard="pistol " * 9)
    events = events_of(passage, "back 7")
    assert events == ["moved-back", "drew", "shuffled", "drew"]
    assert len(events) < GAME.max_events
