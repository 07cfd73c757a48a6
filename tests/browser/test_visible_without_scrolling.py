"""Board, prompt, hand and actions are visible together, without scrolling."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    act_elsewhere,
    create_match,
    fetch_view,
    open_match,
    press,
    set_speed,
    stay_at_seat,
    wait_for_turn,
)

Hand = Callable[[dict[str, Any]], bool]

# For each game its options, the verbs that are preferred, and what the hand of the first seat must have: in its view,
# and on the page.
HANDS: dict[str, tuple[dict[str, Any], tuple[str, ...], Hand, str]] = {
    "forbidden-island": (
        {"players": 2, "first": 0, "roles": "navigator,engineer"},
        ("discard", "swim", "end", "draw", "flood"),
        lambda view: sum(view["seats"][0]["hand"].values()) > 5,
        ".hand.over .card >> nth=5",
    ),
    "forbidden-desert": (
        {"players": 2, "first": 0, "roles": "archeologist,climber"},
        ("excavate", "draw", "keep"),
        lambda view: bool(view["seats"][0]["gear"]),
        ".gear .card",
    ),
    "cartagena": ({"players": 2, "first": 0}, (), lambda view: True, ".card >> nth=3"),
    "hashi": ({"players": 2}, (), lambda view: True, ".tally"),
}
SHORT_PHONE, PHONE = (360, 640), (360, 740)


def set_language(page: Page, site: str, language: str) -> None:
    page.request.post(f"{site}/me", form={"name": "Ana", "language": language}, headers={"origin": site})


def deal_hand(page: Page, site: str, game: str, deals: random.Random) -> None:
    """Play elsewhere until the first seat has such a hand and is to move, and open the page. The first deal comes to it
    soon."""
    options, first, wanted, shown = HANDS[game]
    rng = random.Random(game)
    deals.seed(4)
    for _ in range(20):
        match = create_match(page, site, game, options, ["me"] * 2)
        for _ in range(80):
            mine, others = (fetch_view(page, match, seat, site) for seat in range(2))
            if mine["result"] is not None:
                break
            if mine["legal"] and wanted(mine["view"]):
                page.goto(f"{site}/m/{match}?seat=0")
                assert wait_for_turn(page)
                expect(page.locator(f".seat.shown {shown}").first).to_be_attached()
                return
            seat, now = (0, mine) if mine["legal"] else (1, others)
            actions = [one["action"] for one in now["legal"]]
            usual = [action for verb in first for action in actions if action.split()[0] == verb]
            act_elsewhere(page, match, usual[0] if usual else rng.choice(actions), seat, site)
    raise AssertionError(f"no match of {game} comes to such a hand")


@pytest.mark.parametrize("size", [SHORT_PHONE, PHONE], ids=["short", "phone"])
@pytest.mark.parametrize("game", HANDS)
def test_the_whole_hand_is_visible_on_a_phone(
    browser: Browser, site: str, deals: random.Random, game: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size, is_mobile=True, has_touch=True)
    set_speed(page)
    stay_at_seat(page)
    page.goto(site)
    set_language(page, site, "es")
    deal_hand(page, site, game, deals)
    expect(page.locator("html[lang=es]")).to_have_count(1)
    for thing in (".board-svg", "#table-prompt", ".seat.shown", "#table-actions > :visible >> nth=0"):
        expect(page.locator(thing)).to_be_in_viewport(ratio=1)
    for card in page.locator(".seat.shown .card").all():
        expect(card).to_be_in_viewport(ratio=1)
    board, sheet = (page.locator(one).bounding_box() for one in (".board-svg", ".drawer"))
    assert board is not None and sheet is not None and board["y"] + board["height"] <= sheet["y"] + 1
    close_pages(page)


# The number of rows of actions and of lines of the prompt, and how many pixels of the desk are not visible.
DESK = """() => {
  const [desk, prompt] = [".desk", "#table-prompt"].map((one) => document.querySelector(one));
  const shown = [...document.querySelectorAll("#table-actions > *")].filter((one) => one.checkVisibility());
  const lines = Math.round(prompt.clientHeight / (1.2 * parseFloat(getComputedStyle(prompt).fontSize)));
  return [new Set(shown.map((one) => one.offsetTop)).size, lines, desk.scrollHeight - desk.clientHeight];
}"""


def test_many_actions_below_a_long_prompt_are_visible(browser: Browser, site: str, deals: random.Random) -> None:
    page = new_page(browser, 1280, 800)
    set_speed(page)
    page.goto(site)
    set_language(page, site, "es")
    options = {"players": 4, "first": 0, "roles": "navigator,engineer,explorer,pilot"}
    seen = []
    for deal in (28, 31, 60):  # with six, seven and eight actions
        deals.seed(deal)
        open_match(page, site, "forbidden-island", options, ["me"] * 4)
        assert wait_for_turn(page)
        rows, lines, below = page.evaluate(DESK)
        assert lines >= 2 and below == 0, f"{below} pixels of {rows} rows are not visible"
        seen.append(rows)
    assert max(seen) >= 3
    close_pages(page)


FAILED = "That didn't go through. Try again."
# The parts of board, hand and list that a notice overlaps.
BELOW = """(notice) => [
  ...document.querySelectorAll(".board-svg, .seat.shown, #table-actions :is(button, summary)")
].filter(
  (one) => one.checkVisibility() && ((over, { left, right, top, bottom }) =>
    over.left < right && over.right > left && over.top < bottom && over.bottom > top)(
    notice.getBoundingClientRect(), one.getBoundingClientRect())
).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("size", [SHORT_PHONE, (1280, 800)], ids=["phone", "desktop"])
def test_the_notice_of_a_failed_request_disappears_once_one_succeeds(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    """Both write start numbers, so that what the second does leaves the first the same decision."""
    page = new_page(browser, *size)
    set_speed(page)
    match = open_match(page, site, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{site}/m/{match}?seat=0")
    assert wait_for_turn(page)
    notice, hint = page.locator("#answer"), page.locator("#advice")
    page.route("**/actions", lambda route: route.abort())
    page.route("**/advice", lambda route: route.abort())
    action = fetch_view(page, match)["legal"][0]["action"]
    press(page, action)
    expect(notice).to_have_text(FAILED)
    assert notice.evaluate(BELOW) == []
    act_elsewhere(page, match, fetch_view(page, match, 1)["legal"][0]["action"], 1)
    expect(notice).to_be_empty()
    page.get_by_role("button", name="Hint").click()
    expect(hint).to_have_text(FAILED)
    page.context.set_offline(True)
    page.context.set_offline(False)
    expect(hint).to_be_empty()
    page.unroute("**/actions")
    press(page, action)
    expect(page.locator("#table-prompt")).to_contain_text("Confirm your start number")
    close_pages(page)
