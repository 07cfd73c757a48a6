"""Pages fit at a zoom of 200 %: nothing is cut off or sticks out sideways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games import all_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, options_with_first_turn, set_speed, wait_for_turn

# A laptop's window at 200 % has half as many CSS pixels each way; and a screen of high density at 100 %.
ZOOMS = {"zoomed": (640, 400, 2), "high-density": (1280, 800, 2)}
# The elements that stick out of the window sideways, outside of scrolling containers.
OUT = """() => {
  const shown = { opacityProperty: true, visibilityProperty: true };
  const scrolls = (one) => one && one !== document.body && one !== document.documentElement
    && (/auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const sticks = ({ left, right, width }) => width > 0 && (left < -1 || right > innerWidth + 1);
  return [...document.querySelectorAll("main *, header *")]
    .filter((one) => one.checkVisibility(shown) && !one.closest("svg *, .unseen, #caption"))
    .filter((one) => !scrolls(one.parentElement))
    .filter((one) => sticks(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 120));
}"""
# The texts that are cut off.
CUT = """() => [...document.querySelectorAll("button, .button, summary, .prompt, h1, h2, h3")].filter((one) =>
  one.checkVisibility() && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1
).map((one) => one.outerHTML.slice(0, 120))"""


def overflow(page: Page) -> dict[str, Any]:
    """Whether the page scrolls sideways, what sticks out of it, and which texts are cut off."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return {"scrolls": wide, "out": page.evaluate(OUT), "cut": page.evaluate(CUT)}


NO_OVERFLOW: dict[str, Any] = {"scrolls": False, "out": [], "cut": []}


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("path", ["/", "/new/cartagena", "/rules/hashi"])
def test_pages_fit_at_twice_the_size(browser: Browser, site: str, path: str, zoom: str) -> None:
    width, height, scale = ZOOMS[zoom]
    page = new_page(browser, width, height, device_scale_factor=scale)
    page.goto(f"{site}{path}")
    assert overflow(page) == NO_OVERFLOW
    close_pages(page)


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_match_page_fits_at_twice_the_size(browser: Browser, site: str, game: str, zoom: str) -> None:
    width, height, scale = ZOOMS[zoom]
    page = new_page(browser, width, height, device_scale_factor=scale)
    set_speed(page)
    open_match(page, site, game, options_with_first_turn(game), ["me", "random"])
    assert wait_for_turn(page)
    assert overflow(page) == NO_OVERFLOW
    box = page.locator(".board-svg").bounding_box()
    assert box is not None and box["x"] >= 0 and box["y"] >= 0, box
    assert box["x"] + box["width"] <= width + 1 and box["y"] + box["height"] <= height + 1, (
        "part of the board is not visible"
    )
    assert min(box["width"], box["height"]) > height / 3, "the board is too small to play on"
    button = page.locator("#table-actions :is(button, summary)").first.bounding_box()
    assert button is not None and button["y"] + button["height"] <= height, "no action is visible"
    expect(page.locator(".seat.shown")).to_be_in_viewport(ratio=1)
    close_pages(page)


# How far the longest name there is sticks out of each card.
SPILLED = """() => [...document.querySelectorAll(".seat.shown .card .name")].map((name) => {
  name.textContent = "lamparina escura";
  const [inside, card] = [name, name.closest(".card")].map((one) => one.getBoundingClientRect());
  return [inside.left - card.left, card.right - inside.right];
}).flat().filter((room) => room < 0)"""


@pytest.mark.parametrize("width", [360, 1280])
def test_the_longest_name_of_a_card_fits_on_the_card(browser: Browser, site: str, width: int) -> None:
    page = new_page(browser, width, 800)
    open_match(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    expect(page.locator(".seat.shown .card .name").first).to_be_visible()
    assert page.evaluate(SPILLED) == []
    close_pages(page)


def test_with_five_players_in_the_desert_all_seats_and_the_log_are_visible(browser: Browser, site: str) -> None:
    page = new_page(browser, 1280, 800)
    set_speed(page)
    open_match(page, site, "forbidden-desert", {"players": 5, "first": 0}, ["me"] + ["random"] * 4)
    assert wait_for_turn(page)
    expect(page.locator(".seat").last).to_be_in_viewport(ratio=1)
    log = page.locator(".log").bounding_box()
    assert log is not None and log["y"] < 700, "the newest lines of the log are not visible"
    assert page.locator(".power").evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight + 1)")
    close_pages(page)
