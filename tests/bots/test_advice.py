"""Advice: ranked, with honest intervals, and a sentence that can be read in any language."""

from __future__ import annotations

from dataclasses import replace

import pytest

import skerry
from skerry.bots.advice import advise
from skerry.bots.expert import Expert
from skerry.engine.game import Game
from skerry.games import every
from tests.bots.test_expert import midgame


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_advice_ranks_what_a_seat_may_do(game: Game) -> None:
    match = midgame(game)
    seat = match.waiting[0]
    expert = replace(Expert.of(game), rollouts=60)
    advice = advise(match, seat, expert, counter=1, most=5)
    assert advice.actions[0].action == expert.choose(match, seat, 1)
    assert {one.action for one in advice.actions} <= set(match.legal_ids(seat))
    assert len(advice.actions) <= 5 and advice.unit == "chance"
    assert all(0 <= one.low <= one.value <= one.high <= 1 and one.games for one in advice.actions)
    best, other, *_ = advice.actions
    text = best.why.render()
    reason = match.label(other.action).phrase() if best.value > other.value else "nothing else is better beyond doubt"
    assert f"from {best.games} imagined games" in text and reason in text


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_behind_the_first_comes_by_value_what_was_compared_to_the_end_then_the_others(game: Game) -> None:
    match = midgame(game)
    advice = advise(match, match.waiting[0], replace(Expert.of(game), rollouts=200))
    most = max(one.games for one in advice.actions)
    compared = [one.value for one in advice.actions[1:] if one.games == most]
    others = [one.value for one in advice.actions[1:] if one.games < most]
    assert compared and others and advice.actions[0].games == most
    assert [one.value for one in advice.actions[1:]] == sorted(compared)[::-1] + sorted(others)[::-1]


def test_alone_the_score_counts() -> None:
    match = skerry.game("hashi", players=1).new(seed=3)
    advice = advise(match, 0, replace(Expert.of(match.game), rollouts=60))
    assert advice.unit == "score" and advice.actions[0].value > 1
    assert "on average" in advice.actions[0].why.render()


def test_a_single_choice_is_weighed_too() -> None:
    match = midgame(every()[0])
    while len(match.legal_ids(match.waiting[0])) > 1:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    (only,) = advise(match, match.waiting[0], replace(Expert.of(match.game), rollouts=60)).actions
    assert only.games > 0


def test_a_seat_that_has_nothing_to_do_gets_no_advice() -> None:
    match = skerry.game("cartagena", players=2, first=0).new(seed=3)
    with pytest.raises(skerry.Illegal, match="nothing to do"):
        advise(match, 1, replace(Expert.of(match.game), rollouts=10))


def test_who_may_only_interrupt_is_told_that_it_may_wait() -> None:
    """All treasures are taken and seat 1 has the Helicopter Lift to fly home with: it can be used at once as another's
    turn begins, and all of that is ranked, but none of it is as good as to keep it."""
    match = skerry.game("forbidden-island", players=2, first=0).new(seed=3)
    for card in range(6):
        match.state.hands[1, card] = card == 4
    for treasure in range(4):
        match.state.captor[treasure] = 1
    advice = advise(match, 1, replace(Expert.of(match.game), rollouts=60))
    assert {one.action for one in advice.actions} == set(match.legal_ids(1))
    assert advice.wait and advice.actions[0].why.render().endswith("it is as well to wait")
