"""A turn and its actions, FI-10 to FI-22."""

from __future__ import annotations

import pytest

import skerry

from .positions import DRY, Island


@pytest.mark.rule("FI-10")
def test_a_turn_is_actions_then_two_treasure_cards_then_flood_cards() -> None:
    island = Island("engineer,messenger", DRY).at(0, "C3").next_treasure_cards("stone", "statue")
    island.play("0 move C4", "0 move C3", "0 move C4")
    assert island.legal(0) == {"end"}
    island.refuses("0 move C3", "FI-10", "used all three actions")
    island.refuses("0 draw", "FI-10", "do your actions")
    island.play("0 end")
    assert island.legal(0) == {"draw"}
    island.refuses("0 flood", "FI-10", "two more")
    island.refuses("0 move C3", "FI-10", "actions of this turn are over")
    island.play("0 draw", "0 draw")
    assert island.legal(0) == {"flood"}
    island.play("0 flood")
    assert island.match.waiting == (0,)
    island.play("0 flood")
    assert island.match.waiting == (1,)
    island.refuses("0 end", "FI-10", "the Messenger's turn")


@pytest.mark.rule("FI-10")
@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_a_turn_has_up_to_three_actions(taken: int) -> None:
    island = Island().at(0, "C3")
    for i in range(taken):
        island.play(f"0 move {'C4' if i % 2 == 0 else 'C3'}")
    assert "end" in island.legal(0)
    assert bool(island.legal(0, "move")) == (taken < 3)
    island.play("0 end")
    assert island.legal(0) == {"draw"}


@pytest.mark.rule("FI-11")
def test_actions_mix_and_repeat() -> None:
    board = """
            . .
          . . . .
        . . ~ ~ . .
        . . . . . .
          . . . .
            . ."""
    island = Island("navigator,messenger", board).at(0, "C4").at(1, "C4").hand(0, stone=2)
    island.play("0 give stone messenger", "0 shore C3", "0 give stone messenger")
    assert island.cards(1) == {"earth-stone": 2}
    assert island.condition("C3") == "dry"


@pytest.mark.rule("FI-12")
def test_a_pawn_walks_to_an_adjacent_tile_dry_or_flooded() -> None:
    board = """
            . .
          . ~ . .
        . . N . . .
        . . - . . .
          . . . .
            . ."""
    island = Island("navigator,pilot", board)
    assert island.legal(0, "move") == {"C2", "B3", "D3"}
    island.refuses("0 move C4", "FI-12", "has sunk")
    island.refuses("0 move D4", "FI-12", "two tiles away; a pawn moves to an adjacent tile")
    island.refuses("0 move C3", "FI-12", "already")
    island.play("0 move C2")
    assert island.place_of(0) == "C2" and island.condition("C2") == "flooded"


@pytest.mark.rule("FI-12")
def test_the_refusal_names_tile_distance_and_rule() -> None:
    island = Island("navigator,pilot").at(0, "C3").swap("copper-gate", "E3")
    island.refuses("0 move E3", "FI-12", "Copper Gate (E3) is two tiles away; a pawn moves to an adjacent tile (FI-12)")
    island.refuses("0 move copper-gate", "FI-12", "Copper Gate (E3)")


@pytest.mark.rule("FI-12")
def test_pawns_do_not_walk_across_the_sea() -> None:
    island = Island("navigator,pilot", layout="atoll-of-decisions").at(0, "A4")
    assert island.legal(0, "move") == {"A3", "A5"}


@pytest.mark.rule("FI-13")
def test_the_explorer_also_moves_diagonally() -> None:
    board = """
            . .
          . . - .
        . . X . . .
        . . . . . .
          . . . .
            . ."""
    island = Island("explorer,pilot", board)
    assert island.legal(0, "move") == {"B2", "C2", "B3", "D3", "B4", "C4", "D4"}
    island.refuses("0 move E4", "FI-13", "two tiles away")


@pytest.mark.rule("FI-14")
def test_the_pilot_flies_once_a_turn_and_walking_does_not_use_it_up() -> None:
    island = Island("pilot,diver").at(0, "C1")
    assert len(island.legal(0, "move")) == 23
    assert island.play("0 move D1") == ["moved"]
    assert len(island.legal(0, "move")) == 23
    assert island.play("0 move C6") == ["flew"]
    assert island.legal(0, "move") == {"D6", "C5"}
    island.refuses("0 move A3", "FI-14", "has flown this turn")
    island.play("0 end", "0 draw", "0 draw", "0 flood", "0 flood")
    island.play("1 end", "1 draw", "1 draw", "1 flood", "1 flood")
    assert len(island.legal(0, "move")) > 20


