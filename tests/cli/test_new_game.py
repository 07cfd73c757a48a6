"""``skerry new-game`` writes a project whose tests pass and whose game is played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.cli.commands import run
from tests.games_elsewhere.packages import ROOT


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new project, whose game programs find as if it were installed."""
    folder = tmp_path / "project"
    said = run("new-game", "stone-age", "--folder", str(folder))
    assert f"cd {folder} && pip install -e ." in said and "skerry play stone-age" in said
    path = os.pathsep.join(filter(None, (str(folder / "src"), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("SKERRY_GAMES", "stone_age")
    return folder


def test_its_tests_pass(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout


@pytest.mark.usefixtures("project")
def test_its_game_is_checked_and_played() -> None:
    assert "broken" not in run("check-game", "stone-age")
    assert "Stone age" in run("games")
    record = run("simulate", "stone-age", "--games", "10", "--seats", "expert")
    assert "last" in record


def test_pip_installs_it(project: Path, tmp_path: Path) -> None:
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(tmp_path / "site"), str(project)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site/stone_age.py").exists()


@pytest.mark.parametrize("name", [None, "examples/games", "examples/variant"], ids=str)
def test_it_is_installed_for_development_with_hatchling_alone(name: str | None, project: Path, tmp_path: Path) -> None:
    code = "from hatchling import build; build.build_editable(__import__('sys').argv[1])"
    folder = project if name is None else ROOT / name
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        (paths,) = [name for name in archive.namelist() if name.endswith(".pth")]
        assert archive.read(paths).decode().split() == [str(folder / "src")]


def test_it_is_typed_and_tidy(project: Path) -> None:
    code = (project / "src/stone_age.py").read_text()
    assert "@" not in code.replace("@kernel", "").replace("@tk.struct", "")
    assert max(map(len, code.splitlines())) <= 120


@pytest.mark.parametrize("name", ["Bad", "two words", "x1", "../up", "-x", ""])
def test_a_bad_name_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    said = run("new-game", "--folder", str(tmp_path / "new"), "--", name, status=2)
    assert said.count("\n") == 1 and "is not a name of a game" in said
    assert not (tmp_path / "new").exists()


def test_a_folder_that_exists_and_a_name_that_is_taken_are_refused(tmp_path: Path) -> None:
    said = run("new-game", "fresh", "--folder", str(tmp_path), status=2)
    assert said.count("\n") == 1 and "exists already" in said and not list(tmp_path.iterdir())
    assert "lready a game hashi" in run("new-game", "hashi", "--folder", str(tmp_path / "new"), status=2)
