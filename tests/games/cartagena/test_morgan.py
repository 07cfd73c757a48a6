"""CA-30 to CA-32: Morgan's move."""

from __future__ import annotations

import pytest

from .positions import Passage


@pytest.mark.rule("CA-30")
@pytest.mark.parametrize(
    ("others", "target", "cards"),
    [
        ("yellow 9", "9", 1),
        ("yellow 9 9", "9", 2),
        ("yellow 9 9 9 10", "10", 1),  # three are passed
        ("red 9, yellow 10 10", "9", 1),  # one may not be passed to reach two
    ],
)
def test_an_opponents_pirate_moves_to_the_next_space_with_one_or_two(others: str, target: str, cards: int) -> None:
    passage = Passage(f"green 7, {others}", draw="morgan", red="rum").play("morgan green 7")
    assert passage.where("green") == [target] and passage.held("red") == 1 + cards and passage.held("green") == 0


@pytest.mark.rule("CA-30")
def test_morgans_move_replaces_moving_back() -> None:
    passage = Passage("red 9, green 7", draw="morgan", red="rum")
    assert passage.legal("back") == set() and passage.legal("morgan")
    passage.assert_refused("back 9", "CA-30", "Morgan's move")
    passage.assert_refused("morgan red 9", "CA-30", "an opponent's pirate")
    passage.assert_refused("morgan green 8", "CA-30", "Green has no pirate on space 8")
    basic = Passage("red 9, green 7", red="rum")
    assert basic.legal("morgan") == set()
    basic.assert_refused("morgan green 7", "CA-30", "by moving back")


@pytest.mark.rule("CA-30")
def test_with_both_moves_the_player_has_the_choice() -> None:
    passage = Passage("red 9, green 7", draw="both", red="rum")
    assert passage.legal("back") == {"back 9"}
    assert passage.legal("morgan") == {"morgan green prison", "morgan green 7", "morgan yellow prison"}


@pytest.mark.rule("CA-31")
def test_without_such_a_space_the_pirate_boards_and_two_cards_are_drawn() -> None:
    passage = Passage("green 9", draw="morgan").play("morgan green 9")
    assert passage.where("green") == ["sloop"] and passage.held("red") == 2
    passage = Passage("green 9 hideout hideout", story="tortuga", draw="morgan").play("morgan green 9")
    assert passage.where("green") == ["hideout"] * 3 and passage.held("red") == 2


@pytest.mark.rule("CA-31", "CA-23")
def test_a_fourth_pirate_of_a_colour_cannot_board() -> None:
    passage = Passage("green 9 12 sloop sloop sloop", story="full", draw="morgan", red="rum")
    assert passage.legal("morgan") == {"morgan green prison", "morgan green 9", "morgan yellow prison"}
    passage.assert_refused("morgan green 12", "CA-23", "3 of the colour are aboard")
    passage.sloop_at("tortuga").assert_refused("morgan green 12", "CA-23", "the sloop is at Tortuga")


@pytest.mark.rule("CA-32")
def test_morgan_moves_pirates_from_the_start_and_from_the_sloop_at_tortuga() -> None:
    assert Passage("red 9", draw="morgan").play("morgan green prison").where("green") == ["9"]
    wreck = Passage("red 9", story="tortuga", draw="morgan").play("morgan green sloop")
    assert wreck.where("green") == ["9"]
    full = Passage("green sloop, red 20", story="full", draw="morgan").sloop_at("tortuga").play("morgan green sloop")
    assert full.where("green") == ["20"]


@pytest.mark.rule("CA-32")
def test_morgan_does_not_move_pirates_from_the_sloop_at_cartagena_or_the_hideout() -> None:
    Passage("green sloop", draw="morgan", red="rum").assert_refused("morgan green sloop", "CA-32")
    full = Passage("green sloop hideout", story="full", draw="morgan", red="rum")
    full.assert_refused("morgan green sloop", "CA-32")
    full.assert_refused("morgan green hideout", "CA-32")


@pytest.mark.rule("CA-32")
def test_morgans_move_can_make_the_opponent_win_before_any_card_is_drawn() -> None:
    passage = Passage("green 9 sloop sloop sloop", draw="morgan", pirates=4, red="rum").play("morgan green 9")
    assert passage.winner == "green" and passage.hand("red") == "rum"
    assert passage.events()[-1] == "All of Green's pirates have arrived: Green wins!"
