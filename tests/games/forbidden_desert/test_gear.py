"""Gear, FD-60 to FD-66."""

from __future__ import annotations

import pytest

from skerry.bots.interrupts import moves_a_persons_piece

from .positions import desert


@pytest.mark.rule("FD-60")
def test_gear_is_played_for_free_by_its_holder_and_leaves_the_game() -> None:
    table = desert(gear={"archeologist": "dune-blaster"}, sand={"A1": 3})
    assert table.refusing_rule("meteorologist", "blast A1") == "FD-60"
    table.play("archeologist", "blast A1")
    assert table.gear("archeologist") == {} and table.state.left == 4 and table.view()["gear_deck"] == 11
    assert table.refusing_rule("archeologist", "blast A1") == "FD-60"


@pytest.mark.rule("FD-60")
def test_gear_is_played_in_other_seats_turns_and_between_two_storm_cards() -> None:
    table = desert("explorer,navigator", gear={"navigator": "dune-blaster solar-shield"}, water={"explorer": 1})
    table.play("navigator", "blast A2")
    table.draw_storm("sun")
    assert table.water("explorer") == 0
    table.play("navigator", "shield")
    table.draw_storm("sun")
    assert table.water("explorer") == 0 and table.match.result is None


@pytest.mark.rule("FD-60")
def test_gear_does_not_undo_a_storm_card_already_drawn() -> None:
    table = desert("explorer,navigator", gear={"navigator": "solar-shield"}, water={"explorer": 0})
    table.draw_storm("sun")
    assert table.match.result is not None and not table.can("navigator", "shield")


@pytest.mark.rule("FD-60")
def test_gear_without_effect_may_be_played() -> None:
    table = desert(gear={"archeologist": "dune-blaster solar-shield solar-shield water-reserve"})
    table.play("archeologist", "blast A1", "shield", "shield", "reserve")
    assert table.gear("archeologist") == {}


@pytest.mark.rule("FD-60")
def test_pages_ask_before_gear_without_effect_is_played() -> None:
    every = "dune-blaster solar-shield water-reserve terrascope"
    table = desert(
        "archeologist,explorer", at="B2", gear={"archeologist": every}, sand={"A2": 1}, water={"explorer": 1}
    )
    seat = table.seat("archeologist")

    def question(text: str) -> str:
        asked = table.match.game.ui.question(table.state, seat, table.match.action(text).id)
        return "" if asked is None else str(asked)

    assert question("blast A2") == question("shield") == question("reserve") == question("scope D4") == ""
    assert question("move A2") == question("end") == ""
    assert question("blast B2") == "There is no sand on B2. Play the Dune Blaster anyway?"
    table.play("archeologist", "shield", "scope D4", "reserve")
    assert question("shield") == "You have a Solar Shield up already. Play another one anyway?"
    assert question("scope D4") == "You know already what lies under D4. Play the Terrascope anyway?"
    assert question("reserve") == "", "the Explorer can take one more"
    table.state.water[table.seat("explorer")] += 1
    assert question("reserve") == "All canteens on your tile are full. Open the Secret Water Reserve anyway?"


@pytest.mark.rule("FD-60", "FD-66")
def test_the_time_throttle_is_played_in_the_holders_own_turn_before_its_end() -> None:
    table = desert(gear={"archeologist": "time-throttle"})
    table.play("archeologist", "move A2", "move A1", "move A2", "move A1")
    assert table.can("archeologist", "throttle")
    table.play("archeologist", "end")
    assert table.refusing_rule("archeologist", "throttle") == "FD-60"
    table.draw_storm("north-1", "south-1")
    assert table.turn == "meteorologist" and table.refusing_rule("archeologist", "throttle") == "FD-60"


@pytest.mark.rule("FD-61")
def test_the_dune_blaster_removes_all_sand_from_one_tile_in_reach() -> None:
    table = desert(at="B2", sand={"B1": 5, "A1": 2, "B2": 2}, gear={"archeologist": "dune-blaster"})
    assert table.choices("archeologist", "blast") == {"B2", "B1", "A2", "C2", "B3"}
    assert table.refusing_rule("archeologist", "blast A1") == "FD-61"
    table.play("archeologist", "blast B1")
    assert table.sand("B1") == 0 and table.sand("B2") == 2 and table.state.supply == 44


@pytest.mark.rule("FD-61")
def test_the_dune_blaster_does_not_work_on_the_storm() -> None:
    table = desert(at="C2", gear={"archeologist": "dune-blaster"})
    assert table.refusing_rule("archeologist", "blast C3") == "FD-61"


@pytest.mark.rule("FD-62")
def test_the_jet_pack_flies_to_any_unblocked_tile() -> None:
    table = desert("climber,explorer", gear={"climber": "jet-pack"}, sand={"E4": 2, "D4": 1})
    places = {f"{column}{row}" for column in "ABCDE" for row in "12345"} - {"A1", "C3", "E4"}
    alone = {choice for choice in table.choices("climber", "jet") if " " not in choice}
    assert alone == places
    for place in ("E4", "C3", "A1"):
        assert table.refusing_rule("climber", f"jet {place}") == "FD-62"
    table.play("climber", "jet D4")
    assert table.at("climber") == "D4" and table.at("explorer") == "A1" and table.state.left == 4


