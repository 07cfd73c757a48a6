"""Advice: a ranking with honest intervals, and a reason that can be said in any language."""

from __future__ import annotations

from dataclasses import replace

import pytest

import skerry
from skerry.bots.advice import UNSEARCHED_ROLLOUTS, advise
from skerry.bots.asked import determinize_match
from skerry.bots.expert import Expert
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.games import all_games
from tests.bots.test_expert import midgame, only_choice


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_advice_ranks_legal_actions(game: Game) -> None:
    match = midgame(game)
    seat = match.waiting[0]
    expert = replace(Expert.of(game), rollouts=60)
    advice = advise(match, seat, expert, seed=1, most=5)
    assert advice.actions[0].action == expert.choose(match, seat, 1)
    assert {one.action for one in advice.actions} <= set(match.legal_ids(seat))
    assert len(advice.actions) <= 5 and advice.unit == "chance"
    assert all(0 <= one.low <= one.value <= one.high <= 1 and one.games for one in advice.actions)
    best, other, *_ = advice.actions
    text = best.why.render()
    reason = match.label(other.action).phrase() if best.value > other.value else "nothing else is better beyond doubt"
    assert f"from {best.games} simulated games" in text and reason in text


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_actions_searched_to_the_end_come_before_eliminated_and_unsearched_ones_each_by_value(game: Game) -> None:
    match, expert = midgame(game), replace(Expert.of(game), rollouts=200)
    seat = match.waiting[0]
    advice, searched = advise(match, seat, expert), searched_actions(match, seat, expert, 0)
    best, *others = advice.actions
    ranks = [(one.action in searched, one.games == best.games, one.value) for one in others]
    assert any(to_the_end for _, to_the_end, _ in ranks) and not all(to_the_end for _, to_the_end, _ in ranks)
    assert ranks == sorted(ranks, reverse=True) and best.games == max(one.games for one in advice.actions)


def searched_actions(match: Match, seat: int, expert: Expert, seed: int) -> set[int]:
    """The actions that the expert's search plays."""
    arms = expert.search(determinize_match(match, seat, seed))
    return set(arms.actions[arms.pulls > 0].tolist())


@pytest.mark.parametrize("name", ["forbidden-island", "forbidden-desert"])
def test_unsearched_actions_are_listed_but_never_first(name: str) -> None:
    """The luckiest of many bad actions in few rollouts must not be advised."""
    match = skerry.game(name, players=4).new(seed=3)
    seat, expert = match.waiting[0], replace(Expert.of(match.game), rollouts=64)
    if name == "forbidden-island":
        match.state.hands[seat, 4] = 1  # a Helicopter Lift makes many flights possible
    for seed in range(5):
        advice = advise(match, seat, expert, seed)
        searched = searched_actions(match, seat, expert, seed)
        assert {one.action for one in advice.actions} == set(match.legal_ids(seat)) > searched
        assert advice.actions[0].action in searched
        assert {one.games for one in advice.actions if one.action not in searched} == {UNSEARCHED_ROLLOUTS}
        first_three = advise(match, seat, expert, seed, most=3)
        assert [one.action for one in first_three.actions] == [one.action for one in advice.actions[:3]]


def test_a_single_player_is_advised_by_score() -> None:
    match = skerry.game("hashi", players=1).new(seed=3)
    advice = advise(match, 0, replace(Expert.of(match.game), rollouts=60))
    assert advice.unit == "score" and advice.actions[0].value > 1
    assert "on average" in advice.actions[0].why.render()


def test_an_action_without_alternatives_is_evaluated_too() -> None:
    match = only_choice(all_games()[0])
    (only,) = advise(match, match.waiting[0], replace(Expert.of(match.game), rollouts=60)).actions
    assert only.games > 0


def test_a_seat_without_legal_actions_gets_no_advice() -> None:
    match = skerry.game("cartagena", players=2, first=0).new(seed=3)
    with pytest.raises(skerry.Illegal, match="nothing to do"):
        advise(match, 1, replace(Expert.of(match.game), rollouts=10))


def test_a_seat_that_may_only_interrupt_can_be_advised_to_wait() -> None:
    """All treasures are captured and seat 1 has the Helicopter Lift to fly home with. It could be used at once in
    another's turn, and every such use is ranked, but none is as good as keeping it."""
    match = skerry.game("forbidden-island", players=2, first=0).new(seed=3)
    for card in range(6):
        match.state.hands[1, card] = card == 4
    for treasure in range(4):
        match.state.captor[treasure] = 1
    advice = advise(match, 1, replace(Expert.of(match.game), rollouts=60))
    assert {one.action for one in advice.actions} == set(match.legal_ids(1))
    assert advice.wait and advice.actions[0].why.render().endswith("it is as well to wait")
