"""Treasure cards, FI-30 to FI-37."""

from __future__ import annotations

import pytest

from skerry.games.forbidden_island.rules import components

from .positions import Island

SIX_FLOODED = """
        ~ ~
      ~ ~ ~ ~
    . . . . . .
    . . . . . .
      . . . .
        . ."""


def test_the_treasure_deck_has_the_right_cards() -> None:
    assert components.TREASURE_DECK_SIZE == 28 and components.CARD_COPIES == (5, 5, 5, 5, 3, 2, 3)


@pytest.mark.rule("FI-30")
def test_two_treasure_cards_are_drawn_one_at_a_time() -> None:
    island = Island().next_treasure_cards("fire", "lift")
    island.play("0 end", "0 draw")
    assert island.cards(0) == {"crystal-of-fire": 1}
    assert island.legal(0) == {"draw"}
    island.play("0 draw")
    assert island.cards(0) == {"crystal-of-fire": 1, "helicopter-lift": 1}
    assert "draw" not in island.legal(0)


@pytest.mark.rule("FI-31")
def test_waters_rise_raises_the_meter_and_restacks_the_flood_discard() -> None:
    island = Island("engineer,messenger", SIX_FLOODED, difficulty="normal").next_treasure_cards("waters-rise", "stone")
    island.play("0 end")
    assert island.play("0 draw") == ["rose", "restacked"]
    view = island.match.view(None)
    assert view["water"]["tick"] == 3
    assert view["flood_deck"]["discard"] == [] and view["flood_deck"]["cards"] == 24
    assert view["flood_deck"]["piles"][0] == sorted(components.TILE_NAMES[14:20])
    assert view["treasure_deck"]["discard"] == {"waters-rise": 1}
    assert island.cards(0) == {}
    island.play("0 draw")  # no replacement: this is the second and last card
    assert island.cards(0) == {"earth-stone": 1}
    assert island.legal(0) == {"flood"}
    assert island.match.view(None)["turn"]["left"] == 3
    for _ in range(3):
        island.play("0 flood")  # they come from the six on top, and sink
    assert sum(place["condition"] == "sunk" for place in island.match.view(None)["places"][:6]) == 3


@pytest.mark.rule("FI-31", "FI-50")
def test_the_new_number_of_flood_cards_counts_in_the_same_turn() -> None:
    island = Island("engineer,messenger", SIX_FLOODED, difficulty="elite")
    island.state.water = 4  # three cards; the next tick is four
    island.next_treasure_cards("waters-rise", "stone").play("0 end", "0 draw", "0 draw")
    assert island.match.view(None)["turn"]["left"] == 4


@pytest.mark.rule("FI-31")
def test_the_flood_discard_is_shuffled_onto_the_flood_deck() -> None:
    tops = set()
    for seed in range(40):
        island = Island("engineer,messenger", SIX_FLOODED).next_treasure_cards("waters-rise")
        island.state.rng = seed
        island.play("0 end", "0 draw")
        assert set(list(island.state.flood_deck)[18:24]) == set(range(14, 20))
        tops.add(island.state.flood_deck[23])
    assert tops == set(range(14, 20))


@pytest.mark.rule("FI-32")
def test_two_waters_rise_in_one_turn_restack_only_once() -> None:
    island = Island("engineer,messenger", SIX_FLOODED).next_treasure_cards("waters-rise", "waters-rise")
    island.play("0 end")
    assert island.play("0 draw") == ["rose", "restacked"]
    assert island.play("0 draw") == ["rose"]
    view = island.match.view(None)
    assert view["water"]["tick"] == 3 and view["turn"]["left"] == 3
    assert len(view["flood_deck"]["piles"]) == 2
    assert view["treasure_deck"]["discard"] == {"waters-rise": 2}


@pytest.mark.rule("FI-33")
def test_waters_rise_without_flood_discards_only_moves_the_meter() -> None:
    island = Island().next_treasure_cards("waters-rise")
    before = list(island.state.flood_deck)
    island.play("0 end")
    assert island.play("0 draw") == ["rose"]
    assert island.match.view(None)["water"]["tick"] == 2
    assert list(island.state.flood_deck) == before


@pytest.mark.rule("FI-34")
def test_the_last_treasure_card_brings_a_new_deck_at_once() -> None:
    island = Island().last_treasure_cards("fire")
    island.play("0 end")
    assert island.play("0 draw") == ["drew", "renewed"]
    view = island.match.view(None)
    assert view["treasure_deck"] == {"cards": 27, "discard": {}}
    assert "draw" in island.legal(0)


