"""Games of installed packages are found, and one that cannot be used is reported and leaves the others working."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx
import pytest

import skerry
import skerry.games
from skerry.engine.errors import Refusal, UnknownGame
from skerry.games import FOLDERS, VARIABLE, Registry, all_games, broken_games, find_game, register
from tests.games_elsewhere.packages import install, renamed
from tests.python_process import run_code

# What is wrong with each game that is offered, and what the registry says about it.
BROKEN = {
    "cartagena": "There is already a game of this name, in skerry.games.cartagena",
    "twice": "There is already a game of this name, in twice_first",
    "of-tomorrow": "It is written for version 99 of the contract of games, and this Skerry has 1",
    "no-import": "ModuleNotFoundError: No module named 'not_installed' (no_import.py, line 1: import not_installed)",
    "no-attribute": "AttributeError: module 'good' has no attribute 'NOTHING'",
    "misnamed": "Its entry point is called misnamed, but the game good",
    "no-game": "This is of type int, not a Game",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of installed packages: one good game, and one of each kind that cannot be used."""
    modules = {
        "good": renamed("good"),
        "clash": renamed("cartagena"),
        "twice_first": renamed("twice"),
        "of_tomorrow": renamed("of-tomorrow", contract=99),
        "no_import": "import not_installed",
        "no_game": "GAME = 3",
    }
    games = {
        "good": "good:GAME",
        "cartagena": "clash:GAME",
        "twice": "twice_first:GAME",
        "of-tomorrow": "of_tomorrow:GAME",
        "no-import": "no_import:GAME",
        "no-attribute": "good:NOTHING",
        "misnamed": "good:GAME",
        "no-game": "no_game:GAME",
    }
    install(tmp_path, "someone_elses_games", modules, games)
    install(tmp_path, "zz_another", {"twice_second": renamed("twice")}, {"twice": "twice_second:GAME"})
    return tmp_path


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages of the folder, installed for this process."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(skerry.games, "_registry", Registry())
    all_games()
    for name in set(sys.modules) - before:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.usefixtures("installed")
def test_games_of_packages_stand_beside_ours_and_broken_ones_are_reported_by_name() -> None:
    assert [game.name for game in all_games()] == [*FOLDERS, "good", "twice"]
    assert {broken.name: broken.reason for broken in broken_games()} == BROKEN
    assert {broken.origin for broken in broken_games()} == {"someone_elses_games 1.0", "zz_another 1.0"}
    assert find_game("cartagena").package == "skerry.games.cartagena"
    assert find_game("twice").package == "twice_first"


@pytest.mark.usefixtures("installed")
def test_asking_for_a_broken_game_says_why_it_cannot_be_loaded() -> None:
    with pytest.raises(UnknownGame, match=r"(?i)of-tomorrow cannot be loaded: it is written for version 99"):
        find_game("of-tomorrow")
    with pytest.raises(UnknownGame, match=r"(?i)there is no game 'nowhere'; there are .*hashi, good, twice"):
        find_game("nowhere")


@pytest.mark.anyio
@pytest.mark.usefixtures("installed")
async def test_the_server_offers_the_games_that_work(client: httpx.AsyncClient) -> None:
    listed = await client.get("/api/v1/games")
    assert listed.status_code == 200
    assert [game["name"] for game in listed.json()] == [*FOLDERS, "good", "twice"]
    lobby = await client.get("/", follow_redirects=True)
    assert lobby.status_code == 200 and "Three signs in a row win." in lobby.text
    for page in ("/rules/good", "/new/good", "/rules/of-tomorrow"):
        assert (await client.get(page, follow_redirects=True)).status_code < 500, page


def test_the_command_line_lists_and_uses_the_games_that_work(folder: Path) -> None:
    code = "import sys; from skerry.cli import main; sys.argv[1:] = {}; main()"
    listed = run_code(folder, code.format(["games"]), SKERRY_INTERPRET="1", SKERRY_GAMES="")
    unwrapped = " ".join(listed.split())
    assert "Tic-tac-toe good" in unwrapped
    assert all(f"cannot be loaded: {name} (" in unwrapped for name in BROKEN)
    facts = json.loads(run_code(folder, code.format(["games", "--json"]), SKERRY_INTERPRET="1", SKERRY_GAMES=""))
    assert [game["name"] for game in facts] == [*FOLDERS, "good", "twice"]
    run_code(folder, code.format(["simulate", "good", "--games", "3"]), SKERRY_INTERPRET="1", SKERRY_GAMES="")


def test_a_module_named_by_the_variable_is_registered(folder: Path) -> None:
    (folder / "by_variable.py").write_text(renamed("by-variable"))
    code = "import skerry; from skerry.games import broken_games; print(skerry.game('by-variable').game.package)"
    assert run_code(folder, code, SKERRY_GAMES="by_variable", SKERRY_INTERPRET="1") == "by_variable"


def test_a_module_of_the_variable_that_is_missing_is_reported(folder: Path) -> None:
    code = "from skerry.games import all_games, broken_games; all_games(); print(broken_games()[-1])"
    said = run_code(folder, code, SKERRY_GAMES="nowhere_to_be_found", SKERRY_INTERPRET="1")
    assert (
        said == "nowhere_to_be_found (nowhere_to_be_found): ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    )


def test_a_registered_game_is_found_by_child_processes(folder: Path) -> None:
    (folder / "mine.py").write_text(renamed("mine"))
    code = """
import subprocess, sys, mine, skerry
skerry.register(mine.GAME)
skerry.register(mine.GAME)
child = "import skerry; print(skerry.game('mine').players)"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, check=True).stdout)
"""
    assert run_code(folder, code, SKERRY_INTERPRET="1", SKERRY_GAMES="") == "2"


def test_registering_what_is_no_game_or_has_a_taken_name_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(skerry.games, "_registry", Registry())
    with pytest.raises(Refusal, match=r"(?i)this is of type str, not a Game"):
        register("hashi")  # type: ignore[arg-type]
    import clash  # type: ignore[import-not-found]

    with pytest.raises(Refusal, match=r"(?i)there is already a game of this name"):
        register(clash.GAME)
    monkeypatch.delitem(sys.modules, "clash")


def test_a_game_with_a_mistake_in_its_module_is_reported_with_the_line(folder: Path) -> None:
    (folder / "mistaken.py").write_text(renamed("mistaken").replace("tk.Verb(", "tk.Vreb("))
    code = "from skerry.games import all_games, broken_games; all_games(); print(broken_games()[-1])"
    said = run_code(folder, code, SKERRY_GAMES="mistaken", SKERRY_INTERPRET="1")
    assert said.startswith("mistaken (mistaken): AttributeError: module 'skerry.toolkit' has no attribute 'Vreb'")
    assert "(mistaken.py, line " in said and 'MARK = tk.Vreb("mark"' in said
