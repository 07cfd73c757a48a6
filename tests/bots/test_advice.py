"""Advice: ranked, with honest intervals, and a sentence that can be read in any language."""

from __future__ import annotations

from dataclasses import replace

import pytest

import skerry
from skerry.bots.advice import GLANCE, advise
from skerry.bots.expert import Expert, determinize_match
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.games import all_games
from tests.bots.test_expert import midgame


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
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


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_behind_the_first_comes_by_value_what_was_compared_to_the_end_then_the_others(game: Game) -> None:
    match, expert = midgame(game), replace(Expert.of(game), rollouts=200)
    seat = match.waiting[0]
    advice, tried = advise(match, seat, expert), likely(match, seat, expert, 0)
    best, *others = advice.actions
    ranks = [(one.action in tried, one.games == best.games, one.value) for one in others]
    assert any(compared for _, compared, _ in ranks) and not all(compared for _, compared, _ in ranks)
    assert ranks == sorted(ranks, reverse=True) and best.games == max(one.games for one in advice.actions)


def likely(match: Match, seat: int, expert: Expert, counter: int) -> set[int]:
    """What the expert tries."""
    field = expert.search(determinize_match(match, seat, counter))
    return set(field.plans[field.tries > 0].tolist())


@pytest.mark.parametrize("name", ["forbidden-island", "forbidden-desert"])
def test_what_does_not_suggest_itself_is_looked_at_but_not_advised(name: str) -> None:
    """The luckiest of many bad plans in few games must not come first."""
    match = skerry.game(name, players=4).new(seed=3)
    seat, expert = match.waiting[0], replace(Expert.of(match.game), rollouts=64)
    if name == "forbidden-island":
        match.state.hands[seat, 4] = 1  # a Helicopter Lift: many flights can be made at once
    for counter in range(5):
        advice = advise(match, seat, expert, counter)
        tried = likely(match, seat, expert, counter)
        assert {one.action for one in advice.actions} == set(match.legal_ids(seat)) > tried
        assert advice.actions[0].action in tried
        assert {one.games for one in advice.actions if one.action not in tried} == {GLANCE}
        few = advise(match, seat, expert, counter, most=3)
        assert [one.action for one in few.actions] == [one.action for one in advice.actions[:3]]


def test_alone_the_score_counts() -> None:
    match = skerry.game("hashi", players=1).new(seed=3)
    advice = advise(match, 0, replace(Expert.of(match.game), rollouts=60))
    assert advice.unit == "score" and advice.actions[0].value > 1
    assert "on average" in advice.actions[0].why.render()


def test_a_single_choice_is_weighed_too() -> None:
    match = midgame(all_games()[0])
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
