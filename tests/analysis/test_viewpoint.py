"""What ``reshuffle`` resamples: the cards that no seat knows, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.analysis.viewpoint import reshuffle_of
from skerry.engine.game import Variant
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from tests.analysis.matches import played_by, recorded

HIDDEN = {"cartagena": {"rng", "deck", "tokens"}, "hashi": {"rng", "deck"}}


def reshuffled(match: Match, seed: int) -> StructBuffer[object]:
    reshuffle = reshuffle_of(match.game)
    assert reshuffle is not None
    world: StructBuffer[object] = StructBuffer(match.game.state_struct, match.content)
    reshuffle(world.struct, np.uint64(seed))
    return world


MATCHES = [
    pytest.param(lambda: recorded("cartagena-magic-4"), id="cartagena-magic"),
    pytest.param(lambda: recorded("cartagena-reshuffled-2"), id="cartagena-reshuffled"),
    pytest.param(lambda: unfinished(skerry.game("cartagena", players=5)), id="cartagena"),
    pytest.param(lambda: unfinished(skerry.game("hashi", players=2)), id="hashi"),
]


def unfinished(variant: Variant) -> Match:
    return played_by(variant, "novice", 3, most_steps=20)


@pytest.mark.parametrize("make", MATCHES)
def test_only_the_order_of_cards_to_come_is_resampled(make: object) -> None:
    match = make()  # type: ignore[operator]
    contents = (match.content, reshuffled(match, 5).content)
    before, after = (StructBuffer(match.game.state_struct, content).array[0] for content in contents)
    changed = {name for name in before.dtype.names if not np.array_equal(before[name], after[name])}
    assert "deck" in changed and changed <= HIDDEN[match.game.name]
    for name in changed - {"rng"}:
        assert sorted(before[name].tolist()) == sorted(after[name].tolist())


@pytest.mark.parametrize("make", MATCHES)
def test_the_result_does_not_depend_on_the_true_order(make: object) -> None:
    match = make()  # type: ignore[operator]
    world = reshuffled(match, 5)
    again = reshuffled(match, 6)
    match.replace_content(again.content)
    assert reshuffled(match, 5).content == world.content != again.content


def test_cards_that_a_seat_has_put_on_the_deck_stay_there() -> None:
    match = recorded("cartagena-magic-4")
    state = match.state
    state.tops[1] = 2
    left = state.deck_left
    top = [int(card) for card in list(state.deck)[left - 2 : left]]
    for seed in range(5):
        deck = reshuffled(match, seed).array["deck"][0].tolist()
        assert deck[left - 2 : left] == top
