"""Several people at one device: hidden hands stay hidden, and whose turn it is need not look for their seat."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    PAST_STEP,
    act_elsewhere,
    fetch_view,
    listed_actions,
    open_match,
    press,
    set_speed,
    step_and_actions,
    wait_for_turn,
)

CARTAGENA = {"players": 2, "first": 0}
FACES = ".hand .card"
CURTAIN = "#curtain:visible"
NO_FACE_VISIBLE = """() => [...document.querySelectorAll('.hand .card')]
  .every((one) => !one.checkVisibility({ visibilityProperty: true }))"""


def shared(browser: Browser, site: str, options: dict[str, Any], seats: list[str], **more: Any) -> tuple[Page, str]:
    """A page of Cartagena for people who share a device, with the curtain closed."""
    page = new_page(browser, **more)
    set_speed(page)
    match = open_match(page, site, "cartagena", options, seats)
    page.goto(f"{site}/m/{match}")
    expect(page.locator(CURTAIN)).to_be_visible()
    return page, match


def first_curtain(browser: Browser, site: str, **more: Any) -> tuple[Page, str]:
    """The curtain of a match for which nobody was asked for names yet."""
    page, match = shared(browser, site, CARTAGENA, ["me", "me"], **more)
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#seat-names input").first).to_be_visible()
    return page, match


def opener(page: Page, name: str) -> Any:
    return page.locator(CURTAIN).get_by_role("link", name=name)


def test_a_curtain_names_who_is_to_move_and_shows_no_hand(browser: Browser, site: str) -> None:
    page, match = shared(browser, site, CARTAGENA, ["me", "me"])
    expect(page.locator("#curtain a:visible")).to_have_count(1)
    assert page.locator(FACES).count() == 0, "a hand is on the page before its player asked for it"
    expect(page.get_by_role("link", name="Sit here")).to_have_count(0)
    opener(page, "Pass to Red; tap to see your cards").click()
    expect(page.locator(".seat.shown .card").first).to_be_visible()
    assert fetch_view(page, match, 0)["legal"]
    close_pages(page)


@pytest.mark.parametrize("how", ["mouse", "finger", "key"])
def test_after_a_turn_the_hand_is_gone_and_the_next_one_waits(browser: Browser, site: str, how: str) -> None:
    page, _ = shared(browser, site, CARTAGENA, ["me", "me"], has_touch=how == "finger")
    for seat, name in enumerate(("Red", "Green")):
        link = opener(page, f"Pass to {name}")
        if how == "mouse":
            link.click()
        elif how == "finger":
            link.tap()
        else:
            link.focus()
            page.keyboard.press("Enter")
        page.wait_for_url(f"**?seat={seat}")
        expect(page.locator(".seat.shown .card").first).to_be_visible()
        end_turn(page)
        expect(page.locator(CURTAIN)).to_be_visible()
        assert page.locator(FACES).count() == 0
    expect(opener(page, "Pass to Red")).to_be_visible()
    close_pages(page)


def end_turn(page: Page) -> None:
    """Act once, as a turn demands, and end it."""
    assert wait_for_turn(page)
    card = next(value for value, _ in listed_actions(page) if value.startswith("play "))
    press(page, card)
    expect(page.locator("#table-actions button[value=end]")).to_be_visible()
    press(page, "end")


def test_the_address_of_a_seat_that_is_not_to_move_shows_no_hand(browser: Browser, site: str) -> None:
    page, match = shared(browser, site, CARTAGENA, ["me", "me"])
    page.goto(f"{site}/m/{match}?seat=1")
    expect(opener(page, "Pass to Red")).to_be_visible()
    assert page.locator(FACES).count() == 0
    close_pages(page)


def test_no_hand_is_open_while_bots_play_between_two_people(browser: Browser, site: str) -> None:
    page, match = shared(browser, site, {"players": 3, "first": 0}, ["me", "random", "me"])
    opener(page, "Pass to Red").click()
    page.wait_for_url("**?seat=0")
    expect(page.locator(".seat.shown .card").first).to_be_visible()
    set_speed(page, "normal")
    page.locator("[data-setting=speed]").select_option("slow", force=True)
    act_elsewhere(page, match, next(one for one in actions_of(page, match, 0) if one.startswith("play ")))
    act_elsewhere(page, match, "end")
    page.wait_for_function(NO_FACE_VISIBLE)
    expect(opener(page, "Pass to")).to_be_visible()
    assert page.locator(FACES).count() == 0
    close_pages(page)


def actions_of(page: Page, match: str, seat: int) -> list[str]:
    return [one["action"] for one in fetch_view(page, match, seat)["legal"]]


@pytest.mark.parametrize("game", ["forbidden-island", "hashi"])
def test_in_open_handed_games_the_seat_changes_by_itself(browser: Browser, site: str, game: str) -> None:
    page = new_page(browser)
    set_speed(page)
    options = {"players": 2, **({"first": 0} if game == "forbidden-island" else {})}
    match = open_match(page, site, game, options, ["me", "me"])
    expect(page.locator("main")).to_have_attribute("data-seat", "0")
    while 0 in fetch_view(page, match)["waiting"]:
        assert wait_for_turn(page)
        step, offered = step_and_actions(page)
        actions = [value for value, _ in offered]
        usual = [
            value for value in actions if value.split()[0] in ("end", "draw", "flood", "confirm", "swim", "discard")
        ]
        press(page, (usual or actions)[0], step)
        page.wait_for_function(PAST_STEP, arg=step)
    page.wait_for_url("**?seat=1")
    assert wait_for_turn(page)
    close_pages(page)


def test_who_looks_from_another_seat_is_not_sent_back(browser: Browser, site: str) -> None:
    """Cards may be played in another's turn; after that the page goes to whose turn it is."""
    page = new_page(browser)
    set_speed(page)
    match = open_match(page, site, "forbidden-island", {"players": 2, "first": 0}, ["me", "me"])
    page.get_by_role("link", name="Sit here").click()
    expect(page.locator("main")).to_have_attribute("data-seat", "1")
    moved = next(one for one in actions_of(page, match, 0) if one.startswith(("move ", "shore ")))
    act_elsewhere(page, match, moved)
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator("main")).to_have_attribute("data-seat", "1")
    close_pages(page)


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_names_are_asked_for_once_and_shown_wherever_the_device_is_passed_on(
    browser: Browser, site: str, touch: bool
) -> None:
    page, match = first_curtain(browser, site, has_touch=touch)
    for title, name in (("Red", "Ana"), ("Green", "Ben")):
        page.locator(CURTAIN).get_by_label(title).fill(name)
    link = opener(page, "Pass to Ana (Red); tap to see your cards")
    link.tap() if touch else link.click()
    expect(page.locator("#table-seat-0 .name")).to_have_text("Ana")
    end_turn(page)
    expect(opener(page, "Pass to Ben (Green)")).to_be_visible()
    expect(page.locator("#seat-names input").first).to_be_hidden()
    opener(page, "Pass to Ben (Green)").click()
    expect(page.locator("#table-seat-1 .name")).to_have_text("Ben")
    assert "Ana" not in page.request.get(f"{site}/m/{match}").text(), "the server has no need to know the name"
    close_pages(page)


def test_without_names_colours_are_enough_and_nobody_is_asked_again(browser: Browser, site: str) -> None:
    page, _ = first_curtain(browser, site)
    opener(page, "Pass to Red; tap to see your cards").click()
    end_turn(page)
    expect(opener(page, "Pass to Green; tap to see your cards")).to_be_visible()
    expect(page.locator("#seat-names input").first).to_be_hidden()
    page.locator("#seat-names summary").click()
    page.locator(CURTAIN).get_by_label("Green").fill("Ben")
    expect(opener(page, "Pass to Ben (Green)")).to_be_visible()
    close_pages(page)
