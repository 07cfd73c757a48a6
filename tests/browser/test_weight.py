"""The pages of a match and of a rulebook stay small, and the script names no game."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Response

import skerry.server
from skerry.games import all_games, find_game
from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, i_begin, open_match, wait_for_turn

MOST = 150 * 1024  # bytes, compressed


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_page_with_a_running_game_is_light(browser: Browser, table: str, game: str) -> None:
    page = new_page(browser)
    hurry(page)
    seats = find_game(game).seats.stop - 1
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one))
    open_match(page, table, game, i_begin(game, seats), ["me", *["random"] * (seats - 1)])
    assert wait_for_turn(page)
    sizes = {one.url: len(gzip.compress(one.body())) for one in answers if "/stream" not in one.url}
    assert sum(sizes.values()) < MOST, sizes
    assert not [url for url in sizes if not url.startswith(table)], "nothing comes from elsewhere"
    close(page)


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_rulebook_with_its_figures_is_light(browser: Browser, table: str, game: str) -> None:
    page = new_page(browser)
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one))
    page.goto(f"{table}/rules/{game}", wait_until="networkidle")
    sizes = {one.url: len(gzip.compress(one.body())) for one in answers}
    assert f"{table}/rules/{game}" in sizes and sum(sizes.values()) < MOST, sizes
    close(page)


def test_the_script_names_no_game() -> None:
    scripts = {file.name: file.read_text() for file in (Path(skerry.server.__file__).parent / "static").glob("*.js")}
    assert "match.js" in scripts
    words = {word for game in all_games() for word in (game.name, game.title.lower())}
    assert not [(name, word) for name, text in scripts.items() for word in words if word in text.lower()]
