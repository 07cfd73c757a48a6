"""A first game with comments, followed by clicks to where the game is the reader's."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from skerry.games import all_games, find_game
from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, touch

# What the guide says to do, as a button of the list; null while others play; the number of the comment.
SAID = """() => {
  const count = document.querySelector('.guide-count')?.textContent.split('/')[0];
  const label = document.querySelector('.guide-do b')?.textContent;
  const one = [...document.querySelectorAll('#table-actions [data-touches]')].find(one => one.textContent === label);
  return { count: Number(count), value: one?.value, touches: one?.dataset.touches.split('|') };
}"""
READY = """last => {
  const count = document.querySelector('.guide-count')?.textContent.split('/')[0];
  const mine = document.querySelector('.guide-do b') && document.querySelector('#table-actions [data-touches]');
  return count === last || mine || !count;
}"""


def said(page: Page, last: int) -> dict[str, Any]:
    page.wait_for_function(READY, arg=str(last))
    found: dict[str, Any] = page.evaluate(SAID)
    return found


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_first_game_is_followed_by_clicks_to_its_end(browser: Browser, table: str, game: str) -> None:
    page = new_page(browser)
    hurry(page)
    page.goto(table)
    page.locator(f'form[action="/guide/{game}"] button').click()
    last = len(find_game(game).tutorial.steps)
    heard: set[int] = set()
    pointed = 0
    while last not in heard:
        now = said(page, last)
        assert now["count"], "who does what the guide says is never off its line"
        heard.add(now["count"])
        pointed += page.locator("main .pointed").count()
        if now.get("value") is not None:
            touch(page, now["value"], now["touches"])
    assert heard == set(range(1, last + 1))
    assert pointed > last, "it points at what it speaks of"
    close(page)


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_on_a_phone_the_guide_leaves_actions_and_hand_in_sight(
    browser: Browser, table: str, game: str, locale: str
) -> None:
    page = new_page(browser, 360, 740, locale=locale)
    hurry(page)
    page.goto(table)
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
    close(page)
