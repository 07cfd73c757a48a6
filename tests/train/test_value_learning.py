"""Value networks trained by games of others and by self-play, in small. Needs the extra ``train``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from skerry.games import find_game
from skerry.train.feature_extraction import weights_folder
from skerry.train.settings import SelfPlaySettings, SupervisedSettings

ISLAND, HASHI = find_game("forbidden-island"), find_game("hashi")


def assert_weights_fit(file: Path, game_folder: Path) -> None:
    weights = np.load(file)
    assert len(weights) == len(np.load(game_folder / "value.npy")) and np.isfinite(weights).all()


@pytest.mark.slow
def test_supervised_learning_from_the_best_policy(tmp_path: Path) -> None:
    from skerry.train.supervised import train

    lines: list[str] = []
    train(ISLAND, SupervisedSettings(games=40, epochs=1, threads=1, out=tmp_path / "value.npy"), lines.append)
    assert "positions" in lines[0] and "validation loss" in lines[1]
    assert_weights_fit(tmp_path / "value.npy", weights_folder(ISLAND))


@pytest.mark.slow
def test_supervised_learning_from_rounds_of_the_expert(tmp_path: Path) -> None:
    from skerry.train.supervised import train

    lines: list[str] = []
    settings = SupervisedSettings(
        vary=("players=2", "difficulty=novice"),
        games=4,
        rounds=1,
        rollouts=4,
        epochs=1,
        threads=1,
        out=tmp_path / "value.npy",
    )
    train(ISLAND, settings, lines.append)
    assert lines[0] == "round 1" and lines[1].endswith("% won")
    assert_weights_fit(tmp_path / "value.npy", weights_folder(ISLAND))


@pytest.mark.slow
def test_value_learning_by_self_play(tmp_path: Path) -> None:
    from skerry.train.self_play import train

    lines: list[str] = []
    train(HASHI, SelfPlaySettings(rounds=1, games=8, threads=1, out=tmp_path / "value.npy"), lines.append)
    assert lines[0].startswith("round 1: mean result")
    assert_weights_fit(tmp_path / "value.npy", weights_folder(HASHI))
