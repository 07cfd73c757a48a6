"""Roles: FD-50 to FD-58."""

from __future__ import annotations

import pytest

from .desert import desert


@pytest.mark.rule("FD-50")
def test_the_archeologist_removes_up_to_two_markers_from_one_tile() -> None:
    table = desert(at="B2", sand={"B1": 3, "B2": 1})
    assert table.choices("archeologist", "clear") == {"B1", "B2"}
    assert table.choices("archeologist", "clear two") == {"B1"}
    table.do("archeologist", "clear two B1")
    assert table.sand("B1") == 1 and table.state.left == 3
    table.do("archeologist", "clear B1")
    assert table.sand("B1") == 0
    assert table.refused("archeologist", "clear two B2") == "FD-50"
    assert table.refused("archeologist", "clear two E5") == "FD-15"


@pytest.mark.rule("FD-50")
def test_nobody_else_does() -> None:
    table = desert("explorer,archeologist", sand={"A2": 2})
    assert table.refused("explorer", "clear two A2") == "FD-50"


@pytest.mark.rule("FD-50", "FD-34")
def test_the_buried_archeologist_digs_two_at_once() -> None:
    table = desert(sand={"A1": 3})
    table.do("archeologist", "clear two A1")
    assert table.can("archeologist", "move B1")


@pytest.mark.rule("FD-51")
def test_the_climber_enters_and_leaves_blocked_tiles_and_is_never_buried() -> None:
    table = desert("climber,explorer", at={"climber": "B2"}, sand={"B2": 5, "B1": 2})
    assert table.choices("climber", "move") == {"B1", "A2", "C2", "B3"}
    table.do("climber", "move B1")
    assert table.at("climber") == "B1" and not table.view()["seats"][0]["buried"]


@pytest.mark.rule("FD-51")
def test_the_climber_goes_through_blocked_tunnels() -> None:
    tiles = {"A1": "tunnel", "E1": "tunnel"}
    table = desert("climber,explorer", tiles=tiles, excavated="A1 E1", sand={"A1": 2, "E1": 2})
    table.do("climber", "move E1")
    assert table.at("climber") == "E1"


@pytest.mark.rule("FD-51")
def test_the_climber_does_not_enter_the_storm() -> None:
    table = desert("climber,explorer", at="C2")
    assert table.refused("climber", "move C3") == table.refused("climber", "carry explorer C3") == "FD-12"


@pytest.mark.rule("FD-51")
def test_the_climber_takes_one_pawn_of_his_tile_along_for_the_same_action() -> None:
    table = desert("climber,explorer,navigator", at={"navigator": "B1"}, sand={"A2": 3})
    assert table.choices("climber", "carry") == {"explorer A2", "explorer B1"}
    table.do("climber", "carry explorer A2")
    assert table.at("climber") == table.at("explorer") == "A2" and table.state.left == 3
    assert table.refused("climber", "carry navigator A3") == table.refused("climber", "carry climber A3") == "FD-51"


@pytest.mark.rule("FD-51")
def test_only_the_climber_carries() -> None:
    table = desert("explorer,climber")
    assert table.refused("explorer", "carry climber A2") == "FD-51"


@pytest.mark.rule("FD-52")
def test_nobody_is_buried_on_the_climbers_tile() -> None:
    table = desert("explorer,climber", at="B2", sand={"B2": 4, "B1": 2})
    assert table.choices("explorer", "move") == {"A1", "C1", "A2", "C2", "A3", "B3"}
    assert table.can("explorer", "clear B1") and not table.view()["seats"][0]["buried"]


@pytest.mark.rule("FD-52")
def test_no_part_and_no_excavation_even_so_under_the_sand() -> None:
    table = desert("explorer,climber", at="B2", sand={"B2": 2}, parts={"engine": "B2"}, excavated="B2")
    assert table.refused("explorer", "take engine") == "FD-17"
    table = desert("explorer,climber", at="B2", sand={"B2": 2})
    assert table.refused("explorer", "excavate") == "FD-16"


@pytest.mark.rule("FD-52")
def test_a_passenger_left_behind_on_a_blocked_tile_is_buried() -> None:
    table = desert("climber,explorer", sand={"B1": 2})
    table.do("climber", "carry explorer B1", "move C1", "end")
    table.storm("west-1", "east-1")
    assert table.turn == "explorer" and table.view()["seats"][1]["buried"]
    assert table.refused("explorer", "move A1") == "FD-34"


