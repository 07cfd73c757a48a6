"""The example games keep the contract with compiled and with interpreted kernels, and every command plays them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import httpx
import pytest

from skerry.engine import conformance
from skerry.engine.game import Game
from tests.games_elsewhere.packages import EXAMPLES, ROOT
from tests.lab.test_cuda import COMPILE
from tests.python_process import process_environment


@pytest.mark.parametrize("number", [0, 1], ids=["tic-tac-toe", "lanterns"])
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(example_games: list[Game], number: int, check: Any) -> None:
    check(example_games[number])


@pytest.mark.parametrize("interpreted", ["0", "1"], ids=["compiled", "interpreted"])
def test_nothing_hidden_is_seen(example_games: list[Game], interpreted: str) -> None:
    code = (
        "import sys; from skerry.games import find_game; from skerry.engine import conformance;"
        "conformance.check_secrecy(find_game('lanterns'))"
    )
    environment = process_environment(EXAMPLES, SKERRY_INTERPRET=interpreted)
    environment.pop("SKERRY_CACHE")
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=ROOT)


@pytest.mark.parametrize("name", ["tic-tac-toe", "lanterns"])
def test_the_default_rules_compile_for_cuda(example_games: list[Game], name: str) -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    done = subprocess.run([sys.executable, "-c", COMPILE.format(name=name)], env=environment, capture_output=True)
    assert done.stdout.split() == [b"True"] * 2, done.stderr[-2000:]


def test_the_examples_are_small() -> None:
    """The documentation promises as much, empty lines and all."""
    for name, most in {"tic_tac_toe": 60, "lanterns": 130}.items():
        code = (EXAMPLES / f"skerry_example_games/{name}.py").read_text()
        assert len(code.splitlines()) <= most, name


@pytest.mark.anyio
@pytest.mark.parametrize("game", ["tic-tac-toe", "lanterns"])
async def test_the_pages_about_a_game_without_a_rulebook(
    example_games: list[Game], client: httpx.AsyncClient, game: str
) -> None:
    for path in (f"/rules/{game}", f"/new/{game}"):
        for language in ("en", "es"):
            page = await client.get(path, headers={"accept-language": language}, follow_redirects=True)
            assert page.status_code == 200, (path, page.text[:500])
