"""How the game ends (FD-70, FD-71), and the examples of the rulebook (FD-90 to FD-93)."""

from __future__ import annotations

import pytest

from .positions import Desert, desert

PAD = {"B1": "launch-pad"}


def won(table: Desert) -> bool:
    return table.match.result is not None and table.match.result.reason == "escaped"


@pytest.mark.rule("FD-70")
def test_the_game_is_won_when_the_last_pawn_arrives() -> None:
    table = desert("explorer,navigator", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken="all")
    assert not won(table)
    events = table.play("explorer", "move B1")
    assert won(table) and events[-1] == "The flying machine takes off with everybody on board: you win!"
    assert table.match.result is not None and table.match.result.winners == (0, 1)
    assert table.match.waiting == () and table.match.legal(0) == table.match.legal(1) == []


@pytest.mark.rule("FD-70")
def test_the_game_is_not_won_while_a_part_is_missing() -> None:
    taken = "propeller engine solar-crystal"
    table = desert("explorer,navigator", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken=taken)
    table.play("explorer", "move B1")
    assert not won(table)


@pytest.mark.rule("FD-70", "FD-71")
def test_the_launch_pad_must_be_excavated() -> None:
    table = desert("explorer,navigator", at="B1", tiles=PAD, taken="all", gear={"navigator": "solar-shield"})
    table.play("navigator", "shield")
    assert not won(table)
    table.play("explorer", "excavate")
    assert won(table)


@pytest.mark.rule("FD-70", "FD-71")
def test_the_launch_pad_must_not_be_blocked_and_can_be_cleared_at_any_time() -> None:
    """Here between two storm cards, in another seat's turn."""
    table = desert(
        "explorer,navigator",
        at="B1",
        tiles=PAD,
        excavated="B1",
        taken="all",
        sand={"B1": 2},
        gear={"navigator": "dune-blaster"},
    )
    table.draw_storm("west-1")
    assert not won(table)
    table.play("navigator", "blast B1")
    assert won(table)


@pytest.mark.rule("FD-70")
def test_one_marker_on_the_launch_pad_does_not_prevent_the_win() -> None:
    table = desert("explorer,navigator", at="B1", tiles=PAD, excavated="B1", taken="all", sand={"B1": 2})
    table.play("explorer", "clear B1")
    assert won(table) and table.sand("B1") == 1


@pytest.mark.rule("FD-70", "FD-56")
def test_a_guided_step_can_win() -> None:
    table = desert("navigator,explorer", at={"navigator": "B1"}, tiles=PAD, excavated="B1", taken="all")
    table.play("navigator", "guide explorer B1")
    assert won(table)


@pytest.mark.rule("FD-70", "FD-62")
def test_a_jet_pack_can_win_in_another_seats_turn() -> None:
    table = desert(
        "navigator,explorer,climber",
        at={"navigator": "B1", "explorer": "E1", "climber": "E1"},
        tiles=PAD,
        excavated="B1",
        taken="all",
        gear={"explorer": "jet-pack"},
    )
    table.play("explorer", "jet B1 climber")
    assert won(table)


@pytest.mark.rule("FD-71")
def test_a_loss_ends_the_game_before_the_rest_of_the_card() -> None:
    """There is no marker for the first of three tiles, so the other two do not move."""
    table = desert(sand={"A5": 48}, storm="A1", at="E5")
    table.draw_storm("west-3")
    assert table.match.result is not None and table.match.result.reason == "buried"
    assert table.view()["storm"]["place"] == "B1" and table.match.result.winners == ()


@pytest.mark.rule("FD-90")
def test_example_of_four_actions() -> None:
    table = desert("water-carrier,explorer", at="B2", sand={"B2": 1, "C2": 1})
    table.play("water-carrier", "clear B2", "clear C2", "move C2", "excavate")
    assert table.state.left == 0 and table.view()["places"][7]["excavated"]
    assert table.refusing_rule("water-carrier", "move B2") == "FD-10"


@pytest.mark.rule("FD-91")
def test_example_of_two_tiles_moving_west() -> None:
    table = desert(tiles={"D3": "tunnel", "E3": "mirage"}, excavated="D3 E3")
    events = table.draw_storm("west-2")
    assert events[1:] == ["The tile at D3 moves to C3", "The tile at E3 moves to D3"]
    assert (table.sees(None, "C3"), table.sees(None, "D3"), table.view()["storm"]["place"]) == (
        "tunnel",
        "mirage",
        "E3",
    )
    assert table.sand_picture().splitlines()[2] == "0 0 1 1 @"


@pytest.mark.rule("FD-92")
def test_example_of_three_tiles_north_with_only_two_to_move() -> None:
    table = desert("explorer,navigator", at="C4", sand={"C4": 1, "C5": 1, "C2": 1})
    table.draw_storm("north-3")
    assert table.sand_picture() == "0 0 0 0 0\n0 0 1 0 0\n0 0 2 0 0\n0 0 2 0 0\n0 0 @ 0 0"
    assert table.state.supply == 48 - 5 and table.at("explorer") == "C3"
    assert [p["place"] for p in table.view()["places"] if p["blocked"]] == ["C3", "C4"]


@pytest.mark.rule("FD-93")
def test_example_of_the_solar_crystals_clues() -> None:
    tiles = {"A2": "solar-crystal-row", "D4": "solar-crystal-column"}
    table = desert(at={"archeologist": "A2", "meteorologist": "D4"}, tiles=tiles, storm="D3")
    table.play("archeologist", "excavate")
    clue = table.view()["parts"]["solar-crystal"]
    assert (clue["row"], clue["column"], clue["place"]) == ("2", None, None)
    table.draw_storm("east-1", "west-1")
    table.play("meteorologist", "excavate")
    assert table.part("solar-crystal") == "D2"
    table.play("meteorologist", "end")
    table.draw_storm("south-1")
    assert table.part("solar-crystal") == "D3"
