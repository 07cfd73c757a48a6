"""Helicopter Lift and Sandbags, FI-40 to FI-44."""

from __future__ import annotations

import pytest

from .positions import DRY, Island

BOARD = """
        . ~
      . . ~ .
    . . . . . .
    . . - . . .
      . . . .
        . ."""


@pytest.mark.rule("FI-40")
def test_a_lift_takes_pawns_of_one_tile_to_another() -> None:
    island = Island("engineer,pilot,diver,messenger", BOARD).hand(1, lift=1)
    island.at(0, "C3").at(1, "A3").at(2, "C3").at(3, "C3")
    lifts = island.legal(1, "lift")
    groups = {text.split()[0] for text in lifts}
    assert groups == {
        *("engineer", "pilot", "diver", "messenger"),
        *("engineer,diver", "engineer,messenger", "diver,messenger", "engineer,diver,messenger"),
    }
    assert {text.split()[1] for text in lifts if text.startswith("pilot ")} == {
        *("C1", "D1", "B2", "C2", "D2", "E2", "B3", "C3", "D3", "E3", "F3"),
        *("A4", "B4", "D4", "E4", "F4", "B5", "C5", "D5", "E5", "C6", "D6"),
    }
    island.refuses("1 lift engineer,pilot C1", "FI-40", "pawns of one tile only")
    island.refuses("1 lift engineer C4", "FI-40", "has sunk")
    island.refuses("1 lift engineer,diver C3", "FI-40", "already")
    island.refuses("0 lift engineer C1", "FI-40", "no Helicopter Lift card")
    left = island.match.view(0)["turn"]["left"]
    island.play("1 lift engineer,messenger D1")  # flooded, on another's turn, without its player
    assert [island.place_of(seat) for seat in range(4)] == ["D1", "A3", "C3", "D1"]
    assert island.match.view(0)["turn"]["left"] == left


@pytest.mark.rule("FI-41")
def test_sandbags_dry_any_flooded_tile() -> None:
    island = Island("engineer,pilot", BOARD).hand(1, sandbags=2)
    assert island.legal(1, "sandbags") == {"D1", "D2"}
    island.play("1 sandbags D1")
    assert island.condition("D1") == "dry" and island.match.view(0)["turn"]["left"] == 3
    island.refuses("1 sandbags D1", "FI-41", "is dry")
    island.refuses("1 sandbags C4", "FI-41", "sunk for ever")
    island.refuses("0 sandbags D2", "FI-41", "no Sandbags card")


@pytest.mark.rule("FI-42", "FI-10")
def test_special_cards_can_be_played_between_any_two_steps() -> None:
    """During actions, before and between treasure cards, and before, between and after flood cards."""
    island = Island("engineer,pilot", BOARD).hand(0, sandbags=1).hand(1, lift=1)
    island.next_treasure_cards("stone", "statue").next_flood_cards("C1", "C2")

    def open_to_both() -> bool:
        return bool(island.legal(0, "sandbags")) and bool(island.legal(1, "lift"))

    assert open_to_both()
    for line in ("0 end", "0 draw", "0 draw", "0 flood", "0 flood"):
        island.play(line)
        assert open_to_both(), f"after {line}"
    assert island.match.waiting == (1,)  # the last of these windows is the next player's turn already


@pytest.mark.rule("FI-42")
def test_a_helicopter_lift_can_be_played_between_two_flood_cards() -> None:
    island = Island("engineer,pilot", BOARD).hand(1, lift=1).at(0, "D1")
    island.go_to_flood_cards().next_flood_cards("C2", "D1")
    island.play("0 flood", "1 lift engineer C6", "0 flood")
    assert island.place_of(0) == "C6" and island.condition("D1") == "sunk"
    assert island.match.waiting == (1,)


@pytest.mark.rule("FI-42")
def test_sandbags_between_two_flood_cards_save_a_tile() -> None:
    island = Island("engineer,pilot", BOARD).hand(1, sandbags=1).go_to_flood_cards().next_flood_cards("C2", "D1")
    island.play("0 flood", "1 sandbags D1", "0 flood")
    assert island.condition("D1") == "flooded"


@pytest.mark.rule("FI-42")
def test_a_flood_card_takes_effect_before_anything_can_be_played() -> None:
    island = Island("engineer,pilot", BOARD).hand(1, sandbags=1).go_to_flood_cards().next_flood_cards("D1")
    island.play("0 flood")
    assert island.condition("D1") == "sunk"
    island.refuses("1 sandbags D1", "FI-41", "sunk for ever")


@pytest.mark.rule("FI-43")
def test_while_a_pawn_is_in_the_water_only_lifts_of_such_pawns_can_be_played() -> None:
    island = Island("engineer,pilot,diver", BOARD).at(0, "D1").at(1, "C3").at(2, "D1")
    island.hand(1, lift=1, sandbags=1).go_to_flood_cards().next_flood_cards("D1")
    island.play("0 flood")
    assert island.match.waiting == (0,)
    assert island.legal(1, "sandbags") == set()
    island.refuses("1 sandbags D2", "FI-43", "only a Helicopter Lift")
    assert {text.split()[0] for text in island.legal(1)} == {"lift"}
    assert {text.split()[0] for text in island.legal(1, "lift")} == {"engineer", "diver", "engineer,diver"}
    island.refuses("1 lift pilot C1", "FI-43", "of the sunk tile only")
    island.refuses("1 lift off", "FI-43")
    island.refuses("1 lift engineer C4", "FI-40", "has sunk")
    island.refuses("0 flood", "FI-57", "The Engineer must swim first")
    island.play("1 lift engineer,diver C6")
    assert island.place_of(0) == island.place_of(2) == "C6"
    assert island.legal(0) == {"flood"}


@pytest.mark.rule("FI-44")
@pytest.mark.parametrize(("line", "card"), [("1 lift engineer C1", "helicopter-lift"), ("1 sandbags D1", "sandbags")])
def test_a_played_special_card_goes_to_the_discard(line: str, card: str) -> None:
    island = Island("engineer,pilot", BOARD).hand(1, lift=1, sandbags=1)
    island.play(line)
    assert island.match.view(None)["treasure_deck"]["discard"] == {card: 1}
    assert card not in island.cards(1)


@pytest.mark.rule("FI-43")
def test_a_swimming_pawn_may_lift_itself_to_a_flooded_tile() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 2)).at(0, "C1").hand(0, lift=1)
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert "engineer D1" in island.legal(0, "lift")
    assert {text.split()[0] for text in island.legal(0)} == {"swim", "lift"}
