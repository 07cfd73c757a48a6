"""The tutorial of each game is followed by clicks to its last comment."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from skerry.games import all_games, find_game
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import set_speed, touch

# The number of the guide's comment, and the action of the list that it says to do, if it is the player's turn.
SAID = """() => {
  const count = document.querySelector('.guide-count')?.textContent.split('/')[0];
  const label = document.querySelector('.guide-do b')?.textContent;
  const one = [...document.querySelectorAll('#table-actions [data-touches]')].find(one => one.textContent === label);
  const step = document.getElementById('table-seq').value;
  return { count: Number(count), value: one?.value, touches: one?.dataset.touches.split('|'), step };
}"""
READY = """last => {
  const count = document.querySelector('.guide-count')?.textContent.split('/')[0];
  const mine = document.querySelector('.guide-do b') && document.querySelector('#table-actions [data-touches]');
  return count === last || mine || !count;
}"""


def wait_for_comment(page: Page, last: int) -> dict[str, Any]:
    """Wait for the last comment or one that says what to do: SAID."""
    page.wait_for_function(READY, arg=str(last))
    found: dict[str, Any] = page.evaluate(SAID)
    return found


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_the_tutorial_is_followed_by_clicks_to_its_end(browser: Browser, site: str, game: str) -> None:
    page = new_page(browser)
    set_speed(page)
    page.goto(site)
    page.locator(f'form[action="/guide/{game}"] button').click()
    last = len(find_game(game).tutorial.steps)
    seen: set[int] = set()
    pointed = 0
    while last not in seen:
        now = wait_for_comment(page, last)
        assert now["count"], "a player who follows the guide is never off its course"
        seen.add(now["count"])
        pointed += page.locator("main .pointed").count()
        if now.get("value") is not None:
            touch(page, now["value"], now["touches"], now["step"])
    assert seen == set(range(1, last + 1))
    assert pointed > last, "the guide points at what it explains"
    close_pages(page)


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_on_a_phone_the_guide_leaves_actions_and_hand_visible(
    browser: Browser, site: str, game: str, locale: str
) -> None:
    page = new_page(browser, 360, 740, locale=locale)
    set_speed(page)
    page.goto(site)
    page.locator(f'form[action="/guide/{game}"] button').click()
    page.wait_for_function(READY, arg="0")
    below = page.evaluate(
        """() => {
          const bottom = (one) => one.getBoundingClientRect().bottom;
          const fold = Math.min(bottom(document.querySelector(".leaves")), innerHeight);
          const hand = Math.min(bottom(document.querySelector(".seats")), fold);
          const wanted = [...document.querySelectorAll(".guide-do, #table-actions, .seat.shown .card")];
          return wanted.map((one) => bottom(one) - (one.matches(".card") ? hand : fold)).filter((over) => over > 0);
        }"""
    )
    assert below == []
    close_pages(page)
