"""Roles, FD-50 to FD-58."""

from __future__ import annotations

import pytest

from .positions import desert


@pytest.mark.rule("FD-50")
def test_the_archeologist_removes_up_to_two_markers_from_one_tile() -> None:
    table = desert(at="B2", sand={"B1": 3, "B2": 1})
    assert table.choices("archeologist", "clear") == {"B1", "B2"}
    assert table.choices("archeologist", "clear two") == {"B1"}
    table.play("archeologist", "clear two B1")
    assert table.sand("B1") == 1 and table.state.left == 3
    table.play("archeologist", "clear B1")
    assert table.sand("B1") == 0
    assert table.refusing_rule("archeologist", "clear two B2") == "FD-50"
    assert table.refusing_rule("archeologist", "clear two E5") == "FD-15"


@pytest.mark.rule("FD-50")
def test_only_the_archeologist_removes_two_markers_at_once() -> None:
    table = desert("explorer,archeologist", sand={"A2": 2})
    assert table.refusing_rule("explorer", "clear two A2") == "FD-50"


@pytest.mark.rule("FD-50", "FD-34")
def test_the_buried_archeologist_digs_two_at_once() -> None:
    table = desert(sand={"A1": 3})
    table.play("archeologist", "clear two A1")
    assert table.can("archeologist", "move B1")


@pytest.mark.rule("FD-51")
def test_the_climber_enters_and_leaves_blocked_tiles_and_is_never_buried() -> None:
    table = desert("climber,explorer", at={"climber": "B2"}, sand={"B2": 5, "B1": 2})
    assert table.choices("climber", "move") == {"B1", "A2", "C2", "B3"}
    table.play("climber", "move B1")
    assert table.at("climber") == "B1" and not table.view()["seats"][0]["buried"]


@pytest.mark.rule("FD-51")
def test_the_climber_goes_through_blocked_tunnels() -> None:
    tiles = {"A1": "tunnel", "E1": "tunnel"}
    table = desert("climber,explorer", tiles=tiles, excavated="A1 E1", sand={"A1": 2, "E1": 2})
    table.play("climber", "move E1")
    assert table.at("climber") == "E1"


@pytest.mark.rule("FD-51")
def test_the_climber_does_not_enter_the_storm() -> None:
    table = desert("climber,explorer", at="C2")
    assert table.refusing_rule("climber", "move C3") == table.refusing_rule("climber", "carry explorer C3") == "FD-12"


@pytest.mark.rule("FD-51")
def test_the_climber_takes_one_pawn_of_his_tile_along_for_the_same_action() -> None:
    table = desert("climber,explorer,navigator", at={"navigator": "B1"}, sand={"A2": 3})
    assert table.choices("climber", "carry") == {"explorer A2", "explorer B1"}
    table.play("climber", "carry explorer A2")
    assert table.at("climber") == table.at("explorer") == "A2" and table.state.left == 3
    assert (
        table.refusing_rule("climber", "carry navigator A3")
        == table.refusing_rule("climber", "carry climber A3")
        == "FD-51"
    )


@pytest.mark.rule("FD-51")
def test_only_the_climber_carries() -> None:
    table = desert("explorer,climber")
    assert table.refusing_rule("explorer", "carry climber A2") == "FD-51"


@pytest.mark.rule("FD-52")
def test_nobody_is_buried_on_the_climbers_tile() -> None:
    table = desert("explorer,climber", at="B2", sand={"B2": 4, "B1": 2})
    assert table.choices("explorer", "move") == {"A1", "C1", "A2", "C2", "A3", "B3"}
    assert table.can("explorer", "clear B1") and not table.view()["seats"][0]["buried"]


@pytest.mark.rule("FD-52")
def test_under_the_sand_nothing_is_excavated_or_picked_up_even_with_the_climber() -> None:
    table = desert("explorer,climber", at="B2", sand={"B2": 2}, parts={"engine": "B2"}, excavated="B2")
    assert table.refusing_rule("explorer", "take engine") == "FD-17"
    table = desert("explorer,climber", at="B2", sand={"B2": 2})
    assert table.refusing_rule("explorer", "excavate") == "FD-16"


@pytest.mark.rule("FD-52")
def test_a_passenger_left_behind_on_a_blocked_tile_is_buried() -> None:
    table = desert("climber,explorer", sand={"B1": 2})
    table.play("climber", "carry explorer B1", "move C1", "end")
    table.draw_storm("west-1", "east-1")
    assert table.turn == "explorer" and table.view()["seats"][1]["buried"]
    assert table.refusing_rule("explorer", "move A1") == "FD-34"


