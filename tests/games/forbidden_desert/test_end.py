"""The end, and the book's own examples: FD-70, FD-71, FD-90 to FD-93."""

from __future__ import annotations

import pytest

from .desert import Desert, desert

PAD = {"B1": "launch-pad"}


def won(table: Desert) -> bool:
    return table.match.result is not None and table.match.result.reason == "escaped"


@pytest.mark.rule("FD-70")
def test_the_game_is_won_when_the_last_pawn_arrives() -> None:
    table = desert("explorer,navigator", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken="all")
    assert not won(table)
    told = table.do("explorer", "move B1")
    assert won(table) and told[-1] == "The flying machine takes off with everybody on board: you win!"
    assert table.match.result is not None and table.match.result.winners == (0, 1)
    assert table.match.waiting == () and table.match.legal(0) == table.match.legal(1) == []


@pytest.mark.rule("FD-70")
def test_a_part_is_missing() -> None:
    taken = "propeller engine solar-crystal"
    table = desert("explorer,navigator", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken=taken)
    table.do("explorer", "move B1")
    assert not won(table)


@pytest.mark.rule("FD-70", "FD-71")
def test_the_pad_must_be_excavated() -> None:
    table = desert("explorer,navigator", at="B1", tiles=PAD, taken="all", gear={"navigator": "solar-shield"})
    table.do("navigator", "shield")
    assert not won(table)
    table.do("explorer", "excavate")
    assert won(table)


@pytest.mark.rule("FD-70", "FD-71")
def test_the_pad_must_not_be_blocked_and_is_cleared_by_anybody_at_any_time() -> None:
    """Between two storm cards, by a seat whose turn it is not."""
    table = desert(
        "explorer,navigator",
        at="B1",
        tiles=PAD,
        excavated="B1",
        taken="all",
        sand={"B1": 2},
        gear={"navigator": "dune-blaster"},
    )
    table.storm("west-1")
    assert not won(table)
    table.do("navigator", "blast B1")
    assert won(table)


@pytest.mark.rule("FD-70")
def test_one_marker_does_not_hold_the_machine() -> None:
    table = desert("explorer,navigator", at="B1", tiles=PAD, excavated="B1", taken="all", sand={"B1": 2})
    table.do("explorer", "clear B1")
    assert won(table) and table.sand("B1") == 1


@pytest.mark.rule("FD-70", "FD-56")
def test_a_guided_step_wins() -> None:
    table = desert("navigator,explorer", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken="all")
    table.do("navigator", "guide explorer B1")
    assert won(table)


@pytest.mark.rule("FD-70", "FD-62")
def test_a_jet_pack_wins_on_anothers_turn() -> None:
    table = desert(
        "navigator,explorer,climber",
        at={"navigator": "B1", "explorer": "E1", "climber": "E1"},
        tiles=PAD,
        excavated="B1",
        taken="all",
        gear={"explorer": "jet-pack"},
    )
    table.do("explorer", "jet B1 climber")
    assert won(table)


@pytest.mark.rule("FD-71")
def test_a_loss_ends_the_game_before_the_rest_of_the_card() -> None:
    """The first of three tiles finds no marker: the other two stay where they are."""
    table = desert(sand={"A5": 48}, storm="A1", at="E5")
    table.storm("west-3")
    assert table.match.result is not None and table.match.result.reason == "buried"
    assert table.view()["storm"]["place"] == "B1" and table.match.result.winners == ()


@pytest.mark.rule("FD-90")
def test_the_water_carriers_turn() -> None:
    table = desert("water-carrier,explorer", at="B2", sand={"B2": 1, "C2": 1})
    table.do("water-carrier", "clear B2", "clear C2", "move C2", "excavate")
    assert table.state.left == 0 and table.view()["places"][7]["excavated"]
    assert table.refused("water-carrier", "move B2") == "FD-10"


@pytest.mark.rule("FD-91")
def test_two_tiles_west() -> None:
    table = desert(tiles={"D3": "tunnel", "E3": "mirage"}, excavated="D3 E3")
    told = table.storm("west-2")
    assert told[1:] == ["D3 moves to C3", "E3 moves to D3"]
    assert (table.sees(None, "C3"), table.sees(None, "D3"), table.view()["storm"]["place"]) == (
        "tunnel",
        "mirage",
        "E3",
    )
    assert table.drawn().splitlines()[2] == "0 0 1 1 @"


@pytest.mark.rule("FD-92")
def test_three_north_with_two_tiles_below_the_hole() -> None:
    table = desert("explorer,navigator", at="C4", sand={"C4": 1, "C5": 1, "C2": 1})
    table.storm("north-3")
    assert table.drawn() == "0 0 0 0 0\n0 0 1 0 0\n0 0 2 0 0\n0 0 2 0 0\n0 0 @ 0 0"
    assert table.state.supply == 48 - 5 and table.at("explorer") == "C3"
    assert [p["place"] for p in table.view()["places"] if p["blocked"]] == ["C3", "C4"]


@pytest.mark.rule("FD-93")
def test_the_solar_crystal() -> None:
    tiles = {"A2": "solar-crystal-row", "D4": "solar-crystal-column"}
    table = desert(at={"archeologist": "A2", "meteorologist": "D4"}, tiles=tiles, storm="D3")
    table.do("archeologist", "excavate")
    clue = table.view()["parts"]["solar-crystal"]
    assert (clue["row"], clue["column"], clue["place"]) == ("2", None, None)
    table.storm("east-1", "west-1")
    table.do("meteorologist", "excavate")
    assert table.part("solar-crystal") == "D2"
    table.do("meteorologist", "end")
    table.storm("south-1")
    assert table.part("solar-crystal") == "D3"
