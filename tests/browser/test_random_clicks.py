"""Random clicks: whoever clicks anywhere, once or twice, only ever plays what glowed or what a button offered."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PAGE_ERRORS, close_pages, new_page
from tests.browser.playing import open_match, set_speed

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 360, "height": 740, "has_touch": True, "is_mobile": True},
}
GAMES: dict[str, dict[str, Any]] = {
    "forbidden-island": {"players": 3, "first": 0, "roles": "engineer,navigator,messenger"},
    "forbidden-desert": {"players": 3, "first": 0, "roles": "climber,navigator,water-carrier"},
    "cartagena": {"players": 2, "first": 0, "draw": "both"},
    "hashi": {"players": 1},
}
# What a click may play, noted before the page hears of it: the value of a button that is hit; of things that glow
# there, the actions that each names, is done with, or leads to, and which can be clicked again and again. A finger may
# hit what is near. Clicks that would leave the match are stopped. Then, of each action that the page sends, the click
# from which it comes; what it sends later must be of something that can be clicked again and again.
NOTE_CLICKS = """
window.played = [];
window.again = [];
window.click = null;
const list = (text) => (text ? text.split(",") : []);
const THINGS = "[data-touch], [data-leads]";
const around = (one) => {
  const thing = one?.closest(THINGS);
  return thing ? [thing, ...around(thing.parentElement)] : [];
};
const picture = (one) => {
  let outer = one.closest("svg");
  while (outer?.parentElement?.closest("svg")) outer = outer.parentElement.closest("svg");
  return outer;
};
const allowed = (hit, x, y) => {
  const button = hit.closest("button");
  if (button) return button.name === "action" ? [button.value] : [];
  const inPicture = picture(hit) ? document.elementsFromPoint(x, y).filter((one) => picture(hit).contains(one)) : [];
  const glowing = [hit, ...inPicture].flatMap(around).filter((thing) => thing.matches(".can"));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const means = glowing.flatMap(({ dataset }) => {
    const touches = [dataset.touch, dataset.also, dataset.does, dataset.leads].flatMap(list);
    const isHere = (place) => list(place).some((one) => touches.includes(one));
    const workers = all("[data-does]").filter((one) => isHere(one.dataset.on)).map((one) => one.dataset.does);
    const signs = all("[data-leads].can").filter((one) => isHere(one.dataset.at)).map((one) => one.dataset.leads);
    return [...touches, ...[...workers, ...signs].flatMap(list)];
  });
  const values = all("#table-actions [data-touches]")
    .filter((one) => one.dataset.touches.split("|").some((touch) => means.includes(touch)))
    .map((one) => one.value);
  const again = glowing.filter(({ dataset }) => dataset.cycle).map(({ dataset }) => `again ${dataset.touch}`);
  return [...values, ...again];
};
const LEAVES = "a, .sit, #sit button, #rematch, .languages, header, [form=sit], [form=rematch]";
addEventListener("click", (event) => {
  if (event.target.closest(LEAVES)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const click = { at: [event.clientX, event.clientY], allowed: allowed(event.target, event.clientX, event.clientY) };
  window.again.push(...click.allowed.filter((one) => one.startsWith("again ")));
  window.click = click;
  setTimeout(() => { if (window.click === click) window.click = null; });
}, true);
const plainFetch = window.fetch;
window.fetch = (address, request) => {
  if (String(address).endsWith("/actions")) {
    const { at, allowed } = window.click ?? { at: null, allowed: window.again };
    window.played.push({ action: JSON.parse(request.body).action, at, allowed });
    window.click = null;
  }
  return plainFetch(address, request);
};
"""


def play_randomly(page: Page, site: str, game: str, clicks: int, rng: random.Random) -> int:
    """Click around, in new matches when one is over. How many actions were played."""
    start(page, site, game)
    played = 0
    size = page.viewport_size
    assert size is not None
    for _ in range(clicks):
        if page.locator("#table-result:not([hidden])").count() or "/m/" not in page.url:
            start(page, site, game)
        anywhere = (rng.random() * size["width"], 40 + rng.random() * (size["height"] - 40))
        x, y = (aimed(page, rng) if rng.random() < 0.5 else None) or anywhere
        click(page, x, y, double=rng.random() < 0.25, finger=size["width"] < 1000 and rng.random() < 0.5)
        page.wait_for_timeout(15)
        sent = page.evaluate("window.played.splice(0)")
        for one in sent:
            check_played(one["action"], one["at"], one["allowed"])
        assert PAGE_ERRORS[page] == []
        if sent:
            page.wait_for_timeout(100)  # for the answer: until then, clicks do nothing
        played += len(sent)
    return played


def check_played(action: str, at: list[float] | None, allowed: list[str]) -> None:
    """An action that the page sent is one that the click at a point may play."""
    again = {value.rpartition(":")[2] for value in allowed if value.startswith("again ")}
    assert action in allowed or action.split()[-1] in again, f"a click at {at} has played {action}"


def click(page: Page, x: float, y: float, double: bool, finger: bool) -> None:
    """Click or tap, once or twice."""
    if finger:
        for _ in range(1 + double):
            page.touchscreen.tap(x, y)
    elif double:
        page.mouse.dblclick(x, y)
    else:
        page.mouse.click(x, y)


def aimed(page: Page, rng: random.Random) -> tuple[float, float] | None:
    """The middle of something that glows, or of a button, if there is any in sight: clicks anywhere rarely hit one."""
    middles = page.evaluate(
        """() => [...document.querySelectorAll("main .can, #ring button, #table-actions button, #confirmation button")]
          .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
          .filter(({ top, bottom }) => top >= 40 && bottom <= innerHeight)
          .map(({ left, top, width, height }) => [left + width / 2, top + height / 2])"""
    )
    if not middles:
        return None
    x, y = rng.choice(middles)
    return x, y


def start(page: Page, site: str, game: str) -> None:
    options = GAMES[game]
    open_match(page, site, game, options, ["me"] + ["random"] * (options["players"] - 1))
    expect(page.locator("#table-actions [data-touches]").first).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_random_clicks_play_only_what_is_offered(browser: Browser, site: str, game: str, size: str) -> None:
    check(browser, site, game, size, clicks=60, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_two_thousand_random_clicks(browser: Browser, site: str, game: str, size: str) -> None:
    check(browser, site, game, size, clicks=2000, seed=2)


def check(browser: Browser, site: str, game: str, size: str, clicks: int, seed: int) -> None:
    page = new_page(browser, **SIZES[size])
    page.add_init_script(NOTE_CLICKS)
    set_speed(page)
    assert play_randomly(page, site, game, clicks, random.Random(f"{game} {size} {seed}")) > clicks // 60
    close_pages(page)
