"""``pytest --skerry-game NAME`` checks a game without a line of code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games_elsewhere.packages import TIC_TAC_TOE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game that keeps the contract and one that does not."""
    (tmp_path / "sound.py").write_text(TIC_TAC_TOE.replace('name="tic-tac-toe"', 'name="sound"'))
    leaking = TIC_TAC_TOE.replace('name="tic-tac-toe"', 'name="broken"')
    (tmp_path / "broken.py").write_text(leaking.replace("if not state.cells[cell]:", "if state.turns < 2:"))
    return tmp_path


def check(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    options = [option for name in names for option in ("--skerry-game", name)]
    command = [sys.executable, "-m", "pytest", "-p", "skerry.pytest_plugin", "-p", "no:cacheprovider", "-v", *options]
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "SKERRY_GAMES": "sound,broken"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the plugin is named above, installed or not
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_each_check_is_a_test(folder: Path) -> None:
    done = check(folder, "sound")
    assert done.returncode == 0 and "15 passed" in done.stdout, done.stdout[-2000:]
    assert "sound::check_secrecy PASSED" in done.stdout


def test_a_broken_game_fails_with_the_shortest_game(folder: Path) -> None:
    done = check(folder, "broken")
    assert done.returncode == 1
    assert "check_play: the game waits for seat 0, which has no legal action" in done.stdout
    assert "skerry record 1" in done.stdout and "Traceback" not in done.stdout


def test_an_unknown_game_is_told_in_one_line(folder: Path) -> None:
    done = check(folder, "nowhere")
    assert done.returncode == 4
    assert "--skerry-game nowhere: There is no game 'nowhere'; there are" in done.stdout + done.stderr
