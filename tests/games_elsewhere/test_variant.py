"""A variant of one of our games, from a package of its own, is played as ours are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import httpx
import pytest

import skerry.games
from skerry.engine.errors import BadGame
from skerry.engine.variants import vary
from skerry.games import VARIABLE, Registry, find_game
from tests.cli.commands import run
from tests.games_elsewhere.packages import ROOT
from tests.server.conftest import Guest

SOURCE = ROOT / "examples/variant/src"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variant, as the variable offers it to this process and to its children."""
    monkeypatch.syspath_prepend(SOURCE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH")))))
    monkeypatch.setenv(VARIABLE, "skerry_generous_cartagena,skerry_harbour_island")
    monkeypatch.setattr(skerry.games, "_registry", Registry())


def test_only_its_setup_is_its_own() -> None:
    variant, base = find_game("generous-cartagena"), find_game("cartagena")
    ours = {name: getattr(variant.rules, name) is getattr(base.rules, name) for name in ("setup", "step", "legal")}
    assert ours == {"setup": False, "step": True, "legal": True}
    assert sum(len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")) < 110


def test_bots_of_the_base_play_it() -> None:
    said = run("simulate", "generous-cartagena", "--games", "20", "--seats", "skilled,novice", "-o", "players=2")
    assert "skilled" in said.lower()


@pytest.mark.anyio
async def test_the_server_shows_the_page_of_the_base(client: httpx.AsyncClient) -> None:
    guest = await Guest.register(client, "Ana")
    opened = [
        await guest.open(game, ["me", "skilled"], options={"players": 2, "first": 0})
        for game in ("generous-cartagena", "cartagena")
    ]
    pages = [(await guest.client.get(f"/m/{match['id']}", headers=guest.headers)).text for match in opened]
    assert all('class="board-svg' in page for page in pages)
    assert "layout-square" not in pages[0]
    set_up = await client.get("/new/generous-cartagena", headers={"accept-language": "es"}, follow_redirects=True)
    assert set_up.status_code == 200 and "option-extra" in set_up.text
    rules = await client.get("/rules/generous-cartagena", headers={"accept-language": "pt"}, follow_redirects=True)
    assert rules.status_code == 200 and "CA-94" in rules.text


@pytest.mark.anyio
async def test_a_variant_has_its_own_pictures_and_words_beside_those_of_its_base(client: httpx.AsyncClient) -> None:
    guest = await Guest.register(client, "Ana")
    match = await guest.open("harbour-island", ["me", "random"], options={"players": 2, "layout": "harbour"})
    in_spanish = {**guest.headers, "accept-language": "es"}
    page = (await guest.client.get(f"/m/{match['id']}", headers=in_spanish)).text
    assert 'id="island-lighthouse"' in page and 'href="#island-lighthouse"' in page
    assert 'id="island-bronze-gate"' in page and 'href="#island-watchtower"' not in page
    assert "Faro" in page and "Puerta de Bronce" in page
    lobby = (await client.get("/", headers={"accept-language": "pt"})).text
    assert "Ilha do Porto" in lobby and "Capturem juntos" in lobby
    sheet = (await client.get("/games/harbour-island/style.css")).text
    assert ".game-harbour-island" in sheet and ".game-forbidden-island" not in sheet


def test_a_variant_has_no_tutorial_of_another_deal() -> None:
    assert find_game("forbidden-island").has_tutorial
    assert not find_game("harbour-island").has_tutorial and not find_game("generous-cartagena").has_tutorial


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"rules.component": {"TILES": 3}}, "has no module 'rules.component'; its rules are in rules.actions, "),
        ({"rules.components": {"TILE_TITLE": ()}}, "has no constant 'TILE_TITLE' that a variant can change; it has "),
    ],
)
def test_facts_that_the_game_does_not_have_are_refused_by_name(facts: dict[str, dict[str, object]], said: str) -> None:
    with pytest.raises(BadGame, match=said):
        vary(find_game("forbidden-island"), package="skerry_harbour_island", facts=facts)


def test_a_single_module_and_a_variant_cannot_be_varied() -> None:
    with pytest.raises(BadGame, match=r"a folder of its own; json\.tool is a single module"):
        vary(find_game("cartagena"), package="json.tool")
    with pytest.raises(BadGame, match=r"(?i)harbour-island is a variant itself: vary forbidden-island instead"):
        vary(find_game("harbour-island"), package="skerry_generous_cartagena")


def test_words_of_a_variant_are_only_its_own_and_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = tmp_path / "src"
    shutil.copytree(SOURCE, copied)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(copied), os.environ.get("PYTHONPATH")))))
    catalogue = copied / "skerry_harbour_island/words/es.po"
    before = catalogue.read_text()
    assert "skerry_harbour_island es: 6 texts, 0 untranslated" in run("words", "harbour-island")
    assert catalogue.read_text() == before
    sheet = copied / "skerry_harbour_island/__init__.py"
    sheet.write_text(sheet.read_text().replace("Fish Market", "Whale Station"))
    said = run("words", "harbour-island")
    assert "6 texts, 1 untranslated\n    Whale Station" in said and 'msgid "Lighthouse"' in catalogue.read_text()


def test_it_is_a_project_that_can_be_installed() -> None:
    assert 'generous-cartagena = "skerry_generous_cartagena:GAME"' in Path(SOURCE.parent / "pyproject.toml").read_text()
