"""At twice the size nothing is cut off, and nothing is to be found to the right of the page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games import all_games
from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, i_begin, open_match, wait_for_turn

# A laptop's window at 200 %: half as many pixels each way, each drawn twice as large; and a screen that is so fine.
ZOOMS = {"zoomed": (640, 400, 2), "fine": (1280, 800, 2)}
# What sticks out of the window sideways, though nothing scrolls it into view.
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
CUT = """() => [...document.querySelectorAll("button, .button, summary, .prompt, h1, h2, h3")].filter((one) =>
  one.checkVisibility() && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1
).map((one) => one.outerHTML.slice(0, 120))"""


def faults(page: Page) -> dict[str, Any]:
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return {"scrolls": wide, "out": page.evaluate(OUT), "cut": page.evaluate(CUT)}


NONE: dict[str, Any] = {"scrolls": False, "out": [], "cut": []}


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("path", ["/", "/new/cartagena", "/rules/hashi"])
def test_pages_fit_at_twice_the_size(browser: Browser, table: str, path: str, zoom: str) -> None:
    width, height, scale = ZOOMS[zoom]
    page = new_page(browser, width, height, device_scale_factor=scale)
    page.goto(f"{table}{path}")
    assert faults(page) == NONE
    close(page)


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_table_fits_at_twice_the_size(browser: Browser, table: str, game: str, zoom: str) -> None:
    width, height, scale = ZOOMS[zoom]
    page = new_page(browser, width, height, device_scale_factor=scale)
    hurry(page)
    open_match(page, table, game, i_begin(game), ["me", "random"])
    assert wait_for_turn(page)
    assert faults(page) == NONE
    box = page.locator(".board-svg").bounding_box()
    assert box is not None and box["x"] >= 0 and box["y"] >= 0, box
    assert box["x"] + box["width"] <= width + 1 and box["y"] + box["height"] <= height + 1, (
        "the whole board is in sight"
    )
    assert min(box["width"], box["height"]) > height / 3, "and large enough to be played on"
    button = page.locator("#table-actions :is(button, summary)").first.bounding_box()
    assert button is not None and button["y"] + button["height"] <= height, "something to do is in sight"
    expect(page.locator(".seat.shown")).to_be_in_viewport(ratio=1)  # and the hand, whole
    close(page)


# Names of cards that do not fit on them, with the longest word there is.
SPILLED = """() => [...document.querySelectorAll(".seat.shown .card .name")].map((name) => {
  name.textContent = "lamparina escura";
  const [inside, card] = [name, name.closest(".card")].map((one) => one.getBoundingClientRect());
  return [inside.left - card.left, card.right - inside.right];
}).flat().filter((room) => room < 0)"""


@pytest.mark.parametrize("width", [360, 1280])
def test_the_longest_name_of_a_card_fits_on_it(browser: Browser, table: str, width: int) -> None:
    page = new_page(browser, width, 800)
    open_match(page, table, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    expect(page.locator(".seat.shown .card .name").first).to_be_visible()
    assert page.evaluate(SPILLED) == []
    close(page)


def test_with_five_in_the_desert_all_seats_and_the_log_are_in_sight(browser: Browser, table: str) -> None:
    page = new_page(browser, 1280, 800)
    hurry(page)
    open_match(page, table, "forbidden-desert", {"players": 5, "first": 0}, ["me"] + ["random"] * 4)
    assert wait_for_turn(page)
    expect(page.locator(".seat").last).to_be_in_viewport(ratio=1)
    log = page.locator(".log").bounding_box()
    assert log is not None and log["y"] < 700, "with room for its newest lines"
    assert page.locator(".power").evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight + 1)")
    close(page)
