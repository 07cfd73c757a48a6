"""Flood cards, sinking and swimming, FI-50 to FI-57."""

from __future__ import annotations

import pytest

from skerry.games.forbidden_island.rules import components

from .positions import DRY, Island


@pytest.mark.rule("FI-50")
@pytest.mark.parametrize("tick", range(1, 10))
def test_each_turn_draws_as_many_flood_cards_as_the_meter_says(tick: int) -> None:
    island = Island("pilot,messenger").swap("fools-landing", "A3").at(0, "A3").at(1, "A4")
    island.state.water = tick - 1
    island.go_to_flood_cards()
    expected = (2, 2, 3, 3, 3, 4, 4, 5, 5)[tick - 1]
    for drawn in range(1, expected + 1):
        island.play("0 flood")
        assert len(island.match.view(None)["flood_deck"]["discard"]) == drawn
    assert island.match.waiting == (1,)


@pytest.mark.rule("FI-51")
def test_a_dry_tile_floods_and_pawns_stay() -> None:
    island = Island().at(0, "C3").go_to_flood_cards().next_flood_cards("C3")
    assert island.play("0 flood") == ["flooded"]
    assert island.condition("C3") == "flooded" and island.place_of(0) == "C3"
    assert (
        island.match.view(None)["flood_deck"]["discard"][-1]
        == components.TILE_NAMES[island.state.tile_at[island.place("C3")]]
    )


@pytest.mark.rule("FI-52")
def test_a_flooded_tile_sinks_and_its_card_leaves_the_game() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 1)).go_to_flood_cards().next_flood_cards("C1")
    assert island.play("0 flood") == ["sank"]
    assert island.condition("C1") == "sunk"
    view = island.match.view(None)["flood_deck"]
    bridge = "breakers-bridge"
    assert bridge not in view["discard"] and all(bridge not in pile for pile in view["piles"])
    assert view["cards"] + len(view["discard"]) == 23


@pytest.mark.rule("FI-53")
def test_the_flood_deck_runs_out_and_is_renewed_with_the_card_just_drawn() -> None:
    island = Island().go_to_flood_cards().last_flood_cards("C3")
    assert island.play("0 flood") == ["flooded", "flood-renewed"]
    view = island.match.view(None)["flood_deck"]
    assert view["cards"] == 24 and view["discard"] == []
    assert "flood" in island.legal(0)  # drawing goes on
    assert len(view["piles"]) == 1


@pytest.mark.rule("FI-53")
def test_the_card_of_a_tile_that_sank_is_not_in_the_new_deck() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 1)).go_to_flood_cards().last_flood_cards("C1")
    assert island.play("0 flood") == ["sank", "flood-renewed"]
    view = island.match.view(None)["flood_deck"]
    assert view["cards"] == 23 and "breakers-bridge" not in view["piles"][0]


@pytest.mark.rule("FI-53", "FI-55")
def test_the_deck_is_renewed_even_while_a_pawn_must_swim() -> None:
    island = (
        Island("engineer,messenger", DRY.replace(".", "~", 1)).at(0, "C1").go_to_flood_cards().last_flood_cards("C1")
    )
    assert island.play("0 flood") == ["sank", "flood-renewed"]
    assert island.match.waiting == (0,) and island.legal(0, "swim") == {"D1", "C2"}


SINKING = """
        . .
      . ~ - .
    . . ~ - . .
    . . . . . .
      . . . .
        . ."""


@pytest.mark.rule("FI-55")
def test_a_pawn_swims_to_an_adjacent_tile_still_there() -> None:
    island = Island("engineer,messenger", SINKING).at(0, "C3").go_to_flood_cards().next_flood_cards("C3")
    island.play("0 flood")
    assert island.match.waiting == (0,)
    assert island.legal(0) == {"swim C2", "swim B3", "swim C4"}  # C2 is flooded; D3 has sunk
    island.refuses("0 swim D3", "FI-55", "has sunk")
    island.refuses("0 swim B4", "FI-55", "two tiles away")
    island.refuses("1 swim B3", "FI-55", "when your tile sinks")
    island.play("0 swim C2")
    assert island.place_of(0) == "C2" and island.legal(0) == {"flood"}
    island.refuses("0 swim C1", "FI-55", "when your tile sinks")


@pytest.mark.rule("FI-56")
def test_the_explorer_swims_diagonally_too() -> None:
    island = Island("explorer,messenger", SINKING).at(0, "C3").go_to_flood_cards().next_flood_cards("C3")
    island.play("0 flood")
    assert island.legal(0, "swim") == {"B2", "C2", "B3", "B4", "C4", "D4"}
    island.refuses("0 swim A3", "FI-56", "two tiles away")


@pytest.mark.rule("FI-56")
def test_the_pilot_flies_from_a_sinking_tile_without_using_up_his_flight() -> None:
    island = Island("pilot,messenger", SINKING).at(0, "C3").go_to_flood_cards().next_flood_cards("C3")
    island.play("0 flood")
    assert len(island.legal(0, "swim")) == 21
    island.play("0 swim F4")
    assert island.place_of(0) == "F4" and not island.match.view(0)["turn"]["flight_used"]


