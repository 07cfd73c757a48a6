"""CA-22 to CA-29: the tunnel, the sloop, the island."""

from __future__ import annotations

from typing import Any

import pytest

from .positions import Passage

# Tunnel a g f: HALPCR CPALHR LACRHP, island b c d from 19 on: ARLHCP LPARHC HACRPL


def full(crews: str = "", **given: Any) -> Passage:
    return Passage(crews, story="full", tunnel="agf", island="bcd", **given)


@pytest.mark.rule("CA-22")
def test_the_sloop_starts_at_cartagena() -> None:
    assert full().match.view(None)["harbour"] == "cartagena"


@pytest.mark.rule("CA-23")
def test_pirates_board_at_cartagena_only() -> None:
    passage = full("red 17, green 1", red="hook").sloop_at("tortuga")
    assert passage.legal("play") == {"play hook prison"}  # to 11
    passage.assert_refused("play hook 17", "CA-23", "the sloop is at Tortuga")
    passage.sloop_at("cartagena").play("play hook 17")
    assert passage.where("red") == ["sloop"]


@pytest.mark.rule("CA-23")
def test_at_most_three_of_a_colour_are_aboard() -> None:
    passage = full("red 17 sloop sloop, green sloop sloop sloop", red="hook hook")
    passage.play("play hook 17")
    assert passage.where("red") == ["sloop"] * 3
    passage = full("red 17 sloop sloop sloop", red="hook")
    assert "play hook 17" not in passage.legal()
    passage.assert_refused("play hook 17", "CA-23", "3 of the colour are aboard")


@pytest.mark.rule("CA-23", "CA-29")
def test_a_tunnel_pirate_never_passes_the_sloop() -> None:
    passage = full("red 5", red="lantern lantern lantern").play("play lantern 5", "play lantern 10", "play lantern 13")
    assert passage.where("red") == ["sloop"]


@pytest.mark.rule("CA-24")
def test_sailing_is_an_action_and_pirates_stay_aboard() -> None:
    passage = full("red sloop, green sloop", red="rum").play("sail")
    assert passage.match.view(None)["harbour"] == "tortuga" and passage.state.left == 2
    assert passage.where("red") == ["sloop"] and passage.where("green") == ["sloop"]


@pytest.mark.rule("CA-24")
def test_sailing_to_tortuga_needs_a_pirate_aboard() -> None:
    full("red 3, green sloop", red="rum").assert_refused("sail", "CA-24", "aboard")


@pytest.mark.rule("CA-24")
def test_sailing_back_needs_a_pirate_in_the_tunnel_or_the_prison() -> None:
    for crews in ("red 20 21 22 hideout 18", "red 20 21 22 hideout"):  # the rest of five wait in prison
        passage = full(crews, red="rum", pirates=5).sloop_at("tortuga")
        assert "sail" in passage.legal()
    passage = full("red 20 21 22 hideout sloop", red="rum", pirates=5).sloop_at("tortuga")
    passage.assert_refused("sail", "CA-24", "in the tunnel or the prison")


@pytest.mark.rule("CA-24")
def test_the_sloop_does_not_sail_in_the_other_stories() -> None:
    Passage("red sloop", red="rum").assert_refused("sail", "CA-22")
    Passage("red sloop", red="rum").assert_refused("sail free", "CA-22")


@pytest.mark.rule("CA-25")
def test_at_tortuga_pirates_leave_one_at_a_time_by_a_card() -> None:
    passage = full("red sloop sloop, green 20", red="rum rum pistol").sloop_at("tortuga")
    passage.play("play rum sloop")  # 20 is occupied: 28
    assert passage.where("red") == ["28", "sloop"]
    passage.play("play pistol sloop")
    assert passage.where("red") == ["24", "28"]
    passage = full("red sloop, green 20 28 34", red="rum").sloop_at("tortuga").play("play rum sloop")
    assert passage.where("red") == ["hideout"]


@pytest.mark.rule("CA-25")
def test_at_cartagena_no_card_takes_a_pirate_off_the_sloop() -> None:
    full("red sloop", red="rum").assert_refused("play rum sloop", "CA-25", "only at Tortuga")


@pytest.mark.rule("CA-26")
@pytest.mark.parametrize(
    ("aboard", "captain"),
    [
        ("green sloop", True),
        ("green sloop, red sloop", True),  # ties count
        ("green sloop, yellow sloop sloop", False),
        ("green 5", False),  # with nobody aboard there is no captain
    ],
)
def test_the_captain_has_most_pirates_aboard_at_the_start_of_the_turn(aboard: str, captain: bool) -> None:
    passage = full(f"{aboard}, red 8", red="chest", green="rum").play("play chest prison", "end")
    assert ("sail free" in passage.legal()) == captain
    assert passage.match.view(None)["turn"]["captain"] == captain
    if not captain:
        passage.assert_refused("sail free", "CA-26", "once, if you began")