@pytest.mark.rule("FI-15")
def test_the_navigator_moves_another_pawn_up_to_two_tiles_as_it_walks() -> None:
    board = """
            . .
          . . . .
        . . E - . .
        . . . . . .
          . . . .
            . ."""
    island = Island("navigator,engineer", board).at(0, "A3")
    reach = {place.removeprefix("engineer ") for place in island.legal(0, "navigate")}
    assert reach == {"C2", "B3", "C4", "C1", "B2", "D2", "A3", "B4", "D4", "C5"}
    island.refuses("0 navigate engineer D3", "FI-15", "has sunk")
    island.refuses("0 navigate engineer E3", "FI-15", "out of reach")
    island.refuses("0 navigate engineer C3", "FI-15", "already")
    island.refuses("0 navigate navigator A4", "FI-15", "cannot guide himself")
    island.play("0 navigate engineer C5")
    assert island.place_of(1) == "C5" and island.place_of(0) == "A3"
    assert island.match.view(0)["turn"]["left"] == 2


@pytest.mark.rule("FI-15")
def test_the_navigator_moves_each_pawn_by_that_pawns_own_rules() -> None:
    board = """
            . .
          . . - .
        . . X - . .
        . . . - - .
          . . . .
            . ."""
    island = Island("navigator,explorer,diver,pilot", board).at(0, "A3").at(2, "C3").at(3, "F4")
    legal = island.legal(0, "navigate")
    explorer = {text.split()[1] for text in legal if text.startswith("explorer")}
    assert explorer == {
        *("C1", "D1", "B2", "C2", "A3", "B3", "A4", "B4", "C4", "B5", "C5", "D5")
    }  # diagonal steps, but over tiles that are there
    diver = {text.split()[1] for text in legal if text.startswith("diver")}
    assert diver == {"C1", "B2", "C2", "A3", "B3", "E3", "B4", "C4", "C5"}  # D3 lies sunk on the way to E3
    pilot = {text.split()[1] for text in legal if text.startswith("pilot")}
    assert pilot == {"F3", "E3"}  # E4 has sunk; he does not fly


@pytest.mark.rule("FI-15")
def test_only_the_navigator_moves_other_pawns() -> None:
    island = Island("pilot,navigator").at(1, "C3")
    assert island.legal(0, "navigate") == set()
    island.refuses("0 navigate navigator C4", "FI-15", "Only the Navigator")


@pytest.mark.rule("FI-16")
def test_the_diver_passes_flooded_and_missing_tiles_and_ends_on_a_tile() -> None:
    board = """
            . .
          . ~ . .
        . . D - ~ .
        . . . . - .
          . . . ~
            . ."""
    island = Island("diver,pilot", board)
    # C2 is flooded: through it to C1, B2, D2. D3 is sunk: through it to D2, D4, E3; E3 is flooded: on to E2, F3;
    # E4 is sunk: to D4, F4, E5; E5 is flooded: to D5. C4 and B3 are dry neighbours.
    assert island.legal(0, "move") == {"C2", "C1", "B2", "D2", "D4", "E3", "E2", "F3", "F4", "E5", "D5", "C4", "B3"}
    island.refuses("0 move C5", "FI-16", "cannot be reached")
    island.refuses("0 move A3", "FI-16", "not through dry ones")
    island.refuses("0 move D3", "FI-16", "has sunk")
    island.refuses("0 move C3", "FI-16", "already")
    island.play("0 move D5")
    assert island.place_of(0) == "D5" and island.match.view(0)["turn"]["left"] == 2


@pytest.mark.rule("FI-16")
def test_the_diver_cannot_cross_places_that_never_had_a_tile() -> None:
    ring = "- - - - - - - D - - . - - - - - - - - - - - - -"
    island = Island("diver,pilot", ring, layout="atoll-of-decisions")
    assert island.legal(0, "move") == {"G3"}  # from A3 all round the ring, over sunk places
    ring = "- . - - - - - D - - . - - - - - - - - - - - . -"
    island = Island("diver,pilot", ring, layout="atoll-of-decisions")
    assert island.legal(0, "move") == {"D1", "D7"}  # dry tiles close both ways to G3, and the lagoon is no way


@pytest.mark.rule("FI-17")
def test_one_action_shores_up_the_pawns_own_or_an_adjacent_flooded_tile() -> None:
    board = """
            ~ .
          . ~ ~ .
        . . m ~ ~ .
        . . - . . .
          . . . .
            . ."""
    island = Island("messenger,pilot", board)
    assert island.legal(0, "shore") == {"C2", "C3", "D3"}
    island.refuses("0 shore B3", "FI-17", "is dry")
    island.refuses("0 shore D2", "FI-17", "two tiles away")
    island.refuses("0 shore C4", "FI-17", "sunk for ever")
    island.play("0 shore C3", "0 shore D3")
    assert island.condition("C3") == island.condition("D3") == "dry"
    assert island.match.view(0)["turn"]["left"] == 1


