"""FD-08: who knows what, in views, in events and in the worlds that a player imagines."""

from __future__ import annotations

from collections import Counter

import pytest

from skerry.games.forbidden_desert.rules import components

from .desert import Desert, desert, place

WORLDS = range(300)


def imagined(table: Desert, role: str | None, where: str) -> set[str]:
    """The tiles a player can imagine at a place."""
    return {components.TILE_NAMES[table.world(role, seed).tile_at[place(where)]] for seed in WORLDS}


def imagined_card(table: Desert, role: str | None, number: int) -> set[str]:
    """The storm cards a player can imagine at this place from the top."""
    worlds = (table.world(role, seed) for seed in WORLDS)
    return {components.STORM_NAMES[world.storm_deck[world.storm_left - number]] for world in worlds}


@pytest.mark.rule("FD-08", "FD-64")
def test_a_terrascope_shows_its_tile_to_its_user_alone() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"D4": "launch-pad"})
    table.do("archeologist", "scope D4")
    assert table.sees("archeologist", "D4") == "launch-pad"
    assert table.sees("meteorologist", "D4") is None and table.sees(None, "D4") is None
    [[told]], [[veiled]] = table.match.events(0), table.match.events(1)
    assert told.as_dict()["tile"] == "launch-pad" and veiled.as_dict()["tile"] is None
    assert str(veiled) == "Archeologist plays a Terrascope on D4"
    assert imagined(table, "archeologist", "D4") == {"launch-pad"}
    assert len(imagined(table, "meteorologist", "D4")) == len(imagined(table, None, "D4")) == 11


@pytest.mark.rule("FD-08")
def test_what_was_peeked_at_travels_with_its_tile() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"C4": "launch-pad"})
    table.do("archeologist", "scope C4")
    table.storm("north-1", "east-1")
    assert table.sees("archeologist", "C3") == "launch-pad" and table.sees("archeologist", "C4") is None
    assert imagined(table, "archeologist", "C3") == {"launch-pad"} and len(imagined(table, None, "C3")) == 11


@pytest.mark.rule("FD-08")
def test_a_peek_ends_when_everybody_sees_the_tile() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"A1": "launch-pad"})
    table.do("archeologist", "scope A1", "excavate")
    assert table.sees("meteorologist", "A1") == "launch-pad"
    assert table.view("archeologist")["places"][0]["seen_by"] == []


@pytest.mark.rule("FD-08", "FD-55")
def test_a_forecast_is_for_the_meteorologist_alone() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up")
    table.do("meteorologist", "forecast")
    assert [card["card"] for card in table.view("meteorologist")["storm"]["foreseen"]] == ["sun", "north-2", "picks-up"]
    assert table.view("explorer")["storm"]["foreseen"] == table.view(None)["storm"]["foreseen"] == []
    assert [event.as_dict().get("card") for event in table.match.events(1)[0]] == [None] * 4
    table.do("meteorologist", "bottom 2")
    assert [imagined_card(table, "meteorologist", n) for n in (1, 2, 31)] == [{"sun"}, {"picks-up"}, {"north-2"}]
    assert len(imagined_card(table, "meteorologist", 3)) > 10
    for reader in ("explorer", None):
        assert all(len(imagined_card(table, reader, n)) > 10 for n in (1, 2, 31))


@pytest.mark.rule("FD-08", "FD-55")
def test_what_she_saw_stays_known_until_it_is_drawn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up", "west-1")
    table.do("meteorologist", "forecast", "bottom 1", "calm", "end", "draw")
    assert imagined_card(table, "meteorologist", 1) == {"picks-up"}
    assert imagined_card(table, "meteorologist", 30) == {"sun"} and len(imagined_card(table, "meteorologist", 2)) > 10


@pytest.mark.rule("FD-08")
def test_a_reshuffle_ends_what_she_knew() -> None:
    table = desert("meteorologist,explorer", cards=2)
    table.do("meteorologist", "forecast", "keep", "end", "draw", "draw")
    assert table.view("meteorologist")["storm"]["foreseen"] == []
    assert all(len(imagined_card(table, "meteorologist", n)) > 8 for n in (1, 2, 29))


@pytest.mark.rule("FD-08", "FD-02")
def test_water_tiles_are_told_from_dunes_and_the_crash_tile_from_both() -> None:
    table = desert(tiles={"A5": "well", "B5": "mirage", "C5": "well"})
    assert imagined(table, "archeologist", "A5") == imagined(table, "archeologist", "B5") == {"well", "mirage"}
    assert imagined(table, "archeologist", "E5") == {"crash"}
    assert imagined(table, "archeologist", "A1") == set(components.TILE_NAMES) - {"crash", "well", "mirage"}


@pytest.mark.rule("FD-08", "FD-05")
def test_worlds_are_drawn_evenly() -> None:
    """Each of the two wells and the mirage is under each drop equally often, and so with the decks."""
    table = desert(tiles={"A5": "well", "B5": "mirage", "C5": "well"}, cards=3)
    worlds = [table.world(None, seed) for seed in range(3000)]
    mirages = Counter(next(w for w in ("A5", "B5", "C5") if world.tile_at[place(w)] == 14) for world in worlds)
    assert all(900 < mirages[w] < 1100 for w in ("A5", "B5", "C5"))
    assert len({tuple(world.gear_deck) for world in worlds}) > 2000
    orders = Counter(tuple(world.storm_deck)[:3] for world in worlds)
    assert len(orders) in (3, 6) and min(orders.values()) > 350


@pytest.mark.rule("FD-08")
def test_a_world_changes_nothing_that_is_open() -> None:
    table = desert(gear={"archeologist": "terrascope"}, sand={"B2": 2}, excavated="B1 B2", cards=20)
    table.do("archeologist", "scope D4")
    before = table.view("archeologist")
    for seed in range(20):
        world = table.world("archeologist", seed)
        assert table.match.game.ui.view(world, 0) == before


@pytest.mark.rule("FD-08", "FD-55")
def test_a_forecast_stays_the_meteorologist_s_own_on_the_next_player_s_turn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("north-1", "south-1", "sun", "west-1")
    table.do("meteorologist", "calm", "calm", "forecast", "keep", "end", "draw")
    assert table.turn == "explorer" and table.view("explorer")["storm"]["foreseen"] == []
    assert [card["card"] for card in table.view("meteorologist")["storm"]["foreseen"]] == ["south-1", "sun"]
    assert len(imagined_card(table, "explorer", 1)) > 5
    assert imagined_card(table, "meteorologist", 1) == {"south-1"}


@pytest.mark.rule("FD-08", "FD-64")
def test_two_who_looked_under_one_tile_both_know_it() -> None:
    gear = {"archeologist": "terrascope", "meteorologist": "terrascope"}
    table = desert(gear=gear, tiles={"D4": "launch-pad"})
    table.do("archeologist", "scope D4")
    table.do("meteorologist", "scope D4")
    assert table.sees("archeologist", "D4") == table.sees("meteorologist", "D4") == "launch-pad"


@pytest.mark.rule("FD-08")
def test_a_spectator_does_not_foresee_whoever_sits_last() -> None:
    table = desert("archeologist,climber,explorer,navigator,meteorologist")
    table.state.foreseen = 0b111 << (table.state.storm_left - 3)
    assert table.view("meteorologist")["storm"]["foreseen"] != []
    assert table.view(None)["storm"]["foreseen"] == []
