"""Games without a page of their own: whole games are played on the page that is made from their described layout."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, expect

import skerry
from skerry.engine.game import Game
from skerry.games import all_games
from skerry.server.settings import Settings
from skerry.server.warm_up import compile_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, set_speed, step_and_actions, touch, wait_for_turn
from tests.browser.thirteen_cards import GAME
from tests.games_elsewhere.conftest import example_games as example_games
from tests.server.conftest import LocalServer
from tests.server.server_main import FREE

SIZES = {"desktop": (1280, 800), "phone": (360, 780)}
GAMES = {"tic-tac-toe": 2, "lanterns": 3}  # with the number of players
OUTSIDE = """() => [...document.querySelectorAll('main :is(.layout-hand, .layout-pile, .layout-counter, .layout)')]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 80))"""

HIDDEN_CARDS = """() => [...document.querySelectorAll('.layout-hand .card')].filter(card => {
  const box = card.getBoundingClientRect()
  const corners = [[box.left + 3, box.top + 3], [box.right - 3, box.bottom - 3]]
  return !corners.every(([x, y]) => card.contains(document.elementFromPoint(x, y)))
}).map(card => card.textContent.trim())"""


@pytest.fixture(scope="module")
def site_of_examples(example_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that offers the example games."""
    skerry.register(GAME)
    compile_games(all_games())
    expect.set_options(timeout=20_000)
    served = LocalServer(Settings(data=tmp_path_factory.mktemp("examples"), pace=0.05, limits=FREE))
    yield served.start()
    served.stop()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_touching_what_the_layout_shows(
    browser: Browser, site_of_examples: str, game: str, size: str
) -> None:
    page = new_page(browser, *SIZES[size])
    errors: list[str] = []
    page.on("console", lambda message: _note_message(message, errors))
    page.on("response", lambda response: _note_response(response, errors))
    set_speed(page)
    open_match(page, site_of_examples, game, {"players": GAMES[game]}, ["me"] + ["random"] * (GAMES[game] - 1))
    rng, clicked, with_things = random.Random(game), 0, 0
    while wait_for_turn(page):
        step, actions = step_and_actions(page)
        actions = [one for one in actions if one[1][0] != "verb:gust"]  # an interrupt can come too late
        if not actions:  # it is not the player's turn
            page.wait_for_timeout(20)
            continue
        value, touches = rng.choice([one for one in actions if len(one[1]) > 1] or actions)
        touched = touch(page, value, touches, step)
        with_things += len(touches) > 1
        clicked += touched > 0 and len(touches) > 1
        _check_that_everything_fits(page)
    assert clicked == with_things, "what an action names can be touched"
    assert clicked > 0 or game == "lanterns"
    expect(page.locator("#table-result h2")).to_be_visible()
    assert not errors, errors
    close_pages(page)


def _note_message(message: ConsoleMessage, errors: list[str]) -> None:
    """Note what a script complains of. What the browser says of answers is judged by their status."""
    if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
        errors.append(message.text)


def _note_response(response: Response, errors: list[str]) -> None:
    if response.status >= 400:
        errors.append(f"{response.status} {response.url}")


def _check_that_everything_fits(page: Page) -> None:
    assert page.evaluate(OUTSIDE) == [], "something is wider than the window"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hands_piles_and_counters_are_on_the_page(browser: Browser, site_of_examples: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site_of_examples, "lanterns", {"players": 2}, ["me", "random"])
    assert wait_for_turn(page)
    expect(page.locator(".layout-pile")).to_contain_text("30")
    expect(page.locator(".layout-counter")).to_contain_text("Lanterns")
    expect(page.locator("#hand-hands-0 .card")).not_to_have_count(0)
    expect(page.locator("#hand-hands-1 .card")).to_have_count(0)
    expect(page.locator("#hand-hands-1")).to_contain_text("3")
    close_pages(page)


def test_a_phone_shows_all_cards_of_a_large_hand_by_their_whole_names(browser: Browser, site_of_examples: str) -> None:
    page = new_page(browser, 360, 740)
    set_speed(page)
    open_match(page, site_of_examples, GAME.name, {"players": 2}, ["me", "random"])
    assert wait_for_turn(page)
    cards = page.locator("#hand-hands-0 .card .name")
    expect(cards).to_have_count(13)
    assert page.evaluate(HIDDEN_CARDS) == []
    assert all(len(name) in (2, 3) for name in cards.all_text_contents())
    sizes = cards.evaluate_all("names => names.map(name => parseFloat(getComputedStyle(name).fontSize))")
    assert min(sizes) >= 16, "a short name is the face of its card"
    assert cards.evaluate_all("names => names.every(name => name.scrollWidth <= name.parentElement.clientWidth)")
    expect(page.locator(".layout-pile .card.empty")).to_have_count(1)
    close_pages(page)
