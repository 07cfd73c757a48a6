"""HA-90 to HA-93: the examples of the printed rulebook."""

from __future__ import annotations

import pytest

from tests.games.hashi.positions import Paper, finishing_numbers


@pytest.mark.rule("HA-90")
def test_a_3_with_three_bridges_is_finished() -> None:
    paper = Paper("3x3")
    paper.play("write C5", "bridge B5-C5")
    assert paper.finished() == set()
    paper.play("bridge C5-D5", "bridge C5-D5")
    assert paper.finished() == {"C5"}
    paper.play("confirm")
    assert paper.finished() == {"C5"}
    paper.assert_refused("bridge C4-C5", "HA-18")


@pytest.mark.rule("HA-91")
def test_the_first_round_with_a_5_and_three_bridges() -> None:
    paper = Paper("5x3", "C4:4", turn=1)
    flags = {"C2", "A3", "B3", "D3", "E3", "A6", "E6"}
    assert not paper.arguments("write") & flags and len(paper.arguments("write")) == 10
    paper.play("write B6", "bridge C4-E4", "bridge A6-B6", "bridge B6-D6", "confirm")
    view = paper.match.view(0)["papers"][0]
    assert [view["reached"][paper.island(island)] for island in ("C4", "B6")] == [1, 2]
    assert paper.number("B6") == 5


@pytest.mark.rule("HA-92")
def test_15_finished_islands_with_late_red_and_late_six_score_39_points() -> None:
    last = "A3-A4"
    built = "A2-A3 E2-E3 E3-E4 A4-C4 C4-E4 C4-C5 B5-C5 C5-D5 B5-B6 D5-D6 A6-B6 D6-E6 C1-C2 A2-C2 C2-E2 A3-B3 D3-E3"
    paper = Paper("1x1", finishing_numbers(f"{built} {last}", without=["C2", "B3", "D3"]), built, players=2, turn=17)
    paper.state.claimed = 0b101  # the other was first with red and with six
    assert len(paper.finished()) == 13
    paper.play(f"bridge {last}", "confirm")
    paper.play("confirm", seat=1)
    result = paper.match.result
    assert result is not None and result.scores[0] == 30 + 5 + 4 == 39


@pytest.mark.rule("HA-93")
def test_the_first_to_connect_six_finished_islands_scores_8() -> None:
    built = "B5-C5 C5-D5 B5-B6 D5-D6 D6-E6 D6-E6"
    paper = Paper("2x1", "C5:2 B5:2 D5:2 D6:3 E6:2", built, players=2)
    paper.play("write B6", "bridge A6-B6", "confirm")
    told = paper.play("confirm", seat=1)
    assert "Green finishes B6" in told and "Green scores 8 points for Six" in told
