"""The observation of a seat."""

from __future__ import annotations

from skerry.games.cartagena import GAME

from ..feature_digest import observation_digest


def test_observations_have_not_changed() -> None:
    assert observation_digest(GAME) == "deefbbe085d5d804"


def test_observations_have_not_changed_in_the_full_story_with_all_variants() -> None:
    everything = {"story": "full", "draw": "back-then-morgan", "flibusters": "on", "magic": "on"}
    assert observation_digest(GAME, **everything) == "ceb5c8a3388b7d68"
