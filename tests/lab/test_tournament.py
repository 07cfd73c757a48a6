"""Who meets whom, and what that says of their strength."""

from __future__ import annotations

import math

import pytest

import skerry
from skerry.bots import names
from skerry.lab import Tournament, tournament
from skerry.lab.tournament import line_ups, read_bots
from tests.lab.synthetic_results import against, together

RACE = skerry.game("cartagena", players=3)


def test_two_players_meet_at_both_seats_once() -> None:
    assert line_ups(skerry.game("cartagena", players=2), ["a", "b"]) == [("a", "b"), ("b", "a")]


def test_one_among_others_at_every_seat() -> None:
    found = line_ups(RACE, ["a", "b"])
    assert set(found) == {
        ("a", "b", "b"),
        ("b", "a", "b"),
        ("b", "b", "a"),
        ("b", "a", "a"),
        ("a", "b", "a"),
        ("a", "a", "b"),
    }
    assert len(found) == 6


def test_those_who_win_together_also_play_among_themselves() -> None:
    assert set(line_ups(skerry.game("forbidden-island", players=2), ["a", "b"])) == {
        ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b"),
    }  # fmt: skip


def test_who_is_alone_plays_alone() -> None:
    assert line_ups(skerry.game("hashi", players=1), ["a", "b"]) == [("a",), ("b",)]


def test_ten_to_one_are_400_points() -> None:
    outcomes = [against("cartagena", ("a", "b"), (10_000, 1_000)), against("cartagena", ("b", "a"), (1_000, 10_000))]
    event = Tournament(outcomes[0].series.variant, ("a", "b"), outcomes)
    strong, weak = event.ratings
    assert (strong.bot, weak.bot) == ("a", "b") == tuple(event.ranking)
    assert strong.value - weak.value == pytest.approx(400, abs=1) and strong.value + weak.value == pytest.approx(3000)
    # The difference of two halves: sqrt(1 / (n p q)) in logarithms, and half of that for each.
    error = 1.96 * 400 / math.log(10) * math.sqrt(1 / (22_000 * (10 / 11) * (1 / 11))) / 2
    assert strong.high - strong.value == pytest.approx(error, rel=0.01)


def test_equals_at_a_table_of_three_have_a_third_each() -> None:
    outcomes = [against("cartagena", seats, (100, 100, 100)) for seats in line_ups(RACE, ["a", "b"])]
    event = Tournament(RACE, ("a", "b"), outcomes)
    assert event.cross_table["a", "b"].share == event.even_share == 1 / 3 and event.cross_table["a", "b"].games == 900
    assert [rating.value for rating in event.ratings] == pytest.approx([1500, 1500])


def test_who_never_loses_has_a_finite_rating() -> None:
    outcomes = [against("cartagena", ("a", "b"), (500, 0))]
    first = Tournament(outcomes[0].series.variant, ("a", "b"), outcomes).ratings[0]
    assert first.bot == "a" and math.isfinite(first.high) and first.low < first.value < first.high


def test_teams_have_a_table_and_no_ratings() -> None:
    own, other = together(80, 20, players=2, bot="a"), together(30, 70, players=2, bot="b")
    event = Tournament(own.series.variant, ("b", "a"), [own, other])
    assert not event.ratings and event.ranking == ["a", "b"]
    assert event.cross_table["a", "a"].share == 0.8 and event.wins("b").share == 0.3


def test_a_tournament_is_played() -> None:
    bots = names(RACE.game)[:2]
    (event,) = tournament(skerry.game("cartagena", players=2), bots, games=30)
    assert sum(outcome.tally.games for outcome in event.results) == 30
    assert event.ranking[-1] == "random" and event.cross_table[event.ranking[0], "random"].share > 0.5


def test_who_takes_part() -> None:
    assert read_bots(RACE.game, ["all"]) == read_bots(RACE.game, []) == names(RACE.game)
    with pytest.raises(skerry.BadOption, match="at least two bots"):
        read_bots(RACE.game, ["random", "random"])
    with pytest.raises(skerry.BadOption, match="no bot 'genius'"):
        read_bots(RACE.game, ["random", "genius"])
