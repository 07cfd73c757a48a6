"""The board is the biggest thing on the screen, the reader's cards lie below it, and messages cover nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from skerry.games import all_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import listed_actions, open_match, options_with_first_turn, set_speed, wait_for_turn

GAMES = [game.name for game in all_games()]
PHONE: dict[str, Any] = {"width": 360, "height": 640, "has_touch": True, "is_mobile": True}
# What a message overlaps of the header, the prompt and the buttons.
COVERED = """(message) => {
  const over = message.getBoundingClientRect();
  const all = document.querySelectorAll(".top, #table-prompt, #ask-advice, #table-actions :is(button, summary)");
  return [...all].filter((one) => one.checkVisibility()).filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return over.left < right && over.right > left && over.top < bottom && over.bottom > top;
  }).map((one) => one.outerHTML.slice(0, 60));
}"""


def open_page(browser: Browser, site: str, game: str, **size: Any) -> Page:
    page = new_page(browser, **size)
    set_speed(page)
    open_match(page, site, game, options_with_first_turn(game), ["me", "random"])
    assert wait_for_turn(page)
    return page


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


@pytest.mark.parametrize(("game", "least"), [("forbidden-island", 590), ("cartagena", 560), ("hashi", 650)])
def test_on_a_laptop_the_board_takes_most_of_the_height(browser: Browser, site: str, game: str, least: int) -> None:
    page = open_page(browser, site, game, width=1280, height=800)
    assert box(page, ".board-svg")["height"] >= least
    close_pages(page)


@pytest.mark.parametrize("game", ["forbidden-island", "cartagena"])
def test_ones_own_cards_lie_below_the_board_and_grow_with_the_screen(browser: Browser, site: str, game: str) -> None:
    page = open_page(browser, site, game, width=1280, height=800)
    board, card = box(page, ".board-svg"), box(page, ".seat.shown .card")
    assert card["width"] > 65 and card["y"] >= board["y"] + board["height"]
    page.set_viewport_size({"width": 1680, "height": 1050})
    assert box(page, ".seat.shown .card")["width"] > 1.2 * card["width"]
    close_pages(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_always_shows_what_decides_the_game(browser: Browser, site: str, game: str) -> None:
    page = open_page(browser, site, game, **PHONE)
    for tab in ("play", "seats", "decks", "log"):
        page.locator(f"#tab-{tab}").check(force=True)
        expect(page.locator("#strip")).to_be_in_viewport(ratio=1)
    wide = page.locator("#strip").evaluate("one => one.scrollWidth - one.clientWidth")
    assert wide <= 0, "the strip runs out of the screen"
    close_pages(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_reason_covers_no_prompt_and_no_button_on_a_laptop(browser: Browser, site: str, game: str) -> None:
    page = open_page(browser, site, game, width=1280, height=800)
    useful = {one for _, touches in listed_actions(page) for one in touches}
    things = page.locator(".board [data-touch]").evaluate_all("all => all.map(one => one.dataset.touch)")
    useless = next(one for one in things if one not in useful)
    page.locator(f".board [data-touch='{useless}']").first.dispatch_event("click")
    expect(page.locator("#answer")).not_to_be_empty()
    assert page.locator("#answer").evaluate(COVERED) == []
    close_pages(page)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 820, "height": 1180}, PHONE])
def test_a_caption_does_not_cover_the_header_or_the_board(browser: Browser, site: str, size: dict[str, Any]) -> None:
    page = open_page(browser, site, "forbidden-island", **size)
    page.locator("#caption").evaluate("one => { one.textContent = 'The Diver moves.'; one.classList.add('shown'); }")
    caption, board = box(page, "#caption"), box(page, ".board-svg")
    assert caption["y"] >= board["y"] + board["height"] - 1
    close_pages(page)


@pytest.mark.parametrize(("game", "height"), [("forbidden-island", 880), ("forbidden-desert", 780)])
def test_on_a_phone_the_power_of_the_role_stands_beside_the_hand(
    browser: Browser, site: str, game: str, height: int
) -> None:
    page = new_page(browser, 360, height, has_touch=True, is_mobile=True)
    set_speed(page)
    open_match(page, site, game, {"players": 4, "first": 0}, ["me", "random", "random", "random"])
    power = page.locator(".seat.shown .power")
    expect(power).to_be_in_viewport(ratio=1)
    expect(power.locator("b")).to_be_visible()
    beside = power.bounding_box()
    canteen = page.locator(".seat.shown .canteen")
    if canteen.count() and beside is not None:
        flask = canteen.bounding_box()
        assert flask is not None and beside["x"] + beside["width"] <= flask["x"], "the power lies below the canteen"
    expect(page.locator("#table-actions button[value=end]")).to_be_in_viewport(ratio=1)
    close_pages(page)
