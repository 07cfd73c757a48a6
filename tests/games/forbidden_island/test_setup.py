"""Setup, FI-01 to FI-07."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import skerry
from skerry.games.forbidden_island.rules import components

SEEDS = range(60)


def fresh(seed: int, **options: Any) -> dict[str, Any]:
    return skerry.game("forbidden-island", **options).new(seed).view(None)


@pytest.mark.rule("FI-01")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players(players: int) -> None:
    assert len(fresh(1, players=players)["seats"]) == players


@pytest.mark.rule("FI-01")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "a number from 2 to 4"),
        ({"players": 5}, "a number from 2 to 4"),
        ({"players": "two"}, "a number from 2 to 4"),
        ({"players": True}, "a number from 2 to 4"),
        ({"difficulty": "easy"}, "one of novice, normal, elite, legendary"),
        ({"layout": "atlantis"}, "one of forbidden-island"),
        ({"roles": "pilot,cook"}, "for each seat one of pilot"),
        ({"roles": "pilot,pilot"}, "twice"),
        ({"roles": 7}, "for each seat one of pilot"),
        ({"roles": "pilot,diver,engineer", "players": 2}, "3 roles for 2 players"),
        ({"first": 4}, "a seat from 0 to 3"),
        ({"first": 3, "players": 3}, "no seat 3"),
        ({"treasures": 4}, "no option treasures"),
    ],
)
def test_bad_options_are_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        skerry.game("forbidden-island", **options)


@pytest.mark.rule("FI-01")
def test_options_have_defaults_and_can_be_chosen() -> None:
    view = fresh(3)
    assert view["layout"]["name"] == "forbidden-island" and view["water"]["tick"] == 1
    chosen = fresh(3, players=3, roles="diver,random,pilot", first=2)
    assert [seat["role"] for seat in chosen["seats"]][::2] == ["diver", "pilot"]
    assert chosen["turn"]["seat"] == 2
    firsts = Counter(fresh(seed, players=3)["turn"]["seat"] for seed in SEEDS)
    assert set(firsts) == {0, 1, 2}


@pytest.mark.rule("FI-02")
@pytest.mark.parametrize("layout", components.LAYOUT_SHAPES)
def test_every_layout_has_each_tile_once(layout: str) -> None:
    view = fresh(5, layout=layout)
    assert sorted(place["tile"] for place in view["places"]) == sorted(components.TILE_NAMES)
    rows = [["."] * view["layout"]["width"] for _ in range(view["layout"]["height"])]
    for place in view["places"]:
        rows[place["row"]][place["column"]] = "#"
    assert "/".join("".join(row) for row in rows) == components.LAYOUT_SHAPES[layout]


@pytest.mark.rule("FI-02")
def test_tiles_are_shuffled() -> None:
    corners = Counter(fresh(seed)["places"][0]["tile"] for seed in SEEDS)
    assert len(corners) > 15


@pytest.mark.rule("FI-03")
def test_six_tiles_are_flooded_and_their_cards_discarded_in_order() -> None:
    floods: Counter[str] = Counter()
    for seed in SEEDS:
        view = fresh(seed)
        flooded = [place["tile"] for place in view["places"] if place["condition"] == "flooded"]
        assert len(flooded) == 6 and sorted(view["flood_deck"]["discard"]) == sorted(flooded)
        assert view["flood_deck"]["cards"] == 18
        assert all(place["condition"] != "sunk" for place in view["places"])
        floods.update(flooded)
    assert len(floods) == components.TILES


@pytest.mark.rule("FI-04")
def test_roles_are_different_and_start_on_their_tiles() -> None:
    start_flooded = False
    for seed in SEEDS:
        view = fresh(seed)
        roles = [seat["role"] for seat in view["seats"]]
        assert len(set(roles)) == 4
        tiles = {place["place"]: place for place in view["places"]}
        for seat in view["seats"]:
            assert tiles[seat["place"]]["start"] == seat["role"]
            start_flooded |= tiles[seat["place"]]["condition"] == "flooded"
    assert start_flooded


@pytest.mark.rule("FI-05")
def test_each_seat_is_dealt_two_cards_and_no_waters_rise() -> None:
    for seed in SEEDS:
        view = fresh(seed)
        hands = [seat["hand"] for seat in view["seats"]]
        assert all(sum(hand.values()) == 2 and "waters-rise" not in hand for hand in hands)
        assert view["treasure_deck"] == {"cards": 28 - 8, "discard": {}}
        state = skerry.game("forbidden-island").new(seed).state
        assert list(state.treasure_deck)[:20].count(components.WATERS_RISE) == 3


@pytest.mark.rule("FI-06")
@pytest.mark.parametrize(
    ("difficulty", "tick", "floods"), [("novice", 1, 2), ("normal", 2, 2), ("elite", 3, 3), ("legendary", 4, 3)]
)
def test_the_meter_starts_at_the_difficulty(difficulty: str, tick: int, floods: int) -> None:
    water = fresh(1, difficulty=difficulty)["water"]
    assert water["tick"] == tick and water["meter"][tick - 1] == floods


@pytest.mark.rule("FI-07")
def test_hands_and_discards_are_public_and_the_order_of_decks_is_hidden() -> None:
    match = skerry.game("forbidden-island", players=3).new(seed=4)
    views = [match.view(seat) for seat in (0, 1, 2, None)]
    for view in views:
        view.pop("seat")
    assert all(view == views[0] for view in views)
    assert len(views[0]["flood_deck"]["discard"]) == 6 and len(views[0]["seats"]) == 3
    assert views[0]["flood_deck"]["piles"] == [sorted(views[0]["flood_deck"]["piles"][0])]
    assert set(views[0]["treasure_deck"]) == {"cards", "discard"}


@pytest.mark.rule("FI-04")
def test_start_tiles_of_the_roles() -> None:
    start = {
        "pilot": "fools-landing",
        "engineer": "bronze-gate",
        "explorer": "copper-gate",
        "navigator": "gold-gate",
        "diver": "iron-gate",
        "messenger": "silver-gate",
    }
    for seed in range(6):
        view = fresh(seed)
        at = {place["place"]: place["tile"] for place in view["places"]}
        assert all(at[seat["place"]] == start[seat["role"]] for seat in view["seats"])


@pytest.mark.rule("FI-02", "FI-22")
def test_tiles_of_the_treasures() -> None:
    tiles: dict[str, set[str]] = {}
    for place in fresh(1)["places"]:
        if place["treasure"]:
            tiles.setdefault(place["treasure"], set()).add(place["tile"])
    assert tiles == {
        "earth-stone": {"temple-of-the-moon", "temple-of-the-sun"},
        "statue-of-the-wind": {"whispering-garden", "howling-garden"},
        "crystal-of-fire": {"cave-of-embers", "cave-of-shadows"},
        "oceans-chalice": {"coral-palace", "tidal-palace"},
    }


@pytest.mark.rule("FI-02")
def test_the_default_layout_is_that_of_the_rulebook() -> None:
    places = [place["place"] for place in fresh(1)["places"]]
    assert places == [
        *("C1", "D1"),
        *("B2", "C2", "D2", "E2"),
        *("A3", "B3", "C3", "D3", "E3", "F3"),
        *("A4", "B4", "C4", "D4", "E4", "F4"),
        *("B5", "C5", "D5", "E5"),
        *("C6", "D6"),
    ]


@pytest.mark.rule("FI-03", "FI-05")
def test_the_decks_are_complete_and_shuffled() -> None:
    for seed in range(6):
        match = skerry.game("forbidden-island").new(seed)
        deck = list(match.state.flood_deck)[:18]
        shown = list(match.state.flood_discard)[:6]
        assert sorted(deck + shown) == list(range(24))
    positions = Counter(
        i
        for seed in range(200)
        for i, card in enumerate(list(skerry.game("forbidden-island").new(seed).state.treasure_deck)[:20])
        if card == components.WATERS_RISE
    )
    assert len(positions) == 20 and max(positions.values()) < 60  # 30 expected at each place of the deck
