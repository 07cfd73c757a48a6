"""The probabilities and the plan of the bots, against the rules and sampled games."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_island.bot.plan import NOBODY, assign_collectors
from skerry.games.forbidden_island.bot.threat import (
    PROBABILITY_ONE,
    FloodPiles,
    flood_piles,
    probabilities_this_turn,
    tiles_by_loss,
)
from skerry.games.forbidden_island.bot.weights import SKILLED
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import TILES
from skerry.games.forbidden_island.rules.state import ACTIONS, State

from .positions import Island
from .test_knowledge import THREE_FLOODED, after_waters_rise

SAMPLES = 200 if INTERPRETED else 3_000


def test_flood_piles_agree_with_the_view() -> None:
    island = after_waters_rise()
    piles = flood_piles(island.state)
    assert piles.top == 0b111 and not piles.deep and not piles.discard
    assert piles.second == (1 << TILES) - 1 - 0b111


@pytest.mark.parametrize("water", [0, 3, 7])
def test_draw_probabilities_agree_with_sampled_turn_ends(water: int) -> None:
    """With a known pile of three on top, cards in the discard, and Waters Rise! still in the deck."""
    island = Island("engineer,messenger", THREE_FLOODED)
    island.next_treasure_cards("waters-rise", "stone").play("0 end", "0 draw", "0 draw", "0 flood")
    island.state.phase, island.state.turn, island.state.left, island.state.water = ACTIONS, 1, 0, water
    piles = flood_piles(island.state)
    expected = probabilities_this_turn(island.state, piles)
    drawn = _drawn(island, piles)
    for probability, frequency in zip(expected, drawn, strict=True):
        share = probability / PROBABILITY_ONE
        assert abs(frequency - share) < 5 * (share * (1 - share) / SAMPLES) ** 0.5 + 0.01


def _drawn(island: Island, piles: FloodPiles) -> list[float]:
    """How often the first card of each pile is drawn by the end of the turn."""
    rules, hits = island.match.game.rules, [0, 0, 0, 0]
    log = kernel_array(new_event_log(0))
    for seed in range(SAMPLES):
        world = StructBuffer(State, island.match.content)
        rules.determinize(world.struct, 1, np.uint64(seed))
        state = world.struct
        sunk = state.sunk
        rules.step(state, 1, actions.END, log)
        while state.turn == 1 and not state.ending and not state.swimming:
            rules.step(state, 1, actions.DRAW if state.phase < 2 else actions.FLOOD, log)
        shown = sum(1 << state.place_of[state.flood_discard[i]] for i in range(state.flood_shown))
        for i, pile in enumerate(piles):
            hits[i] += bool((shown | state.sunk & ~sunk) & pile & -pile)
    return [hit / SAMPLES for hit in hits]


def test_tiles_are_classified_by_what_losing_them_means() -> None:
    """The tiles of the treasures: Earth Stone E3 F3, Statue A4 B4, Crystal C4 D4, Chalice E4 F4."""
    island = Island("engineer,messenger").captured("chalice")
    state = island.state
    state.sunk = 1 << island.place("E3")
    state.flooded = 1 << island.place("A4") | 1 << island.place("B4") | 1 << island.place("C4")
    found = tiles_by_loss(state)
    assert found.landing == 1 << island.place("B5")
    assert found.vital == 1 << island.place("F3")
    assert found.shaky == 1 << island.place("A4") | 1 << island.place("B4")
    assert found.twin == 1 << island.place("C4") | 1 << island.place("D4")
    assert found.plain == (1 << TILES) - 1 - sum(found[:4]) - state.sunk


def test_each_treasure_is_assigned_to_the_best_collector() -> None:
    island = Island("engineer,diver").captured("chalice").hand(0, stone=3, statue=1).hand(1, stone=1, statue=2)
    collectors = assign_collectors(island.state, SKILLED[0])
    assert (collectors.stone, collectors.statue, collectors.chalice) == (0, 1, NOBODY)
    assert collectors.crystal in (0, 1)
