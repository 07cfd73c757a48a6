"""CA-90 to CA-94: the examples of the printed rulebook, on the parts of the house set."""

from __future__ import annotations

import pytest

from .positions import Passage


@pytest.mark.rule("CA-90")
@pytest.mark.parametrize("last", ["f", "g", "h"])
def test_example_1_of_the_escape(last: str) -> None:
    crews = "green 7, red 11 15 19 1 9, yellow 14 24 19 35"
    passage = Passage(crews, parts=f"abcde{last}", green="rum hook hook", top="hook parrot")
    passage.state.turn = 1
    passage.play("play rum 7")
    assert passage.where("green") == ["21"]
    passage.play("back 21")
    assert passage.where("green") == ["19"] and passage.held("green") == 4
    passage.play("play hook prison")
    assert passage.where("green") == ["19", "28"]
    passage.play("end")
    passage.state.turn, passage.state.left = 1, 3
    assert passage.play("play hook prison").where("green") == ["19", "28", "sloop"]
    assert passage.play("play hook 19").where("green") == ["28", "sloop", "sloop"]


@pytest.mark.rule("CA-91")
def test_example_2_of_the_escape() -> None:
    passage = Passage("red 11 13 sloop, green 9 18 19 29 31, yellow 9 36", red="lantern", parts="abcdef")
    passage.play("back 11")
    assert passage.where("red") == ["9", "13", "sloop"] and passage.held("red") == 3
    passage.play("back sloop")
    assert passage.where("red") == ["9", "13", "36"] and passage.held("red") == 4
    passage.play("play lantern 13")
    assert passage.where("red") == ["9", "36", "sloop"]


@pytest.mark.rule("CA-92")
@pytest.mark.parametrize("tunnel", ["agf", "gaf"])
def test_example_1_of_morgan(tunnel: str) -> None:
    crews = "red 7 sloop sloop, yellow sloop, green 19 19 11 17, blue sloop 1 9"
    passage = Passage(
        crews, players=4, story="full", draw="morgan", tunnel=tunnel, island="bcd", red="rum hook", yellow="rum rum"
    )
    passage.state.turn = 3  # Blue's turn ends, and Red is captain
    passage.state.left = 2
    passage.play("end", "sail free")
    assert passage.match.view(None)["harbour"] == "tortuga" and passage.state.left == 3
    passage.play("morgan yellow sloop")
    assert passage.where("yellow") == ["19"] and passage.held("red") == 4
    passage.play("sail")
    assert passage.match.view(None)["harbour"] == "cartagena"
    passage.play("play hook 7")
    assert passage.where("red") == ["sloop", "sloop", "sloop"]
    assert passage.legal() == {"end"}


@pytest.mark.rule("CA-93")
@pytest.mark.parametrize("tunnel", ["agf", "gaf"])
def test_example_2_of_morgan(tunnel: str) -> None:
    crews = "red 6 12, yellow 36 16, blue 7 10, black 10"
    passage = Passage(crews, players=5, story="full", draw="morgan", tunnel=tunnel, island="bcd", green="rum")
    passage.state.turn = 1
    passage.play("play rum prison")
    assert passage.where("green") == ["sloop"]
    passage.play("morgan yellow 36")
    assert passage.where("yellow") == ["16", "hideout"] and passage.held("green") == 2
    passage.play("morgan blue 7")
    assert passage.where("blue") == ["10", "10"] and passage.held("green") == 4


@pytest.mark.rule("CA-94")
def test_the_example_of_black_magic() -> None:
    crews = "red 19 19, green 21 25, yellow 36"
    passage = Passage(crews, story="full", tunnel="agf", island="bcd", magic="on", red="hook lantern")
    passage.play("magic hook", "play lantern 19")
    assert passage.where("red") == ["hideout", "hideout"] and passage.state.left == 1