@pytest.mark.rule("CA-26")
def test_the_captain_sails_free_once_before_the_actions() -> None:
    passage = full("red sloop", red="rum rum").sloop_at("cartagena", captain=True).play("sail free")
    assert passage.state.left == 3 and passage.match.view(None)["harbour"] == "tortuga"
    passage.assert_refused("end", "CA-10")  # it is no action
    passage.assert_refused("sail free", "CA-26")
    passage = full("red sloop", red="rum rum").sloop_at("cartagena", captain=True).play("play rum prison")
    passage.assert_refused("sail free", "CA-26", "before the actions")


@pytest.mark.rule("CA-26", "CA-24")
def test_the_captain_needs_the_conditions_of_sailing() -> None:
    passage = full("red sloop 20 21 22", pirates=4, red="rum").sloop_at("tortuga", captain=True)
    passage.assert_refused("sail free", "CA-24", "in the tunnel or the prison")


@pytest.mark.rule("CA-26")
def test_a_captain_may_sail_for_an_action_instead() -> None:
    passage = full("red sloop", red="rum").sloop_at("cartagena", captain=True).play("sail")
    assert passage.state.left == 2 and "end" in passage.legal()


@pytest.mark.rule("CA-26", "CA-16")
def test_the_free_voyage_may_come_before_passing() -> None:
    passage = full("red sloop", top="hook").sloop_at("cartagena", captain=True).play("sail free")
    assert "pass" in passage.legal()
    assert passage.play("pass").hand("red") == "hook"


@pytest.mark.rule("CA-27")
def test_the_sloop_may_move_several_times_in_a_turn() -> None:
    passage = full("red sloop", red="rum").sloop_at("cartagena", captain=True)
    passage.play("sail free", "sail", "sail", "sail")
    assert passage.legal() == {"end"} and passage.match.view(None)["harbour"] == "cartagena"


@pytest.mark.rule("CA-28")
def test_moving_back_from_the_sloop_goes_into_the_tunnel_at_cartagena_only() -> None:
    passage = full("red sloop, green 7 20", red="rum")
    assert passage.play("back sloop").where("red") == ["7"]
    full("red sloop, green 7", red="rum").sloop_at("tortuga").assert_refused("back sloop", "CA-28", "only at Cartagena")


@pytest.mark.rule("CA-28", "CA-15")
def test_nobody_moves_back_from_the_island_to_the_sloop_or_the_tunnel() -> None:
    passage = full("red 20, green 7 sloop", red="rum")
    passage.assert_refused("back 20", "CA-15", "to move back to")
    passage = full("red 20 hideout, green 19 7", red="rum").play("back 20", "back hideout")
    assert passage.where("red") == ["19", "19"]


@pytest.mark.rule("CA-28")
def test_back_then_morgan_gives_each_half_its_own_move() -> None:
    crews = "red 9 21 sloop hideout, green 5 20 10 sloop"
    passage = full(crews, red="rum", draw="back-then-morgan")
    assert passage.legal("back") == {"back 9", "back sloop"}
    assert passage.legal("morgan") == {"morgan green 20"}
    passage.assert_refused("back 21", "CA-28", "on the island")
    passage.assert_refused("back hideout", "CA-28", "on the island")
    passage.assert_refused("morgan green 5", "CA-28", "in the tunnel")
    passage.assert_refused("morgan green sloop", "CA-32")
    passage.sloop_at("tortuga")
    assert passage.legal("back") == {"back 9"}
    assert passage.legal("morgan") == {"morgan green 20", "morgan green sloop"}
    passage.assert_refused("back sloop", "CA-28", "only at Cartagena")


@pytest.mark.rule("CA-29", "CA-17")
def test_the_full_story_is_won_in_the_hideout() -> None:
    passage = full("red 36 sloop hideout hideout", pirates=4, red="rum lantern").sloop_at("tortuga")
    passage.play("play rum 36")
    assert passage.winner is None
    passage.play("play lantern sloop", "end")
    assert passage.where("red") == ["21", "hideout", "hideout", "hideout"]
    won = full("red 36 hideout hideout hideout", pirates=4, red="rum").play("play rum 36")
    assert won.winner == "red" and won.match.result is not None and won.match.result.reason == "hidden"


@pytest.mark.rule("CA-29")
def test_all_aboard_does_not_win_the_full_story() -> None:
    passage = full("red 18 sloop sloop hideout", pirates=4, red="rum").play("play rum 18")
    assert passage.where("red") == ["sloop", "sloop", "sloop", "hideout"] and passage.winner is None
