"""The features of states and actions."""

from __future__ import annotations

from skerry.games.forbidden_desert import GAME

from ..feature_digest import feature_digest


def test_features_have_not_changed_since_the_networks_were_trained() -> None:
    assert feature_digest(GAME) == "bd03b3be8ffca93f"
