"""CA-10 to CA-17: a turn, playing cards, moving back, winning."""

from __future__ import annotations

import pytest

import skerry

from .positions import Passage

# House parts a b c d e f from space 1 on: HALPCR PCHLRA CHRAPL LPRCAH RCAHLP LACRHP


@pytest.mark.rule("CA-10")
def test_a_turn_has_one_to_three_actions_in_any_mix() -> None:
    passage = Passage("red 11, green 9 9", red="rum hook")
    passage.assert_refused("end", "CA-10", "at least one action")
    passage.play("back 11")
    assert "end" in passage.legal()
    passage.play("play rum prison", "play hook prison")
    assert passage.legal() == {"end"}
    passage.assert_refused("back 9", "CA-10", "used all three actions")
    assert passage.play("end").seat == 1


@pytest.mark.rule("CA-10")
def test_turns_may_end_after_one_action_and_go_around_the_table() -> None:
    passage = Passage(red="rum rum", green="hook", yellow="chest")
    passage.play("play rum prison", "end", "play hook prison", "end", "play chest prison", "end")
    assert passage.seat == 0 and passage.state.turns == 4
    passage.assert_refused("play hook prison", "CA-10", "Red's turn", seat=1)


@pytest.mark.rule("CA-10")
def test_a_drawn_card_can_be_used_at_once() -> None:
    passage = Passage("red 11, green 9", top="lantern").play("back 11", "play lantern prison")
    assert passage.where("red") == ["3", "9"]


@pytest.mark.rule("CA-10")
def test_with_a_card_in_hand_there_is_always_an_action() -> None:
    """The tightest case of the full story: pirates that could only board must not, but then the sloop can sail."""
    tunnel_rum = "green 6 12 16"
    three_aboard = Passage(f"red sloop sloop sloop, {tunnel_rum}", story="full", tunnel="agf", island="bcd", red="rum")
    assert three_aboard.legal("play") == set() and "sail" in three_aboard.legal()
    away = Passage(tunnel_rum, story="full", tunnel="agf", island="bcd", red="rum").sloop_at("tortuga")
    assert away.legal("play") == set() and "sail" in away.legal()


@pytest.mark.rule("CA-11")
def test_a_card_takes_a_pirate_to_the_first_empty_space_of_its_symbol() -> None:
    passage = Passage("red 2, green 8", red="chest chest rum")
    assert passage.legal("play") == {f"play {card} {place}" for card in ("chest", "rum") for place in ("prison", "2")}
    passage.play("play chest prison")  # 5
    passage.play("play chest 5")  # 8 is occupied: 13
    assert passage.where("red") == ["2", "13"] and passage.discarded() == "chest chest"
    passage.assert_refused("play chest 2", "CA-11", "You have no chest card")
    passage.assert_refused("play rum 7", "CA-11", "Red has no pirate on space 7")
    passage.assert_refused("play rum 48", "CA-20", "36 spaces")


@pytest.mark.rule("CA-11")
def test_own_pirates_occupy_a_space_as_well() -> None:
    assert Passage("red 5", red="chest").play("play chest prison").where("red") == ["5", "8"]


@pytest.mark.rule("CA-12")
def test_without_an_empty_space_of_the_symbol_ahead_the_pirate_boards() -> None:
    passage = Passage("red 23 20, green 22 26 33", red="chest chest")
    passage.play("play chest 23")
    assert passage.where("red") == ["20", "sloop"]
    passage.play("play chest 20")
    assert passage.where("red") == ["sloop", "sloop"]
    passage.assert_refused("play chest sloop", "CA-11")


@pytest.mark.rule("CA-12")
def test_a_pirate_on_the_sloop_is_not_moved_by_a_card() -> None:
    passage = Passage("red sloop", red="chest")
    assert passage.legal("play") == {"play chest prison"}
    passage.assert_refused("play chest sloop", "CA-12", "has reached its goal")


@pytest.mark.rule("CA-13")
@pytest.mark.parametrize(
    ("others", "target", "cards"),
    [
        ("green 9", "9", 1),
        ("green 9 9", "9", 2),
        ("green 9, yellow 9", "9", 2),
        ("green 9 9, yellow 10", "10", 1),  # one pirate may not be passed to reach two
        ("green 9, yellow 10 10", "10", 2),
        ("green 9, yellow 10 10 10", "9", 1),  # three are passed
        ("green 2 2, yellow 10 10, red 10", "2", 2),
        ("red 4, green 30", "4", 1),  # own ones count too
    ],
)
def test_moving_back_stops_at_the_nearest_space_with_one_or_two_pirates(others: str, target: str, cards: int) -> None:
    passage = Passage(f"red 15, {others}")
    passage.play("back 15")
    assert target in passage.where("red") and "15" not in passage.where("red")
    assert passage.held("red") == cards


