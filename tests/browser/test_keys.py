"""Everything can be done by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import WENT_ON, hurry, offers, open_match, press, seq_of, standing, wait_for_turn

CENTRE = """
(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.activeElement.getBoundingClientRect())
"""
ISLAND = {"players": 2, "first": 0, "roles": "diver,engineer"}


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.dataset.touch ?? document.activeElement.tagName")
    return found


def test_a_whole_game_is_played_by_keys_alone(browser: Browser, table: str) -> None:
    """Hashi alone: arrows to an island or the list, Enter; digits where the list is meant."""
    page = new_page(browser)
    hurry(page)
    open_match(page, table, "hashi", {"players": 1}, ["me"])
    for turn in range(120):
        if not wait_for_turn(page):
            break
        seq = seq_of(page)
        if turn % 6 == 5 and page.locator("#table-actions [value=confirm]").count():
            _arrow_to(page, "verb:confirm")
            page.keyboard.press("Enter")
        else:  # the first of the list; where that is a group, the first of it
            page.keyboard.press("1")
            if page.locator("#table-actions details[open]").count():
                page.keyboard.press("1")
        page.wait_for_function(WENT_ON, arg=seq)
    expect(page.locator("#table-result h2")).to_be_visible()
    close(page)


def _arrow_to(page: Page, touch: str) -> None:
    """Walk with the arrows until a thing has the focus."""
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
ARROWS = {"ArrowRight": (0, 1), "ArrowDown": (1, 1), "ArrowLeft": (0, -1), "ArrowUp": (1, -1)}


def test_arrows_walk_over_the_board_and_enter_chooses(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    open_match(page, table, "forbidden-island", ISLAND, ["me", "me"])
    assert wait_for_turn(page)
    page.locator('.board [data-touch^="place:"].can').first.focus()
    seen = {focused(page)}
    for key, (axis, way) in ARROWS.items():
        before = page.evaluate(CENTRE)
        page.keyboard.press(key)
        after = page.evaluate(CENTRE)
        assert after == before or (after[axis] - before[axis]) * way > 0, f"{key} leads from {before} to {after}"
        seen.add(focused(page))
    assert len(seen) > 1, "there is something beside it"
    page.locator('.board [data-touch^="place:"].can').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(CHOSE)
    close(page)


def test_keys_for_help_and_log_and_letting_go(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    open_match(page, table, "hashi", {"players": 1}, ["me"])
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
    close(page)


@pytest.mark.parametrize("control", ["#table-actions [value=confirm]", ".board [data-touch='verb:confirm']"])
def test_a_key_pressed_twice_does_not_answer_the_next_question_too(browser: Browser, table: str, control: str) -> None:
    page = new_page(browser)
    hurry(page)
    match = open_match(page, table, "hashi", {"players": 1}, ["me"])
    press(page, offers(page)[0][0])
    for seq in ("1", "2"):  # the start number, then the first card
        expect(page.locator("#table-seq")).to_have_value(seq)
        page.locator(control).focus()
        page.keyboard.press("Enter")
    expect(page.locator("#table-seq")).to_have_value("3")
    assert page.evaluate("document.activeElement.id") == "table-actions"
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert standing(page, match)["seq"] == 3
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.parentElement.closest('#table-actions') !== null")
    close(page)
