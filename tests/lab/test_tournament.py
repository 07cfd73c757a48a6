"""Tournaments: line-ups, cross tables and ratings."""

from __future__ import annotations

import math

import pytest

import skerry
from skerry.bots import names
from skerry.lab import Tournament, tournament
from skerry.lab.tournament import line_ups, read_bots
from tests.lab.synthetic_results import competitive_result, cooperative_result

RACE = skerry.game("cartagena", players=3)


def test_two_bots_meet_at_both_seats() -> None:
    assert line_ups(skerry.game("cartagena", players=2), ["a", "b"]) == [("a", "b"), ("b", "a")]


def test_each_bot_sits_among_others_at_every_seat() -> None:
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


def test_in_a_cooperative_game_each_bot_also_plays_in_its_own_team() -> None:
    assert set(line_ups(skerry.game("forbidden-island", players=2), ["a", "b"])) == {
        ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b"),
    }  # fmt: skip


def test_in_a_solo_game_each_bot_plays_alone() -> None:
    assert line_ups(skerry.game("hashi", players=1), ["a", "b"]) == [("a",), ("b",)]


def test_odds_of_ten_to_one_are_400_rating_points() -> None:
    results = [
        competitive_result("cartagena", ("a", "b"), (10_000, 1_000)),
        competitive_result("cartagena", ("b", "a"), (1_000, 10_000)),
    ]
    played = Tournament(results[0].series.variant, ("a", "b"), results)
    strong, weak = played.ratings
    assert (strong.bot, weak.bot) == ("a", "b") == tuple(played.ranking)
    assert strong.value - weak.value == pytest.approx(400, abs=1) and strong.value + weak.value == pytest.approx(3000)
    # The standard error of the difference of logarithms is sqrt(1 / (n p q)); half of it is for each bot.
    error = 1.96 * 400 / math.log(10) * math.sqrt(1 / (22_000 * (10 / 11) * (1 / 11))) / 2
    assert strong.high - strong.value == pytest.approx(error, rel=0.01)


def test_equal_bots_at_three_seats_win_a_third_each() -> None:
    results = [competitive_result("cartagena", seats, (100, 100, 100)) for seats in line_ups(RACE, ["a", "b"])]
    played = Tournament(RACE, ("a", "b"), results)
    assert (
        played.cross_table["a", "b"].share == played.even_share == 1 / 3 and played.cross_table["a", "b"].games == 900
    )
    assert [rating.value for rating in played.ratings] == pytest.approx([1500, 1500])


def test_a_bot_that_never_loses_has_a_finite_rating() -> None:
    results = [competitive_result("cartagena", ("a", "b"), (500, 0))]
    first = Tournament(results[0].series.variant, ("a", "b"), results).ratings[0]
    assert first.bot == "a" and math.isfinite(first.high) and first.low < first.value < first.high


def test_a_cooperative_game_has_a_cross_table_and_no_ratings() -> None:
    own, other = cooperative_result(80, 20, players=2, bot="a"), cooperative_result(30, 70, players=2, bot="b")
    played = Tournament(own.series.variant, ("b", "a"), [own, other])
    assert not played.ratings and played.ranking == ["a", "b"]
    assert played.cross_table["a", "a"].share == 0.8 and played.wins("b").share == 0.3


def test_a_tournament_plays_all_its_games() -> None:
    bots = names(RACE.game)[:2]
    (played,) = tournament(skerry.game("cartagena", players=2), bots, games=30)
    assert sum(result.tally.games for result in played.results) == 30
    assert played.ranking[-1] == "random" and played.cross_table[played.ranking[0], "random"].share > 0.5


def test_all_bots_or_the_named_ones_take_part() -> None:
    assert read_bots(RACE.game, ["all"]) == read_bots(RACE.game, []) == names(RACE.game)
    with pytest.raises(skerry.BadOption, match="at least two bots"):
        read_bots(RACE.game, ["random", "random"])
    with pytest.raises(skerry.BadOption, match="no bot 'genius'"):
        read_bots(RACE.game, ["random", "genius"])