@pytest.mark.rule("CA-13")
def test_moving_back_is_impossible_if_all_spaces_behind_have_three() -> None:
    passage = Passage("red 15, green 9 9 9", red="rum")
    assert passage.legal("back") == set()
    passage.assert_refused("back 15", "CA-13", "have three pirates")
    passage.assert_refused("back 16", "CA-13", "no pirate on space 16")


@pytest.mark.rule("CA-14")
def test_a_space_holds_three_pirates_and_prison_and_sloop_any_number() -> None:
    passage = Passage("red 20 20 21, green 9 9 7, yellow sloop sloop sloop sloop", red="rum")
    passage.play("back 20")  # makes three on 9
    assert passage.where("red") == ["9", "20", "21"]
    passage.play("back 20", "back 21")  # both pass the three on 9 and come to 7
    assert passage.where("red") == ["7", "7", "9"]
    assert passage.state.crowd[0] == 3 + 3 + 2 and passage.state.crowd[passage.place("sloop")] == 4


@pytest.mark.rule("CA-15")
def test_a_pirate_may_move_back_from_the_sloop() -> None:
    passage = Passage("red sloop, green 36").play("back sloop")
    assert passage.where("red") == ["36"] and passage.held("red") == 1


@pytest.mark.rule("CA-15")
def test_a_pirate_may_move_back_from_the_hideout_onto_the_island() -> None:
    passage = Passage("red hideout, green 2 2", story="tortuga").play("back hideout")
    assert passage.where("red") == ["2"] and passage.held("red") == 2


@pytest.mark.rule("CA-15")
def test_moving_back_needs_a_space_with_pirates_behind() -> None:
    passage = Passage("red 4, green 9", red="rum")
    assert passage.legal("back") == set()
    passage.assert_refused("back 4", "CA-15", "to move back to")
    passage.assert_refused("back prison", "CA-15", "at the start")


@pytest.mark.rule("CA-16")
def test_a_player_without_cards_may_pass_the_whole_turn_and_draw_one() -> None:
    passage = Passage("red 11, green 9", top="hook rum", green="chest")
    assert passage.legal() == {"pass", "back 11"}
    passage.play("pass")
    assert passage.hand("red") == "hook" and passage.seat == 1
    passage.assert_refused("pass", "CA-16", "You have cards")


@pytest.mark.rule("CA-16")
def test_only_a_whole_turn_can_be_passed() -> None:
    passage = Passage("red 11 12, green 9", top="hook").play("back 11", "play hook 12")
    assert passage.held("red") == 0 and "pass" not in passage.legal()
    passage.assert_refused("pass", "CA-16", "Only a whole turn")


@pytest.mark.rule("CA-16", "CA-10")
def test_passing_is_the_only_action_without_cards_and_moves() -> None:
    assert Passage().legal() == {"pass"}


@pytest.mark.rule("CA-17")
@pytest.mark.parametrize("pirates", [4, 5, 6])
def test_the_game_is_won_at_once_when_all_pirates_are_aboard(pirates: int) -> None:
    aboard = " sloop" * (pirates - 1)
    passage = Passage(f"red 36{aboard}, green 35", red="rum rum", pirates=pirates)
    passage.play("play rum 36")
    assert passage.winner == "red" and passage.match.waiting == () and passage.state.left == 2
    assert passage.match.result is not None and passage.match.result.reason == "aboard"
    assert passage.match.result.scores == (1.0, 0.0, 0.0)
    with pytest.raises(skerry.Illegal, match="The game is over"):
        passage.match.play(0, "end")


@pytest.mark.rule("CA-17")
def test_a_pirate_that_moved_back_must_return_to_win() -> None:
    passage = Passage("red 36 sloop sloop sloop, green 35", red="rum rum", pirates=4)
    passage.play("back sloop", "play rum 36", "play rum 36")  # the stop was 36 itself
    assert passage.winner == "red"
    passage = Passage("red 36 sloop sloop sloop, green 35", red="rum", pirates=4)
    passage.play("back 36", "back sloop", "play rum 35")
    assert passage.winner is None and passage.where("red") == ["35", "sloop", "sloop", "sloop"]
