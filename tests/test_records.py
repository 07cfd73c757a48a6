"""Golden records replay for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import skerry
from skerry.engine.game import Game
from skerry.games import every

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record(path: Path) -> None:
    text = path.read_text()
    assert skerry.replay(text).record() == text


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_every_game_has_golden_records(game: Game) -> None:
    assert any(path.stem.startswith(game.name) for path in RECORDS)
