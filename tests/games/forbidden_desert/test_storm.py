"""The storm, FD-30 to FD-40."""

from __future__ import annotations

import pytest

from .positions import desert

CALM = "0 0 0 0 0"


@pytest.mark.rule("FD-30")
@pytest.mark.parametrize(("tick", "cards"), [(1, 2), (2, 3), (5, 4), (9, 5), (13, 6)])
def test_as_many_cards_are_drawn_as_the_meter_says(tick: int, cards: int) -> None:
    table = desert(tick=tick)
    table.play("archeologist", "end")
    table.stack("north-1", "south-1", "north-1", "south-1", "north-1", "south-1")
    for left in range(cards, 0, -1):
        assert table.state.left == left and table.turn == "archeologist"
        table.play("archeologist", "draw")
    assert table.turn == "meteorologist"


@pytest.mark.rule("FD-30")
def test_storm_cards_of_a_turn_lie_apart_until_its_end() -> None:
    table = desert(tick=2)
    table.draw_storm("north-1", "west-2")
    storm = table.view()["storm"]
    assert storm["apart"] == ["north-1", "west-2"] and storm["discard"] == {} and storm["deck"] == 29
    table.draw_storm("sun")
    storm = table.view()["storm"]
    assert storm["apart"] == [] and storm["discard"] == {"north-1": 1, "west-2": 1, "sun": 1}


@pytest.mark.rule("FD-30", "FD-40")
def test_a_reshuffle_during_a_turn_leaves_its_cards_out() -> None:
    table = desert(tick=2, cards=2)
    table.play("archeologist", "end", "draw")
    first = table.view()["storm"]["apart"][0]
    assert "The storm discards are shuffled into a new deck" in table.play("archeologist", "draw")
    storm = table.view()["storm"]
    assert storm["deck"] == 29 and storm["discard"] == {} and storm["apart"][0] == first
    table.play("archeologist", "draw")
    assert table.view()["storm"]["deck"] == 28 and sum(table.view()["storm"]["discard"].values()) == 3


@pytest.mark.rule("FD-40")
def test_the_deck_is_renewed_at_once_even_after_the_last_card_of_a_turn() -> None:
    table = desert(cards=2)
    table.play("archeologist", "end", "draw", "draw")
    assert table.turn == "meteorologist" and table.view()["storm"]["deck"] == 29
    assert sum(table.view()["storm"]["discard"].values()) == 2


@pytest.mark.rule("FD-40")
def test_the_new_storm_deck_is_shuffled() -> None:
    orders = set()
    for rng in range(8):
        table = desert(cards=2)
        table.state.rng = rng
        table.play("archeologist", "end", "draw", "draw")
        orders.add(tuple(table.state.storm_deck)[:29])
    assert len(orders) == 8


@pytest.mark.rule("FD-31", "FD-32")
@pytest.mark.parametrize(
    ("card", "storm", "sand"),
    [
        ("north-1", "C4", f"{CALM}\n{CALM}\n0 0 1 0 0\n0 0 @ 0 0\n{CALM}"),
        ("south-1", "C2", f"{CALM}\n0 0 @ 0 0\n0 0 1 0 0\n{CALM}\n{CALM}"),
        ("east-1", "B3", f"{CALM}\n{CALM}\n0 @ 1 0 0\n{CALM}\n{CALM}"),
        ("west-2", "E3", f"{CALM}\n{CALM}\n0 0 1 1 @\n{CALM}\n{CALM}"),
    ],
)
def test_tiles_move_with_the_arrow_and_the_storm_against_it(card: str, storm: str, sand: str) -> None:
    table = desert()
    table.draw_storm(card)
    assert table.view()["storm"]["place"] == storm and table.sand_picture() == sand


@pytest.mark.rule("FD-31")
def test_a_tile_carries_pawns_sand_and_parts() -> None:
    table = desert(
        at={"archeologist": "C4"},
        sand={"C4": 3},
        parts={"engine": "C4"},
        tiles={"C4": "tunnel", "C5": "mirage"},
        excavated="C4",
    )
    table.draw_storm("north-2")
    assert table.at("archeologist") == table.part("engine") == "C3" and table.sand("C3") == 4
    assert table.sees(None, "C3") == "tunnel" and table.sees(None, "C4") is None
    assert table.state.tunnels == 1 << 12 and table.at("meteorologist") == "A1"


@pytest.mark.rule("FD-32")
def test_excavated_tiles_get_sand_too_and_any_number_may_lie_on_one() -> None:
    table = desert(sand={"C4": 9}, excavated="C4")
    table.draw_storm("north-1")
    assert table.sand("C3") == 10 and table.state.supply == 38


@pytest.mark.rule("FD-33")
def test_where_no_tile_is_left_to_move_no_sand_is_added() -> None:
    table = desert(storm="E3")
    table.draw_storm("west-3")
    assert table.view()["storm"]["place"] == "E3" and table.state.supply == 48
    table = desert(storm="D3")
    table.draw_storm("west-3")
    assert table.view()["storm"]["place"] == "E3" and table.state.supply == 47