@pytest.mark.rule("FD-53")
def test_the_explorer_moves_and_digs_diagonally() -> None:
    table = desert("explorer,navigator", at="B2", sand={"A1": 1, "C1": 2, "B2": 1})
    assert table.choices("explorer", "move") == {"A1", "B1", "A2", "C2", "A3", "B3"}
    assert table.choices("explorer", "clear") == {"A1", "C1", "B2"}
    assert table.refused("explorer", "move C1") == "FD-13"
    assert table.refused("explorer", "move D2") == table.refused("explorer", "clear D2") == "FD-53"
    table.do("explorer", "clear C1", "move C1")


@pytest.mark.rule("FD-53")
def test_the_explorer_blasts_diagonally() -> None:
    table = desert("explorer,navigator", at="B2", sand={"A1": 4}, gear={"explorer": "dune-blaster"})
    table.do("explorer", "blast A1")
    assert table.sand("A1") == 0


@pytest.mark.rule("FD-53")
def test_the_explorer_gives_nothing_diagonally() -> None:
    table = desert("explorer,navigator", at={"explorer": "B2"}, gear={"explorer": "jet-pack"}, water={"navigator": 0})
    assert table.refused("explorer", "water navigator 1") == "FD-18"
    assert table.refused("explorer", "give jet-pack navigator") == "FD-19"


@pytest.mark.rule("FD-54")
def test_each_action_of_the_meteorologist_holds_off_one_card_of_this_turn() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.do("meteorologist", "calm", "calm", "end")
    assert table.state.left == 1
    table.storm("north-1")
    assert table.turn == "explorer"
    table.do("explorer", "end")
    assert table.state.left == 3


@pytest.mark.rule("FD-54")
def test_with_no_card_left_the_next_turn_begins_at_once() -> None:
    table = desert("meteorologist,explorer")
    table.do("meteorologist", "calm", "calm")
    assert table.refused("meteorologist", "calm") == "FD-54"
    assert table.do("meteorologist", "end") == ["Explorer's turn begins"]
    assert table.turn == "explorer" and table.view()["storm"]["deck"] == 31


@pytest.mark.rule("FD-54", "FD-55")
def test_only_the_meteorologist_reads_the_weather() -> None:
    table = desert("explorer,meteorologist")
    assert table.refused("explorer", "calm") == "FD-54" and table.refused("explorer", "forecast") == "FD-55"


@pytest.mark.rule("FD-55")
def test_the_meteorologist_looks_at_as_many_cards_as_the_meter_says_and_puts_one_under() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.stack("sun", "north-2", "picks-up", "west-1")
    told = table.do("meteorologist", "forecast")
    assert told[1:] == ["Card 1 is Sun Beats Down", "Card 2 is wind north, 2", "Card 3 is Storm Picks Up"]
    assert table.choices("meteorologist", "bottom") == {"1", "2", "3"} and table.can("meteorologist", "keep")
    table.do("meteorologist", "bottom 3")
    assert table.state.left == 3
    seen = [(card["number"], card["card"]) for card in table.view("meteorologist")["storm"]["foreseen"]]
    assert seen == [(1, "sun"), (2, "north-2"), (31, "picks-up")]
    table.do("meteorologist", "end", "draw", "draw", "draw")
    assert table.view()["storm"]["discard"] == {"sun": 1, "north-2": 1, "west-1": 1}


@pytest.mark.rule("FD-55")
def test_she_may_leave_them_all() -> None:
    table = desert("meteorologist,explorer")
    table.stack("sun", "north-2")
    table.do("meteorologist", "forecast", "keep", "end", "draw", "draw")
    assert table.view()["storm"]["discard"] == {"sun": 1, "north-2": 1}


@pytest.mark.rule("FD-55")
def test_what_she_holds_off_does_not_narrow_her_sight() -> None:
    table = desert("meteorologist,explorer")
    table.do("meteorologist", "calm", "calm", "forecast")
    assert table.choices("meteorologist", "bottom") == {"1", "2"}


@pytest.mark.rule("FD-55")
def test_she_sees_no_more_cards_than_are_left() -> None:
    table = desert("meteorologist,explorer", tick=13, cards=2)
    table.do("meteorologist", "forecast")
    assert table.choices("meteorologist", "bottom") == {"1", "2"}


