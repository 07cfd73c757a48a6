"""Reasons why something cannot be done, and suggested moves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    AT_STEP,
    FREE_POINT,
    act_elsewhere,
    confirm_reveal,
    fetch_view,
    open_match,
    press,
    set_speed,
    wait_for_turn,
)

DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
SHORT = {"players": 2, "parts": 4, "pirates": 4, "first": 0}


def tap(page: Page, touch: str) -> None:
    point = page.locator(f'.board [data-touch="{touch}"]').evaluate_all(FREE_POINT)
    assert point is not None, f"{touch} cannot be reached"
    page.touchscreen.tap(*point)


def test_a_tap_on_what_cannot_be_chosen_gives_the_reason_and_its_rule(browser: Browser, site: str) -> None:
    page = new_page(browser, 390, 844, has_touch=True)
    set_speed(page)
    open_match(page, site, "forbidden-desert", DESERT, ["me", "me"])
    assert wait_for_turn(page)
    far = page.locator('.board [data-touch^="place:"]:not(.can)').evaluate_all(
        "all => all.map(one => one.dataset.touch)"
    )
    assert far, "every tile of the desert can be chosen"
    tap(page, far[-1])
    expect(page.locator("#answer a").first).to_have_attribute("href", re.compile(r"/rules/forbidden-desert#FD-\d\d"))
    assert len(page.locator("#answer .reason").first.inner_text()) > 20
    expect(page.locator("#table-prompt")).to_be_hidden()  # the reason covers it
    page.locator("#answer a").first.tap()
    expect(page.locator(".rule:target")).to_be_visible()
    close_pages(page)


def test_a_hint_is_shown_and_played_when_pressed(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    held: list[Route] = []
    page.route("**/advice", lambda route: held.append(route))
    open_match(page, site, "cartagena", SHORT, ["me", "random"])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice")).to_have_text("Thinking…")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(page.locator("#advice")).to_contain_text("Suggested move:")
    expect(page.locator("#advice .idea").first).to_contain_text("simulated games")
    expect(page.locator("#advice .idea").first).not_to_contain_text(
        re.compile(r"%\s*Wins")
    )  # the chance of winning is named once
    expect(page.locator("#advice details .idea").first).to_be_hidden()
    page.locator("#advice .idea button").first.click()
    confirm_reveal(page)
    expect(page.locator("#table-seq")).not_to_have_value("0")
    expect(page.locator("#advice")).to_be_empty()
    close_pages(page)


def test_a_key_asks_for_a_hint_and_without_a_decision_the_page_says_so(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "cartagena", {**SHORT, "first": 1}, ["me", "open"])
    page.keyboard.press("h")
    expect(page.locator("#advice")).to_contain_text("You have nothing to decide")
    open_match(page, site, "cartagena", {**SHORT, "first": 0}, ["me", "open"])
    page.keyboard.press("h")
    expect(page.locator("#advice .idea button").first).to_be_visible()
    page.locator("#advice").get_by_role("button", name="Close").click()
    expect(page.locator("#advice")).to_be_empty()
    close_pages(page)


@pytest.fixture
def pending_hint(browser: Browser, site: str) -> tuple[Page, str, list[Route]]:
    """A match in which both decide at the same time. The first has asked for a hint, whose answer is held back."""
    page = new_page(browser)
    set_speed(page)
    held: list[Route] = []
    page.route("**/advice", lambda route: held.append(route))  # before the page could ask
    match = open_match(page, site, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{site}/m/{match}?seat=0")
    assert wait_for_turn(page)
    page.keyboard.press("h")
    expect(page.locator("#advice")).to_have_text("Thinking…")
    return page, match, held


def decide(page: Page, match: str, seat: int) -> None:
    """Act for a seat elsewhere, and wait until the page shows it."""
    act_elsewhere(page, match, fetch_view(page, match, seat)["legal"][0]["action"], seat)
    page.wait_for_function(AT_STEP, arg=str(fetch_view(page, match)["seq"]))


def answered(page: Page, held: list[Route], number: int) -> Route:
    """The route of a request for a hint, once there are so many."""
    for _ in range(1000):
        if len(held) >= number:
            return held[number - 1]
        page.wait_for_timeout(20)
    pytest.fail(f"{len(held)} requests for hints, not {number}")


def test_a_hint_survives_actions_of_others(pending_hint: tuple[Page, str, list[Route]]) -> None:
    page, match, held = pending_hint
    decide(page, match, 1)
    expect(page.locator("#advice")).to_have_text("Thinking…")
    answered(page, held, 1).continue_()
    expect(page.locator("#advice")).to_contain_text("Suggested move:")
    decide(page, match, 1)
    expect(page.locator("#advice")).to_contain_text("Suggested move:")
    decide(page, match, 0)  # the hint is about the past now
    expect(page.locator("#advice")).to_be_empty()
    assert len(held) == 1
    close_pages(page)


def test_a_hint_is_requested_again_when_the_decision_changes(
    pending_hint: tuple[Page, str, list[Route]],
) -> None:
    page, match, held = pending_hint
    first = answered(page, held, 1)
    decide(page, match, 0)  # on another device
    second = answered(page, held, 2)
    first.fulfill(body="a hint about the past")
    expect(page.locator("#advice")).to_have_text("Thinking…")
    second.continue_()
    expect(page.locator("#advice")).to_contain_text("Suggested move:")
    close_pages(page)


def test_no_hint_is_shown_after_the_player_has_decided(pending_hint: tuple[Page, str, list[Route]]) -> None:
    page, match, held = pending_hint
    first = answered(page, held, 1)
    press(page, fetch_view(page, match)["legal"][0]["action"])
    expect(page.locator("#table-seq")).to_have_value("1")
    with page.expect_response("**/advice"):
        first.continue_()
    expect(page.locator("#advice")).to_be_empty()
    assert len(held) == 1
    close_pages(page)


def test_the_button_for_a_hint_goes_when_a_second_person_sits_down(browser: Browser, site: str) -> None:
    ana, ben = new_page(browser), new_page(browser)
    for page in (ana, ben):
        set_speed(page)
    match = open_match(ana, site, "cartagena", SHORT, ["me", "open"])
    expect(ana.locator("#ask-advice")).to_be_visible()
    ben.goto(f"{site}/m/{match}")
    ben.get_by_role("button", name="Sit down").first.click()
    expect(ana.locator("#ask-advice")).to_be_hidden()
    close_pages(ana, ben)
