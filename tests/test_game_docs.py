"""The tutorial is the example game and its snippets work; the reference of the contract is up to date."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from skerry.cli import app
from skerry.engine.conformance import check_facts, check_notation, check_refusals
from skerry.engine.game import Game
from tests.games_elsewhere.conftest import example_games as example_games
from tests.games_elsewhere.packages import TIC_TAC_TOE
from tests.test_docs import ROOT, code_blocks

PAGES = ("docs/first-game.md", "docs/game-contract.md", "docs/from-other-frameworks.md", "docs/adding-a-game.md")


def lines_of(code: str) -> list[str]:
    return [line for line in code.splitlines() if line.strip()]


def test_the_snippets_of_the_tutorial_are_the_example_file() -> None:
    assert lines_of("\n".join(code_blocks("docs/first-game.md", "python"))) == lines_of(TIC_TAC_TOE)


def test_each_snippet_runs_after_those_before_it() -> None:
    namespace: dict[str, Any] = {"__name__": "skerry_example_games.tic_tac_toe"}
    for block in code_blocks("docs/first-game.md", "python"):
        exec(compile(block, "first-game.md", "exec", dont_inherit=True), namespace)
    assert isinstance(namespace["GAME"], Game)


def test_the_session_of_the_tutorial_prints_what_it_says(example_games: list[Game]) -> None:
    session = "".join(code_blocks("docs/first-game.md", "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, "first-game.md", None, 0)
    assert len(test.examples) > 5
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not failed, "".join(said)


def test_the_entry_point_of_the_tutorial_is_the_examples() -> None:
    (block,) = code_blocks("docs/first-game.md", "toml")
    project = tomllib.loads((ROOT / "examples/games/pyproject.toml").read_text())["project"]
    shown = tomllib.loads(block)["project"]["entry-points"]["skerry.games"]
    assert shown.items() <= project["entry-points"]["skerry.games"].items()


def test_the_test_of_the_tutorial_is_what_new_game_writes() -> None:
    block = next(block for block in code_blocks("docs/first-game.md", "py") if "assert_conforms" in block)
    written = (ROOT / "src/skerry/cli/new_game_template/test_game.py.txt").read_text()
    assert set(lines_of(block)) <= set(lines_of(written))


def test_the_environment_of_the_tutorial_can_be_played(example_games: list[Game]) -> None:
    block = next(block for block in code_blocks("docs/first-game.md", "py") if "gymnasium" in block)
    namespace: dict[str, Any] = {}
    exec(compile(block.replace("tic-tac-toe-v1", "hashi-v1"), "first-game.md", "exec"), namespace)
    observation, _ = namespace["env"].reset(seed=1)
    assert observation["action_mask"].any()


def test_the_package_of_the_tutorial_keeps_the_contract_and_speaks_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs/first-game.md").read_text()
    files = re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    (endings,) = [block for block in code_blocks("docs/first-game.md", "py") if block.startswith("ENDINGS = ")]
    (plain,) = [line for line in TIC_TAC_TOE.splitlines() if line.startswith("    endings=")]
    code = TIC_TAC_TOE.replace(plain, "    endings=ENDINGS,").replace("GAME = ", f"{endings}GAME = ")
    package = tmp_path / "tic_tac_toe_package"
    for name, content in (("__init__.py", code), *files):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    game: Game = importlib.import_module("tic_tac_toe_package").GAME
    for check in (check_facts, check_notation, check_refusals):
        check(game)
    match = game.configure({}).new(seed=1)
    match.play(0, "mark b2")
    assert str(match.prompt(1)) == "Mark an empty cell" and str(match.prompt(0)) == "Waiting for Noughts"
    assert str(match.explain(1, "mark b2")) == "Cell 5 is taken (TT-02)"
    assert str(match.explain(0, "mark a1")) == "It is the other player's turn (TT-01)"


def test_the_commands_of_the_tutorial_exist() -> None:
    lines = "".join(code_blocks("docs/first-game.md", "sh")).splitlines()
    used = {line.split()[1] for line in lines if line.startswith("skerry ")}
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert used <= known, used - known


def test_the_reference_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_game_contract", ROOT / "docs/make_game_contract.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (ROOT / "docs/game-contract.md").read_text()
    assert module.page(text) == text, "run python docs/make_game_contract.py"


def test_every_field_of_the_fact_sheet_is_explained() -> None:
    rows = re.findall(r"^\| `\w+` \|.*\| *(.*?) *\|$", (ROOT / "docs/game-contract.md").read_text(), re.MULTILINE)
    assert len(rows) > 40 and all(rows)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files(name: str) -> None:
    page = ROOT / name
    linked = re.findall(r"\]\((?!https?:|#|figure:)([^)#]+)", page.read_text())
    missing = [link for link in linked if not Path(page.parent / link).exists()]
    assert linked and not missing
