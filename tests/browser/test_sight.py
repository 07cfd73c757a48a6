"""What is needed to play is in sight together: the board, the prompt, the own hand and the actions."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, open_match, play, press, standing, wait_for_turn, wait_until_shown

# Options; what is done first where it can be; what the first seat has then.
HANDS: dict[str, tuple[dict[str, Any], tuple[str, ...], str]] = {
    "forbidden-island": (
        {"players": 2, "first": 0, "roles": "navigator,engineer"},
        ("discard", "swim", "end", "draw", "flood"),
        ".hand.over .card >> nth=5",
    ),
    "forbidden-desert": (
        {"players": 2, "first": 0, "roles": "archeologist,climber"},
        ("excavate", "draw", "keep"),
        ".gear .card",
    ),
    "cartagena": ({"players": 2, "first": 0}, (), ".card >> nth=3"),
    "hashi": ({"players": 2}, (), ".tally"),
}
SHORT, PHONE = (360, 640), (360, 740)


def speak(page: Page, table: str, language: str) -> None:
    page.request.post(f"{table}/me", form={"name": "Ana", "language": language}, headers={"origin": table})


def deal_hand(page: Page, table: str, game: str) -> None:
    """Play on from elsewhere, until the first seat has such a hand and something to do."""
    options, first, wanted = HANDS[game]
    whim = random.Random(game)
    for _ in range(20):
        match = open_match(page, table, game, options, ["me"] * 2)
        page.goto(f"{page.url}?seat=0")
        for _ in range(80):
            mine, others = (standing(page, match, seat) for seat in range(2))
            if mine["result"] is not None:
                break
            wait_until_shown(page, match)
            if mine["legal"] and page.locator(f".seat.shown {wanted}").count():
                return
            seat, now = (0, mine) if mine["legal"] else (1, others)
            actions = [one["action"] for one in now["legal"]]
            usual = [action for verb in first for action in actions if action.split()[0] == verb]
            play(page, match, usual[0] if usual else whim.choice(actions), seat)
    raise AssertionError(f"nobody gets {wanted}")


@pytest.mark.parametrize("size", [SHORT, PHONE], ids=["short", "phone"])
@pytest.mark.parametrize("game", HANDS)
def test_the_whole_hand_is_in_sight_on_a_phone(browser: Browser, table: str, game: str, size: tuple[int, int]) -> None:
    page = new_page(browser, *size, is_mobile=True, has_touch=True)
    hurry(page)
    page.goto(table)
    speak(page, table, "es")
    deal_hand(page, table, game)
    expect(page.locator("html[lang=es]")).to_have_count(1)
    for thing in (".board-svg", "#table-prompt", ".seat.shown", "#table-actions > :visible >> nth=0"):
        expect(page.locator(thing)).to_be_in_viewport(ratio=1)
    for card in page.locator(".seat.shown .card").all():
        expect(card).to_be_in_viewport(ratio=1)
    board, sheet = (page.locator(one).bounding_box() for one in (".board-svg", ".drawer"))
    assert board is not None and sheet is not None and board["y"] + board["height"] <= sheet["y"] + 1
    close(page)


# How many rows the actions have, how many lines the prompt, and how far the desk would have to be scrolled.
DESK = """() => {
  const [desk, prompt] = [".desk", "#table-prompt"].map((one) => document.querySelector(one));
  const shown = [...document.querySelectorAll("#table-actions > *")].filter((one) => one.checkVisibility());
  const lines = Math.round(prompt.clientHeight / (1.2 * parseFloat(getComputedStyle(prompt).fontSize)));
  return [new Set(shown.map((one) => one.offsetTop)).size, lines, desk.scrollHeight - desk.clientHeight];
}"""


def test_many_actions_below_a_long_prompt_are_in_sight(browser: Browser, table: str, deals: random.Random) -> None:
    page = new_page(browser, 1280, 800)
    hurry(page)
    page.goto(table)
    speak(page, table, "es")
    options = {"players": 4, "first": 0, "roles": "navigator,engineer,explorer,pilot"}
    seen = []
    for deal in (28, 31, 60):  # six, seven and eight actions, in four rows with the usual letters
        deals.seed(deal)
        open_match(page, table, "forbidden-island", options, ["me"] * 4)
        assert wait_for_turn(page)
        rows, lines, below = page.evaluate(DESK)
        assert lines == 2 and below == 0, f"{below} pixels of {rows} rows are not in sight"
        seen.append(rows)
    assert max(seen) >= 3
    close(page)


FAILED = "That did not get through. Try again."
# What of the board, the hand and the list is below a notice.
BELOW = """(notice) => [
  ...document.querySelectorAll(".board-svg, .seat.shown, #table-actions :is(button, summary)")
].filter(
  (one) => one.checkVisibility() && ((over, { left, right, top, bottom }) =>
    over.left < right && over.right > left && over.top < bottom && over.bottom > top)(
    notice.getBoundingClientRect(), one.getBoundingClientRect())
).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("size", [SHORT, (1280, 800)], ids=["phone", "desktop"])
def test_what_did_not_get_through_is_said_only_until_something_does(
    browser: Browser, table: str, size: tuple[int, int]
) -> None:
    """Two write their first number, each for themselves; what the second does asks the first nothing new."""
    page = new_page(browser, *size)
    hurry(page)
    match = open_match(page, table, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{table}/m/{match}?seat=0")
    assert wait_for_turn(page)
    notice, hint = page.locator("#answer"), page.locator("#advice")
    page.route("**/actions", lambda route: route.abort())
    page.route("**/advice", lambda route: route.abort())
    action = standing(page, match)["legal"][0]["action"]
    press(page, action)
    expect(notice).to_have_text(FAILED)
    assert notice.evaluate(BELOW) == []
    play(page, match, standing(page, match, 1)["legal"][0]["action"], 1)
    expect(notice).to_be_empty()
    page.get_by_role("button", name="Hint").click()
    expect(hint).to_have_text(FAILED)
    page.context.set_offline(True)
    page.context.set_offline(False)
    expect(hint).to_be_empty()
    page.unroute("**/actions")
    press(page, action)
    expect(page.locator("#table-prompt")).to_contain_text("Confirm your start number")
    close(page)