@pytest.mark.rule("FD-61", "FD-62", "FD-64")
@pytest.mark.parametrize("corner", ["A1", "E5"])
def test_gear_reaches_every_corner(corner: str) -> None:
    roles = "archeologist,climber,explorer,meteorologist,navigator"
    gear = {"archeologist": "jet-pack jet-pack terrascope dune-blaster"}
    table = desert(roles, at="C1", gear=gear, sand={corner: 1}, tiles={"E5": "mirage", "A1": "well", "C1": "crash"})
    table.play("archeologist", f"scope {corner}", f"jet {corner}", f"blast {corner}")
    assert table.at("archeologist") == corner and table.sand(corner) == 0
    assert table.sees("archeologist", corner) == {"A1": "well", "E5": "mirage"}[corner]
    table = desert(roles, at="C1", gear=gear)
    table.play("archeologist", f"jet {corner} navigator")
    assert table.at("archeologist") == table.at("navigator") == corner and table.at("climber") == "C1"


@pytest.mark.rule("FD-62")
def test_a_jet_pack_takes_along_one_pawn_even_if_buried() -> None:
    table = desert("explorer,navigator,archeologist", at="B2", sand={"B2": 3}, gear={"navigator": "jet-pack"}, water={})
    table.play("navigator", "jet E1 explorer")
    assert (table.at("navigator"), table.at("explorer"), table.at("archeologist")) == ("E1", "E1", "B2")
    assert table.can("explorer", "move D1")


@pytest.mark.rule("FD-62")
def test_bots_do_not_fly_a_persons_pawn_away_out_of_turn() -> None:
    table = desert("archeologist,explorer", gear={"archeologist": "jet-pack"})
    alone, together = (table.match.action(text).id for text in ("jet A1", "jet A1 explorer"))
    explorer = table.seat("explorer")
    assert moves_a_persons_piece(table.match.game, together, [explorer])
    assert not moves_a_persons_piece(table.match.game, together, [table.seat("archeologist")])
    assert not moves_a_persons_piece(table.match.game, alone, [explorer])


@pytest.mark.rule("FD-62")
def test_a_jet_packs_passenger_is_another_pawn_on_the_same_tile() -> None:
    table = desert("explorer,navigator", at={"navigator": "B1"}, gear={"explorer": "jet-pack"})
    assert (
        table.refusing_rule("explorer", "jet E1 navigator")
        == table.refusing_rule("explorer", "jet E1 explorer")
        == "FD-62"
    )


@pytest.mark.rule("FD-63")
def test_a_solar_shield_covers_its_user_and_all_pawns_on_that_tile() -> None:
    table = desert(
        "explorer,navigator,climber,archeologist",
        at={"climber": "B1", "archeologist": "E5"},
        gear={"explorer": "solar-shield"},
    )
    table.play("explorer", "shield", "move B1")
    table.draw_storm("sun")
    assert [table.water(role) for role in ("explorer", "navigator", "climber", "archeologist")] == [4, 3, 3, 2]


@pytest.mark.rule("FD-63")
def test_a_solar_shield_lasts_until_its_users_next_turn() -> None:
    table = desert("explorer,navigator", at={"navigator": "E1"}, gear={"explorer": "solar-shield"})
    table.play("explorer", "shield")
    table.draw_storm("sun", "north-1")
    assert table.turn == "navigator"
    table.draw_storm("sun")
    assert (table.water("explorer"), table.water("navigator")) == (4, 2)
    assert table.view()["seats"][0]["shielded"]
    table.draw_storm("south-1")
    assert table.turn == "explorer" and not table.view()["seats"][0]["shielded"]
    table.draw_storm("sun")
    assert (table.water("explorer"), table.water("navigator")) == (3, 1)


@pytest.mark.rule("FD-63")
def test_a_solar_shield_played_in_another_seats_turn_ends_with_its_users_turn() -> None:
    table = desert("explorer,navigator", gear={"navigator": "solar-shield"})
    table.play("navigator", "shield")
    table.draw_storm("sun", "north-1")
    assert table.turn == "navigator" and table.water("navigator") == 4
    table.draw_storm("sun")
    assert table.water("navigator") == 3


@pytest.mark.rule("FD-64")
def test_a_terrascope_shows_one_unexcavated_tile() -> None:
    table = desert(gear={"meteorologist": "terrascope"}, tiles={"D4": "launch-pad"}, excavated="B1")
    assert len(table.choices("meteorologist", "scope")) == 23
    assert (
        table.refusing_rule("meteorologist", "scope B1") == table.refusing_rule("meteorologist", "scope C3") == "FD-64"
    )
    assert table.play("meteorologist", "scope D4") == ["The Meteorologist plays a Terrascope on D4: launch pad"]
    assert table.sees("meteorologist", "D4") == "launch-pad"
    assert not table.view("meteorologist")["places"][18]["excavated"]


@pytest.mark.rule("FD-65")
def test_the_secret_water_reserve_gives_two_water_to_everybody_on_the_tile() -> None:
    table = desert(
        "explorer,climber,navigator",
        at={"navigator": "B1"},
        gear={"climber": "water-reserve"},
        water={"explorer": 0, "climber": 2, "navigator": 0},
    )
    table.play("climber", "reserve")
    assert [table.water(role) for role in ("explorer", "climber", "navigator")] == [2, 3, 0]


@pytest.mark.rule("FD-66")
def test_the_time_throttle_gives_two_more_actions() -> None:
    table = desert(gear={"archeologist": "time-throttle"})
    table.play("archeologist", "move A2", "move A1", "move A2", "move A1", "throttle", "move A2", "move A1")
    assert table.state.left == 0 and table.choices("archeologist", "move") == set()
