"""The tutorial of each game is followed by clicks to its last comment."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from skerry.games import all_games, find_game
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import FREE_POINT, TOUCHED, confirm_reveal, current_step, set_speed, touch, wait_for_match

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
    wait_for_match(page)
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
    wait_for_match(page)
    page.wait_for_function(READY, arg="0")
    below = page.evaluate(
        """() => {
          const bottom = (one) => one.getBoundingClientRect().bottom;
          const fold = Math.min(bottom(document.querySelector(".leaves")), innerHeight);
          const hand = Math.min(bottom(document.querySelector(".own-seat")), fold);
          const wanted = [...document.querySelectorAll(".guide-do, #table-actions, .seat.shown .card")];
          return wanted.map((one) => bottom(one) - (one.matches(".card") ? hand : fold)).filter((over) => over > 0);
        }"""
    )
    assert below == []
    close_pages(page)


# How many pixels of the guide's text are not shown, and whether the action that it says to do is in sight.
SHOWN = """() => {
  const text = document.querySelector(".guide-text");
  const marked = document.querySelector("#table-actions summary.pointed, #table-actions button.pointed");
  const { left, top, width, height } = marked.getBoundingClientRect();
  const corners = [[4, 4], [width - 4, height - 4]].map(([x, y]) => document.elementFromPoint(left + x, top + y));
  return [text.scrollHeight - text.clientHeight, corners.every((one) => one && marked.contains(one))];
}"""


@pytest.mark.parametrize("size", [(360, 740), (360, 640), (390, 844)], ids=["360x740", "360x640", "390x844"])
def test_the_first_lesson_of_the_desert_is_followed_by_touches_on_a_phone(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    """What pulses takes the touch: one's own tile for work there, a tile to go to, a card to play."""
    page = new_page(browser, *size, has_touch=True, is_mobile=True)
    set_speed(page)
    page.goto(site)
    page.locator('form[action="/guide/forbidden-desert"] button').tap()
    wait_for_match(page)
    last = len(find_game("forbidden-desert").tutorial.steps)
    touched = 0
    while (now := wait_for_comment(page, last))["count"] != last:
        assert now["count"], "a player who follows the guide is never off its course"
        if now.get("value") is None:
            continue
        expect(page.locator("#table-actions .pointed").first).to_be_attached()
        clipped, in_sight = page.evaluate(SHOWN)
        assert in_sight, f"{now['value']} is out of sight"
        assert clipped <= 1 or size[1] < 700, f"{clipped} pixels of comment {now['count']} are clipped"
        step, verb = current_step(page), now["value"].split()[0]
        own = page.locator(".board .pawn[data-on]").get_attribute("data-on")
        goals = {"excavate": own, "take": own, "shield": "gear:solar-shield"}
        goal = goals.get(verb) or next((one for one in now["touches"] if one.startswith("place:")), None)
        if goal is None:
            page.locator(f"#table-actions button[value='{now['value']}']").tap()
        else:
            tap(page, page.locator(f"main [data-touch='{goal}']:visible"))
            page.wait_for_function(TOUCHED, arg=step)
            touched += 1
            offered = page.locator(f"#ring button[value='{now['value']}']")
            if page.locator("#ring:visible").count():
                expect(offered).to_be_in_viewport(ratio=1)
                offered.tap()
        confirm_reveal(page)
        page.wait_for_timeout(400)  # or the next touch at the same place would be a double tap
        expect(page.locator("#table-seq"), now["value"]).not_to_have_value(step)
    assert touched > 6
    close_pages(page)


def tap(page: Page, thing: Locator) -> None:
    point = thing.evaluate_all(FREE_POINT)
    assert point is not None, f"{thing} cannot be reached"
    page.touchscreen.tap(*point)


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=["desktop", "phone"])
def test_what_the_guide_says_stays_in_sight_while_something_is_chosen(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    set_speed(page)
    page.goto(site)
    page.locator('form[action="/guide/cartagena"] button').click()
    wait_for_match(page)
    page.wait_for_function(READY, arg="0")
    page.locator(".seat.shown .card.can").first.click()
    expect(page.locator("main .chosen").first).to_be_visible()
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator(".guide-do")).to_be_in_viewport(ratio=1)
    close_pages(page)
