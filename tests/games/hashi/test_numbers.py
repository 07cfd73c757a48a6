"""HA-11, HA-12, HA-22: where a number can be written."""

from __future__ import annotations

import pytest

from tests.games.hashi.positions import Paper

PLAIN = {"C1", "A2", "E2", "A4", "C4", "E4", "B5", "C5", "D5", "B6", "D6"}


@pytest.mark.rule("HA-11")
def test_a_number_goes_on_an_island_without_a_number() -> None:
    paper = Paper("5x3", "C4:4")
    assert paper.arguments("write") == PLAIN - {"C4"}
    paper.assert_refused("write C4", "HA-11", "C4 has a number: 4")


@pytest.mark.rule("HA-11")
def test_a_flagged_island_needs_a_bridge_of_an_earlier_round() -> None:
    paper = Paper("5x1", "A2:4", "A2-A3")
    assert paper.arguments("write") == PLAIN - {"A2"} | {"A3"}
    paper.assert_refused("write C2", "HA-11", "flag")


@pytest.mark.rule("HA-11")
def test_a_bridge_of_this_round_does_not_make_a_flagged_island_writable() -> None:
    paper = Paper("5x1", "A2:4")
    paper.play("bridge A2-A3")
    paper.assert_refused("write A3", "HA-11")


@pytest.mark.rule("HA-12")
def test_a_number_is_not_smaller_than_the_bridges_at_its_island() -> None:
    paper = Paper("2x1", "B5:6 B6:4", "B5-C5 B5-C5 B5-B6 B5-B6 B6-D6")
    paper.put(bridges="C5-D5")
    assert "C5" not in paper.arguments("write") and "D6" in paper.arguments("write")
    paper.assert_refused("write C5", "HA-12", "3 bridges")


@pytest.mark.rule("HA-12", "HA-18")
def test_an_equal_number_finishes_the_island() -> None:
    paper = Paper("2x1", "B5:6", "B5-C5 B5-C5")
    told = paper.play("write C5", "confirm")
    assert paper.finished() == {"C5"} and "Green finishes C5" in told


@pytest.mark.rule("HA-12")
def test_the_bridges_of_this_round_do_not_count_against_a_number() -> None:
    paper = Paper("1x2", "B5:6")
    paper.play("bridge B5-C5", "bridge B5-C5", "write C5")
    assert paper.drafted() == ("C5", ["B5-C5"]), "the second bridge has no room any more"


@pytest.mark.rule("HA-12")
def test_a_number_that_can_no_longer_be_reached_is_legal() -> None:
    paper = Paper("6x1", "A2:4")
    assert "C1" in paper.arguments("write"), "C1 has one line and can get two bridges"
    paper.play("write C1", "confirm")
    assert paper.number("C1") == 6


@pytest.mark.rule("HA-22")
@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("write C4", "HA-11"),  # it has a number
        ("write A3", "HA-11"),  # a flag and no bridge
        ("write B5", "HA-12"),  # three bridges, and the card says 2
        ("bridge A2-A3", "HA-14"),  # no number at either end
        ("bridge C4-C5", "HA-15"),  # two bridges there
        ("bridge D3-D5", "HA-16"),  # it would cross C4-E4
        ("bridge C4-E4", "HA-18"),  # C4 is finished
        ("remove C4-C5", "HA-20"),  # not of this round
        ("erase", "HA-20"),  # nothing written
        ("start 3 A2", "HA-02"),  # the start is over
    ],
)
def test_mistakes_from_the_rulebook_are_refused(action: str, rule: str) -> None:
    bridges = "C4-C5 C4-C5 C4-E4 B5-C5 B5-B6 B5-B6"
    paper = Paper("2x1", "C4:3 C5:6 E4:4 B6:6 D5:6", bridges)
    paper.assert_refused(action, rule)
