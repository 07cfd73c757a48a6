"""Actions that reveal hidden information cannot be undone: they are confirmed first, and no others are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    EXPAND,
    FREE_POINT,
    act_elsewhere,
    current_step,
    fetch_view,
    listed_actions,
    open_match,
    set_speed,
    stay_at_seat,
    wait_for_turn,
)

DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
SHORT = {"players": 2, "parts": 4, "pirates": 4, "first": 0}
ASKED_OR_PAST = """seq => document.querySelector('#confirmation[open]') ||
  document.getElementById('table-seq').value !== seq"""
CONFIRM_SETTING = "[data-setting=ask]"


def question(page: Page) -> Locator:
    return page.locator("#confirmation[open]")


def before_excavating(browser: Browser, site: str) -> Page:
    """A turn in Forbidden Desert, on a tile that can be excavated."""
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "forbidden-desert", DESERT, ["me", "me"])
    while wait_for_turn(page) and not page.locator("#table-actions [value=excavate]").count():
        way = next(value for value, _ in listed_actions(page) if value.startswith(("move", "clear")))
        seq = current_step(page)
        page.locator(f"#table-actions [value='{way}']").evaluate(EXPAND)
        page.locator(f"#table-actions [value='{way}']").click()
        expect(page.locator("#table-seq")).not_to_have_value(seq)
        assert not question(page).count(), f"{way} can be undone"
    return page


def test_a_button_of_the_list_asks_and_then_acts(browser: Browser, site: str) -> None:
    page = before_excavating(browser, site)
    seq = current_step(page)
    page.locator("#table-actions [value=excavate]").click()
    expect(question(page)).to_contain_text("hidden information")
    question(page).get_by_role("button", name="Cancel").click()
    expect(question(page)).to_have_count(0)
    page.locator("#table-actions [value=excavate]").click()
    assert current_step(page) == seq
    question(page).get_by_role("button", name="Excavate").click()
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    expect(question(page)).to_have_count(0)
    close_pages(page)


def test_escape_closes_the_question_and_restores_the_focus(browser: Browser, site: str) -> None:
    page = before_excavating(browser, site)
    seq = current_step(page)
    page.locator("#table-actions [value=excavate]").focus()
    page.keyboard.press("Enter")
    expect(question(page)).to_be_visible()
    expect(page.locator("#confirmation button:focus")).to_have_attribute("value", "excavate")
    page.keyboard.press("Escape")
    expect(question(page)).to_have_count(0)
    assert (
        page.evaluate("document.activeElement.closest('#table-actions') && document.activeElement.value") == "excavate"
    )
    assert current_step(page) == seq
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    close_pages(page)


def test_digits_ask_and_answer(browser: Browser, site: str) -> None:
    page = before_excavating(browser, site)
    seq = current_step(page)
    digit = page.locator("#table-actions [value=excavate]").get_attribute("data-key")
    assert digit is not None
    for answer in ("2", "1"):
        assert current_step(page) == seq
        page.keyboard.press(digit)
        expect(question(page)).to_be_visible()
        page.keyboard.press(answer)
        expect(question(page)).to_have_count(0)
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    close_pages(page)


def test_no_question_is_asked_if_the_setting_is_off(browser: Browser, site: str) -> None:
    page = before_excavating(browser, site)
    seq = current_step(page)
    page.get_by_label("Settings").click()
    page.locator(CONFIRM_SETTING).select_option("never")
    page.reload()
    page.get_by_label("Settings").click()
    expect(page.locator(CONFIRM_SETTING)).to_have_value("never")
    page.get_by_label("Settings").click()
    page.locator("#table-actions [value=excavate]").click()
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    expect(question(page)).to_have_count(0)
    close_pages(page)


@pytest.mark.parametrize("setting", ["once", "always"])
def test_a_kind_of_action_is_asked_about_once_unless_more_is_wanted(browser: Browser, site: str, setting: str) -> None:
    page = new_page(browser)
    set_speed(page)
    page.add_init_script(f"localStorage['skerry-ask'] = '{setting}'")
    asked = 0
    for _ in range(2):
        match = open_match(page, site, "cartagena", {**SHORT, "parts": 6}, ["me", "me"])
        way = next(one for one in _legal(page, match, 0) if one.startswith("play"))
        act_elsewhere(page, match, way)  # a pirate has left the prison, and can move back
        way = next(one for one in _legal(page, match, 0) if one.startswith("play"))
        act_elsewhere(page, match, way)
        page.reload()
        assert wait_for_turn(page)
        back = next(value for value, _ in listed_actions(page) if value.startswith("back"))
        seq = current_step(page)
        page.locator(f"#table-actions [value='{back}']").evaluate(EXPAND)
        page.locator(f"#table-actions [value='{back}']").click()
        page.wait_for_function(ASKED_OR_PAST, arg=seq)
        if question(page).count():
            asked += 1
            question(page).locator("[name=action]").click()
        expect(page.locator("#table-seq")).not_to_have_value(seq)
    assert asked == (1 if setting == "once" else 2)
    close_pages(page)


@pytest.fixture
def without_cards(browser: Browser, site: str) -> Page:
    """Red has no cards left: a touch on a pirate can only move it back, and one on the deck only pass."""
    page = new_page(browser)
    set_speed(page)
    stay_at_seat(page)
    while True:
        match = open_match(page, site, "cartagena", SHORT, ["me", "me"])
        while "pass" not in (legal := _legal(page, match, 0)):
            if legal:
                act_elsewhere(page, match, next((one for one in legal if one.startswith("play")), "end"))
            else:  # Green does as little as possible
                act_elsewhere(page, match, "end" if "end" in (others := _legal(page, match, 1)) else others[0], 1)
        page.goto(f"{site}/m/{match}?seat=0")
        assert wait_for_turn(page)
        if any(value.startswith("back") for value, _ in listed_actions(page)):
            return page


def _legal(page: Page, match: str, seat: int) -> list[str]:
    return [one["action"] for one in fetch_view(page, match, seat)["legal"]]


def touch(page: Page, name: str) -> None:
    point = page.locator(f'main [data-touch="{name}"].can').evaluate_all(FREE_POINT)
    assert point is not None, f"{name} cannot be reached"
    page.mouse.click(*point)


def test_a_touch_on_the_board_asks_too(without_cards: Page) -> None:
    seq = current_step(without_cards)
    places = [touches[1] for value, touches in listed_actions(without_cards) if value.startswith("back")]
    touch(without_cards, "verb:pass")
    expect(question(without_cards)).to_contain_text("Pass and draw a card")
    touch(without_cards, places[-1])
    expect(question(without_cards)).to_contain_text("Move back")
    assert current_step(without_cards) == seq
    without_cards.keyboard.press("Enter")
    expect(without_cards.locator("#table-seq")).not_to_have_value(seq)
    close_pages(without_cards)


def test_the_usual_next_step_is_not_asked_about(browser: Browser, site: str) -> None:
    """Drawing after the actions, and the end of a round, which is called a confirmation itself."""
    page = new_page(browser)
    set_speed(page)
    for game, options, before, verb in (
        ("forbidden-island", {"players": 2, "first": 0}, "end", "draw"),
        ("hashi", {"players": 1}, "start", "confirm"),
    ):
        match = open_match(page, site, game, options, ["me"] * options["players"])
        legal = [one["action"] for one in fetch_view(page, match)["legal"]]
        act_elsewhere(page, match, next(action for action in legal if action.startswith(before)))
        button = page.locator(f"#table-actions [value={verb}]")
        expect(button).to_be_visible()
        seq = current_step(page)
        button.click()
        expect(page.locator("#table-seq")).not_to_have_value(seq)
        expect(question(page)).to_have_count(0)
    close_pages(page)
