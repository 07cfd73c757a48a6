"""The observation of a seat."""

from __future__ import annotations

from skerry.games.hashi import GAME

from ..feature_digest import observation_digest


def test_observations_have_not_changed() -> None:
    assert observation_digest(GAME) == "d090eb4ce5f2d279"
