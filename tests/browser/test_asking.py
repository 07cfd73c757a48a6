"""A player asks the table: why not this, and what would a good player do."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import FREE_POINT, WENT_TO, agree, hurry, open_match, play, press, standing, wait_for_turn

DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
SHORT = {"players": 2, "parts": 4, "pirates": 4, "first": 0}


def tap(page: Page, touch: str) -> None:
    point = page.locator(f'.board [data-touch="{touch}"]').evaluate_all(FREE_POINT, touch)
    assert point is not None, f"{touch} cannot be reached"
    page.touchscreen.tap(*point)


def test_a_tap_on_what_cannot_be_done_says_why_and_links_to_the_rule(browser: Browser, table: str) -> None:
    page = new_page(browser, 390, 844, has_touch=True)
    hurry(page)
    open_match(page, table, "forbidden-desert", DESERT, ["me", "me"])
    assert wait_for_turn(page)
    far = page.locator('.board [data-touch^="place:"]:not(.can)').evaluate_all(
        "all => all.map(one => one.dataset.touch)"
    )
    assert far, "nobody reaches all of the desert in one step"
    tap(page, far[-1])
    expect(page.locator("#answer a").first).to_have_attribute("href", re.compile(r"/rules/forbidden-desert#FD-\d\d"))
    assert len(page.locator("#answer .reason").first.inner_text()) > 20
    expect(page.locator("#table-prompt")).to_be_hidden()  # the reason stands in its place
    page.locator("#answer a").first.tap()
    expect(page.locator(".rule:target")).to_be_visible()
    close(page)


def test_a_hint_is_thought_about_shown_and_played_when_pressed(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    waiting: list[Route] = []
    page.route("**/advice", lambda route: waiting.append(route))
    open_match(page, table, "cartagena", SHORT, ["me", "random"])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice")).to_have_text("Thinking …")
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    expect(page.locator("#advice")).to_contain_text("A good player would")
    expect(page.locator("#advice .idea").first).to_contain_text("imagined games")
    expect(page.locator("#advice .idea").first).not_to_contain_text(re.compile(r"%\s*Wins"))  # it says so once
    expect(page.locator("#advice details .idea").first).to_be_hidden()
    page.locator("#advice .idea button").first.click()
    agree(page)
    expect(page.locator("#table-seq")).not_to_have_value("0")
    expect(page.locator("#advice")).to_be_empty()
    close(page)


def test_a_hint_by_key_and_a_clear_word_where_there_is_nothing_to_decide(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    match = open_match(page, table, "cartagena", SHORT, ["me", "me"])
    page.goto(f"{table}/m/{match}?seat=1")
    page.keyboard.press("h")
    expect(page.locator("#advice")).to_contain_text("nothing for you to decide")
    page.goto(f"{table}/m/{match}?seat=0")
    page.keyboard.press("h")
    expect(page.locator("#advice .idea button").first).to_be_visible()
    page.locator("#advice").get_by_role("button", name="Close").click()
    expect(page.locator("#advice")).to_be_empty()
    close(page)


@pytest.fixture
def thinking(browser: Browser, table: str) -> tuple[Page, str, list[Route]]:
    """Two decide at the same time; the first has asked for a hint, and the answer waits."""
    page = new_page(browser)
    hurry(page)
    waiting: list[Route] = []
    page.route("**/advice", lambda route: waiting.append(route))  # before there is a page that could ask past it
    match = open_match(page, table, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{table}/m/{match}?seat=0")
    assert wait_for_turn(page)
    page.keyboard.press("h")
    expect(page.locator("#advice")).to_have_text("Thinking …")
    return page, match, waiting


def decide(page: Page, match: str, seat: int) -> None:
    """A seat does something, and the page knows it."""
    play(page, match, standing(page, match, seat)["legal"][0]["action"], seat)
    page.wait_for_function(WENT_TO, arg=str(standing(page, match)["seq"]))


def answered(page: Page, waiting: list[Route], number: int) -> Route:
    """The route of a hint, once it was asked for."""
    for _ in range(1000):
        if len(waiting) >= number:
            return waiting[number - 1]
        page.wait_for_timeout(20)
    pytest.fail(f"asked {len(waiting)} times, not {number}")


def test_a_hint_outlives_what_others_do(thinking: tuple[Page, str, list[Route]]) -> None:
    page, match, waiting = thinking
    decide(page, match, 1)
    expect(page.locator("#advice")).to_have_text("Thinking …")
    answered(page, waiting, 1).continue_()
    expect(page.locator("#advice")).to_contain_text("A good player would")
    decide(page, match, 1)
    expect(page.locator("#advice")).to_contain_text("A good player would")
    decide(page, match, 0)  # now it would be a hint for what is past
    expect(page.locator("#advice")).to_be_empty()
    assert len(waiting) == 1
    close(page)


def test_a_hint_is_asked_for_anew_when_there_is_something_else_to_decide(
    thinking: tuple[Page, str, list[Route]],
) -> None:
    page, match, waiting = thinking
    first = answered(page, waiting, 1)
    decide(page, match, 0)  # from another device
    second = answered(page, waiting, 2)
    first.fulfill(body="what is past")
    expect(page.locator("#advice")).to_have_text("Thinking …")
    second.continue_()
    expect(page.locator("#advice")).to_contain_text("A good player would")
    close(page)


def test_who_decides_without_waiting_for_the_hint_gets_none(thinking: tuple[Page, str, list[Route]]) -> None:
    page, match, waiting = thinking
    first = answered(page, waiting, 1)
    press(page, standing(page, match)["legal"][0]["action"])
    expect(page.locator("#table-seq")).to_have_value("1")
    with page.expect_response("**/advice"):
        first.continue_()
    expect(page.locator("#advice")).to_be_empty()
    assert len(waiting) == 1
    close(page)