@pytest.mark.rule("FD-34")
def test_a_buried_pawn_only_removes_sand_from_its_own_tile() -> None:
    table = desert("explorer,navigator", at="B2", sand={"B2": 3, "B1": 1}, tiles={"B2": "gear"})
    assert {action.text for action in table.match.legal(0)} == {"end", "clear B2"}
    for action in ("move B1", "clear B1", "excavate", "take engine"):
        assert table.refusing_rule("explorer", action) == "FD-34"
    table.play("explorer", "clear B2")
    assert table.refusing_rule("explorer", "move B1") == "FD-34"
    table.play("explorer", "clear B2")
    assert table.can("explorer", "move B1") and table.can("explorer", "clear B1")


@pytest.mark.rule("FD-34")
def test_a_buried_pawn_takes_no_role_action() -> None:
    table = desert("meteorologist,explorer", at="B2", sand={"B2": 2})
    assert table.refusing_rule("meteorologist", "calm") == table.refusing_rule("meteorologist", "forecast") == "FD-34"
    table = desert("water-carrier,explorer", at="B2", sand={"B2": 2}, tiles={"B2": "well"}, excavated="B2")
    assert table.refusing_rule("water-carrier", "fill") == "FD-34"
    table = desert("navigator,explorer", at={"navigator": "B2"}, sand={"B2": 2})
    assert table.refusing_rule("navigator", "guide explorer A2") == "FD-34"


@pytest.mark.rule("FD-34")
def test_a_buried_pawn_still_shares_water_and_gear() -> None:
    table = desert(
        "explorer,navigator",
        at="B2",
        sand={"B2": 2},
        water={"navigator": 1},
        gear={"explorer": "dune-blaster jet-pack"},
    )
    table.play("explorer", "water navigator 1", "give jet-pack navigator", "blast B2")
    assert table.can("explorer", "move B1")


@pytest.mark.rule("FD-34")
def test_other_pawns_dig_out_a_buried_pawn() -> None:
    table = desert("explorer,navigator", at={"explorer": "B1", "navigator": "B2"}, sand={"B2": 2})
    table.play("explorer", "clear B2", "end")
    table.draw_storm("west-1", "east-1")
    assert table.can("navigator", "move B1")


@pytest.mark.rule("FD-35")
def test_the_49th_marker_loses_and_the_48th_does_not() -> None:
    table = desert(sand={"A5": 47})
    table.draw_storm("north-1")
    assert table.state.supply == 0 and table.match.result is None
    events = table.draw_storm("south-1")
    assert table.match.result is not None and table.match.result.reason == "buried"
    assert events[-1] == "No sand marker is left and the desert buries everything: you lose"
    assert sum(table.state.sand) == 48


@pytest.mark.rule("FD-35")
def test_an_empty_supply_does_not_lose_while_no_tile_moves() -> None:
    table = desert(sand={"A5": 48}, storm="E3")
    table.draw_storm("west-3")
    assert table.match.result is None


@pytest.mark.rule("FD-36")
def test_storm_picks_up_counts_from_the_next_turn() -> None:
    table = desert(tick=1)
    table.play("archeologist", "end")
    assert table.state.left == 2
    table.draw_storm("picks-up")
    assert table.view()["storm"]["tick"] == 2 and table.state.left == 1
    table.draw_storm("north-1")
    assert table.turn == "meteorologist"
    table.play("meteorologist", "end")
    assert table.state.left == 3


@pytest.mark.rule("FD-37", "FD-71")
@pytest.mark.parametrize(("roles", "last"), [("climber,navigator", 13), ("climber,navigator,explorer", 14)])
def test_reaching_the_skull_loses_at_once(roles: str, last: int) -> None:
    table = desert(roles, tick=last)
    events = table.draw_storm("picks-up")
    assert table.match.result is not None and table.match.result.reason == "swept" and not table.match.result.winners
    assert events[-1] == "The storm reaches the skull and sweeps you away: you lose"
    assert table.match.waiting == () and table.match.legal(0) == []


@pytest.mark.rule("FD-37")
def test_five_players_have_the_longest_track() -> None:
    table = desert("climber,navigator,explorer,archeologist,meteorologist", tick=14)
    table.draw_storm("picks-up")
    assert table.match.result is None
    table.draw_storm("picks-up")
    assert table.match.result is not None


@pytest.mark.rule("FD-38")
def test_every_pawn_without_shelter_drinks_one_water() -> None:
    table = desert("explorer,navigator,climber", at={"navigator": "B2", "climber": "E5"})
    table.draw_storm("sun")
    assert [table.water(role) for role in ("explorer", "navigator", "climber")] == [3, 3, 2]


@pytest.mark.rule("FD-39", "FD-71")
def test_a_pawn_without_water_lives_until_it_must_drink() -> None:
    table = desert("explorer,navigator", water={"explorer": 1})
    table.draw_storm("sun")
    assert table.water("explorer") == 0 and table.match.result is None
    events = table.draw_storm("sun")
    assert table.match.result is not None and table.match.result.reason == "thirst"
    assert events[-1] == "The Explorer died of thirst: you lose"


@pytest.mark.rule("FD-39")
def test_shelter_saves_a_pawn_without_water() -> None:
    table = desert("explorer,navigator", tiles={"A1": "tunnel"}, excavated="A1", water={"explorer": 0, "navigator": 0})
    table.draw_storm("sun", "sun")
    assert table.match.result is None
