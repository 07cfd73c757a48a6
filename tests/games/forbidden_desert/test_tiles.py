"""What lies under the sand, FD-20 to FD-26."""

from __future__ import annotations

import pytest

from .positions import desert, place

CRYSTAL = {"B2": "solar-crystal-row", "D4": "solar-crystal-column"}


@pytest.mark.rule("FD-20")
def test_a_well_gives_everybody_on_it_two_water_once() -> None:
    table = desert(
        "explorer,climber,navigator",
        at={"navigator": "B1"},
        tiles={"A1": "well"},
        water={"explorer": 0, "climber": 2, "navigator": 1},
    )
    table.play("explorer", "excavate")
    assert (table.water("explorer"), table.water("climber"), table.water("navigator")) == (2, 3, 1)
    table.play("explorer", "move B1", "move A1", "end")
    assert table.water("explorer") == 2


@pytest.mark.rule("FD-21")
def test_a_mirage_gives_nothing() -> None:
    table = desert(tiles={"A1": "mirage"}, water={"archeologist": 1})
    assert table.play("archeologist", "excavate") == ["The Archeologist excavates A1: mirage"]
    assert table.water("archeologist") == 1 and table.gear("archeologist") == {}


@pytest.mark.rule("FD-22")
@pytest.mark.parametrize("tile", ["gear", "tunnel", "crash"])
def test_a_gear_tile_gives_the_top_gear_card_to_the_excavator(tile: str) -> None:
    table = desert(tiles={"A1": tile} | ({"E5": "gear"} if tile == "crash" else {}))
    top = table.state.gear_deck[11]
    table.play("archeologist", "excavate")
    assert list(table.gear("archeologist").values()) == [1] and table.gear("meteorologist") == {}
    assert table.state.gear[0, top] == 1 and table.view()["gear_deck"] == 11


@pytest.mark.rule("FD-22")
def test_every_gear_tile_has_a_card_and_hands_have_no_limit() -> None:
    gears = ["A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2"]
    tunnels = ["A4", "B4", "C4"]
    table = desert(tiles=dict.fromkeys(gears, "gear") | dict.fromkeys(tunnels, "tunnel"))
    for where in (*gears, *tunnels, "E5"):
        table.state.pawn[0] = place(where)
        table.state.left = 1
        table.play("archeologist", "excavate")
    assert sum(table.gear("archeologist").values()) == 12 and table.view()["gear_deck"] == 0


@pytest.mark.rule("FD-23")
@pytest.mark.parametrize("order", ["B2 D4", "D4 B2"])
def test_the_second_clue_places_the_part_where_row_and_column_meet(order: str) -> None:
    first, second = order.split()
    table = desert(at={"archeologist": second}, tiles=CRYSTAL, excavated=first)
    assert table.part("solar-crystal") is None
    assert table.play("archeologist", "excavate")[-1] == "The solar crystal is at D2"
    assert table.part("solar-crystal") == "D2"


@pytest.mark.rule("FD-23")
@pytest.mark.parametrize("part", ["propeller", "engine", "solar-crystal", "navigation-deck"])
@pytest.mark.parametrize(("first", "second"), [("row", "column"), ("column", "row")])
def test_every_part_has_its_two_clues(part: str, first: str, second: str) -> None:
    table = desert(tiles={"A1": f"{part}-{second}", "B2": f"{part}-{first}"}, excavated="B2")
    table.play("archeologist", "excavate")
    places = {name: found["place"] for name, found in table.view()["parts"].items() if found["place"]}
    assert places == {part: "A2" if first == "row" else "B1"}


@pytest.mark.rule("FD-23")
def test_clues_to_different_parts_place_nothing() -> None:
    table = desert(tiles={"A1": "engine-row", "B1": "propeller-column"}, excavated="B1")
    table.play("archeologist", "excavate")
    assert all(part["place"] is None for part in table.view()["parts"].values())


@pytest.mark.rule("FD-23")
def test_clues_count_at_their_present_places() -> None:
    """The storm moves the row clue from row 4 to row 3 before the column clue is excavated."""
    table = desert(tiles={"C4": "engine-row", "A1": "engine-column"}, excavated="C4")
    table.draw_storm("north-1", "north-1")
    assert table.view()["parts"]["engine"] == {"holder": None, "place": None, "row": "3", "column": None}
    table.play("meteorologist", "excavate")
    assert table.part("engine") == "A3"


@pytest.mark.rule("FD-23", "FD-31")
def test_a_part_moves_with_its_tile() -> None:
    table = desert(parts={"engine": "C4"})
    table.draw_storm("north-1", "south-1")
    assert table.part("engine") == "C4"
    table = desert(parts={"engine": "C4"})
    table.draw_storm("north-1", "east-1")
    assert table.part("engine") == "C3"


@pytest.mark.rule("FD-24")
def test_a_part_that_points_at_the_storm_waits_for_the_next_tile_there() -> None:
    table = desert(at={"archeologist": "B3"}, tiles={"B3": "engine-row", "C5": "engine-column"}, excavated="C5")
    table.play("archeologist", "excavate")
    assert table.part("engine") == "C3" == table.view()["storm"]["place"]
    events = table.draw_storm("west-2")
    assert "The engine lands on the tile at C3" in events and table.part("engine") == "C3"
    assert table.view()["storm"]["place"] == "E3"
    table.draw_storm("east-1")  # the tile from D3 goes on to E3, and the part's own tile stays
    assert table.part("engine") == "C3"
    table.play("meteorologist", "end")
    table.draw_storm("east-2")  # now it moves: into the hole at D3
    assert table.part("engine") == "D3"


@pytest.mark.rule("FD-25")
def test_an_excavated_tunnel_shelters_even_when_blocked() -> None:
    tiles = {"A1": "tunnel", "B1": "tunnel", "C1": "tunnel"}
    table = desert(
        "explorer,navigator,meteorologist",
        at={"explorer": "A1", "navigator": "B1", "meteorologist": "C1"},
        tiles=tiles,
        excavated="A1 B1",
        sand={"B1": 2},
    )
    table.draw_storm("sun")
    assert [table.water(role) for role in ("explorer", "navigator", "meteorologist")] == [4, 4, 3]


@pytest.mark.rule("FD-26")
def test_a_tile_may_have_several_parts_and_the_launch_pad_wins() -> None:
    parts = {"engine": "A1", "propeller": "A1", "solar-crystal": "A1", "navigation-deck": "A1"}
    table = desert(tiles={"A1": "launch-pad"}, excavated="A1", parts=parts)
    assert table.view()["places"][0]["parts"] == ["propeller", "engine", "solar-crystal", "navigation-deck"]
    table.play("archeologist", "take engine", "take propeller", "take solar-crystal")
    assert table.match.result is None
    table.play("archeologist", "take navigation-deck")
    assert table.match.result is not None and table.match.result.reason == "escaped"
