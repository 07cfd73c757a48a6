"""CA-40: dark cards catch players with too many cards."""

from __future__ import annotations

import pytest

from .positions import Passage

EIGHT = "rum rum rum rum rum rum rum chest"


@pytest.mark.rule("CA-40")
def test_a_dark_card_makes_every_other_player_discard_down_to_seven() -> None:
    passage = Passage(red=f"dark-rum {EIGHT}", green=f"{EIGHT} hook", yellow=EIGHT, flibusters="on")
    passage.play("play dark-rum prison")
    assert passage.seat == 1 and passage.legal() == {"discard rum", "discard chest", "discard hook"}
    passage.assert_refused("play rum prison", "CA-40", "Green must discard", seat=0)
    passage.assert_refused("discard rum", "CA-40", "Green must discard", seat=2)
    passage.assert_refused("discard parrot", "CA-40", "no parrot card")
    passage.assert_refused("play rum prison", "CA-40", "discard down to seven")
    passage.play("discard rum", "discard hook", "discard rum")
    assert passage.seat == 0 and passage.state.left == 2
    assert [passage.held(colour) for colour in ("red", "green", "yellow")] == [8, 7, 7]
    assert passage.discarded() == "rum rum hook dark-rum"


@pytest.mark.rule("CA-40")
def test_players_discard_in_seat_order_from_the_left() -> None:
    passage = Passage(red=f"{EIGHT} hook", green="dark-rum hook", yellow=EIGHT, flibusters="on")
    passage.play("play hook prison", "end", "play dark-rum prison")
    assert passage.seat == 2
    assert passage.play("discard rum").seat == 0
    assert passage.play("discard rum").seat == 1


@pytest.mark.rule("CA-40")
def test_a_light_card_catches_nobody_and_hands_have_no_limit() -> None:
    passage = Passage(red="rum", green=EIGHT, flibusters="on").play("play rum prison")
    assert passage.seat == 0 and passage.held("green") == 8


@pytest.mark.rule("CA-40")
def test_a_dark_card_that_wins_catches_nobody() -> None:
    passage = Passage("red 36 sloop sloop sloop", red="dark-rum", green=EIGHT, flibusters="on", pirates=4)
    assert passage.play("play dark-rum 36").winner == "red"


@pytest.mark.rule("CA-40")
def test_light_and_dark_cards_are_distinct_only_with_flibusters() -> None:
    passage = Passage(red="rum dark-rum", flibusters="on")
    assert passage.legal("play") == {"play rum prison", "play dark-rum prison"}
    Passage(red="rum").assert_refused("play dark-rum prison", "CA-40", "only with flibusters")


@pytest.mark.rule("CA-40")
def test_a_dark_card_used_for_a_power_catches_after_its_effect() -> None:
    passage = Passage(red="dark-lantern", green=EIGHT, flibusters="on", magic="on", top="hook rum rum chest")
    passage.play("magic dark-lantern", "keep hook", "put chest", "put rum")
    assert passage.seat == 0
    assert passage.play("put rum").seat == 1
    assert passage.play("discard rum").seat == 0


@pytest.mark.rule("CA-40", "CA-53")
def test_a_card_given_with_dark_rum_counts_for_the_limit() -> None:
    seven = EIGHT.removesuffix(" chest")
    passage = Passage(red="dark-rum", green=seven, flibusters="on", magic="on", top="hook hook hook parrot")
    passage.play("magic dark-rum", "keep hook", "keep hook", "give parrot", "give hook")
    assert passage.seat == 1 and passage.play("discard parrot").seat == 0


@pytest.mark.rule("CA-40", "CA-55", "CA-56")
def test_an_action_catches_once_whichever_of_its_cards_is_dark() -> None:
    passage = Passage(red="parrot dark-parrot hook", green=EIGHT, flibusters="on", magic="on")
    passage.play("parrots mixed", "play hook prison")
    assert passage.seat == 1
    passage.play("discard rum")
    assert passage.seat == 0 and passage.state.dark == 0
    hooked = Passage("red 8 8", red="dark-hook dark-rum", green=f"{EIGHT} hook", flibusters="on", magic="on")
    hooked.play("magic dark-hook")
    assert hooked.seat == 0  # nobody is caught before the second card
    hooked.play("play dark-rum 8", "discard rum", "discard rum")
    assert hooked.seat == 0 and hooked.state.left == 1 and hooked.where("red") == ["11", "11"]


@pytest.mark.rule("CA-40", "CA-55")
def test_the_player_chooses_which_parrots_to_lay_down() -> None:
    passage = Passage(red="parrot parrot dark-parrot dark-parrot", flibusters="on", magic="on")
    assert {"parrots", "parrots mixed", "parrots dark"} <= passage.legal()
    passage = Passage(red="parrot dark-parrot", flibusters="on", magic="on")
    assert "parrots mixed" in passage.legal() and "parrots" not in passage.legal()
    passage.assert_refused("parrots dark", "CA-55")
    assert passage.play("parrots mixed").discarded() == "parrot dark-parrot"