@pytest.mark.rule("FD-53")
def test_the_explorer_moves_and_digs_diagonally() -> None:
    table = desert("explorer,navigator", at="B2", sand={"A1": 1, "C1": 2, "B2": 1})
    assert table.choices("explorer", "move") == {"A1", "B1", "A2", "C2", "A3", "B3"}
    assert table.choices("explorer", "clear") == {"A1", "C1", "B2"}
    assert table.refusing_rule("explorer", "move C1") == "FD-13"
    assert table.refusing_rule("explorer", "move D2") == table.refusing_rule("explorer", "clear D2") == "FD-53"
    table.play("explorer", "clear C1", "move C1")


@pytest.mark.rule("FD-53")
def test_the_explorer_blasts_diagonally() -> None:
    table = desert("explorer,navigator", at="B2", sand={"A1": 4}, gear={"explorer": "dune-blaster"})
    table.play("explorer", "blast A1")
    assert table.sand("A1") == 0


@pytest.mark.rule("FD-53")
def test_the_explorer_gives_nothing_diagonally() -> None:
    table = desert("explorer,navigator", at={"explorer": "B2"}, gear={"explorer": "jet-pack"}, water={"navigator": 0})
    assert table.refusing_rule("explorer", "water navigator 1") == "FD-18"
    assert table.refusing_rule("explorer", "give jet-pack navigator") == "FD-19"


@pytest.mark.rule("FD-54")
def test_each_action_of_the_meteorologist_holds_off_one_card_of_this_turn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.play("meteorologist", "calm", "calm", "end")
    assert table.state.left == 1
    table.draw_storm("north-1")
    assert table.turn == "explorer"
    table.play("explorer", "end")
    assert table.state.left == 3


@pytest.mark.rule("FD-54")
def test_with_no_card_left_the_next_turn_begins_at_once() -> None:
    table = desert("meteorologist,explorer")
    table.play("meteorologist", "calm", "calm")
    assert table.refusing_rule("meteorologist", "calm") == "FD-54"
    assert table.play("meteorologist", "end") == ["The Explorer's turn begins"]
    assert table.turn == "explorer" and table.view()["storm"]["deck"] == 31


@pytest.mark.rule("FD-54", "FD-55")
def test_only_the_meteorologist_holds_off_cards_and_forecasts() -> None:
    table = desert("explorer,meteorologist")
    assert table.refusing_rule("explorer", "calm") == "FD-54" and table.refusing_rule("explorer", "forecast") == "FD-55"


@pytest.mark.rule("FD-55")
def test_a_forecast_shows_as_many_cards_as_the_meter_says_and_one_may_go_to_the_bottom() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up", "west-1")
    events = table.play("meteorologist", "forecast")
    assert events[1:] == [
        "Card 1: Sun Beats Down",
        "Card 2: the wind carries 2 tiles north",
        "Card 3: Storm Picks Up",
    ]
    assert table.choices("meteorologist", "bottom") == {"1", "2", "3"} and table.can("meteorologist", "keep")
    table.play("meteorologist", "bottom 3")
    assert table.state.left == 3
    seen = [(card["number"], card["card"]) for card in table.view("meteorologist")["storm"]["foreseen"]]
    assert seen == [(1, "sun"), (2, "north-2"), (31, "picks-up")]
    table.play("meteorologist", "end", "draw", "draw", "draw")
    assert table.view()["storm"]["discard"] == {"sun": 1, "north-2": 1, "west-1": 1}


@pytest.mark.rule("FD-55")
def test_a_forecast_may_leave_the_cards_as_they_are() -> None:
    table = desert("meteorologist,explorer")
    table.stack("sun", "north-2")
    table.play("meteorologist", "forecast", "keep", "end", "draw", "draw")
    assert table.view()["storm"]["discard"] == {"sun": 1, "north-2": 1}


@pytest.mark.rule("FD-55")
def test_a_forecast_does_not_shrink_by_cards_held_off() -> None:
    table = desert("meteorologist,explorer")
    table.play("meteorologist", "calm", "calm", "forecast")
    assert table.choices("meteorologist", "bottom") == {"1", "2"}


@pytest.mark.rule("FD-55")
def test_a_forecast_shows_no_more_cards_than_are_left() -> None:
    table = desert("meteorologist,explorer", tick=13, cards=2)
    table.play("meteorologist", "forecast")
    assert table.choices("meteorologist", "bottom") == {"1", "2"}