@pytest.mark.rule("FI-18")
def test_the_engineer_shores_up_two_tiles_as_one_action() -> None:
    board = """
            . .
          . ~ . .
        . ~ e . . .
        . . . . ~ .
          . . . .
            . ."""
    island = Island("engineer,messenger", board)
    assert island.legal(0, "shore") == {"C2", "B3", "C3", "C2,B3", "C2,C3", "B3,C3"}
    island.play("0 shore C3,B3")
    assert island.condition("B3") == island.condition("C3") == "dry"
    assert island.match.view(0)["turn"]["left"] == 2
    island.play("0 shore C2")
    assert island.match.view(0)["turn"]["left"] == 1
    island.refuses("0 shore E4", "FI-17", "three tiles away")
    other = Island("messenger,engineer", board).at(0, "C3")
    other.refuses("0 shore C2,B3", "FI-18", "Only the Engineer")


@pytest.mark.rule("FI-19")
def test_the_explorer_shores_up_diagonally() -> None:
    board = """
            . .
          ~ . ~ .
        ~ . X . . .
        . ~ . . . .
          . . . .
            . ."""
    island = Island("explorer,pilot", board)
    assert island.legal(0, "shore") == {"B2", "D2", "B4"}
    island.refuses("0 shore A3", "FI-19", "two tiles away")
    assert Island("navigator,pilot", board.replace("X", ".")).at(0, "C3").legal(0, "shore") == set()


@pytest.mark.rule("FI-20")
def test_one_action_gives_one_card_to_a_player_on_the_same_tile() -> None:
    island = Island("engineer,pilot,diver").at(0, "C3").at(1, "C3").at(2, "C4")
    island.hand(0, stone=2, lift=1, sandbags=1)
    assert island.legal(0, "give") == {"earth-stone pilot"}
    island.play("0 give stone pilot")
    assert island.cards(0)["earth-stone"] == 1 and island.cards(1) == {"earth-stone": 1}
    assert island.match.view(0)["turn"]["left"] == 2
    island.refuses("0 give stone diver", "FI-20", "only the Messenger")
    island.refuses("0 give fire pilot", "FI-20", "no Crystal of Fire")
    island.refuses("0 give stone engineer", "FI-20", "another player")


@pytest.mark.rule("FI-20")
@pytest.mark.parametrize("role", ["engineer", "messenger"])
def test_special_cards_are_never_given(role: str) -> None:
    island = Island(f"{role},pilot").at(0, "C3").at(1, "C3").hand(0, lift=1, sandbags=1)
    assert island.legal(0, "give") == set()
    for card in ("helicopter-lift", "sandbags"):
        with pytest.raises(skerry.Unreadable, match="no treasure"):
            island.play(f"0 give {card} pilot")


@pytest.mark.rule("FI-21")
def test_the_messenger_gives_to_anybody_anywhere() -> None:
    island = Island("messenger,pilot,diver").at(0, "C1").at(1, "C6").at(2, "A3").hand(0, crystal=1, chalice=1)
    expected = {f"{card} {who}" for card in ("crystal-of-fire", "oceans-chalice") for who in ("pilot", "diver")}
    assert island.legal(0, "give") == expected
    island.play("0 give crystal diver")
    assert island.cards(2) == {"crystal-of-fire": 1}


@pytest.mark.rule("FI-22")
@pytest.mark.parametrize("flooded", [False, True])
@pytest.mark.parametrize("tile", ["temple-of-the-moon", "temple-of-the-sun"])
def test_four_cards_capture_a_treasure_on_either_of_its_tiles_flooded_or_dry(tile: str, flooded: bool) -> None:
    board = DRY if not flooded else DRY.replace(".", "~")
    island = Island("engineer,pilot", board).swap(tile, "C3").at(0, "C3").hand(0, stone=5)
    island.play("0 capture stone")
    view = island.match.view(None)
    assert view["treasures"]["earth-stone"] == 0
    assert island.cards(0) == {"earth-stone": 1}
    assert view["treasure_deck"]["discard"] == {"earth-stone": 4}
    assert view["turn"]["left"] == 2
    island.refuses("0 capture stone", "FI-22", "The Engineer has captured")


@pytest.mark.rule("FI-22")
def test_capturing_takes_four_cards_and_the_right_tile() -> None:
    island = Island("engineer,pilot").swap("cave-of-embers", "C3").at(0, "C3").hand(0, crystal=3, stone=1)
    assert island.legal(0, "capture") == set()
    island.refuses("0 capture fire", "FI-22", "you have three")
    island.refuses("0 capture stone", "FI-22", "Temple of the Moon or Temple of the Sun")


@pytest.mark.rule("FI-21")
def test_the_messenger_does_not_receive_cards_from_afar() -> None:
    island = Island("engineer,messenger").at(0, "C1").at(1, "C6").hand(0, stone=1)
    assert island.legal(0, "give") == set()


@pytest.mark.rule("FI-22")
def test_a_treasure_is_captured_only_once() -> None:
    island = Island("engineer,pilot").swap("temple-of-the-moon", "C3").at(0, "C3").hand(0, stone=4)
    island.state.captor[0] = 1
    assert island.legal(0, "capture") == set()
    island.refuses("0 capture stone", "FI-22", "The Pilot has captured")
