"""A turn and its actions, FD-10 to FD-19."""

from __future__ import annotations

import pytest

import skerry

from .positions import desert


@pytest.mark.rule("FD-10")
def test_a_turn_is_up_to_four_actions_then_storm_cards_then_the_next_seat() -> None:
    table = desert("archeologist,explorer,climber")
    table.play("archeologist", "move A2", "move A1", "move A2", "move A1")
    assert table.choices("archeologist", "move") == set()
    assert table.refusing_rule("archeologist", "move A2") == table.refusing_rule("archeologist", "draw") == "FD-10"
    table.play("archeologist", "end")
    assert table.refusing_rule("archeologist", "move A2") == table.refusing_rule("archeologist", "end") == "FD-10"
    table.play("archeologist", "draw", "draw")
    assert table.turn == "explorer" and table.state.turns == 2


@pytest.mark.rule("FD-10")
def test_a_turn_may_have_no_action() -> None:
    table = desert()
    table.play("archeologist", "end")
    assert table.can("archeologist", "draw") and table.match.waiting == (0,)


@pytest.mark.rule("FD-10")
def test_free_actions_are_legal_between_the_last_action_and_the_first_card() -> None:
    table = desert(water={"meteorologist": 1})
    table.play("archeologist", "move A2", "move A1", "move A2", "move A1", "water meteorologist 1", "end")
    assert table.water("meteorologist") == 2


@pytest.mark.rule("FD-10")
def test_only_the_seat_whose_turn_it_is_acts() -> None:
    table = desert()
    assert table.refusing_rule("meteorologist", "move A2") == table.refusing_rule("meteorologist", "end") == "FD-10"


@pytest.mark.rule("FD-11")
def test_actions_mix_and_repeat() -> None:
    table = desert(tiles={"A1": "gear"}, sand={"A2": 2}, parts={"engine": "A1"})
    table.play("archeologist", "excavate", "clear A2", "clear A2", "take engine")
    assert table.state.left == 0 and table.sand("A2") == 0 and table.view()["parts"]["engine"]["holder"] == 0


@pytest.mark.rule("FD-12")
def test_a_pawn_moves_one_tile_up_down_left_or_right() -> None:
    table = desert(at="B2")
    assert table.choices("archeologist", "move") == {"B1", "A2", "C2", "B3"}
    for far in ("A1", "D2", "B2"):
        assert table.refusing_rule("archeologist", f"move {far}") == "FD-12"
    table.play("archeologist", "move B3")
    assert table.at("archeologist") == "B3" and table.state.left == 3


@pytest.mark.rule("FD-12")
def test_nobody_enters_or_crosses_the_storm() -> None:
    table = desert(at="C2")
    assert table.choices("archeologist", "move") == {"C1", "B2", "D2"}
    assert table.refusing_rule("archeologist", "move C3") == table.refusing_rule("archeologist", "move C4") == "FD-12"


@pytest.mark.rule("FD-12")
def test_pawns_do_not_leave_the_desert() -> None:
    table = desert(at="E1")
    assert table.choices("archeologist", "move") == {"D1", "E2"}


@pytest.mark.rule("FD-13")
def test_two_markers_block_a_tile_and_one_does_not() -> None:
    table = desert(at="B2", sand={"B1": 1, "A2": 2, "C2": 3})
    assert table.choices("archeologist", "move") == {"B1", "B3"}
    assert table.refusing_rule("archeologist", "move A2") == "FD-13"


TUNNELS = {"A1": "tunnel", "C5": "tunnel", "E1": "tunnel"}


@pytest.mark.rule("FD-14")
def test_a_tunnel_leads_to_every_other_excavated_tunnel() -> None:
    table = desert(tiles=TUNNELS, excavated="A1 C5")
    assert table.choices("archeologist", "move") == {"B1", "A2", "C5"}
    table.play("archeologist", "move C5")
    assert table.at("archeologist") == "C5" and table.state.left == 3


@pytest.mark.rule("FD-14")
def test_a_tunnel_that_is_not_excavated_leads_nowhere() -> None:
    table = desert(tiles=TUNNELS, excavated="C5 E1")
    assert table.choices("archeologist", "move") == {"B1", "A2"}
    assert table.refusing_rule("archeologist", "move C5") == "FD-12"


@pytest.mark.rule("FD-14")
def test_no_tunnel_leads_to_a_blocked_one() -> None:
    table = desert(tiles=TUNNELS, excavated="A1 C5 E1", sand={"C5": 2, "E1": 1})
    assert table.choices("archeologist", "move") == {"B1", "A2", "E1"}
    assert table.refusing_rule("archeologist", "move C5") == "FD-13"


@pytest.mark.rule("FD-14")
def test_a_tunnel_beside_another_is_one_step_like_any_neighbour() -> None:
    table = desert(tiles={"A1": "tunnel", "B1": "tunnel"}, excavated="A1 B1")
    assert sorted(a.text for a in table.match.legal(0) if a.verb == "move") == ["move A2", "move B1"]


@pytest.mark.rule("FD-15")
def test_one_marker_is_removed_from_the_own_tile_or_one_beside_it() -> None:
    sand = {"B2": 1, "B1": 1, "A2": 1, "C2": 3, "A1": 1, "D2": 1}
    table = desert(at="B2", sand=sand)
    assert table.choices("archeologist", "clear") == {"B2", "B1", "A2", "C2"}
    supply = table.state.supply
    table.play("archeologist", "clear C2")
    assert table.sand("C2") == 2 and table.state.supply == supply + 1 and table.state.left == 3
    assert table.refusing_rule("archeologist", "clear A1") == table.refusing_rule("archeologist", "clear B3") == "FD-15"
    assert table.refusing_rule("archeologist", "clear C3") == "FD-15"


