"""Setup, FD-01 to FD-08."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import skerry
from skerry.games.forbidden_desert.rules import components

from .positions import desert

SEEDS = range(20)


def new(seed: int = 1, **options: Any) -> dict[str, Any]:
    return skerry.game("forbidden-desert", **options).new(seed=seed).view(None)


@pytest.mark.rule("FD-01")
def test_two_to_five_play_with_defaults() -> None:
    for players in range(2, 6):
        view = new(players=players)
        assert len(view["seats"]) == players and view["storm"]["tick"] == 1
    assert len({str([seat["role"] for seat in new(seed)["seats"]]) for seed in SEEDS}) > 10
    assert {new(seed)["turn"]["seat"] for seed in SEEDS} == {0, 1, 2, 3}


@pytest.mark.rule("FD-01")
def test_roles_and_the_first_seat_can_be_chosen() -> None:
    view = new(players=3, roles=["navigator", "random", "climber"], first=2)
    assert [seat["role"] for seat in view["seats"]][::2] == ["navigator", "climber"]
    assert view["turn"]["seat"] == 2


@pytest.mark.rule("FD-01")
@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 6},
        {"difficulty": "easy"},
        {"roles": "pilot"},
        {"roles": "climber,climber"},
        {"players": 2, "roles": "climber,explorer,navigator"},
        {"players": 3, "first": 3},
        {"layout": "island"},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(skerry.BadOption):
        skerry.game("forbidden-desert", **options)


@pytest.mark.rule("FD-02")
def test_tiles_lie_around_the_storm_with_their_undersides_hidden() -> None:
    match = skerry.game("forbidden-desert").new(seed=3)
    assert sorted(match.state.tile_at) == list(range(-1, 24)) and match.state.tile_at[12] == -1
    for reader in (None, 0, 1, 2, 3):
        places = match.view(reader)["places"]
        assert [p["place"] for p in places if p["storm"]] == ["C3"]
        assert Counter(p["tile"] for p in places) == {None: 24, "crash": 1}
        assert sum(p["water_mark"] for p in places) == 3
    assert len({tuple(skerry.game("forbidden-desert").new(seed=s).state.tile_at) for s in SEEDS}) == len(SEEDS)


@pytest.mark.rule("FD-02")
def test_the_box_holds_the_right_tiles() -> None:
    counts = Counter(components.TILE_NAMES)
    clues = {f"{part}-{line}": 1 for part in components.PARTS for line in ("row", "column")}
    assert counts == {"crash": 1, "gear": 8, "tunnel": 3, "well": 2, "mirage": 1, "launch-pad": 1, **clues}


@pytest.mark.rule("FD-03")
def test_eight_markers_form_a_diamond() -> None:
    view = new()
    sand = [[view["places"][5 * row + column]["sand"] for column in range(5)] for row in range(5)]
    assert sand == [[0, 0, 1, 0, 0], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0]]
    assert view["supply"] == 40


@pytest.mark.rule("FD-04")
@pytest.mark.parametrize(
    ("players", "track"),
    [
        (2, [2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6]),
        (3, [2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6]),
        (4, [2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6]),
        (5, [2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6]),
    ],
)
def test_the_meter_starts_at_the_difficulty_on_the_track_of_the_players(players: int, track: list[int]) -> None:
    for tick, difficulty in enumerate(("novice", "normal", "elite", "legendary"), 1):
        storm = new(players=players, difficulty=difficulty)["storm"]
        assert (storm["tick"], storm["meter"], storm["cards"]) == (tick, track, track[tick - 1])


@pytest.mark.rule("FD-05")
def test_both_decks_are_complete_and_shuffled() -> None:
    match = skerry.game("forbidden-desert").new(seed=1)
    storm = Counter(components.STORM_NAMES[card] for card in match.state.storm_deck)
    winds = {f"{wind}-{n}": 4 - n for wind in ("north", "east", "south", "west") for n in (1, 2, 3)}
    assert storm == {**winds, "sun": 4, "picks-up": 3} and match.state.storm_left == 31
    gear = Counter(components.GEARS[card] for card in match.state.gear_deck)
    assert [gear[name] for name in components.GEARS] == [3, 3, 2, 2, 1, 1] and match.state.gear_left == 12
    others = [skerry.game("forbidden-desert").new(seed=seed).state for seed in SEEDS]
    assert len({tuple(state.storm_deck) for state in others}) == len(SEEDS)
    assert len({tuple(state.gear_deck) for state in others}) > 15


@pytest.mark.rule("FD-06")
def test_roles_are_different_and_canteens_full() -> None:
    canteens = dict(zip((role.name for role in components.ROLES), (3, 3, 4, 4, 4, 5), strict=True))
    for seed in SEEDS:
        seats = new(seed, players=5)["seats"]
        assert len({seat["role"] for seat in seats}) == 5
        assert all(seat["water"] == seat["canteen"] == canteens[seat["role"]] for seat in seats)


@pytest.mark.rule("FD-07")
def test_all_start_on_the_crash_tile_wherever_it_lies() -> None:
    starts = set()
    for seed in SEEDS:
        view = new(seed)
        crash = next(p["place"] for p in view["places"] if p["tile"] == "crash")
        assert {seat["place"] for seat in view["seats"]} == {crash}
        starts.add(crash)
    assert len(starts) > 8


@pytest.mark.rule("FD-08")
def test_public_information_is_in_every_view() -> None:
    table = desert(
        "archeologist,meteorologist",
        gear={"archeologist": "jet-pack"},
        tiles={"B1": "tunnel"},
        excavated="B1",
        sand={"B2": 3},
        water={"meteorologist": 2},
        cards=30,
    )
    for reader in ("archeologist", "meteorologist", None):
        view = table.view(reader)
        assert view["seats"][0]["gear"] == {"jet-pack": 1} and view["seats"][1]["water"] == 2
        assert view["places"][1]["tile"] == "tunnel" and view["places"][6]["sand"] == 3
        assert sum(view["storm"]["discard"].values()) == 1 and view["storm"]["deck"] == 30
