"""Public knowledge of the decks (FI-07): after Waters Rise! the cards on top are known, but not their order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.state import State

from .positions import Island

THREE_FLOODED = """
        ~ ~
      ~ . . .
    . . . . . .
    . . . . . .
      . . . .
        . ."""
ON_TOP = {"breakers-bridge", "cliffs-of-abandon", "crimson-forest"}


def after_waters_rise() -> Island:
    """A position after Waters Rise!, with three known cards on top of the flood deck."""
    island = Island("engineer,messenger", THREE_FLOODED).next_treasure_cards("waters-rise", "stone")
    island.play("0 end", "0 draw", "0 draw")
    return island


def determinized(island: Island, seed: int) -> State:
    world = StructBuffer(State, island.match.content)
    island.match.game.rules.determinize(world.struct, 0, np.uint64(seed))
    return world.struct


@pytest.mark.rule("FI-07", "FI-31")
def test_after_waters_rise_the_view_shows_the_cards_on_top_but_not_their_order() -> None:
    orders = set()
    for seed in range(20):
        island = after_waters_rise()
        island.state.rng = seed
        piles = island.match.view(0)["flood_deck"]["piles"]
        assert [len(pile) for pile in piles] == [3, 21]
        assert piles[0] == sorted(ON_TOP)
        orders.add(tuple(list(determinized(island, seed).flood_deck)[21:]))
    assert len(orders) > 3


@pytest.mark.rule("FI-07")
def test_a_second_waters_rise_puts_another_pile_on_top() -> None:
    island = after_waters_rise()
    island.play("0 flood", "0 flood")  # two of the three sink; one is left of that pile
    island.next_flood_cards("F3", "F4")  # and two more are turned over in the next turn
    island.state.layers = 0b1 << 19  # next_flood_cards has put those two above the pile: say so
    island.next_treasure_cards("stone", "statue").play("1 end", "1 draw", "1 draw", "1 flood", "1 flood")
    island.next_treasure_cards("waters-rise").play("0 end", "0 draw")
    piles = island.match.view(None)["flood_deck"]["piles"]
    assert set(piles[0]) == {components.TILE_NAMES[island.state.tile_at[island.place(p)]] for p in ("F3", "F4")}
    for seed in range(30):
        world = determinized(island, seed)
        top = set(list(world.flood_deck)[island.state.flood_left - 2 : island.state.flood_left])
        assert {components.TILE_NAMES[tile] for tile in top} == set(piles[0])


@pytest.mark.rule("FI-07")
def test_a_known_pile_shrinks_card_by_card() -> None:
    island = after_waters_rise()
    drawn = set()
    for left in (2, 1):
        before = {place["tile"] for place in island.match.view(0)["places"] if place["condition"] == "sunk"}
        island.play("0 flood")
        drawn |= {p["tile"] for p in island.match.view(0)["places"] if p["condition"] == "sunk"} - before
        assert [len(pile) for pile in island.match.view(0)["flood_deck"]["piles"]] == [left, 21]
        assert set(island.match.view(0)["flood_deck"]["piles"][0]) == ON_TOP - drawn
    island.play("1 end", "1 draw", "1 draw", "1 flood")
    assert [len(pile) for pile in island.match.view(0)["flood_deck"]["piles"]] == [21]


@pytest.mark.rule("FI-07")
def test_determinizations_keep_known_cards_and_are_uniform() -> None:
    island = after_waters_rise()
    tops: Counter[int] = Counter()
    nexts: Counter[int] = Counter()
    truth = island.match.content
    for seed in range(3000):
        world = determinized(island, seed)
        deck = list(world.flood_deck)
        assert set(deck[21:24]) == {14, 15, 16} and sorted(deck) == list(range(24))
        tops[deck[23]] += 1
        nexts[world.treasure_deck[world.treasure_left - 1]] += 1
    assert island.match.content == truth
    for count in tops.values():  # a third each, within five standard deviations
        assert abs(count - 1000) < 130
    left = Counter(list(island.state.treasure_deck)[: island.state.treasure_left])
    for card, copies in left.items():
        expected = 3000 * copies / island.state.treasure_left
        assert abs(nexts[card] - expected) < 5 * expected**0.5 + 5


@pytest.mark.rule("FI-07")
def test_determinizations_shuffle_each_pile_within_itself() -> None:
    island = Island()
    island.state.layers = 1 << 3 | 1 << 7  # piles of 3, 4 and 17 from the bottom
    seen: list[set[int]] = [set() for _ in range(components.TILES)]
    for seed in range(400):
        for i, tile in enumerate(list(determinized(island, seed).flood_deck)):
            seen[i].add(tile)
    deck = list(island.state.flood_deck)
    for low, high in ((0, 3), (3, 7), (7, 24)):
        assert all(seen[i] == set(deck[low:high]) for i in range(low, high))
