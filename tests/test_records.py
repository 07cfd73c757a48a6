"""Golden game records replay to the same text, compiled and interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import skerry
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED
from skerry.games import all_games

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
EARLIER = sorted((Path(__file__).parent / "records/earlier").glob("*.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_replays_to_the_same_text(path: Path) -> None:
    text = path.read_text()
    assert skerry.replay(text).record() == text


def test_golden_records_replay_in_the_other_mode() -> None:
    """Interpreted if this test run is compiled, and the other way round."""
    code = "import sys, skerry; [skerry.replay(open(path).read()) for path in sys.argv[1:]]; print('same')"
    environment = {**os.environ, "SKERRY_INTERPRET": "0" if INTERPRETED else "1"}
    command = [sys.executable, "-c", code, *map(str, RECORDS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "same\n", done.stderr[-2000:]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_game_has_golden_records(game: Game) -> None:
    assert any(path.stem.startswith(game.name) for path in RECORDS)


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: path.stem)
def test_a_record_of_earlier_rules_is_read_to_its_end(path: Path) -> None:
    text = path.read_text()
    match = skerry.replay(text)
    assert text.splitlines()[-1].startswith(f"end {len(match.steps)} ")
    with pytest.raises(skerry.BadRecord):
        skerry.replay(text.replace("end ", "end 1", 1))