@pytest.mark.rule("FD-16")
def test_excavating_turns_over_the_own_tile_for_good() -> None:
    table = desert(tiles={"A1": "launch-pad"})
    assert table.sees(None, "A1") is None
    assert table.play("archeologist", "excavate") == ["The Archeologist excavates A1: launch pad"]
    assert table.sees(None, "A1") == "launch-pad" and table.state.left == 3
    assert table.refusing_rule("archeologist", "excavate") == "FD-16"
    with pytest.raises(Exception, match="hidden"):
        table.match.undo(0)


@pytest.mark.rule("FD-16")
def test_sand_must_be_removed_before_excavating() -> None:
    table = desert(sand={"A1": 1})
    assert table.refusing_rule("archeologist", "excavate") == "FD-16"
    table.play("archeologist", "clear A1", "excavate")


@pytest.mark.rule("FD-17")
def test_a_part_is_picked_up_where_it_lies_on_an_excavated_tile() -> None:
    table = desert(parts={"engine": "A1", "propeller": "A1", "solar-crystal": "B1"}, excavated="A1 B1")
    assert table.choices("archeologist", "take") == {"engine", "propeller"}
    assert table.refusing_rule("archeologist", "take solar-crystal") == "FD-17"
    assert table.refusing_rule("archeologist", "take navigation-deck") == "FD-23"
    table.play("archeologist", "take engine", "take propeller")
    assert table.state.left == 2 and table.part("engine") is None
    assert table.refusing_rule("archeologist", "take engine") == "FD-17"


@pytest.mark.rule("FD-17")
def test_no_part_is_picked_up_from_an_unexcavated_or_blocked_tile() -> None:
    table = desert("climber,archeologist", parts={"engine": "A1", "propeller": "B1"}, excavated="B1", sand={"B1": 2})
    assert table.refusing_rule("climber", "take engine") == "FD-17"
    table.play("climber", "move B1")
    assert table.refusing_rule("climber", "take propeller") == "FD-17"
    table.play("climber", "clear B1", "take propeller")


@pytest.mark.rule("FD-18")
def test_any_amount_of_water_changes_hands_on_one_tile() -> None:
    table = desert("explorer,navigator", water={"navigator": 1})
    assert table.choices("explorer", "water") == {"navigator 1", "navigator 2", "navigator 3"}
    table.play("explorer", "water navigator 3")
    assert (table.water("explorer"), table.water("navigator"), table.state.left) == (1, 4, 4)


@pytest.mark.rule("FD-18")
def test_water_gifts_are_limited_by_both_canteens() -> None:
    table = desert("explorer,climber", water={"explorer": 2, "climber": 2})
    assert table.choices("explorer", "water") == {"climber 1"}
    assert (
        table.refusing_rule("explorer", "water climber 2")
        == table.refusing_rule("explorer", "water climber 3")
        == "FD-18"
    )
    table.play("climber", "water explorer 2")
    assert table.water("climber") == 0 and table.choices("climber", "water") == set()


@pytest.mark.rule("FD-18")
def test_water_is_given_at_any_time_by_any_seat_but_never_taken() -> None:
    table = desert("explorer,navigator", water={"explorer": 1})
    table.play("navigator", "water explorer 1")
    table.play("explorer", "end")
    table.play("navigator", "water explorer 1")
    table.stack("north-1")
    table.play("explorer", "draw")
    table.play("navigator", "water explorer 1")
    assert table.water("explorer") == 4
    assert not table.can("explorer", "water explorer 1")
    assert table.refusing_rule("explorer", "water explorer 1") == "FD-18"


@pytest.mark.rule("FD-18")
@pytest.mark.parametrize("amount", ["0", "6", "-1", "much"])
def test_impossible_amounts_of_water_are_unreadable(amount: str) -> None:
    table = desert("explorer,navigator", water={"navigator": 0})
    with pytest.raises(skerry.Unreadable):
        table.play("explorer", f"water navigator {amount}")


@pytest.mark.rule("FD-18")
def test_no_water_goes_to_another_tile() -> None:
    table = desert("explorer,navigator", at={"navigator": "B1"}, water={"navigator": 1})
    assert table.refusing_rule("explorer", "water navigator 1") == "FD-18"


@pytest.mark.rule("FD-19")
def test_gear_is_given_on_one_tile_at_any_time_by_its_owner() -> None:
    table = desert(gear={"meteorologist": "jet-pack dune-blaster"})
    assert table.choices("meteorologist", "give") == {"jet-pack archeologist", "dune-blaster archeologist"}
    table.play("meteorologist", "give jet-pack archeologist")
    assert table.gear("archeologist") == {"jet-pack": 1} and table.gear("meteorologist") == {"dune-blaster": 1}
    assert table.state.left == 4
    assert table.refusing_rule("archeologist", "give dune-blaster meteorologist") == "FD-19"
    table.play("archeologist", "end")
    table.play("meteorologist", "give dune-blaster archeologist")


@pytest.mark.rule("FD-19")
def test_no_gear_goes_to_another_tile() -> None:
    table = desert(at={"archeologist": "B1"}, gear={"archeologist": "jet-pack"})
    assert table.refusing_rule("archeologist", "give jet-pack meteorologist") == "FD-19"