@pytest.mark.rule("FI-34")
def test_a_waters_rise_that_was_the_last_card_is_in_the_new_deck() -> None:
    island = Island().last_treasure_cards("waters-rise")
    island.play("0 end")
    assert island.play("0 draw") == ["rose", "renewed"]
    deck = list(island.state.treasure_deck)[: island.state.treasure_left]
    assert len(deck) == 28 and deck.count(components.WATERS_RISE) == 3


@pytest.mark.rule("FI-34")
def test_a_card_discarded_for_the_limit_is_not_in_the_new_deck() -> None:
    island = Island().hand(0, stone=3, statue=2).last_treasure_cards("fire")
    island.play("0 end")
    assert island.play("0 draw") == ["drew", "renewed"]
    island.play("0 discard fire")
    view = island.match.view(None)
    assert view["treasure_deck"]["discard"] == {"crystal-of-fire": 1}
    assert view["treasure_deck"]["cards"] == 22


@pytest.mark.rule("FI-35")
def test_the_hand_limit_is_checked_after_every_card() -> None:
    island = Island().hand(0, stone=3, statue=1, sandbags=1).next_treasure_cards("fire", "chalice")
    island.play("0 end", "0 draw")
    assert island.match.waiting == (0,)
    assert island.legal(0, "discard") == {"earth-stone", "statue-of-the-wind", "crystal-of-fire", "sandbags"}
    island.refuses("0 draw", "FI-35", "The Engineer must discard down to five cards first")
    island.refuses("0 discard chalice", "FI-35", "no Ocean's Chalice")
    island.refuses("1 discard stone", "FI-35", "no more than five")
    island.play("0 discard statue")
    assert island.legal(0, "draw") == {""}
    island.play("0 draw")
    island.refuses("0 flood", "FI-35", "must discard")
    island.play("0 discard chalice")
    assert sum(island.cards(0).values()) == 5
    assert "flood" in island.legal(0)


@pytest.mark.rule("FI-35", "FI-42")
def test_special_cards_stay_playable_while_a_seat_must_discard() -> None:
    board = SIX_FLOODED
    island = (
        Island("engineer,messenger", board)
        .hand(0, stone=3, statue=2)
        .hand(1, sandbags=1, lift=1)
        .next_treasure_cards("fire")
    )
    island.play("0 end", "0 draw")
    assert island.match.waiting == (0,)
    assert "C1" in island.legal(1, "sandbags") and island.legal(1, "lift")
    island.play("1 sandbags C1", "1 lift messenger C6")
    assert island.condition("C1") == "dry" and island.match.waiting == (0,)


@pytest.mark.rule("FI-36")
def test_playing_a_special_card_counts_as_the_discard() -> None:
    for line in ("0 sandbags C1", "0 lift messenger C1", "0 discard sandbags", "0 discard lift"):
        island = (
            Island("engineer,messenger", SIX_FLOODED).hand(0, stone=3, sandbags=1, lift=1).next_treasure_cards("fire")
        )
        island.play("0 end", "0 draw", line)
        assert sum(island.cards(0).values()) == 5
        assert "draw" in island.legal(0), line


@pytest.mark.rule("FI-36")
def test_a_special_card_discarded_unused_does_nothing() -> None:
    island = Island("engineer,messenger", SIX_FLOODED).hand(0, stone=4, sandbags=1).next_treasure_cards("fire")
    island.play("0 end", "0 draw", "0 discard sandbags")
    assert island.condition("C1") == "flooded"
    assert island.match.view(None)["treasure_deck"]["discard"] == {"sandbags": 1}


@pytest.mark.rule("FI-37", "FI-35")
def test_giving_to_a_full_hand_makes_that_player_discard_at_once() -> None:
    island = Island("messenger,engineer").hand(0, stone=1).hand(1, statue=5)
    island.play("0 give stone engineer")
    assert island.match.waiting == (1,)
    assert island.legal(0) == set()
    island.refuses("0 move C3", "FI-35", "The Engineer must discard")
    island.play("1 discard statue")
    assert island.match.waiting == (0,) and island.match.view(0)["turn"]["left"] == 2
    assert island.cards(1) == {"earth-stone": 1, "statue-of-the-wind": 4}


@pytest.mark.rule("FI-34")
def test_the_new_treasure_deck_is_shuffled() -> None:
    tops = set()
    for seed in range(30):
        island = Island().last_treasure_cards("fire")
        island.state.rng = seed
        island.play("0 end", "0 draw")
        tops.add(island.state.treasure_deck[island.state.treasure_left - 1])
    assert len(tops) >= 5
