"""What players wait for: the bytes that pages load, and which of them the first board waits for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response

import skerry.server
from skerry.games import all_games, find_game
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, options_with_first_turn, set_speed, wait_for_turn

# Compressed bytes. A first match page takes 50 to 66 kB, of which the board waits for 22 to 31 kB: page, styles and one
# script; a rulebook takes 23 to 34 kB. The limits leave some room to grow. On a slow mobile connection of 400 kbit/s, a
# full match page would take 1.4 seconds, and its board 0.8.
MATCH_LIMIT = 72_000
BOARD_LIMIT = 38_000
RULEBOOK_LIMIT = 42_000
GAMES = [game.name for game in all_games()]


def compressed_sizes(answers: list[Response]) -> dict[str, int]:
    """The compressed size of each answer but the stream, by its path."""
    return {
        "/" + answer.url.split("/", 3)[3]: len(gzip.compress(answer.body()))
        for answer in answers
        if "/stream" not in answer.url
    }


def record_answers(page: Page) -> list[Response]:
    """A list to which each answer that the page gets is added."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    return answers


def open_first_match(browser: Browser, site: str, game: str) -> tuple[Page, list[Response]]:
    """The page of a match with all seats, in a browser that has nothing cached; the answers that it loaded."""
    page = new_page(browser)
    set_speed(page)
    seats = find_game(game).seats.stop - 1
    answers = record_answers(page)
    open_match(page, site, game, options_with_first_turn(game, seats), ["me", *["random"] * (seats - 1)])
    assert wait_for_turn(page)
    return page, answers


@pytest.mark.parametrize("game", GAMES)
def test_a_first_match_page_is_small(browser: Browser, site: str, game: str) -> None:
    page, answers = open_first_match(browser, site, game)
    sizes = compressed_sizes(answers)
    assert sum(sizes.values()) < MATCH_LIMIT, sizes
    assert not [answer.url for answer in answers if not answer.url.startswith(site)], "other sites are asked"
    close_pages(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_first_board_waits_for_the_page_its_styles_and_the_theme_only(
    browser: Browser, site: str, game: str
) -> None:
    """Modules run after the board is drawn."""
    page, answers = open_first_match(browser, site, game)
    blocking = page.locator("head link[rel=stylesheet], script:not([type=module])").evaluate_all(
        "all => all.map(one => new URL(one.href ?? one.src).pathname)"
    )
    assert [path for path in blocking if path.endswith(".js")] == ["/static/theme.js"]
    sizes = compressed_sizes(answers)
    waited_for = {path: size for path, size in sizes.items() if path in blocking or path.startswith("/m/")}
    assert len(waited_for) == len(blocking) + 1
    assert sum(waited_for.values()) < BOARD_LIMIT, waited_for
    close_pages(page)


def test_a_match_page_preloads_all_its_modules(browser: Browser, site: str) -> None:
    """A module that is found only in an import of another costs one more round trip."""
    page, answers = open_first_match(browser, site, "hashi")
    preloaded = page.locator("link[rel=modulepreload]").evaluate_all("all => all.map(one => one.href)")
    loaded = [answer.url for answer in answers if answer.url.endswith(".js")]
    assert sorted(loaded) == sorted([*preloaded, f"{site}/static/theme.js"])
    close_pages(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_with_its_figures_is_small(browser: Browser, site: str, game: str) -> None:
    page = new_page(browser)
    answers = record_answers(page)
    page.goto(f"{site}/rules/{game}", wait_until="networkidle")
    sizes = compressed_sizes(answers)
    assert f"/rules/{game}" in sizes and sum(sizes.values()) < RULEBOOK_LIMIT, sizes
    close_pages(page)


def test_the_script_names_no_game() -> None:
    scripts = {file.name: file.read_text() for file in (Path(skerry.server.__file__).parent / "static").glob("*.js")}
    assert "match.js" in scripts
    words = {word for game in all_games() for word in (game.name, game.title.lower())}
    assert not [(name, word) for name, text in scripts.items() for word in words if word in text.lower()]