@pytest.mark.rule("FD-55", "FD-60")
def test_no_seat_acts_before_a_forecast_is_decided() -> None:
    table = desert("meteorologist,explorer", gear={"explorer": "jet-pack", "meteorologist": "solar-shield"})
    table.play("meteorologist", "forecast")
    assert table.match.legal(1) == []
    assert (
        table.refusing_rule("explorer", "jet B1") == table.refusing_rule("explorer", "water meteorologist 1") == "FD-55"
    )
    assert table.refusing_rule("meteorologist", "shield") == table.refusing_rule("meteorologist", "end") == "FD-55"
    table.play("meteorologist", "keep")
    assert table.refusing_rule("meteorologist", "keep") == "FD-55"
    table.play("explorer", "jet B1")


@pytest.mark.rule("FD-56")
def test_the_navigator_moves_a_pawn_up_to_three_steps_with_one_action() -> None:
    table = desert("navigator,archeologist")
    assert table.choices("navigator", "guide") == {"archeologist A2", "archeologist B1"}
    table.play("navigator", "guide archeologist B1", "guide archeologist C1", "guide archeologist D1")
    assert table.at("archeologist") == "D1" and table.state.left == 3 and table.at("navigator") == "A1"
    table.play("navigator", "guide archeologist E1")
    assert table.state.left == 2


@pytest.mark.rule("FD-56")
def test_the_navigators_last_action_still_has_three_steps() -> None:
    table = desert("navigator,archeologist")
    table.state.left = 1
    table.play("navigator", "guide archeologist B1")
    assert table.state.left == 0 and table.choices("navigator", "move") == set()
    table.play("navigator", "guide archeologist C1", "guide archeologist D1")
    assert table.refusing_rule("navigator", "guide archeologist E1") == "FD-10"


@pytest.mark.rule("FD-56")
def test_another_pawn_or_another_action_ends_the_guiding() -> None:
    table = desert("navigator,archeologist,explorer")
    table.play("navigator", "guide archeologist B1", "guide explorer B2")
    assert table.state.left == 2
    table.play("navigator", "guide archeologist C1")
    assert table.state.left == 1
    table.play("navigator", "move A2")
    assert table.state.left == 0 and table.choices("navigator", "guide") == set()
    assert table.view()["turn"]["guided"] is None and table.view()["turn"]["steps"] == 0


@pytest.mark.rule("FD-56")
def test_free_actions_are_legal_between_two_guided_steps() -> None:
    table = desert("navigator,archeologist", sand={"C1": 2}, gear={"archeologist": "dune-blaster"})
    table.play("navigator", "guide archeologist B1")
    table.play("archeologist", "blast C1")
    table.play("navigator", "guide archeologist C1")
    assert table.state.left == 3


@pytest.mark.rule("FD-56")
def test_a_guided_pawn_keeps_to_the_rules_of_moving() -> None:
    tiles = {"B1": "tunnel", "E5": "tunnel", "A5": "crash"}
    table = desert("navigator,archeologist,explorer", tiles=tiles, excavated="B1 E5", sand={"A2": 2})
    assert table.choices("navigator", "guide") == {"archeologist B1", "explorer B1", "explorer B2"}
    assert table.refusing_rule("navigator", "guide archeologist A2") == "FD-13"
    assert table.refusing_rule("navigator", "guide archeologist B2") == table.refusing_rule(
        "navigator", "guide navigator B1"
    )
    table.play("navigator", "guide archeologist B1", "guide archeologist E5", "guide archeologist D5")
    assert table.state.left == 3


@pytest.mark.rule("FD-56")
def test_a_buried_pawn_is_not_guided_and_only_the_navigator_guides() -> None:
    table = desert("navigator,archeologist", at={"archeologist": "B2"}, sand={"B2": 2})
    assert table.refusing_rule("navigator", "guide archeologist B1") == "FD-56"
    assert table.refusing_rule("navigator", "guide navigator A2") == "FD-56"
    table = desert("archeologist,navigator")
    assert table.refusing_rule("archeologist", "guide navigator A2") == "FD-56"
    table = desert("navigator,archeologist")
    assert table.refusing_rule("navigator", "carry archeologist A2") == "FD-56"


@pytest.mark.rule("FD-56", "FD-51")
def test_the_navigator_guides_the_climber_over_blocked_tiles_with_passengers_chosen_anew() -> None:
    """The Climber takes the Explorer along for one of three steps."""
    table = desert("navigator,climber,explorer", at={"climber": "B1", "explorer": "C1"}, sand={"C1": 2, "D1": 2})
    assert table.refusing_rule("navigator", "guide explorer C2") == "FD-56"
    table.play("navigator", "guide climber C1", "carry explorer D1", "guide climber E1")
    assert (table.at("climber"), table.at("explorer"), table.state.left) == ("E1", "D1", 3)
    assert table.view()["seats"][2]["buried"]


