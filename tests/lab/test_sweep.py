"""Every combination of what is varied, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import skerry
from skerry.bots import names
from skerry.lab import simulate, sweep
from skerry.lab.sweep import configurations, read_vary, variants

ISLAND = skerry.game("forbidden-island", players=2)


def varied(game: skerry.Variant, **vary: Any) -> list[dict[str, Any]]:
    return [values for values, _ in variants(game, vary)]


def test_every_combination_once() -> None:
    found = varied(ISLAND, difficulty="novice,elite", players=[2, 3])
    assert found == [
        {"difficulty": "novice", "players": 2},
        {"difficulty": "novice", "players": 3},
        {"difficulty": "elite", "players": 2},
        {"difficulty": "elite", "players": 3},
    ]


def test_all_values() -> None:
    assert [one["players"] for one in varied(ISLAND, players="all")] == [2, 3, 4]
    assert len(varied(ISLAND, difficulty="all")) == 4
    assert [one["bots"] for one in varied(ISLAND, bots="all")] == list(names(ISLAND.game))
    assert [one["first"] for one in varied(ISLAND, first="all")] == ["random", 0, 1]


def test_teams() -> None:
    assert len(varied(ISLAND, roles="all")) == 15
    assert len(varied(skerry.game("forbidden-island", players=3), roles="all")) == 20
    assert len(varied(skerry.game("forbidden-island", players=3), roles="pairs")) == 15
    assert len(varied(ISLAND, roles="singles")) == 6
    assert [one["roles"] for one in varied(ISLAND, roles="pilot+diver, explorer")] == ["pilot,diver", "explorer"]
    assert len(varied(ISLAND, roles="all", players="2,3")) == 15 + 20


def test_what_the_rules_do_not_allow_is_left_out() -> None:
    found = varied(skerry.game("cartagena"), draw="all", story="all")
    assert {"draw": "back-then-morgan", "story": "full"} in found
    assert {"draw": "back-then-morgan", "story": "escape"} not in found
    with pytest.raises(skerry.BadOption, match="full story"):
        varied(skerry.game("cartagena", draw="back"), draw="back-then-morgan")


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
def test_what_cannot_be_varied(vary: dict[str, str], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        list(configurations(ISLAND, vary, ["random"], 1))


def test_an_option_without_a_list_of_values() -> None:
    with pytest.raises(skerry.BadOption, match="Option parts has no fixed list of values"):
        varied(skerry.game("cartagena"), parts="all")


@pytest.mark.parametrize("text", ["players", "players=", "=2", ""])
def test_a_sweep_that_is_not_written_so(text: str) -> None:
    with pytest.raises(skerry.BadOption, match="NAME=VALUE,VALUE or NAME=all"):
        read_vary([text])


def test_twice_the_same() -> None:
    with pytest.raises(skerry.BadOption, match="The sweep names players twice"):
        read_vary(["players=2", "players=3"])


def test_the_last_bot_goes_on() -> None:
    found = list(configurations(ISLAND, {"players": "2,4"}, ["skilled", "random"], 1))
    assert [cell.series.seats for cell in found] == [
        ("skilled", "random"),
        ("skilled", "random", "random", "random"),
    ]


def test_a_sweep_is_its_series() -> None:
    outcomes = sweep(ISLAND, {"difficulty": ["novice", "legendary"]}, games=50, seed=2)
    assert [one.values["difficulty"] for one in outcomes] == ["novice", "legendary"]
    assert all(one.tally == simulate(one.series) for one in outcomes)
