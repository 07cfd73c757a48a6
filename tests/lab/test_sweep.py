"""Parameter sweeps: every combination that the rules allow, once."""

from __future__ import annotations

from typing import Any

import pytest

import skerry
from skerry.bots import names
from skerry.lab import simulate, sweep
from skerry.lab.sweep import configurations, read_vary, variants

ISLAND = skerry.game("forbidden-island", players=2)


def combinations(game: skerry.Variant, **vary: Any) -> list[dict[str, Any]]:
    return [values for values, _ in variants(game, vary)]


def test_every_combination_is_swept_once() -> None:
    found = combinations(ISLAND, difficulty="novice,elite", players=[2, 3])
    assert found == [
        {"difficulty": "novice", "players": 2},
        {"difficulty": "novice", "players": 3},
        {"difficulty": "elite", "players": 2},
        {"difficulty": "elite", "players": 3},
    ]


def test_all_sweeps_over_every_value() -> None:
    assert [values["players"] for values in combinations(ISLAND, players="all")] == [2, 3, 4]
    assert len(combinations(ISLAND, difficulty="all")) == 4
    assert [values["bots"] for values in combinations(ISLAND, bots="all")] == list(names(ISLAND.game))
    assert [values["first"] for values in combinations(ISLAND, first="all")] == ["random", 0, 1]


def test_teams_of_roles_are_all_singles_pairs_or_named_ones() -> None:
    assert len(combinations(ISLAND, roles="all")) == 15
    assert len(combinations(skerry.game("forbidden-island", players=3), roles="all")) == 20
    assert len(combinations(skerry.game("forbidden-island", players=3), roles="pairs")) == 15
    assert len(combinations(ISLAND, roles="singles")) == 6
    assert [values["roles"] for values in combinations(ISLAND, roles="pilot+diver, explorer")] == [
        "pilot,diver",
        "explorer",
    ]
    assert len(combinations(ISLAND, roles="all", players="2,3")) == 15 + 20


def test_combinations_against_the_rules_are_left_out() -> None:
    found = combinations(skerry.game("cartagena"), draw="all", story="all")
    assert {"draw": "back-then-morgan", "story": "full"} in found
    assert {"draw": "back-then-morgan", "story": "escape"} not in found
    with pytest.raises(skerry.BadOption, match="full story"):
        combinations(skerry.game("cartagena", draw="back"), draw="back-then-morgan")


@pytest.mark.parametrize(
    ("vary", "reason"),
    [
        ({"weather": "all"}, "no option weather to sweep over; there are players"),
        ({"players": "2,9"}, "Option players takes a number from 2 to 4"),
        ({"roles": "pilot+pilot"}, "one choice twice"),
        ({"difficulty": ","}, "at least one value for each option"),
        ({"bots": "genius"}, "no bot 'genius'"),
    ],
)
def test_impossible_sweeps_are_refused(vary: dict[str, str], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        list(configurations(ISLAND, vary, ["random"], 1))


def test_an_option_without_a_fixed_list_of_values_cannot_sweep_over_all() -> None:
    with pytest.raises(skerry.BadOption, match="Option parts has no fixed list of values"):
        combinations(skerry.game("cartagena"), parts="all")


@pytest.mark.parametrize("text", ["players", "players=", "=2", ""])
def test_a_malformed_sweep_is_refused(text: str) -> None:
    with pytest.raises(skerry.BadOption, match="NAME=VALUE,VALUE or NAME=all"):
        read_vary([text])


def test_an_option_cannot_be_swept_twice() -> None:
    with pytest.raises(skerry.BadOption, match="The sweep names players twice"):
        read_vary(["players=2", "players=3"])


def test_the_last_bot_takes_the_remaining_seats() -> None:
    found = list(configurations(ISLAND, {"players": "2,4"}, ["skilled", "random"], 1))
    assert [one.series.seats for one in found] == [
        ("skilled", "random"),
        ("skilled", "random", "random", "random"),
    ]


def test_a_sweep_gives_the_tallies_of_its_series() -> None:
    results = sweep(ISLAND, {"difficulty": ["novice", "legendary"]}, games=50, seed=2)
    assert [result.values["difficulty"] for result in results] == ["novice", "legendary"]
    assert all(one.tally == simulate(one.series) for one in results)