@pytest.mark.rule("FD-56")
def test_the_navigator_may_be_the_passenger_and_goes_on_guiding_even_when_buried() -> None:
    table = desert("navigator,climber", sand={"B1": 2, "C1": 2})
    table.play("navigator", "carry navigator B1", "carry navigator C1")
    assert table.at("navigator") == table.at("climber") == "C1" and table.state.left == 3
    table.play("navigator", "guide climber D1")
    assert table.view()["seats"][0]["buried"]
    assert table.refusing_rule("navigator", "guide climber E1") == "FD-34"
    table = desert("navigator,climber", sand={"B1": 2})
    table.play("navigator", "carry navigator B1", "guide climber C1", "guide climber D1")
    assert table.view()["seats"][0]["buried"] and table.at("climber") == "D1"


@pytest.mark.rule("FD-56")
@pytest.mark.parametrize("corner", ["A1", "E5"])
def test_the_navigator_guides_into_every_corner(corner: str) -> None:
    """With the first and the last seat, at the first and the last place."""
    beside = {"A1": "A2", "E5": "E4"}[corner]
    roles = "navigator,climber,explorer,archeologist,meteorologist"
    table = desert(roles, at=beside, tiles={"E5": "gear", "C1": "crash"})
    table.play("navigator", f"carry navigator {corner}")
    assert table.at("climber") == table.at("navigator") == corner
    table.play("navigator", f"guide meteorologist {corner}")
    assert table.at("meteorologist") == corner
    table = desert(roles, at=beside, tiles={"E5": "gear", "C1": "crash"})
    table.play("navigator", f"carry meteorologist {corner}", f"carry meteorologist {beside}")
    assert table.at("climber") == table.at("meteorologist") == beside


@pytest.mark.rule("FD-57")
def test_the_water_carrier_fills_up_at_an_excavated_well() -> None:
    table = desert("water-carrier,explorer", tiles={"A1": "well"}, excavated="A1", water={"water-carrier": 0})
    table.play("water-carrier", "fill", "fill", "fill")
    assert table.water("water-carrier") == 5 and table.state.left == 1 and table.water("explorer") == 4


@pytest.mark.rule("FD-57")
@pytest.mark.parametrize(("tile", "excavated"), [("mirage", "A1"), ("well", ""), ("gear", "A1")])
def test_the_water_carrier_fills_up_only_at_excavated_wells(tile: str, excavated: str) -> None:
    table = desert("water-carrier,explorer", tiles={"A1": tile}, excavated=excavated, water={"water-carrier": 0})
    assert table.refusing_rule("water-carrier", "fill") == "FD-57"


@pytest.mark.rule("FD-57")
def test_only_the_water_carrier_fills_up() -> None:
    table = desert("explorer,water-carrier", tiles={"A1": "well"}, excavated="A1", water={"explorer": 0})
    assert table.refusing_rule("explorer", "fill") == "FD-57"


@pytest.mark.rule("FD-58")
def test_the_water_carrier_gives_to_tiles_beside_hers_at_any_time() -> None:
    at = {"water-carrier": "B2", "explorer": "B1", "navigator": "A1", "climber": "B2"}
    thirsty = {"explorer": 1, "navigator": 1, "climber": 1}
    table = desert("explorer,water-carrier,navigator,climber", at=at, water=thirsty)
    assert table.choices("water-carrier", "water") == {
        *("explorer 1", "explorer 2", "explorer 3"),
        *("climber 1", "climber 2"),
    }
    table.play("water-carrier", "water explorer 3")
    assert table.water("explorer") == 4 and table.water("water-carrier") == 2
    assert table.refusing_rule("water-carrier", "water navigator 1") == "FD-58"


@pytest.mark.rule("FD-58")
def test_the_water_carrier_does_not_receive_water_from_other_tiles() -> None:
    table = desert("explorer,water-carrier", at={"explorer": "B1"}, water={"water-carrier": 1})
    assert table.refusing_rule("explorer", "water water-carrier 1") == "FD-18"


@pytest.mark.rule("FD-56")
def test_guided_steps_left_are_lost_at_the_end_of_the_actions() -> None:
    table = desert("navigator,archeologist")
    table.play("navigator", "guide archeologist B1", "end")
    assert table.view()["turn"]["guided"] is None and table.view()["turn"]["steps"] == 0
