"""What shows something hidden is asked about first, since nobody can take it back; nothing else is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import FREE_POINT, UNFOLD, hurry, offers, open_match, play, seq_of, standing, wait_for_turn

DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
SHORT = {"players": 2, "parts": 4, "pirates": 4, "first": 0}
ASK = "[data-setting=ask]"


def question(page: Page) -> Locator:
    return page.locator("#asking[open]")


def dig(browser: Browser, table: str) -> Page:
    """Before a tile that can be excavated."""
    page = new_page(browser)
    hurry(page)
    open_match(page, table, "forbidden-desert", DESERT, ["me", "me"])
    while wait_for_turn(page) and not page.locator("#table-actions [value=excavate]").count():
        way = next(value for value, _ in offers(page) if value.startswith(("move", "clear")))
        seq = seq_of(page)
        page.locator(f"#table-actions [value='{way}']").evaluate(UNFOLD)
        page.locator(f"#table-actions [value='{way}']").click()
        expect(page.locator("#table-seq")).not_to_have_value(seq)
        assert not question(page).count(), f"{way} can be taken back"
    return page


def test_a_button_of_the_list_asks_and_then_acts(browser: Browser, table: str) -> None:
    page = dig(browser, table)
    seq = seq_of(page)
    page.locator("#table-actions [value=excavate]").click()
    expect(question(page)).to_contain_text("cannot be taken back")
    question(page).get_by_role("button", name="Not yet").click()
    expect(question(page)).to_have_count(0)
    page.locator("#table-actions [value=excavate]").click()
    assert seq_of(page) == seq
    question(page).get_by_role("button", name="Excavate").click()
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    expect(question(page)).to_have_count(0)
    close(page)


def test_escape_lets_go_of_the_question_and_the_focus_is_where_it_was(browser: Browser, table: str) -> None:
    page = dig(browser, table)
    seq = seq_of(page)
    page.locator("#table-actions [value=excavate]").focus()
    page.keyboard.press("Enter")
    expect(question(page)).to_be_visible()
    assert page.evaluate("document.activeElement.closest('#asking') && document.activeElement.value") == "excavate"
    page.keyboard.press("Escape")
    expect(question(page)).to_have_count(0)
    assert (
        page.evaluate("document.activeElement.closest('#table-actions') && document.activeElement.value") == "excavate"
    )
    assert seq_of(page) == seq
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    close(page)


def test_digits_ask_and_answer(browser: Browser, table: str) -> None:
    page = dig(browser, table)
    seq = seq_of(page)
    digit = page.locator("#table-actions [value=excavate]").get_attribute("data-key")
    assert digit is not None
    for answer in ("2", "1"):
        assert seq_of(page) == seq
        page.keyboard.press(digit)
        expect(question(page)).to_be_visible()
        page.keyboard.press(answer)
        expect(question(page)).to_have_count(0)
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    close(page)


def test_who_does_not_want_to_be_asked_is_not(browser: Browser, table: str) -> None:
    page = dig(browser, table)
    seq = seq_of(page)
    page.get_by_label("Settings").click()
    expect(page.locator(ASK)).to_be_checked()
    page.locator(ASK).uncheck()
    page.reload()
    page.get_by_label("Settings").click()
    expect(page.locator(ASK)).not_to_be_checked()
    page.get_by_label("Settings").click()
    page.locator("#table-actions [value=excavate]").click()
    expect(page.locator("#table-seq")).not_to_have_value(seq)
    expect(question(page)).to_have_count(0)
    close(page)


@pytest.fixture
def spent(browser: Browser, table: str) -> Page:
    """Red has played all cards: a touch on a pirate can only mean to move it back, and the deck only to pass."""
    page = new_page(browser)
    hurry(page)
    while True:
        match = open_match(page, table, "cartagena", SHORT, ["me", "me"])
        while "pass" not in (legal := _legal(page, match, 0)):
            if legal:
                play(page, match, next((one for one in legal if one.startswith("play")), "end"))
            else:  # the other does no more than must be
                play(page, match, "end" if "end" in (others := _legal(page, match, 1)) else others[0], 1)
        page.goto(f"{page.url}?seat=0")
        assert wait_for_turn(page)
        if any(value.startswith("back") for value, _ in offers(page)):
            return page


def _legal(page: Page, match: str, seat: int) -> list[str]:
    return [one["action"] for one in standing(page, match, seat)["legal"]]


def touch(page: Page, name: str) -> None:
    point = page.locator(f'main [data-touch="{name}"].can').evaluate_all(FREE_POINT, name)
    assert point is not None, f"{name} cannot be reached"
    page.mouse.click(*point)


def test_a_touch_on_the_board_asks_too(spent: Page) -> None:
    seq = seq_of(spent)
    places = [touches[1] for value, touches in offers(spent) if value.startswith("back")]
    touch(spent, "verb:pass")
    expect(question(spent)).to_contain_text("Pass and draw a card")
    touch(spent, places[-1])
    expect(question(spent)).to_contain_text("Move back from")
    assert seq_of(spent) == seq
    spent.keyboard.press("Enter")
    expect(spent.locator("#table-seq")).not_to_have_value(seq)
    close(spent)


def test_what_comes_next_anyway_is_not_asked_about(browser: Browser, table: str) -> None:
    """Drawing after the actions, and a round's end that is a confirmation by name."""
    page = new_page(browser)
    hurry(page)
    for game, options, before, verb in (
        ("forbidden-island", {"players": 2, "first": 0}, "end", "draw"),
        ("hashi", {"players": 1}, "start", "confirm"),
    ):
        match = open_match(page, table, game, options, ["me"] * options["players"])
        legal = [one["action"] for one in standing(page, match)["legal"]]
        play(page, match, next(action for action in legal if action.startswith(before)))
        button = page.locator(f"#table-actions [value={verb}]")
        expect(button).to_be_visible()
        seq = seq_of(page)
        button.click()
        expect(page.locator("#table-seq")).not_to_have_value(seq)
        expect(question(page)).to_have_count(0)
    close(page)
