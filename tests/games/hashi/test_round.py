"""HA-10, HA-20: all seats draft at the same time, in secret, and may change their drafts."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from skerry.games.hashi import GAME
from tests.games.hashi.positions import Paper


@pytest.mark.rule("HA-10")
def test_all_seats_act_at_the_same_time() -> None:
    paper = Paper("5x3", "C4:4", players=4)
    waiting = [paper.match.waiting]
    paper.play("confirm", seat=2)
    waiting.append(paper.match.waiting)
    paper.play("write C5", seat=3)
    paper.play("confirm", seat=0)
    waiting.append(paper.match.waiting)
    assert waiting == [(0, 1, 2, 3), (0, 1, 3), (1, 3)]


@pytest.mark.rule("HA-10")
def test_the_number_and_the_bridges_of_a_card_are_optional() -> None:
    both = Paper("5x2", "C5:4")
    both.play("confirm")
    number_only = Paper("5x2", "C5:4")
    number_only.play("write A2", "confirm")
    bridges_only = Paper("5x2", "C5:4")
    bridges_only.play("bridge C5-D5", "bridge C5-D5", "confirm")
    papers = [paper.match.view(0)["papers"][0] for paper in (both, number_only, bridges_only)]
    assert [(sum(map(bool, p["numbers"])), sum(p["bridges"])) for p in papers] == [(1, 0), (2, 0), (1, 2)]
    assert all(paper.match.view(0)["round"] == 6 for paper in (both, number_only, bridges_only))


def test_the_prompt_says_bridge_in_the_singular_for_one() -> None:
    one, two = Paper("5x1", "C5:4"), Paper("5x2", "C5:4")
    assert str(one.match.prompt(0)) == "Card 5: write a 5, then draw 1 bridge; or confirm without"
    assert str(two.match.prompt(0)) == "Card 5: write a 5, then draw 2 bridges; or confirm without"
    one.play("write A2")
    assert str(one.match.prompt(0)) == "Card 5: draw 1 bridge, or confirm with none"


@pytest.mark.rule("HA-10")
def test_drafts_are_secret_until_all_have_confirmed() -> None:
    paper = Paper("5x1", "C5:4", players=3)
    before = paper.match.view(1), paper.match.view(None), str(paper.match.prompt(1)), paper.match.legal_ids(1)
    paper.play("write A2", "bridge C5-D5")
    assert (paper.match.view(1), paper.match.view(None), str(paper.match.prompt(1)), paper.match.legal_ids(1)) == before
    assert paper.match.events(1) == [[], []], "a draft tells nothing"
    assert paper.match.view(0)["papers"][0]["numbers"][paper.island("A2")] == 5
    paper.play("confirm")
    assert [str(event) for event in paper.match.events(1)[-1]] == ["Green confirms"]
    paper.play("confirm", seat=1)
    assert paper.match.view(1)["papers"][0]["numbers"][paper.island("A2")] is None
    told = paper.play("confirm", seat=2)
    assert {"Green writes 5 on A2", "Green builds C5-D5"} <= set(told)
    assert paper.match.view(1)["papers"][0]["numbers"][paper.island("A2")] == 5


@pytest.mark.rule("HA-10")
def test_a_determinization_keeps_the_own_draft_and_resamples_others() -> None:
    paper = Paper("5x1", "C5:4", players=2)
    paper.put("C5:4", seat=1)
    paper.play("write A2", "bridge C5-D5")
    paper.play("write C4", "bridge C5-D5", "confirm", seat=1)
    numbers, bridges = set(), set()
    for seed in range(300):
        world = StructBuffer(GAME.state_struct, paper.match.content)
        GAME.rules.determinize(world.struct, 0, np.uint64(seed))
        row = world.struct
        assert row.draft_island[0] == paper.island("A2") and row.draft_line[0, 0] == paper.line("C5-D5")
        numbers.add(int(row.draft_island[1]))
        bridges.add((int(row.drafted[1]), int(row.draft_line[1, 0])))
    assert len(numbers) > 8 and -1 in numbers, "any island, and none"
    assert len(bridges) > 3 and (0, 0) in bridges, "any bridge, and none"


@pytest.mark.rule("HA-20")
def test_a_draft_can_be_changed_until_it_is_confirmed() -> None:
    paper = Paper("5x2", "C5:4")
    paper.play("write A2", "write C4", "erase", "bridge C5-D5", "remove C5-D5", "bridge B5-C5", "bridge B5-C5")
    assert paper.drafted() == (None, ["B5-C5", "B5-C5"])
    paper.play("remove B5-C5", "bridge C4-C5", "write E4", "confirm")
    assert paper.number("E4") == 5 and paper.number("A2") == paper.number("C4") == 0


@pytest.mark.rule("HA-20")
def test_a_confirmed_draft_cannot_be_changed() -> None:
    paper = Paper("5x2", "C5:4", players=2)
    paper.play("write A2", "confirm")
    assert paper.match.legal(0) == []
    for action in ("erase", "write C4", "bridge C5-D5", "confirm"):
        paper.assert_refused(action, "HA-20", "confirmed")


@pytest.mark.rule("HA-20")
def test_moving_the_number_redraws_the_bridges_in_their_order() -> None:
    """B5-C5 depends on either number, C5-D5 on that of C5 only."""
    paper = Paper("4x3")
    paper.play("write C5", "bridge B5-C5", "bridge C5-D5", "bridge B5-C5", "write B5")
    assert paper.drafted() == ("B5", ["B5-C5", "B5-C5"])
    paper.assert_refused("confirm", "HA-13", "1 to go")


@pytest.mark.rule("HA-20")
def test_erasing_the_number_removes_the_bridges_that_depend_on_it() -> None:
    paper = Paper("4x2", "E6:4")
    paper.play("write C5", "bridge C5-D5", "bridge D6-E6", "erase")
    assert paper.drafted() == (None, ["D6-E6"])
    assert paper.arguments("bridge") == {"D6-E6", "E4-E6"}


@pytest.mark.rule("HA-20")
def test_a_bridge_that_prevents_the_full_count_is_removed_too() -> None:
    paper = Paper("4x3", "C1:2")
    paper.play("write C5", "bridge C1-C2", "bridge C5-D5", "bridge C5-D5", "erase")
    assert paper.drafted() == (None, []), "C1 alone cannot take three bridges"


@pytest.mark.rule("HA-20")
def test_removing_a_bridge_keeps_the_order_of_the_others() -> None:
    paper = Paper("4x3", "C5:6")
    paper.play("bridge B5-C5", "bridge C5-D5", "bridge C4-C5", "remove C5-D5")
    assert paper.drafted() == (None, ["B5-C5", "C4-C5"])
    paper.play("bridge B5-C5", "remove B5-C5")
    assert paper.drafted() == (None, ["B5-C5", "C4-C5"]), "the last one of a line goes"


@pytest.mark.rule("HA-20")
def test_removing_a_bridge_reopens_the_lines_it_crossed() -> None:
    paper = Paper("4x1", "C4:4 B3:4")
    paper.play("bridge A4-C4", "remove A4-C4", "bridge B3-B5", "confirm")
    assert paper.match.view(0)["papers"][0]["bridges"][paper.line("B3-B5")] == 1


@pytest.mark.rule("HA-20")
def test_the_round_ends_when_all_have_confirmed() -> None:
    paper = Paper("5x2", players=2)
    paper.play("confirm")
    assert paper.match.view(None)["round"] == 5
    told = paper.play("confirm", seat=1)
    assert paper.match.view(None)["round"] == 6 and told[-1].startswith("Card 6 is")
    assert paper.match.waiting == (0, 1)


def _random_round(match: Match, seat: int, chance: random.Random) -> list[int]:
    """Random actions of a seat up to confirming, found on a copy of the match."""
    copy, actions = skerry.replay(match.record()), []
    for _ in range(200):
        legal = copy.legal_ids(seat)
        confirm = legal[0] == 0 and chance.random() < 0.3
        actions.append(0 if confirm else chance.choice([action for action in legal if action] or [0]))
        copy.play(seat, actions[-1])
        if actions[-1] == 0:
            return actions
    raise AssertionError("never confirmed")


@pytest.mark.rule("HA-10", "HA-13")
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 6))
def test_the_order_in_which_seats_act_does_not_change_the_round(seed: int, players: int, rounds: int) -> None:
    chance = random.Random(seed)
    match = skerry.game("hashi", players=players, board=chance.choice("AB")).new(seed=seed)
    for _ in range(rounds):
        for seat in range(players):
            for action in _random_round(match, seat, chance):
                match.play(seat, action)
    drafts = [(seat, _random_round(match, seat, chance)) for seat in range(players)]
    contents = set()
    for _ in range(3):
        other = skerry.replay(match.record())
        queues = [[(seat, action) for action in actions] for seat, actions in drafts]
        while any(queues):
            seat, action = chance.choice([queue for queue in queues if queue]).pop(0)
            other.play(seat, action)
        contents.add(other.content)
    assert len(contents) == 1
