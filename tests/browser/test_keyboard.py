"""Everything can be done by the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    PAST_STEP,
    current_step,
    fetch_view,
    listed_actions,
    open_match,
    press,
    set_speed,
    wait_for_turn,
)

CENTRE = """
(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.activeElement.getBoundingClientRect())
"""
ISLAND = {"players": 2, "first": 0, "roles": "diver,engineer"}


def focused(page: Page) -> str:
    """The touch of the focused thing, else its tag."""
    found: str = page.evaluate("document.activeElement.dataset.touch ?? document.activeElement.tagName")
    return found


def test_a_whole_game_is_played_by_keys_alone(browser: Browser, site: str) -> None:
    """A game of Hashi: arrows and Enter on the board, digits for the list."""
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "hashi", {"players": 1}, ["me"])
    for turn in range(120):
        if not wait_for_turn(page):
            break
        seq = current_step(page)
        page.wait_for_function("() => !document.querySelector('.settling')")
        if turn % 6 == 5 and page.locator("#table-actions [value=confirm]").count():
            _arrow_to(page, "verb:confirm")
            page.keyboard.press("Enter")
        else:  # the first action of the list, or of its first group
            page.keyboard.press("1")
            if page.locator("#table-actions details[open]").count():
                page.keyboard.press("1")
        if page.locator("#confirmation[open]").count():  # nothing was written on this card
            page.keyboard.press("1")
        page.wait_for_function(PAST_STEP, arg=seq)
    expect(page.locator("#table-result h2")).to_be_visible()
    close_pages(page)


def _arrow_to(page: Page, touch: str) -> None:
    """Press arrows until a thing has the focus."""
    for _ in range(40):
        if focused(page) == touch:
            return
        here = page.evaluate(CENTRE)
        box = page.locator(f'.board [data-touch="{touch}"]').bounding_box()
        assert box is not None
        over, down = box["x"] + box["width"] / 2 - here[0], box["y"] + box["height"] / 2 - here[1]
        before = focused(page)
        sideways = ("ArrowRight" if over > 0 else "ArrowLeft", "ArrowDown" if down > 0 else "ArrowUp")
        page.keyboard.press(sideways[abs(over) < abs(down)])
        if focused(page) == before:
            page.keyboard.press(sideways[abs(over) >= abs(down)])
    pytest.fail(f"the arrows do not lead to {touch}, but to {focused(page)}")


CHOSE = "() => document.getElementById('table-seq').value !== '0' || document.querySelector('main .chosen')"
# The axis and the direction of each arrow.
ARROWS = {"ArrowRight": (0, 1), "ArrowDown": (1, 1), "ArrowLeft": (0, -1), "ArrowUp": (1, -1)}


def test_arrows_move_the_focus_over_the_board_and_enter_chooses(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "forbidden-island", ISLAND, ["me", "me"])
    assert wait_for_turn(page)
    page.locator('.board [data-touch^="place:"].can').first.focus()
    seen = {focused(page)}
    for key, (axis, way) in ARROWS.items():
        before = page.evaluate(CENTRE)
        page.keyboard.press(key)
        after = page.evaluate(CENTRE)
        assert after == before or (after[axis] - before[axis]) * way > 0, f"{key} leads from {before} to {after}"
        seen.add(focused(page))
    assert len(seen) > 1, "no arrow leads anywhere"
    page.locator('.board [data-touch^="place:"].can').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(CHOSE)
    close_pages(page)


def test_keys_open_the_help_focus_the_log_and_clear_the_choice(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "hashi", {"players": 1}, ["me"])
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("l")
    assert page.evaluate("document.activeElement.id") == "log"
    page.locator("[data-touch='number:3'].can").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-touch='number:3'].chosen")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".chosen")).to_have_count(0)
    close_pages(page)


@pytest.mark.parametrize("control", ["#table-actions [value=confirm]", ".board [data-touch='verb:confirm']"])
def test_a_key_pressed_twice_does_not_answer_the_next_question_too(browser: Browser, site: str, control: str) -> None:
    page = new_page(browser)
    set_speed(page)
    match = open_match(page, site, "hashi", {"players": 1}, ["me"])
    for seq, first in (("1", "start"), ("3", "write")):  # the start number, then the first card
        press(page, next(value for value, _ in listed_actions(page) if value.startswith(first)))
        expect(page.locator("#table-seq")).to_have_value(seq)
        page.wait_for_function("() => !document.querySelector('.settling')")
        page.locator(control).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#table-seq")).to_have_value(str(int(seq) + 1))
    assert page.evaluate("document.activeElement.id") == "table-actions"
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert fetch_view(page, match)["seq"] == 4
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.parentElement.closest('#table-actions') !== null")
    close_pages(page)