@pytest.mark.rule("FD-55", "FD-60")
def test_nothing_happens_before_she_has_chosen() -> None:
    table = desert("meteorologist,explorer", gear={"explorer": "jet-pack", "meteorologist": "solar-shield"})
    table.do("meteorologist", "forecast")
    assert table.match.legal(1) == []
    assert table.refused("explorer", "jet B1") == table.refused("explorer", "water meteorologist 1") == "FD-55"
    assert table.refused("meteorologist", "shield") == table.refused("meteorologist", "end") == "FD-55"
    table.do("meteorologist", "keep")
    assert table.refused("meteorologist", "keep") == "FD-55"
    table.do("explorer", "jet B1")


@pytest.mark.rule("FD-56")
def test_the_navigator_moves_a_pawn_up_to_three_steps_with_one_action() -> None:
    table = desert("navigator,archeologist")
    assert table.choices("navigator", "guide") == {"archeologist A2", "archeologist B1"}
    table.do("navigator", "guide archeologist B1", "guide archeologist C1", "guide archeologist D1")
    assert table.at("archeologist") == "D1" and table.state.left == 3 and table.at("navigator") == "A1"
    table.do("navigator", "guide archeologist E1")
    assert table.state.left == 2


@pytest.mark.rule("FD-56")
def test_the_last_action_still_has_three_steps() -> None:
    table = desert("navigator,archeologist")
    table.state.left = 1
    table.do("navigator", "guide archeologist B1")
    assert table.state.left == 0 and table.choices("navigator", "move") == set()
    table.do("navigator", "guide archeologist C1", "guide archeologist D1")
    assert table.refused("navigator", "guide archeologist E1") == "FD-10"


@pytest.mark.rule("FD-56")
def test_another_pawn_or_another_action_ends_the_guiding() -> None:
    table = desert("navigator,archeologist,explorer")
    table.do("navigator", "guide archeologist B1", "guide explorer B2")
    assert table.state.left == 2
    table.do("navigator", "guide archeologist C1")
    assert table.state.left == 1
    table.do("navigator", "move A2")
    assert table.state.left == 0 and table.choices("navigator", "guide") == set()
    assert table.view()["turn"]["guided"] is None and table.view()["turn"]["steps"] == 0


@pytest.mark.rule("FD-56")
def test_free_things_fit_between_two_steps() -> None:
    table = desert("navigator,archeologist", sand={"C1": 2}, gear={"archeologist": "dune-blaster"})
    table.do("navigator", "guide archeologist B1")
    table.do("archeologist", "blast C1")
    table.do("navigator", "guide archeologist C1")
    assert table.state.left == 3


@pytest.mark.rule("FD-56")
def test_a_guided_pawn_keeps_to_the_rules_of_moving() -> None:
    tiles = {"B1": "tunnel", "E5": "tunnel", "A5": "crash"}
    table = desert("navigator,archeologist,explorer", tiles=tiles, excavated="B1 E5", sand={"A2": 2})
    assert table.choices("navigator", "guide") == {"archeologist B1", "explorer B1", "explorer B2"}
    assert table.refused("navigator", "guide archeologist A2") == "FD-13"
    assert table.refused("navigator", "guide archeologist B2") == table.refused("navigator", "guide navigator B1")
    table.do("navigator", "guide archeologist B1", "guide archeologist E5", "guide archeologist D5")
    assert table.state.left == 3


@pytest.mark.rule("FD-56")
def test_a_buried_pawn_is_not_guided_and_only_the_navigator_guides() -> None:
    table = desert("navigator,archeologist", at={"archeologist": "B2"}, sand={"B2": 2})
    assert table.refused("navigator", "guide archeologist B1") == "FD-56"
    assert table.refused("navigator", "guide navigator A2") == "FD-56"
    table = desert("archeologist,navigator")
    assert table.refused("archeologist", "guide navigator A2") == "FD-56"
    table = desert("navigator,archeologist")
    assert table.refused("navigator", "carry archeologist A2") == "FD-56"


@pytest.mark.rule("FD-56", "FD-51")
def test_the_navigator_guides_the_climber_over_blocked_tiles_with_passengers_chosen_anew() -> None:
    """The Climber picks up the Explorer, sets him down, goes on alone; or takes the Navigator himself."""
    table = desert("navigator,climber,explorer", at={"climber": "B1", "explorer": "C1"}, sand={"C1": 2, "D1": 2})
    assert table.refused("navigator", "guide explorer C2") == "FD-56"
    table.do("navigator", "guide climber C1", "carry explorer D1", "guide climber E1")
    assert (table.at("climber"), table.at("explorer"), table.state.left) == ("E1", "D1", 3)
    assert table.view()["seats"][2]["buried"]


