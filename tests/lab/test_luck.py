"""Luck and skill of bots: games with their steps, and the sums over them."""

from __future__ import annotations

import pytest

import skerry
from skerry.bots import find
from skerry.engine.game import Variant
from skerry.lab.luck import (
    LuckAndSkill,
    LuckOfBot,
    Shares,
    analysed_games,
    as_rows,
    csv_columns,
    luck_and_skill,
    mean_of,
)
from skerry.lab.recorded import play_matches
from skerry.lab.report import simulation_report
from skerry.lab.series import Series
from tests.lab.synthetic_results import cooperative_result
from tests.modes import only_compiled

ISLAND = skerry.game("forbidden-island", players=2, difficulty="elite")
RACE = skerry.game("cartagena", players=3, pirates=4)
SOLO = skerry.game("hashi", players=1)


def shares(luck: float, choices: float, losses: float | None = None) -> Shares:
    return Shares(0.5, luck, choices, 0.0, 0.5 + luck + choices, losses, 10 if losses is not None else 0)


FOUND = LuckAndSkill("chance", (LuckOfBot("random", [shares(0.2, -0.7), shares(-0.3, -0.2), shares(0.1, -0.6)]),))


# Games with their steps


@pytest.mark.parametrize("bots", [("skilled", "novice"), ("expert:2", "skilled")])
def test_a_match_does_not_depend_on_those_beside_it(bots: tuple[str, ...]) -> None:
    seats = [find(ISLAND.game, bot) for bot in bots]
    together = play_matches(ISLAND, seats, range(3))
    assert [match.seed for match in together] == [0, 1, 2]
    assert all(match.result for match in together)
    (alone,) = play_matches(ISLAND, seats, [1])
    assert alone.content == together[1].content
    assert [step.action.text for step in alone.steps] == [step.action.text for step in together[1].steps]


def test_the_steps_of_a_match_are_legal_and_some_interrupt() -> None:
    matches = play_matches(ISLAND, [find(ISLAND.game, "skilled")] * 2, range(8))
    interruptions = 0
    for match in matches:
        again = match.variant.new(match.seed)
        for step in match.steps:
            interruptions += step.seat not in again.waiting
            again.play(step.seat, step.action)
        assert again.content == match.content
    assert interruptions


def test_a_match_is_left_unfinished_at_the_limit_of_steps() -> None:
    (match,) = play_matches(ISLAND, [find(ISLAND.game, "skilled")] * 2, [1], limit=7)
    assert len(match.steps) == 7 and match.result is None


# Sums


@only_compiled
@pytest.mark.parametrize(
    ("variant", "bots"),
    [(ISLAND, ("skilled", "novice")), (RACE, ("skilled", "novice", "novice")), (SOLO, ("novice",))],
    ids=["team", "rivals", "alone"],
)
def test_luck_and_choices_add_up_for_each_bot(variant: Variant, bots: tuple[str, ...]) -> None:
    series = Series(variant, bots, 1)
    for game in analysed_games(series, 3, effort=4):
        assert set(game) == set(bots)
        for one in game.values():
            assert one.end - one.start == pytest.approx(one.luck + one.choices + one.others, abs=1e-9)
            assert one.losses is None
        if len(bots) == 1:
            assert game[bots[0]].others == pytest.approx(0)
        if variant.game.cooperative:
            assert game["skilled"].choices == pytest.approx(game["novice"].others)
            assert game["skilled"].luck == game["novice"].luck


@only_compiled
def test_losses_are_searched_for_when_asked_for() -> None:
    found = luck_and_skill(Series(SOLO, ("novice",), 1), 1, effort=8, losses=True)
    (bot,) = found.bots
    assert found.unit == "points" and found.games == 1
    assert (bot.mean("losses") or mean_of([0.0])).mean > 0 and bot.loss_of_a_decision


@only_compiled
def test_games_without_an_end_are_left_out() -> None:
    assert luck_and_skill(Series(ISLAND, ("skilled", "skilled"), 1, limit=5), 2, effort=1).games == 0


def test_means_have_confidence_intervals() -> None:
    mean, low, high = mean_of([1.0, 2.0, 3.0])
    assert mean == 2.0 and high - mean == pytest.approx(1.959964 / 3**0.5) == mean - low


def test_rows_have_what_was_measured() -> None:
    (row,) = as_rows(FOUND)
    assert row["bot"] == "random" and row["games"] == 3 and "losses" not in row
    assert row["luck"]["mean"] == pytest.approx(0) and row["choices"]["mean"] == pytest.approx(-0.5)
    columns = csv_columns(FOUND)
    assert columns["luck_low_random"] < 0 < columns["luck_high_random"] and "losses_random" not in columns


# The report


def test_a_report_shows_luck_and_choices_with_intervals() -> None:
    page = simulation_report([cooperative_result(1, 2)], "skerry simulate", [FOUND])
    assert "Luck and choices" in page and "3 games were analysed" in page
    assert "choices: -50.0 (-79.9 to -20.1) points of the chance to win" in page
    assert "Losses" not in page and "choices of others" not in page
    assert "Luck and choices" not in simulation_report([cooperative_result(1, 2)], "skerry simulate")


def test_a_report_shows_losses_that_were_searched_for() -> None:
    games = [shares(0.2, -0.7, 0.4), shares(-0.2, -0.3, 0.2)]
    found = LuckAndSkill("chance", (LuckOfBot("random", games),))
    page = simulation_report([cooperative_result(1, 1)], "skerry simulate", [found])
    assert "Losses" in page and "losses: 30.0 (10.4 to 49.6) points of the chance to win" in page
