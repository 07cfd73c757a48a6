"""HA-13 to HA-19, HA-21: where bridges can be drawn."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

import skerry
from skerry.games.hashi.rules.components import MAX_ISLAND_BRIDGES
from skerry.games.hashi.rules.options import board_of
from tests.games.hashi.positions import Paper


@pytest.mark.rule("HA-13")
def test_a_card_takes_all_its_bridges_or_none() -> None:
    paper = Paper("5x3", "C4:6")
    assert paper.arguments("confirm") == {""}
    paper.play("bridge C4-C5")
    paper.assert_refused("confirm", "HA-13", "2 to go")
    paper.play("bridge C4-E4")
    paper.assert_refused("confirm", "HA-13", "1 to go")
    paper.play("bridge C4-C5")
    paper.assert_refused("bridge C4-E4", "HA-13", "all bridges")
    paper.play("confirm")
    assert paper.match.view(0)["papers"][0]["reached"][paper.island("C4")] == 3


@pytest.mark.rule("HA-13")
def test_a_bridge_is_legal_only_if_all_bridges_of_the_card_fit() -> None:
    paper = Paper("5x3", "C1:2")
    assert paper.arguments("bridge") == set(), "C1 has one line, so two bridges are the most"
    paper.assert_refused("bridge C1-C2", "HA-13", "cannot all be drawn")
    assert Paper("5x2", "C1:2").arguments("bridge") == {"C1-C2"}


@pytest.mark.rule("HA-13")
def test_a_crossing_can_prevent_all_bridges_of_the_card() -> None:
    """The last open lines of B3 and C4 cross, so that only one bridge can be drawn."""
    numbers, bridges = "A3:2 C2:2 D3:1 E4:1 C5:2", "A2-A3 A2-A3 C1-C2 C1-C2 D3-E3 E4-E6 C5-D5 C5-D5"
    assert Paper("5x1", f"{numbers} B3:1 C4:1", bridges).arguments("bridge") == {"B3-B5", "A4-C4"}
    assert Paper("5x2", f"{numbers} B3:1 C4:1", bridges).arguments("bridge") == set()
    assert Paper("5x2", f"{numbers} B3:2 C4:1", bridges).arguments("bridge") == {"B3-B5"}


@pytest.mark.rule("HA-13")
def test_the_order_of_a_rounds_bridges_does_not_matter() -> None:
    papers = [Paper("5x3", "C4:6") for _ in range(2)]
    papers[0].play("bridge C4-C5", "bridge C4-E4", "bridge C4-C5", "confirm")
    papers[1].play("bridge C4-E4", "bridge C4-C5", "bridge C4-C5", "confirm")
    assert papers[0].match.content == papers[1].match.content


@pytest.mark.rule("HA-13", "HA-14", "HA-15", "HA-16", "HA-17")
@pytest.mark.parametrize("side", ["A", "B"])
def test_drawable_lines_agree_with_a_brute_force_search(side: str) -> None:
    """All positions of a few random games, compared with trying all multisets of lines."""
    chance = random.Random(side)
    match = skerry.game("hashi", players=1, board=side).new(seed=11)
    for _ in range(400):
        if match.result is not None:
            match = skerry.game("hashi", players=1, board=side).new(seed=chance.randrange(999))
        view = match.view(0)
        if view["phase"] == "round" and view["draft"]["due"]:
            offered = {a.text.split()[1] for a in match.legal(0) if a.verb == "bridge"}
            assert offered == _drawable_by_brute_force(side, view)
        match.play(0, chance.choice(match.legal(0)))


def _drawable_by_brute_force(side: str, view: dict[str, object]) -> set[str]:
    board, paper = board_of(side), view["papers"][0]  # type: ignore[index]
    numbers, bridges, reached = paper["numbers"], list(paper["bridges"]), list(paper["reached"])
    due = view["draft"]["due"]  # type: ignore[index]
    lines = range(len(board.lines))
    usable = [line for line in lines if any(numbers[i] for i in board.lines[line]) and bridges[line] < 2]

    def fits(chosen: tuple[int, ...]) -> bool:
        total = [bridges[line] + chosen.count(line) for line in lines]
        at = [sum(total[line] for line in lines if i in board.lines[line]) for i in range(18)]
        room = all(at[i] <= (numbers[i] or MAX_ISLAND_BRIDGES) for i in range(18))
        return room and max(total) <= 2 and not any(total[a] and total[b] for a, b in board.crossings)

    assert reached == [sum(bridges[line] for line in lines if i in board.lines[line]) for i in range(18)]
    sets = [chosen for chosen in combinations_with_replacement(usable, due) if fits(chosen)]
    return {board.line_name(line) for chosen in sets for line in chosen}


@pytest.mark.rule("HA-14")
def test_a_bridge_needs_a_number_at_one_end() -> None:
    paper = Paper("5x1", "C5:4")
    assert paper.arguments("bridge") == {"C4-C5", "B5-C5", "C5-D5"}
    paper.assert_refused("bridge A2-A3", "HA-14", "neither A2 nor A3")


@pytest.mark.rule("HA-14")
def test_a_bridge_runs_along_a_dotted_line() -> None:
    with pytest.raises(skerry.Unreadable, match="no line"):
        Paper("5x1", "C4:4").play("bridge A4-E4")
    paper = Paper("5x1", "C4:4")
    with pytest.raises(skerry.Illegal, match="HA-14"):
        paper.match.play(0, paper.match.game.actions.first_id("bridge") + 26)


@pytest.mark.rule("HA-15")
def test_a_line_carries_at_most_two_bridges_of_the_same_round_or_of_two() -> None:
    at_once = Paper("5x2", "C5:6")
    at_once.play("bridge C5-D5", "bridge C5-D5", "confirm")
    later = Paper("5x1", "C5:6", "C5-D5")
    later.play("bridge C5-D5", "confirm")
    for paper in (at_once, later):
        paper.assert_refused("bridge C5-D5", "HA-15", "two bridges")


@pytest.mark.rule("HA-16")
def test_bridges_never_cross() -> None:
    paper = Paper("5x1", "C4:4 B3:4", "A4-C4")
    assert "B3-B5" not in paper.arguments("bridge")
    paper.assert_refused("bridge B3-B5", "HA-16", "B3-B5 would cross A4-C4")


@pytest.mark.rule("HA-16")
def test_bridges_of_the_same_round_do_not_cross() -> None:
    paper = Paper("5x2", "C4:4 B3:4")
    paper.play("bridge B3-B5")
    paper.assert_refused("bridge A4-C4", "HA-16")
    paper.play("remove B3-B5", "bridge A4-C4")
    paper.assert_refused("bridge B3-B5", "HA-16")


@pytest.mark.rule("HA-17")
def test_no_island_gets_more_bridges_than_its_number() -> None:
    paper = Paper("5x2", "C5:1")
    assert paper.arguments("bridge") == set()
    paper = Paper("5x2", "C5:3 B5:4", "C5-D5 C4-C5")
    paper.play("bridge B5-C5")
    assert paper.arguments("bridge") == {"B3-B5", "B5-B6"}


@pytest.mark.rule("HA-17")
def test_an_island_without_a_number_gets_at_most_six_bridges() -> None:
    wide = Paper("5x1", "B5:6 C4:6 B6:6 D5:6", "B5-C5 B5-C5 C4-C5 C4-C5 C5-D5 C5-D5")
    assert not wide.arguments("bridge") & {"B5-C5", "C4-C5", "C5-D5"}
    four = Paper("5x1", "A2:6 C1:2 E2:6", "A2-C2 A2-C2 C1-C2 C1-C2 C2-E2 C2-E2")
    four.put("C4:6")
    four.assert_refused("bridge C2-C4", "HA-17", "6 bridges")


@pytest.mark.rule("HA-18")
def test_a_finished_island_takes_no_more_bridges() -> None:
    paper = Paper("5x1", "C5:2 B5:4", "C5-D5 C4-C5")
    assert paper.finished() == {"C5"}
    paper.assert_refused("bridge B5-C5", "HA-18", "C5 is finished")


@pytest.mark.rule("HA-19")
def test_the_bridges_of_a_round_may_be_spread_and_a_new_number_counts() -> None:
    paper = Paper("3x3", "C1:2 A6:1")
    assert "B5-C5" not in paper.arguments("bridge")
    paper.play("write C5", "bridge B5-C5", "bridge C1-C2", "bridge A6-B6", "confirm")
    assert paper.finished() == {"A6"}


@pytest.mark.rule("HA-21")
def test_bridges_need_not_be_connected() -> None:
    paper = Paper("1x2", "C1:1 A6:1", "C1-C2")
    paper.play("write C5", "bridge A6-B6", "bridge C5-D5", "confirm")
    assert paper.finished() == {"C1", "A6", "C5"}