@pytest.mark.rule("FD-56")
def test_the_navigator_may_be_the_passenger_and_goes_on_guiding_even_when_buried() -> None:
    table = desert("navigator,climber", sand={"B1": 2, "C1": 2})
    table.do("navigator", "carry navigator B1", "carry navigator C1")
    assert table.at("navigator") == table.at("climber") == "C1" and table.state.left == 3
    table.do("navigator", "guide climber D1")
    assert table.view()["seats"][0]["buried"]
    assert table.refused("navigator", "guide climber E1") == "FD-34"
    table = desert("navigator,climber", sand={"B1": 2})
    table.do("navigator", "carry navigator B1", "guide climber C1", "guide climber D1")
    assert table.view()["seats"][0]["buried"] and table.at("climber") == "D1"


@pytest.mark.rule("FD-56")
@pytest.mark.parametrize("corner", ["A1", "E5"])
def test_the_navigator_guides_into_every_corner(corner: str) -> None:
    """The first and the last seat, the first and the last place."""
    beside = {"A1": "A2", "E5": "E4"}[corner]
    roles = "navigator,climber,explorer,archeologist,meteorologist"
    table = desert(roles, at=beside, tiles={"E5": "gear", "C1": "crash"})
    table.do("navigator", f"carry navigator {corner}")
    assert table.at("climber") == table.at("navigator") == corner
    table.do("navigator", f"guide meteorologist {corner}")
    assert table.at("meteorologist") == corner
    table = desert(roles, at=beside, tiles={"E5": "gear", "C1": "crash"})
    table.do("navigator", f"carry meteorologist {corner}", f"carry meteorologist {beside}")
    assert table.at("climber") == table.at("meteorologist") == beside


@pytest.mark.rule("FD-57")
def test_the_water_carrier_fills_up_at_an_excavated_well() -> None:
    table = desert("water-carrier,explorer", tiles={"A1": "well"}, excavated="A1", water={"water-carrier": 0})
    table.do("water-carrier", "fill", "fill", "fill")
    assert table.water("water-carrier") == 5 and table.state.left == 1 and table.water("explorer") == 4


@pytest.mark.rule("FD-57")
@pytest.mark.parametrize(("tile", "excavated"), [("mirage", "A1"), ("well", ""), ("gear", "A1")])
def test_she_fills_up_nowhere_else(tile: str, excavated: str) -> None:
    table = desert("water-carrier,explorer", tiles={"A1": tile}, excavated=excavated, water={"water-carrier": 0})
    assert table.refused("water-carrier", "fill") == "FD-57"


@pytest.mark.rule("FD-57")
def test_nobody_else_fills_up() -> None:
    table = desert("explorer,water-carrier", tiles={"A1": "well"}, excavated="A1", water={"explorer": 0})
    assert table.refused("explorer", "fill") == "FD-57"


@pytest.mark.rule("FD-58")
def test_the_water_carrier_gives_to_tiles_beside_hers_at_any_time() -> None:
    at = {"water-carrier": "B2", "explorer": "B1", "navigator": "A1", "climber": "B2"}
    thirsty = {"explorer": 1, "navigator": 1, "climber": 1}
    table = desert("explorer,water-carrier,navigator,climber", at=at, water=thirsty)
    assert table.choices("water-carrier", "water") == {
        *("explorer 1", "explorer 2", "explorer 3"),
        *("climber 1", "climber 2"),
    }
    table.do("water-carrier", "water explorer 3")
    assert table.water("explorer") == 4 and table.water("water-carrier") == 2
    assert table.refused("water-carrier", "water navigator 1") == "FD-58"


@pytest.mark.rule("FD-58")
def test_nobody_gives_to_her_from_there() -> None:
    table = desert("explorer,water-carrier", at={"explorer": "B1"}, water={"water-carrier": 1})
    assert table.refused("explorer", "water water-carrier 1") == "FD-18"


@pytest.mark.rule("FD-56")
def test_steps_not_taken_are_lost_at_the_end_of_the_actions() -> None:
    table = desert("navigator,archeologist")
    table.do("navigator", "guide archeologist B1", "end")
    assert table.view()["turn"]["guided"] is None and table.view()["turn"]["steps"] == 0
