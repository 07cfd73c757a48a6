"""The example games are installed as a third party installs them: their tests pass, and every command knows them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.dockerfile import ROOT

PROJECTS = (ROOT / "examples/games", ROOT / "examples/variant")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip has installed the packages into, which programs find packages in."""
    folder = tmp_path_factory.mktemp("installed")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", str(folder), *map(str, PROJECTS)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def run(installed: Path, *command: str, typed: str = "", cwd: Path | None = None) -> str:
    path = os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "SKERRY_GAMES": "", "XDG_DATA_HOME": str(installed / "data")}
    done = subprocess.run(
        [sys.executable, "-m", *command], env=environment, input=typed, capture_output=True, text=True, cwd=cwd
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_its_own_tests_pass(installed: Path, tmp_path: Path, project: Path) -> None:
    shutil.copytree(project / "tests", tmp_path / "tests")
    said = run(installed, "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path)
    assert " passed" in said and "failed" not in said


def test_the_games_are_listed(installed: Path) -> None:
    said = run(installed, "skerry.cli", "games")
    assert all(name in said for name in ("tic-tac-toe", "lanterns", "generous-cartagena"))
    assert "cannot be loaded" not in said


def test_bots_play_them(installed: Path) -> None:
    assert "lit" in run(installed, "skerry.cli", "simulate", "lanterns", "--games", "50")
    assert run(installed, "skerry.cli", "simulate", "tic-tac-toe", "--games", "2", "--seats", "expert")


def test_a_person_plays_one_in_the_terminal(installed: Path, tmp_path: Path) -> None:
    marks = "".join(f"mark {cell}\n" for cell in (1, 5, 2, 3, 7, 4, 6, 8, 9))
    record = tmp_path / "game.txt"
    said = run(installed, "skerry.cli", "play", "tic-tac-toe", "--seats", "me,me", "--record", str(record), typed=marks)
    assert "X" in said and "full" in said
    assert "end 9 full" in record.read_text()
    assert "mark 5" in run(installed, "skerry.cli", "replay", str(record), typed="q\n")


@pytest.mark.parametrize("game", ["tic-tac-toe", "lanterns"])
def test_a_game_without_a_rulebook_tells_what_can_be_done(installed: Path, game: str) -> None:
    said = " ".join(run(installed, "skerry.cli", "rules", game).split())
    told = {
        "tic-tac-toe": "mark CELL puts your sign into a cell",
        "lanterns": "light CARD lays three cards of a colour",
    }
    assert told[game] in said
