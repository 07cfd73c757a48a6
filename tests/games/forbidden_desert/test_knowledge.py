"""Hidden information (FD-08) in views, events and determinizations."""

from __future__ import annotations

from collections import Counter

import pytest

from skerry.games.forbidden_desert.rules import components

from .positions import Desert, desert, place

WORLDS = range(300)


def possible_tiles(table: Desert, role: str | None, where: str) -> set[str]:
    """The tiles at a place in determinizations for a player."""
    return {components.TILE_NAMES[table.determinized(role, seed).tile_at[place(where)]] for seed in WORLDS}


def possible_cards(table: Desert, role: str | None, number: int) -> set[str]:
    """The storm cards at a position from the top in determinizations for a player."""
    worlds = (table.determinized(role, seed) for seed in WORLDS)
    return {components.STORM_NAMES[world.storm_deck[world.storm_left - number]] for world in worlds}


@pytest.mark.rule("FD-08", "FD-64")
def test_a_terrascope_shows_its_tile_to_its_user_only() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"D4": "launch-pad"})
    table.play("archeologist", "scope D4")
    assert table.sees("archeologist", "D4") == "launch-pad"
    assert table.sees("meteorologist", "D4") is None and table.sees(None, "D4") is None
    [[event]], [[veiled]] = table.match.events(0), table.match.events(1)
    assert event.as_dict()["tile"] == "launch-pad" and veiled.as_dict()["tile"] is None
    assert str(veiled) == "The Archeologist plays a Terrascope on D4"
    assert possible_tiles(table, "archeologist", "D4") == {"launch-pad"}
    assert len(possible_tiles(table, "meteorologist", "D4")) == len(possible_tiles(table, None, "D4")) == 11


@pytest.mark.rule("FD-08")
def test_knowledge_of_a_tile_moves_with_the_tile() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"C4": "launch-pad"})
    table.play("archeologist", "scope C4")
    table.draw_storm("north-1", "east-1")
    assert table.sees("archeologist", "C3") == "launch-pad" and table.sees("archeologist", "C4") is None
    assert (
        possible_tiles(table, "archeologist", "C3") == {"launch-pad"} and len(possible_tiles(table, None, "C3")) == 11
    )


@pytest.mark.rule("FD-08")
def test_an_excavated_tile_is_no_longer_secret_knowledge() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"A1": "launch-pad"})
    table.play("archeologist", "scope A1", "excavate")
    assert table.sees("meteorologist", "A1") == "launch-pad"
    assert table.view("archeologist")["places"][0]["seen_by"] == []


@pytest.mark.rule("FD-08", "FD-55")
def test_a_forecast_is_known_to_the_meteorologist_only() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up")
    table.play("meteorologist", "forecast")
    assert [card["card"] for card in table.view("meteorologist")["storm"]["foreseen"]] == ["sun", "north-2", "picks-up"]
    assert table.view("explorer")["storm"]["foreseen"] == table.view(None)["storm"]["foreseen"] == []
    assert [event.as_dict().get("card") for event in table.match.events(1)[0]] == [None] * 4
    table.play("meteorologist", "bottom 2")
    assert [possible_cards(table, "meteorologist", n) for n in (1, 2, 31)] == [{"sun"}, {"picks-up"}, {"north-2"}]
    assert len(possible_cards(table, "meteorologist", 3)) > 10
    for reader in ("explorer", None):
        assert all(len(possible_cards(table, reader, n)) > 10 for n in (1, 2, 31))


@pytest.mark.rule("FD-08", "FD-55")
def test_a_foreseen_card_stays_known_until_it_is_drawn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up", "west-1")
    table.play("meteorologist", "forecast", "bottom 1", "calm", "end", "draw")
    assert possible_cards(table, "meteorologist", 1) == {"picks-up"}
    assert possible_cards(table, "meteorologist", 30) == {"sun"} and len(possible_cards(table, "meteorologist", 2)) > 10


@pytest.mark.rule("FD-08")
def test_a_reshuffle_ends_the_knowledge_of_a_forecast() -> None:
    table = desert("meteorologist,explorer", cards=2)
    table.play("meteorologist", "forecast", "keep", "end", "draw", "draw")
    assert table.view("meteorologist")["storm"]["foreseen"] == []
    assert all(len(possible_cards(table, "meteorologist", n)) > 8 for n in (1, 2, 29))


@pytest.mark.rule("FD-08", "FD-02")
def test_water_tiles_dunes_and_the_crash_tile_are_told_apart() -> None:
    table = desert(tiles={"A5": "well", "B5": "mirage", "C5": "well"})
    assert (
        possible_tiles(table, "archeologist", "A5") == possible_tiles(table, "archeologist", "B5") == {"well", "mirage"}
    )
    assert possible_tiles(table, "archeologist", "E5") == {"crash"}
    assert possible_tiles(table, "archeologist", "A1") == set(components.TILE_NAMES) - {"crash", "well", "mirage"}


@pytest.mark.rule("FD-08", "FD-05")
def test_determinizations_are_uniform() -> None:
    """The mirage is equally often under each water mark, and the decks are in every order equally often."""
    table = desert(tiles={"A5": "well", "B5": "mirage", "C5": "well"}, cards=3)
    worlds = [table.determinized(None, seed) for seed in range(3000)]
    mirages = Counter(next(w for w in ("A5", "B5", "C5") if world.tile_at[place(w)] == 14) for world in worlds)
    assert all(900 < mirages[w] < 1100 for w in ("A5", "B5", "C5"))
    assert len({tuple(world.gear_deck) for world in worlds}) > 2000
    orders = Counter(tuple(world.storm_deck)[:3] for world in worlds)
    assert len(orders) in (3, 6) and min(orders.values()) > 350


@pytest.mark.rule("FD-08")
def test_determinizations_keep_all_public_information() -> None:
    table = desert(gear={"archeologist": "terrascope"}, sand={"B2": 2}, excavated="B1 B2", cards=20)
    table.play("archeologist", "scope D4")
    before = table.view("archeologist")
    for seed in range(20):
        world = table.determinized("archeologist", seed)
        assert table.match.game.ui.view(world, 0) == before


@pytest.mark.rule("FD-08", "FD-55")
def test_a_forecast_stays_secret_in_the_next_players_turn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("north-1", "south-1", "sun", "west-1")
    table.play("meteorologist", "calm", "calm", "forecast", "keep", "end", "draw")
    assert table.turn == "explorer" and table.view("explorer")["storm"]["foreseen"] == []
    assert [card["card"] for card in table.view("meteorologist")["storm"]["foreseen"]] == ["south-1", "sun"]
    assert len(possible_cards(table, "explorer", 1)) > 5
    assert possible_cards(table, "meteorologist", 1) == {"south-1"}


@pytest.mark.rule("FD-08", "FD-64")
def test_two_seats_may_know_the_same_tile() -> None:
    gear = {"archeologist": "terrascope", "meteorologist": "terrascope"}
    table = desert(gear=gear, tiles={"D4": "launch-pad"})
    table.play("archeologist", "scope D4")
    table.play("meteorologist", "scope D4")
    assert table.sees("archeologist", "D4") == table.sees("meteorologist", "D4") == "launch-pad"


@pytest.mark.rule("FD-08")
def test_a_spectator_knows_no_foreseen_card() -> None:
    table = desert("archeologist,climber,explorer,navigator,meteorologist")
    table.state.foreseen = 0b111 << (table.state.storm_left - 3)
    assert table.view("meteorologist")["storm"]["foreseen"] != []
    assert table.view(None)["storm"]["foreseen"] == []
