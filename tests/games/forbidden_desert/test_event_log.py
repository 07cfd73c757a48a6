"""The longest steps of Forbidden Desert: the longest of all writes as many events as the fact sheet declares."""

from __future__ import annotations

import pytest

from skerry.games.forbidden_desert import GAME
from skerry.games.forbidden_desert.rules import components
from tests.games.forbidden_desert.positions import Desert, desert

FIVE = "archeologist,climber,explorer,meteorologist,navigator"


def last_card(table: Desert, card: str) -> list[str]:
    """Draw a card as the last one of the turn and of the deck; the names of its events."""
    state = table.state
    table.play(table.turn, "end")
    table.stack(card)
    state.storm_deck[0] = state.storm_deck[state.storm_left - 1]
    for position in range(1, state.storm_left):
        state.storm_discard[state.storm_deck[position]] += 1
        state.storm_deck[position] = 0
    state.storm_left = state.left = 1
    return [event.name for event in table.match.play(state.turn, "draw")]


def test_the_longest_step_is_a_strong_wind_that_lands_all_parts() -> None:
    """The four parts wait in the storm: their clues lie in its row and its column."""
    table = desert(FIVE, storm="A3", parts=dict.fromkeys(components.PARTS, "A3"))
    assert last_card(table, "west-3") == ["shown", *["blew", *["landed"] * 4], "blew", "blew", "renewed", "turn"]
    table = desert(FIVE, storm="A3", parts=dict.fromkeys(components.PARTS, "A3"))
    assert len(last_card(table, "west-3")) == GAME.max_events


def test_later_tiles_of_a_wind_land_no_parts() -> None:
    """A part on a tile that moves goes with it: it never waits in the hole that the tile leaves."""
    table = desert(FIVE, storm="A3", parts={"propeller": "A3", "engine": "B3", "solar-crystal": "C3"})
    assert last_card(table, "west-3").count("landed") == 1


def test_a_sun_for_five_pawns_is_shorter() -> None:
    events = last_card(desert(FIVE), "sun")
    assert events == ["shown", *["drank"] * 5, "renewed", "turn"]
    assert len(events) < GAME.max_events


@pytest.mark.parametrize("thirsty", range(1, 6))
def test_a_deadly_sun_is_shorter_because_it_ends_the_game(thirsty: int) -> None:
    water = dict.fromkeys(FIVE.split(",")[:thirsty], 0)
    events = last_card(desert(FIVE, water=water), "sun")
    assert events == ["shown", *["drank"] * (5 - thirsty), "died"]
    assert len(events) < GAME.max_events


def test_a_storm_that_buries_the_desert_is_shorter_because_it_ends_the_game() -> None:
    table = desert(FIVE, storm="A3", parts=dict.fromkeys(components.PARTS, "A3"))
    table.state.supply = 2
    events = last_card(table, "west-3")
    assert events == ["shown", "blew", *["landed"] * 4, "blew", "blew", "buried"]
    assert len(events) < GAME.max_events


def test_six_cards_of_a_turn_are_six_steps() -> None:
    """The meter's highest tick demands six cards; each is drawn by an action of its own."""
    table = desert("archeologist,climber", tick=12)
    table.play("archeologist", "end")
    assert table.state.left == components.MAX_STORM_CARDS
    table.stack("sun", "north-3", "sun", "south-3", "east-3", "west-3")
    written = [len(table.match.play(0, "draw")) for _ in range(components.MAX_STORM_CARDS)]
    assert max(written) <= GAME.max_events


def test_looking_at_six_cards_is_shorter() -> None:
    table = desert("meteorologist,climber", tick=12)
    events = table.play("meteorologist", "forecast")
    assert len(events) == 1 + components.MAX_STORM_CARDS < GAME.max_events


def test_water_for_five_pawns_is_shorter() -> None:
    table = desert(FIVE, tiles={"A1": "well"}, water=dict.fromkeys(FIVE.split(","), 1))
    assert len(table.play("archeologist", "excavate")) == 1 + components.SEATS < GAME.max_events