@pytest.mark.rule("FI-56")
def test_the_diver_swims_to_a_nearest_tile_over_places_that_held_tiles() -> None:
    board = """
            - -
          - - - .
        - - d - . .
        - - - . . .
          - . . .
            . ."""
    island = Island("diver,messenger", board).swap("fools-landing", "F3").at(1, "F4")
    island.captured("stone", "statue", "fire", "chalice").go_to_flood_cards().next_flood_cards("C3")
    island.play("0 flood")
    # Two steps: E3 (over D3), D4 (over D3 or C4), C5 (over C4). E2, D5 and E4 are three away.
    assert island.legal(0, "swim") == {"E3", "D4", "C5"}
    island.refuses("0 swim E2", "FI-56", "not the nearest")


@pytest.mark.rule("FI-57")
def test_pawns_swim_in_seat_order_from_the_player_whose_turn_it_is() -> None:
    island = Island("engineer,messenger,navigator", SINKING).at(0, "C3").at(1, "C3").at(2, "C3")
    island.state.turn = 1
    island.next_treasure_cards("stone", "statue").play("1 end", "1 draw", "1 draw")
    island.next_flood_cards("C3").play("1 flood")
    assert island.match.waiting == (1,)
    island.refuses("2 swim B3", "FI-57", "The Messenger swims first")
    island.refuses("0 swim B3", "FI-57", "The Messenger swims first")
    island.play("1 swim B3")
    assert island.match.waiting == (2,)
    island.play("2 swim B3")
    assert island.match.waiting == (0,)
    island.play("0 swim C2")
    assert island.match.waiting == (1,) and island.legal(1) == {"flood"}


@pytest.mark.rule("FI-57", "FI-61", "FI-62")
def test_losing_the_game_by_a_tile_comes_before_swimming() -> None:
    board = DRY.replace(".", "~", 1)
    landing = (
        Island("engineer,messenger", board)
        .swap("fools-landing", "C1")
        .at(0, "C1")
        .go_to_flood_cards()
        .next_flood_cards("C1")
    )
    landing.play("0 flood")
    assert landing.ending == "landing-lost" and landing.match.waiting == ()


@pytest.mark.rule("FI-57", "FI-63")
def test_a_stranded_pawn_comes_before_the_swims_of_others() -> None:
    """The Engineer is stranded and nobody has a lift, so the game is lost before the Pilot can fly."""
    island = Island("engineer,pilot", STRANDING).at(0, "C1").at(1, "C1").go_to_flood_cards().next_flood_cards("C1")
    island.play("0 flood")
    assert island.ending == "drowned"


STRANDING = """
        ~ -
      . - . .
    . . . . . .
    . . . . . .
      . . . .
        . ."""


@pytest.mark.rule("FI-57")
def test_the_last_flood_card_ends_the_turn_only_after_the_swims() -> None:
    island = Island("engineer,messenger", SINKING).at(0, "C3").go_to_flood_cards().next_flood_cards("A3", "C3")
    island.play("0 flood", "0 flood")
    assert island.match.view(0)["turn"]["seat"] == 0 and island.match.waiting == (0,)
    island.play("0 swim B3")
    assert island.match.view(0)["turn"] == {
        "number": 2,
        "seat": 1,
        "phase": "actions",
        "left": 3,
        "flight_used": False,
    }


@pytest.mark.rule("FI-57")
def test_losing_a_treasure_comes_before_drowning() -> None:
    island = Island("engineer,messenger", STRANDING).swap("coral-palace", "C1").swap("tidal-palace", "D1").at(0, "C1")
    assert island.go_to_flood_cards().next_flood_cards("C1").play("0 flood") == ["sank", "treasure-lost"]


@pytest.mark.rule("FI-56")
def test_the_diver_swims_to_a_flooded_tile_too() -> None:
    island = Island("diver,messenger", DRY.replace(".", "~", 2)).at(0, "C1").go_to_flood_cards().next_flood_cards("C1")
    island.play("0 flood")
    assert island.legal(0, "swim") == {"D1", "C2"}


@pytest.mark.rule("FI-56")
def test_a_pilot_who_has_flown_still_flies_from_a_sinking_tile() -> None:
    island = Island("pilot,messenger", DRY.replace(".", "~", 1)).at(0, "A3")
    assert island.play("0 move C1") == ["flew"]
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert len(island.legal(0, "swim")) == 23


@pytest.mark.rule("FI-53")
def test_the_new_flood_deck_is_shuffled() -> None:
    tops = set()
    for seed in range(30):
        island = Island().go_to_flood_cards().last_flood_cards("C3")
        island.state.rng = seed
        island.play("0 flood")
        tops.add(island.state.flood_deck[23])
    assert len(tops) > 10


@pytest.mark.rule("FI-10")
def test_turns_go_round_in_seat_order() -> None:
    island = Island("engineer,messenger,pilot", DRY)
    for turn, seat in enumerate((0, 1, 2, 0), 1):
        assert island.match.waiting == (seat,) and island.match.view(0)["turn"]["number"] == turn
        island.go_to_flood_cards(seat).play(f"{seat} flood", f"{seat} flood")
